"""A net as an ONNX file, for programs that know nothing of this package.

The value net: inputs ``hand`` and ``public`` (``nets.encoding``, ``Sums``), output ``value``. The nets
of an average strategy: for each seat N an input ``publicN`` and an output ``movesN`` of shape (rows, hands, m + 1), the
last layer's sums, of which a softmax over the legal moves makes probabilities.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ...base.errors import not_installed
from ...base.files import write_atomically
from .file import Net
from .ready import VALUE, prepare_policy, prepare_values

OPSET, IR = 13, 8
"""Old enough for every runtime of recent years."""


def write_onnx(path: str | os.PathLike[str], net: Net) -> None:
    """Write *net* to *path*, whole or not at all. Raises ``NotApplicableError`` without the package onnx."""
    write_atomically(path, [model(net).SerializeToString()])


def model(net: Net) -> Any:
    """The net as an ``onnx.ModelProto``. Raises ``NotApplicableError`` without the package onnx, ``FileError``."""
    try:
        import onnx
    except ModuleNotFoundError:
        raise not_installed("an ONNX file", "the package onnx", "onnx") from None
    parts = _Parts(onnx)
    (_value if net.kind == VALUE else _policy)(net, parts)
    graph = onnx.helper.make_graph(parts.nodes, f"efg-builder {net.kind}", parts.inputs, parts.outputs, parts.arrays)
    made = onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", OPSET)], producer_name="efg-builder"
    )
    made.ir_version, made.doc_string = IR, net.game.title
    onnx.checker.check_model(made)
    return made


class _Parts:
    """A graph in the making."""

    def __init__(self, onnx: Any) -> None:
        self.onnx = onnx
        self.nodes: list[Any] = []
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        self.arrays: list[Any] = []

    def takes(self, name: str, width: int) -> str:
        self.inputs.append(self.onnx.helper.make_tensor_value_info(name, self.onnx.TensorProto.FLOAT, ["rows", width]))
        return name

    def gives(self, name: str, shape: list[Any]) -> None:
        self.outputs.append(
            self.onnx.helper.make_tensor_value_info(name, self.onnx.TensorProto.FLOAT, ["rows", *shape])
        )

    def array(self, name: str, numbers: Any) -> str:
        self.arrays.append(self.onnx.numpy_helper.from_array(np.ascontiguousarray(numbers), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, **settings: Any) -> str:
        self.nodes.append(self.onnx.helper.make_node(kind, inputs, [output], **settings))
        return output

    def layer(self, x: str, name: str, weight: Any, bias: Any, output: str) -> str:
        names = [x, self.array(f"{name}.weight", weight), self.array(f"{name}.bias", bias)]
        return self.node("Gemm", names, output, transB=1)


def _value(net: Net, parts: _Parts) -> None:
    prepare_values(net)  # checks the shapes
    made = []
    for name in ("hand", "public"):
        weight, bias = (net.weights[f"{name}.{part}"].astype(np.float32) for part in ("weight", "bias"))
        made.append(parts.layer(parts.takes(name, weight.shape[1]), name, weight, bias, f"{name} embedded"))
    x = parts.node("Mul", made, "product")
    *inner, (last, offset) = net.layers("", len(net.weights["public.bias"]), 1)
    for number, (weight, bias) in enumerate(inner, start=1):
        x = parts.node("Relu", [parts.layer(x, str(number), weight, bias, f"sums {number}")], f"layer {number}")
    parts.node("Tanh", [parts.layer(x, "out", last, offset, "sum")], "value")
    parts.gives("value", [1])


def _policy(net: Net, parts: _Parts) -> None:
    moves = len(net.game.bid_names) + 1
    for seat, layers in enumerate(prepare_policy(net).seats, start=1):
        *inner, (last, offset) = layers
        hands = net.game.hand_counts[seat - 1]
        x = parts.takes(f"public{seat}", 3 * moves - 2)
        for number, (weight, bias) in enumerate(inner, start=1):
            name = f"player{seat}.{number}"
            after = parts.node("Relu", [parts.layer(x, name, weight, bias, f"{name} sums")], f"{name} rectified")
            x = after if number == 1 else parts.node("Add", [after, x], f"{name} out")
        sums = parts.layer(x, f"player{seat}.out", last, offset, f"player{seat} sums")
        shape = parts.array(f"shape{seat}", np.array([-1, hands, moves], dtype=np.int64))
        parts.node("Reshape", [sums, shape], f"moves{seat}")
        parts.gives(f"moves{seat}", [hands, moves])
