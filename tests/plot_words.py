"""Whether the words of a plot can be read, for several test modules."""

from itertools import combinations, pairwise

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.offsetbox import AnnotationBbox, TextArea
from matplotlib.text import Text

from efg_builder.display.trees.colors import contrast


def texts(figure):
    """Every text that is drawn, with the box that it takes: not the labels of ticks out of view, or of no axis."""
    FigureCanvasAgg(figure).draw()
    hidden = set()
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        shown = {id(tick) for tick in axis._update_ticks()} if axis.axes.axison else ()
        ticks = [tick for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()] if id(tick) not in shown]
        hidden |= {id(label) for tick in ticks for label in (tick.label1, tick.label2)}
        hidden |= set() if axis.axes.axison else {id(axis.label)}
    found = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    return [(text, text.get_window_extent()) for text in found if id(text) not in hidden]


def assert_readable(figure):
    """Every piece of text lies within the figure, and no two on each other."""
    found, whole = [(text.get_text(), box) for text, box in texts(figure)], figure.bbox.padded(1)
    for words, box in found:
        assert whole.x0 <= box.x0 <= box.x1 <= whole.x1, words
        assert whole.y0 <= box.y0 <= box.y1 <= whole.y1, words
    # Boxes have room for letters with tails: a point of overlap is none to the eye.
    inner = [(words, box.padded(-0.75)) for words, box in found]
    assert [(one, two) for (one, a), (two, b) in combinations(inner, 2) if a.overlaps(b)] == []


def labels(axis):
    """The labels beside a panel, from the lowest, with the boxes that they take and the ends of their lines."""
    FigureCanvasAgg(axis.figure).draw()
    found = []
    for box in axis.findobj(AnnotationBbox):
        rows = [row.findobj(TextArea) for row in box.offsetbox.get_children()]
        words = "\n".join("".join(part.get_text() for part in row) for row in rows)
        found.append((words, box.offsetbox.get_window_extent(), axis.transData.transform(box.xy)))
    return sorted(found, key=lambda each: each[1].y0)


def assert_labels_apart(figure):
    """No label overlaps another one, and each is in the order of the ends of the lines, and has a line to its end."""
    for axis in figure.axes:
        found = labels(axis)
        for (one, below, end), (other, above, next_end) in pairwise(found):
            assert below.y1 <= above.y0 + 0.5, (one, other)
            assert end[1] <= next_end[1], (one, other)
        assert all(box.arrow_patch is not None for box in axis.findobj(AnnotationBbox))


def assert_contrast(figure):
    """WCAG 2.2, 1.4.3: 4.5 to 1."""
    for text, box in texts(figure):
        assert contrast(to_rgb(text.get_color()), behind(figure, text, box)) >= 4.5, text.get_text()


def behind(figure, text, box):
    """The colour that a text stands on: of its own box, or of what was drawn last below its middle, on white paper."""
    middle, paper = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2), (1.0, 1.0, 1.0)
    patches = [patch for axes in figure.axes for patch in axes.patches]
    below = [patch for patch in patches if patch.get_window_extent().contains(*middle)]
    for patch in below if text.get_bbox_patch() is None else [text.get_bbox_patch()]:
        *colour, alpha = patch.get_facecolor()
        paper = tuple(alpha * one + (1 - alpha) * other for one, other in zip(colour, paper, strict=True))
    return paper
