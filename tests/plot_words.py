"""Whether the words of a plot can be read, for several test modules."""

from itertools import combinations

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text


def assert_readable(figure):
    """Every piece of text lies within the figure, and no two on each other."""
    FigureCanvasAgg(figure).draw()
    beyond = {text for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for text in out_of_view(axis)}
    texts = [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
    texts = [text for text in texts if text not in beyond]
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    whole = figure.bbox
    for words, box in boxes:
        assert whole.x0 <= box.x0, words
        assert box.x1 <= whole.x1, words
        assert whole.y0 <= box.y0, words
        assert box.y1 <= whole.y1, words
    for (one, first), (two, second) in combinations(boxes, 2):
        wide = min(first.x1, second.x1) - max(first.x0, second.x0)
        high = min(first.y1, second.y1) - max(first.y0, second.y0)
        # Boxes have room for letters with tails: a point of overlap is none to the eye.
        assert wide <= 1.5 or high <= 1.5, (one, two)


def out_of_view(axis):
    """The labels of ticks that are not drawn, because they lie outside of what the axis shows."""
    low, high = sorted(axis.get_view_interval())
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    return [text for tick in ticks if not low <= tick.get_loc() <= high for text in (tick.label1, tick.label2)]
