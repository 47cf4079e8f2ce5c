"""docs/on-paper.md: the simulation keeps its bounds, the models follow from the kept figures, the tables from both."""

import math
import random
import re
import shutil
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
import frame
import on_paper
import on_paper_models as models
from efg_builder.experiments.sweeps.running import sweep
from efg_builder.experiments.sweeps.variants import grid
from efg_builder.games.match_rules import Bounds, match_rules
from on_paper_simulation import Costs, Task, critical_path, longest_first, rounds, scenarios, simulate

DOCS = frame.ROOT / "docs"
DATA = frame.load("on-paper")
PAGE = (DOCS / "on-paper.md").read_text()

seconds = st.floats(0.01, 1000)


@st.composite
def works(draw):
    """Tasks, of which each may need some of those before it, and an order to take them in."""
    tasks = []
    for number in range(draw(st.integers(1, 12))):
        needs = draw(st.sets(st.integers(0, number - 1), max_size=3)) if number else set()
        tasks.append(Task(draw(seconds), tuple(sorted(needs))))
    return tasks, draw(st.permutations(range(len(tasks))))


# --- the simulation


@settings(deadline=None)
@given(works(), st.integers(1, 6))
def test_no_course_is_faster_than_its_bounds_or_slower_than_grahams(work, workers):
    """Graham (1969): list scheduling takes at most the work divided by the workers, and the longest chain on top."""
    tasks, order = work
    course, total, chain = simulate(tasks, workers, order), sum(t.seconds for t in tasks), critical_path(tasks)
    assert course.seconds >= max(chain, total / workers) * (1 - 1e-12)
    assert course.seconds <= (total / workers + chain * (1 - 1 / workers)) * (1 + 1e-12)
    assert course.busy == pytest.approx(total)
    assert (course.lost, course.failed) == (0, 0)


@settings(deadline=None)
@given(works(), st.floats(0, 10), st.floats(0, 10))
def test_one_worker_takes_the_sum(work, start, each):
    tasks, order = work
    course = simulate(tasks, 1, order, Costs(start, each))
    assert course.seconds == pytest.approx(start + sum(task.seconds + each for task in tasks))


@given(works())
def test_as_many_workers_as_tasks_take_the_longest_chain(work):
    tasks, order = work
    assert simulate(tasks, len(tasks), order).seconds == pytest.approx(critical_path(tasks))


@settings(deadline=None)
@given(works(), st.integers(1, 6), st.just(0.0) | st.floats(0.01, 200), st.integers(0, 3), st.integers(0, 99))
def test_deaths_lose_work_and_nothing_else(work, workers, deaths, retries, seed):
    tasks, order = work
    costs = Costs(1.0, 0.5, deaths, retries)
    course = simulate(tasks, workers, order, costs, seed)
    assert course == simulate(tasks, workers, order, costs, seed)
    assert course.busy <= sum(task.seconds + 0.5 for task in tasks) * (1 + 1e-12)
    assert course.lost >= 0
    if not course.failed:
        assert course.busy == pytest.approx(sum(task.seconds + 0.5 for task in tasks))
    if not deaths:
        assert (course.lost, course.failed) == (0, 0)


def test_a_worker_that_always_dies_leaves_tasks_undone():
    tasks = [Task(1e6), Task(1.0, (0,)), Task(1e6)]
    assert simulate(tasks, 2, costs=Costs(deaths=3600.0, retries=1)).failed == 3


def test_longest_first_by_hand():
    """5, 3, 2, 8 and 1 seconds on two workers: in order 5+2+1 and 3+8; longest first 8+2 (or 8+1) and 5+3."""
    tasks = [Task(taken) for taken in (5.0, 3.0, 2.0, 8.0, 1.0)]
    order = longest_first([task.seconds for task in tasks])
    assert order == [3, 0, 1, 2, 4]
    # 5 | 3 then 2: free at 5 and 5; then 8 and 1: 13. Longest first: 8 | 5+3, then 2 and 1: 10.
    assert simulate(tasks, 2).seconds == 13
    assert simulate(tasks, 2, order).seconds == 10


@pytest.mark.parametrize(
    "given_", [{"dice": "3,2"}, {"dice": "3,3", "next": "winner"}, {"dice": "2,2", "loss": "difference"}]
)
def test_rounds_need_just_those_that_their_stakes_are_made_of(given_):
    """With these a round's stakes are known; without any one of them they are not."""
    rules = match_rules(given_)
    pairs = rules.rounds()
    for pair, task in zip(pairs, rounds(rules, dict.fromkeys(pairs, 1.0)), strict=True):
        known = {pairs[number]: Bounds(Fraction(0), Fraction(0)) for number in task.needs}
        assert all(sum(other) < sum(pair) for other in known)
        rules.stakes(pair, known)
        for other in known:
            with pytest.raises(KeyError):
                rules.stakes(pair, {each: bounds for each, bounds in known.items() if each != other})


# --- the models


@pytest.mark.parametrize("order", ["quantity-face", "face-quantity"])
@pytest.mark.parametrize("rules", ["plain", "joker", "highest"])
def test_sizes_by_formula_are_those_of_the_game(rules, order):
    words = {"plain": {}, "joker": {"wild": 1, "wild_biddable": False}, "highest": {"wild": "highest"}}[rules]
    row, real = models.game((2, 1), 4, rules, order), eb.game("liars-dice", sides=4, dice=(2, 1), order=order, **words)
    assert row["bids"] == len(real.bids)
    assert row["hands"] == list(real.hand_counts)
    assert row["infosets"] == sum(real.size().infosets)


def made_up(weights, noise=0.0, seed=0):
    """Games whose figure is what a model of *weights* says, but for *noise*: a standard deviation of the logarithm."""
    rows, chance = [], random.Random(seed)
    for dice in ((1, 1), (2, 1), (1, 2), (2, 2), (3, 2)):
        for sides in (2, 3, 4, 5, 6):
            for rules in ("plain", "joker", "highest"):
                for order in ("quantity-face", "face-quantity"):
                    row = models.game(dice, sides, rules, order)
                    rows.append(row | {"figure": models.said(weights, row) * math.exp(chance.gauss(0, noise))})
    return rows


WEIGHTS = dict(zip(models.TERMS, (-3.0, 2.0, 0.5, 0.25, 1.0, 1.5, -0.5, 0.2), strict=True))


def figure(row):
    return row["figure"]


def test_a_model_is_found_again():
    model = models.fit(made_up(WEIGHTS), figure)
    assert model["weights"] == pytest.approx(WEIGHTS)
    assert model["scatter"] == pytest.approx(1)
    assert model["unseen"] == pytest.approx([1, 1, 1])


def test_games_that_ran_out_of_time_count_as_more():
    """Left out, the slow games bend the model, on average; as lower bounds they do not."""
    off = ([], [])
    for seed in range(12):
        rows = made_up(WEIGHTS, noise=1.0, seed=seed)
        limit = sorted(map(figure, rows))[len(rows) // 2]
        done = [row for row in rows if figure(row) < limit]
        over = [row | {"figure": limit} for row in rows if figure(row) >= limit]
        largest = max(rows, key=lambda row: row["infosets"])
        for which, some in enumerate(((), over)):
            weights = models.fit(done, figure, some)["weights"]
            off[which].append(math.log(models.said(weights, largest) / models.said(WEIGHTS, largest)))
    left_out, counted = (sum(each) / len(each) for each in off)
    assert left_out < -0.5
    assert abs(counted) < -left_out / 2


def test_powers_and_costs_are_found_again():
    assert models.power([(x, 3 * x**1.5) for x in (1, 2, 5, 9)]) == pytest.approx((1.5, 3, 1))
    assert models.two_costs([(1, 5, 17), (2, 1, 7), (3, 3, 15)]) == pytest.approx((2, 3, 1))
    # 1 and 1 cost 1, 1 and 2 cost 0.5: the second would cost less than nothing, so it costs nothing.
    assert models.two_costs([(1, 1, 1), (1, 2, 0.5)])[1] == 0


# --- what is kept, and the page


def test_the_models_follow_from_what_is_kept():
    again = models.fits(DATA)
    assert set(again) == set(DATA["fits"])
    for name, kept in DATA["fits"].items():
        for key, value in kept.items():
            assert again[name][key] == pytest.approx(value, rel=1e-4)


def test_what_is_kept_fits_together():
    assert models.match_rounds() == DATA["matches"]
    for one in DATA["profile"].values():
        assert sum(one["parts"].values()) == pytest.approx(one["seconds"], abs=0.01)
    names = [(*row["dice"], row["sides"], row["rules"], row["order"]) for row in DATA["rows"]]
    assert len(set(names)) == len(names) == 270


def test_the_simulated_runs_are_those_that_were_made():
    """What the page says of the simulation: within a fifth of what a real run took, on one worker and on two."""
    lines = [line.split(" | ") for line in tables_of("checked") if line.startswith(("| sweep", "| match"))]
    assert len(lines) == 8
    assert all(0.8 <= float(line[5].strip(" |")) <= 1.2 for line in lines)


def tables_of(name):
    return re.search(rf"<!-- {name} -->\n(.*?)<!-- end of {name} -->", PAGE, flags=re.DOTALL)[1].splitlines()


def test_the_tables_of_the_page_are_those_of_the_kept_figures(tmp_path):
    docs, data = tmp_path / "docs", tmp_path / "benchmarks" / "data"
    docs.mkdir()
    data.mkdir(parents=True)
    for name in ("on-paper", "oracle"):
        shutil.copy(frame.data_file(name), data)
    emptied = re.sub(r"(<!-- ([a-z ]+) -->\n).*?(<!-- end of \2 -->)", r"\1\3", PAGE, flags=re.DOTALL)
    assert len(emptied) < len(PAGE)
    (docs / "on-paper.md").write_text(emptied)
    command = [sys.executable, on_paper.__file__, "--root", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    assert (docs / "on-paper.md").read_text() == PAGE
    drawn = {path.name: path.read_bytes() for path in (DOCS / "on-paper").iterdir()}
    assert {path.name for path in (docs / "on-paper").iterdir()} == set(drawn)
    installed = __import__("matplotlib").__version__
    if f"Matplotlib v{installed}," not in drawn["shares.svg"].decode():
        pytest.skip(f"the plots were made with another matplotlib than {installed}")
    for name, content in drawn.items():
        found, kept = (_numbers(text.decode()) for text in ((docs / "on-paper" / name).read_bytes(), content))
        assert found[0] == kept[0]
        # Processors round differently, and names of clip paths are hashes of what is rounded.
        assert found[1] == pytest.approx(kept[1], abs=1e-3)


def _numbers(svg: str) -> tuple[list[str], list[float]]:
    """What stands between the numbers of a picture, and the numbers."""
    svg = re.sub(r"\bp[0-9a-f]{10}\b", "clip", svg)
    number = r"-?\d+\.\d+"
    return re.split(number, svg), [float(one) for one in re.findall(number, svg)]


def test_more_workers_are_no_slower_by_much_and_never_faster_than_the_most():
    for one in scenarios(DATA):
        alone = one.seconds(1)
        for workers in (2, 16, 256):
            gain = alone / one.seconds(workers)
            assert 0.999 <= gain <= workers * 1.001
            assert one.costs.deaths or gain <= one.most * 1.001


def test_limits_are_where_the_next_side_is_too_much():
    assert on_paper.largest(lambda sides: sides <= 7) == 7
    assert on_paper.largest(lambda sides: False) == 0
    for dice in on_paper.FAMILIES:
        for _, most in on_paper.MACHINES:
            end = on_paper.largest(lambda sides, d=dice, m=most: on_paper.arrays(d, sides) <= m)
            assert on_paper.arrays(dice, end + 1) > most
            assert end == 0 or on_paper.arrays(dice, end) <= most


# --- measuring


def test_a_sweep_is_taken_in_as_it_was(tmp_path):
    sweep(grid("liars-dice", {"sides": "3", "dice": "2,1", "wild": "none;highest"}), tmp_path / "s.db", workers=1)
    proved = models.proofs(tmp_path / "s.db")
    rows = models.take_in(tmp_path / "s.db", proved)
    assert [row["rules"] for row in rows] == ["plain", "highest"]
    kept = {(*row["dice"], row["sides"], row["rules"], row["order"]): row for row in DATA["rows"]}
    for row in rows:
        before = kept[(*row["dice"], row["sides"], row["rules"], row["order"])]
        assert set(row) == set(before)
        assert row["exact"]
        assert row["proof_seconds"] > 0
        for key in ("infosets", "nodes", "bids", "hands", "method"):
            assert row[key] == before[key]


def test_a_game_and_a_pass_are_measured():
    name = "1v1, 10 sides"
    found = frame.own_process(models.profile, models.UNSEEN[name])
    assert sum(found["parts"].values()) == pytest.approx(found["seconds"], abs=0.01)
    assert set(found) - {"programs", "responses", "parts"} == set(DATA["unseen"][name])
    assert found["sequences"] == DATA["unseen"][name]["sequences"]
    assert found["programs"]
    assert found["responses"]
    name = "1v1, 6 sides"
    found = frame.own_process(models.wide, models.WIDE[name])
    assert set(found) == set(DATA["wide"][name])
    assert [found[key] for key in ("bids", "hands", "bytes")] == [12, [6, 6], DATA["wide"][name]["bytes"]]


# --- beyond what was solved


def row_of(dice, sides, seconds, exact, rules="plain"):
    return models.game(dice, sides, rules) | {"seconds": seconds, "exact": exact, "sequences": 9, "method": "oracle"}


def made_data(seconds):
    """Data whose model says so many seconds of every game; one game not seen before took just as long."""
    weights = dict.fromkeys(models.TERMS, 0.0) | {"constant": math.log(seconds)}
    one = {"settings": {"sides": 7, "dice": [1, 1]}, "exact": True, "seconds": seconds, "sequences": 9}
    return {"fits": {"seconds": {"weights": weights, "unseen": [1, 1.5, 2]}}, "unseen": {"1v1, 7 sides": one}}


def test_what_was_not_done_in_longer_than_the_model_says_widens_its_range():
    data = made_data(1000.0)
    done, over = row_of((2, 2), 4, 900, exact=True), row_of((2, 2), 5, 3000, exact=False)
    assert on_paper.worst([done], data) == 2
    assert on_paper.worst([done, over], data) == pytest.approx(3)
    assert list(on_paper.over([done, over], data).values()) == pytest.approx([3])
    # 1,000 seconds are within a day, and 3 times 3 times as many are too: nothing ends there.
    assert on_paper.by_model([done, over], data, (2, 2), "plain", "quantity-face") == (
        "8 or more †",
        pytest.approx(3),
    )
    # A game of more dice is no easier; one of fewer, or of other rules, is not known to be as hard.
    assert on_paper.by_model([over], data, (3, 2), "plain", "quantity-face")[1] == pytest.approx(3)
    assert on_paper.by_model([over], data, (2, 1), "plain", "quantity-face")[1] == 1
    assert on_paper.by_model([over], data, (2, 2), "highest", "quantity-face")[1] == 1
    # 40,000 seconds by the model, and a failure after 120,000: not within a day, unless the model is off the other way.
    data = made_data(40_000.0)
    over = row_of((2, 2), 5, 120_000, exact=False)
    told = "fewer than 2 to 8 or more †, no closer"
    assert on_paper.by_model([over], data, (2, 2), "plain", "quantity-face") == (told, pytest.approx(3))
    assert "1 searches were not done in the time they had, 1 of them in longer" in on_paper.failures([over], data)[0]


def test_what_the_models_are_not_fitted_to_is_marked():
    assert on_paper.beyond(models.game((3, 1), 6)) == on_paper.beyond(models.game((1, 1), 2)) == ""
    assert all(on_paper.beyond(models.game(dice, sides)) for dice, sides in (((4, 1), 3), ((1, 4), 3), ((1, 1), 7)))
    used = [row for row in models.all_rows(DATA) if row["exact"] and row["method"] == "oracle"]
    assert not any(on_paper.beyond(row) for row in models.exact_rows(used))
    lines = [line for line in tables_of("predictions") if re.match(r"\| \dv\d", line)]
    assert len(lines) == len(on_paper.UNTRIED)
    for line, (dice, sides, _) in zip(lines, on_paper.UNTRIED, strict=True):
        assert line.count("†") == (3 if sides > 6 or max(dice) > 3 else 0)


def test_the_page_holds_its_failures_beside_its_predictions():
    """oracle.json: three dice each with six sides were not done in 921 s."""
    (line,) = (line for line in tables_of("predictions") if line.startswith("| 3v3, 6 sides |"))
    assert line.endswith("| > 921 s |")
    assert "| 58,866, not done |" in line
    (line,) = (line for line in tables_of("limits") if line.startswith("| 3v3 |"))
    assert "| 6 (> 921 s) |" in line
    (row,) = (
        row
        for row in DATA["rows"]
        if (row["dice"], row["sides"], row["rules"], row["order"]) == ([3, 2], 4, "joker", "quantity-face")
    )
    # What the page says of it: a search of 60 seconds had 17,916.
    assert f"{row['sequences']:,}" in PAGE
    assert row["exact"]
    assert row["sequences"] < 17_916


def test_the_worked_example_can_be_computed_from_the_table():
    (line,) = (line for line in tables_of("models") if line.startswith("For one: "))
    formula, _, said = line.rpartition("; so ")[2].partition(" = ")
    product = math.prod(
        float(base) ** float(power or 1) for base, _, power in (part.partition("^") for part in formula.split(" · "))
    )
    assert float(said.split()[0].replace(",", "")) == pytest.approx(product, rel=0.05)
    (row,) = (line.split(" | ") for line in tables_of("models") if line.startswith("| sequences"))
    assert all(any(number in part for part in formula.split(" · ")) for number in row[1:5])
