"""Training nets. The learners' modules need PyTorch; ``training.running``, which calls them, imports it only then."""

from __future__ import annotations

from .running import LEARNERS, Run, TrainingProgress, train

__all__ = ["LEARNERS", "Run", "TrainingProgress", "train"]
