"""Exams: losses against brute force and the performance difference lemma, draws, scores and their errors."""

import csv
import hashlib
import json
import re
import statistics
from collections import Counter
from fractions import Fraction
from math import sqrt

import brute
import pytest
import small_files
from paths import DOCS
from scipy import stats

import efg_builder as eb
import public_exam
from efg_builder.display.plots.exam_plot import _figure
from efg_builder.experiments.exam import files
from efg_builder.experiments.exam.positions import at, board_of, certified, named, rows_of, typed
from efg_builder.experiments.exam.scores import row_of
from efg_builder.forms.subject import Subject
from efg_builder.interop.trees import as_subject
from efg_builder.players.find import Table

TWO_AND_JOKER = "liars-dice sides=6 dice=2,2 wild=1 wild_biddable=false", DOCS / "certificates" / "2v2-6-joker.json.gz"
SPARSE = "liars-dice sides=3 dice=2,1", DOCS / "certificates" / "2v1-3.json.gz"
GAMES = (
    *[(name, None) for name in ("kuhn", "dice-poker sides=3", "leduc ranks=2 raises=1", "mia max_rolls=2")],
    *[(text, None) for text in (small_files.COIN, small_files.HORSE)],
    *[SPARSE, ("liars-dice sides=2 dice=1,1,1", DOCS / "certificates" / "1v1v1-2.json.gz")],
)

SMALL = [
    (kind.create({key: str(value) for key, value in settings.items()}), None)
    for kind in eb.catalogue().values()
    for settings in kind.small
    if settings != {"cards": 4, "seats": 3}  # of three players' Kuhn poker no equilibrium in fractions is found
]


def opened(game, solution):
    return certified(Table(as_subject("exam", game)), solution)


def everywhere(of, seat):
    """The positions of *seat* by information set of the whole tree: all that the others' play allows."""
    tree = of.table.tree()
    for k in tree.personal:
        if tree.infosets[k].player == seat:
            try:
                yield k, at(of, named(of, seat, tree.names[k]))
            except eb.NotApplicableError:
                yield k, None


def seated(of, seat, other):
    """The rows of *other* in one seat, the equilibrium in all others, on the tree."""
    tree = of.table.tree()
    theirs, mine = of.strategy.on(tree).probabilities, other.on(tree).probabilities
    rows = {k: (mine if tree.infosets[k].player == seat else theirs)[k] for k in tree.personal}
    return eb.TreeProfile.from_personal(tree, rows, "seated")


def reaches(profile):
    """The product of the probabilities on the way to each node, and their sums by information set."""
    tree, found = profile.tree, brute.reaches(profile.tree, brute.rows(profile))
    sums = [Fraction(0)] * len(tree.infosets)
    for node, p in enumerate(found):
        if tree.infoset[node] >= 0:
            sums[tree.infoset[node]] += p
    return found, sums


# --- losses


@pytest.mark.parametrize("game", [*SMALL, *GAMES], ids=lambda game: as_subject("exam", game[0]).given.title)
def test_the_losses_of_uniform_play_sum_to_what_a_best_response_gains(game):
    """The performance difference lemma, in fractions: evaluate shares no sum with this."""
    of = opened(*game)
    tree = of.table.tree()
    uniform = eb.TreeProfile.uniform(tree)
    gained = []
    for seat in range(len(tree.players)):
        _, weights = reaches(seated(of, seat, uniform))
        total = Fraction(0)
        for k, position in everywhere(of, seat):
            assert (position is None) == (weights[k] == 0)
            if position is not None:
                total += weights[k] * sum(position.losses.values()) / len(position.moves)
        found = eb.evaluate(of.table.subject, "uniform", against=of.strategy).matches[seat]
        assert total == found.best_response[seat] - found.value[seat]
        gained.append(total)
    assert any(gained)


@pytest.mark.parametrize("game", ["kuhn", "dice-poker sides=3", "liars-dice sides=2 max_quantity=1", small_files.COIN])
def test_losses_are_those_of_brute_force(game):
    of = opened(game, None)
    tree = of.table.tree()
    for seat in range(len(tree.players)):
        fixed = brute.rows(of.strategy.on(tree))
        pure = [fixed | plan for plan in brute.pure_strategies(tree, seat)]
        weights, sums = reaches(seated(of, seat, eb.TreeProfile.uniform(tree)))
        for k, position in everywhere(of, seat):
            nodes = [node for node in range(len(tree)) if tree.infoset[node] == k]
            if position is None:
                continue
            # Uniform play makes each way to an information set equally likely: own moves cancel.
            worth = [
                max(
                    sum(weights[n] / sums[k] * brute.payoffs(tree, plan, n)[seat] for n in nodes)
                    for plan in pure
                    if plan[k][action]
                )
                for action in range(len(position.moves))
            ]
            assert list(position.losses.values()) == [max(worth) - each for each in worth]
            assert position.value == max(worth)


@pytest.mark.parametrize("game", [*GAMES, pytest.param(TWO_AND_JOKER, marks=pytest.mark.slow)], ids=str)
def test_the_equilibrium_loses_nothing(game):
    of = opened(*game)
    positions = list(eb.exam(game[0], 60, solution=of_solution(game)))
    board = board_of(of.table, of.strategy)
    on_path = 0
    for each in positions:
        row = each.references["equilibrium"]
        assert sum(row.values()) == 1
        assert each.mean_loss(row) == 0
        if each.reach:
            on_path += 1
            state = named(of, each.player, each.infoset)
            assert board.behavior(state, board.turn(state)) == tuple(row.values())
    assert on_path
    assert eb.score(positions, lambda each: each.references["equilibrium"]).lines[0].loss.mean == 0


def of_solution(game):
    return game[1] if game[1] is not None else eb.solve(game[0])


def test_reach_is_the_probability_of_the_information_set():
    for game in (("kuhn", None), ("leduc ranks=2 raises=1", None), SPARSE):
        of = opened(*game)
        tree = of.table.tree()
        _, weights = reaches(of.strategy.on(tree))
        for seat in range(2):
            for k, position in everywhere(of, seat):
                if position is not None:
                    assert position.reach == weights[k]


# --- draws


def test_two_runs_of_a_seed_are_equal_and_positions_differ():
    game, solution = SPARSE
    positions = list(eb.exam(game, 30, 3, solution=solution))
    assert positions == list(eb.exam(game, 30, 3, solution=eb.read_solution(solution)))
    assert len({each.id for each in positions}) == len({(each.player, each.infoset) for each in positions}) == 30
    assert positions != list(eb.exam(game, 30, 4, solution=solution))
    assert {0, 1} == {each.player for each in positions}
    assert any(not each.reach for each in positions)
    assert all(len(each.moves) > 1 for each in positions)


def test_the_draw_is_the_same_on_every_machine():
    """The digest was made once; only another certificate or another scheme may change it."""
    positions = eb.exam(TWO_AND_JOKER[0], 40, 1, solution=TWO_AND_JOKER[1])
    text = json.dumps([[each.id, files.answer(each)["losses"]] for each in positions], default=str)
    assert hashlib.sha256(text.encode()).hexdigest()[:12] == DRAWN


DRAWN = "3426ccec2f3d"


@pytest.mark.parametrize("game", ["kuhn", "dice-poker sides=4"])
def test_a_small_game_has_all_its_positions(game):
    of = opened(game, None)
    found = [position for seat in range(2) for _, position in everywhere(of, seat) if position and position.kinds]
    assert {each.id for each in eb.exam(game, 500)} == {each.id for each in found}


def test_what_the_mover_knows_is_told():
    of = opened(*TWO_AND_JOKER)
    position = at(of, typed(of, "3,2: two sixes"))
    assert (position.infoset, position.hand, position.depth) == ("2,3: 2x6", "2,3", 1)
    assert position.history == (("Player 1", "2x6"),)
    assert position.words.startswith("You are Player 2. You hold 2,3. So far: Player 1 bids 2x6. Your move: 3x2, ")
    assert "hold" in position.rules
    assert position.kinds["4x5"] == "impossible bid"
    leduc = at(opened("leduc", None), typed(opened("leduc", None), "k: raise call (k)"))
    assert leduc.infoset == "K: raise call (K)"
    assert "card raise call: K" in leduc.words


class Raise(eb.DealtGame):
    """A game of one's own, with public histories that are not the moves' labels."""

    players = "Ann", "Bob"
    hands = ("low", "high"), ("low", "high")
    deals = tuple(eb.Deal(Fraction(1, 4), (a, b)) for a in range(2) for b in range(2))

    def public_turn(self, state):
        if state == "":
            return eb.PublicDecision(0, "", [("pass on", "p"), ("raise, by 1", "r")])
        if state == "r":
            return eb.PublicDecision(1, "Ann has raised: what now", [("fold", "rf"), ("see", "rs")])
        return eb.PublicEnd(state)

    def settle(self, key, deal):
        won = {"p": 1, "rs": 2}.get(key, 1) * (1 if key == "rf" else deal.hands[0] - deal.hands[1])
        return eb.End((won, -won))


def test_games_of_ones_own_sit_too(tmp_path):
    of = certified(Table(Subject(Raise())))
    positions = list(eb.exam(Raise(), 9))
    assert "high: Ann has raised: what now" in {each.infoset for each in positions}
    path = tmp_path / "own.jsonl"
    files.write_lines(path, map(files.question, positions))
    assert files.read_positions(path, of) == (positions, [])
    assert eb.score(positions, rows_of(of, positions, "equilibrium")).lines[0].loss.mean == 0
    assert at(of, typed(of, "high: raise")).infoset == "high: Ann has raised: what now"


@pytest.mark.parametrize(
    ("game", "said", "problem"),
    [
        (
            "liars-dice sides=3",
            "7: 1x1",
            "Player 2 moves there, but '7' before the colon is not a possible hand; choose from: 1, 2, 3",
        ),
        ("liars-dice sides=3", "2: 1x1 2x7", "'2: 1x1 2x7': '2x7' is not a move after '1x1'; did you mean '2x"),
        ("liars-dice sides=3", "2: one tow", "'1' is not a move after 'start'; did you mean"),
        ("liars-dice sides=3", "2: two twoos", "'2' is not a move after 'start'; did you mean '2x"),
        ("liars-dice sides=3", "2: two threes, two ones", "'2x1' is not a move after '2x3'; choose from: call"),
        ("liars-dice sides=3", "2: one three, one twos", "'1x2' is not a move after '1x3'; did you mean '2x2'?"),
        ("liars-dice sides=3", "2: 1x1 call", "play is over after 'call'; give only the moves before a decision"),
        ("liars-dice sides=3", "2: 2x3 ", "never plays '2x3' at 'start', so the payoffs of later moves are unknown"),
        ("leduc", "K: rase", "there is no information set 'K: rase'; did you mean 'K: raise'?"),
    ],
)
def test_a_position_that_is_none_is_one_line(game, said, problem):
    of = opened(game, None)
    with pytest.raises(eb.EfgBuilderError) as error:
        at(of, typed(of, said))
    assert problem in str(error.value)


def test_an_opponent_that_is_not_certified_is_refused(tmp_path):
    near = eb.solve("kuhn", "cfr", timeout=0.2)
    with pytest.raises(eb.NotSolvedError, match="needs an exact equilibrium, and solution is not one"):
        eb.exam("kuhn", 3, solution=near)
    with pytest.raises(eb.ParameterError, match="a whole number of at least 1 as count=, not int 0"):
        eb.exam("kuhn", 0)
    with pytest.raises(eb.CertificateError, match="the solution is of"):
        eb.exam("liars-dice sides=2", solution=SPARSE[1])


# --- scores


def test_scores_are_plain_sums():
    positions = list(eb.exam(SPARSE[0], 30, solution=SPARSE[1]))
    found = eb.score(positions, lambda each: each.moves[-1], name="last")
    losses, weights = [each.losses[each.moves[-1]] for each in positions], [each.reach for each in positions]
    line = found.lines[0]
    assert line.name == "last"
    assert line.loss.mean == sum(losses) / 30
    half = stats.t.ppf(0.975, 29) * statistics.stdev(map(float, losses)) / sqrt(30)
    assert line.loss.high == pytest.approx(float(line.loss.mean) + half)
    assert line.by_reach.mean == sum(w * loss for w, loss in zip(weights, losses, strict=True)) / sum(weights)
    assert sum(each.loss for each in found.mistakes) == line.loss.mean
    for group in {each.group for each in found.lines} - {"all"}:
        inside = [each for each in found.lines if each.group == group]
        assert sum(each.positions for each in inside) == 30
        assert sum(each.positions * each.loss.mean for each in inside) == sum(losses)
    low, high = (sorted(each.value for each in positions)[k] for k in (10, 20))
    thirds = [sum(each.value < low for each in positions), sum(each.value >= high for each in positions)]
    assert [each.positions for each in found.lines if each.name in ("low", "high")] == [n for n in thirds if n]
    assert [each.positions for each in found.lines if each.name == "2 moves seen"] == [
        sum(each.depth == 2 for each in positions)
    ]
    mixed = eb.score(positions, lambda each: {each.moves[0]: 0.25, each.moves[-1]: Fraction(3, 4)})
    assert sum(each.loss for each in mixed.mistakes) == mixed.lines[0].loss.mean
    quarters = [each.loss(each.moves[0]) + 3 * each.loss(each.moves[-1]) for each in positions]
    assert mixed.lines[0].loss.mean == sum(quarters) / 4 / 30
    names = [each.name for each in found.lines[:4]]
    assert names == ["last", "equilibrium", "uniform", "threshold"]
    uniform = sum(sum(each.losses.values()) / len(each.losses) for each in positions) / 30
    assert found.lines[2].loss.mean == uniform
    assert found.lines[1].loss == type(line.loss)(Fraction(0), 0.0, 0.0)


@pytest.mark.parametrize("seed", range(4))
def test_an_interval_lies_where_a_mean_can_be(seed):
    """An interval of two positions went up to 7.35, where no move loses more than 3."""
    positions = list(eb.exam("leduc ranks=2 raises=1", 12, seed))
    for move in (0, -1):
        found = eb.score(positions, lambda each, move=move: each.moves[move])
        for line in (line for line in found.lines if line.group in ("all", "by depth")):
            those = [each for each in positions if line.group == "all" or each.depth == int(line.name[0])]
            most = max(max(each.losses.values()) for each in those)
            for mean, count in ((line.loss, len(those)), (line.by_reach, sum(bool(each.reach) for each in those))):
                assert mean is None or (mean.low is None) == (mean.high is None) == (count < 5)
                if mean is not None and mean.high is not None:
                    assert 0 <= mean.low <= mean.mean <= mean.high <= most
        if any(line.positions < 5 for line in found.lines):
            assert "no interval for fewer than 5 positions" in str(found)


@pytest.mark.parametrize("game", ["kuhn", "liars-dice sides=2", small_files.COIN], ids=["tree", "table", "file"])
def test_an_exam_with_all_positions_has_no_intervals(game, cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = game.split()
    if game == small_files.COIN:
        (tmp_path / "coin.efg").write_text(game)
        words = ["coin.efg"]
    assert cli("exam", *words, "-o", "all.jsonl", "--answers")[2].count("(all in which some move loses)") == 1
    of = opened(game, None)
    every = [p for seat in range(len(of.board.players)) for _, p in everywhere(of, seat) if p is not None and p.kinds]
    positions, _ = files.read_positions(tmp_path / "all.jsonl")
    assert {each.id for each in every} == {each.id for each in positions}
    assert {each.population for each in positions} == {len(every)}
    out = cli("exam", *words, "--score", "uniform", "--positions", "all.jsonl")[1]
    assert "the exam has all positions in which some move loses" in out
    assert "95%" not in out
    assert not eb.score(positions, {}).sampled
    assert all(line.loss.high is None for line in eb.score(positions, {}).lines)
    some = eb.score(positions[:-1], {})
    assert some.sampled  # with a part of them, there is a sampling error


def test_at_one_position_a_bound_is_enough(cli, tmp_path):
    """The refusal named the step that the user had just taken; 'play' and its page answer the question."""
    near = eb.solve("kuhn", "cfr", options={"iterations": 20}).write(tmp_path / "near.json")
    code, out, _ = cli("exam", "kuhn", "--solution", near, "--at", "Q: bet")
    head, *_ = out.splitlines()
    assert (code, head[:59]) == (0, "Against near.json, which is not an exact equilibrium (prove")
    assert "near.json would play" in out
    code, out, _ = cli("exam", "kuhn", "--solution", near, "--at", "Q: bet", "--json")
    assert json.loads(out)["bound"].startswith("proved: ")
    assert "bound" not in json.loads(cli("exam", "kuhn", "--at", "Q: bet", "--json")[1])
    code, _, err = cli("exam", "kuhn", "--solution", near, "-o", tmp_path / "p.jsonl")
    assert (code, "needs an exact equilibrium" in err) == (3, True)
    better = tmp_path / "better.json"
    assert cli("solve", "kuhn", "--timeout", "60", "-o", better)[0] == 0  # the advice of this message
    assert cli("exam", "kuhn", "--solution", better, "-o", tmp_path / "p.jsonl")[0] == 0


def test_kinds_of_mistakes():
    of = opened(*TWO_AND_JOKER)
    kinds = {}
    for position in eb.exam(TWO_AND_JOKER[0], 100, solution=TWO_AND_JOKER[1]):
        game, hand = of.table.game, list(of.table.game.hands[position.player]).index(position.hand)
        claims = {move: game.claim(position.player, hand, move) for move in position.moves}
        best = {move for move in position.moves if not position.loss(move)}
        assert position.kinds.keys() == set(position.moves) - best
        for move, kind in position.kinds.items():
            kinds.setdefault(kind, []).append((move, best, claims))
    assert all(move == "call" for move, _, _ in kinds["false call"])
    assert all(claims[move].false == 1 for move, _, claims in kinds["impossible bid"])
    assert all(best == {"call"} for _, best, _ in kinds["missed call"])
    assert all(claims[move].matching == 0 for move, _, claims in kinds["over-bluffing"])
    assert all(claims[move].matching for move, _, claims in kinds["under-bluffing"])
    assert all(not claims[b].matching for _, best, claims in kinds["under-bluffing"] for b in best - {"call"})
    assert len(kinds) == 6


def test_missing_and_illegal_answers_count_as_the_worst_move():
    one, two, *others = positions = list(eb.exam("liars-dice sides=2", 6))
    answers = {each.id: min(each.moves, key=each.loss) for each in positions[2:]}
    found = eb.score(positions, answers | {one.id: "9x9"})
    assert (found.illegal, found.missing) == ((one.id,), (two.id,))
    assert found.lines[0].loss.mean == (max(one.losses.values()) + max(two.losses.values())) / 6
    assert {each.kind for each in found.mistakes} == {"illegal answer", "no answer"}
    mixed = eb.score(positions, answers | {one.id: {one.moves[0]: "1/3", "zzz": 0.5}})
    assert mixed.illegal == (one.id,)
    assert "no answer, counted as the worst move" in str(mixed)
    assert others


def test_answers_are_understood_as_people_type_them():
    position = at(opened(*TWO_AND_JOKER), typed(opened(*TWO_AND_JOKER), "2,3: 1x6"))
    for said in ("2x6", "2 X 6", "two sixes", " 2 6s", "**2x6**.", "`2x6`"):
        assert eb.score([position], lambda _, said=said: said).lines[0].loss.mean == position.loss("2x6")
    assert sum(row_of(position, {"2x6": 0.1, "2x5": 0.2, "call": 0.7}).values()) == 1
    mixed = eb.score([position], lambda _: {"two sixes": "1/4", "call": Fraction(3, 4)}).lines[0].loss.mean
    assert mixed == position.loss("2x6") / 4 + 3 * position.loss("call") / 4


KUHN = list(eb.exam("kuhn", 3))
FIRST = KUHN[0].id


@pytest.mark.parametrize(
    ("positions", "answers", "problem"),
    [
        ([], {}, "score(): there are no positions; eb.exam(game) draws different positions"),
        ([*KUHN, KUHN[0]], {}, f"the position {FIRST} occurs 2 times; eb.exam(game) draws"),
        (["kuhn"], {}, "score() takes positions, not str 'kuhn'; eb.exam(game) draws positions"),
        (KUHN, {"abc": "call"}, "there is an answer to 'abc', which is not a position of this exam"),
        (KUHN, "call", "score() takes answers by id, or a function of a position, not str 'call'"),
    ],
)
def test_wrong_answers_are_one_line(positions, answers, problem):
    with pytest.raises(eb.ParameterError) as error:
        eb.score(positions, answers)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "given",
    [
        *[1, [], {}, "", "?", ["call"], {3: 1}],
        *[{KUHN[0].moves[0]: p} for p in ("1/2", "2/0", True, [1], 0.999)],
        *[{KUHN[0].moves[0]: 2, KUHN[0].moves[1]: -1}, {KUHN[0].moves[0]: 1, "xyz": 0}],
    ],
)
def test_an_answer_that_is_none_is_illegal(given):
    assert eb.score(KUHN[:1], lambda _: given).illegal == (FIRST,)
    assert eb.score(KUHN[:1], lambda _: None).missing == (FIRST,)


def test_an_illegal_move_has_no_loss():
    with pytest.raises(eb.ParameterError, match=r"'cal' is not a legal move at .*; did you mean 'call'"):
        next(each for each in eb.exam("kuhn", 12) if "call" in each.moves).loss("cal")


# --- files


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "positions.jsonl"
    positions = list(eb.exam(SPARSE[0], 5, solution=SPARSE[1]))
    files.write_lines(path, map(files.question, positions))
    files.write_lines(files.key_path(path), map(files.answer, positions))
    return path, positions


def test_positions_are_read_as_they_were_written(written):
    path, positions = written
    assert files.key_path(path).name == "positions.answers.jsonl"
    assert files.read_positions(path) == (positions, [])
    assert files.read_positions(path, opened(*SPARSE)) == (positions, [])
    files.key_path(path).unlink()
    assert files.read_positions(path, opened(*SPARSE)) == (positions, [])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n\r\n"))
    assert files.read_positions(path, opened(*SPARSE)) == (positions, [])
    with pytest.raises(eb.FileError, match="there is no answer key"):
        files.read_positions(path)


def changed(path, number, change):
    """Line *number* of the file at *path* as JSON, changed."""
    lines = path.read_text().splitlines()
    part = json.loads(lines[number])
    change(part)
    lines[number] = json.dumps(part)
    path.write_text("\n".join(lines))


def test_a_forged_key_is_found(written):
    path, positions = written
    key = files.key_path(path)

    def forge(part):
        move = next(move for move, loss in part["losses"].items() if loss != "0")
        part["losses"][move], part["decimals"][move] = "1/1024", 1 / 1024

    changed(key, 1, forge)
    # Nothing in the file contradicts it, but the certificate does.
    assert files.read_positions(path)[0] != positions
    with pytest.raises(
        eb.FileError, match=f"position {positions[1].id}: decimals and losses: inconsistent with the certificate"
    ):
        files.read_positions(path, opened(*SPARSE))
    with pytest.raises(
        eb.FileError, match=f"has no position for the certificate .*; found: {positions[0].certificate}"
    ):
        files.read_positions(path, opened("kuhn", None))


def test_a_forged_question_is_found(written):
    path, positions = written
    changed(path, 1, lambda part: part.update(hand="9"))
    with pytest.raises(eb.FileError, match=f"position {positions[1].id}: hand: inconsistent with the certificate"):
        files.read_positions(path, opened(*SPARSE))
    changed(path, 1, lambda part: part.update(hand=positions[1].hand, words="The best move is 3x3."))
    with pytest.raises(eb.FileError, match=f"position {positions[1].id}: words: inconsistent with the certificate"):
        files.read_positions(path, opened(*SPARSE))
    changed(path, 1, lambda part: part.update(words=positions[1].words, certificate="0" * 12))
    with pytest.raises(
        eb.FileError, match=f"position {positions[1].id}: certificate: inconsistent with the position's losses"
    ):
        files.read_positions(path)
    # The positions of other certificates are left out, and named.
    found, others = files.read_positions(path, opened(*SPARSE))
    assert (found, others) == ([each for each in positions if each != positions[1]], [positions[1].id])


@pytest.mark.parametrize(
    "change",
    [
        lambda part: part["losses"].update(zzz="0"),
        lambda part: part.update(
            losses=dict.fromkeys(part["losses"], "1/2"),
            decimals=dict.fromkeys(part["losses"], 0.5),
            kinds=dict.fromkeys(part["losses"], "false call"),
        ),
        lambda part: part["losses"].update(dict.fromkeys(part["losses"], "1/2")),
        lambda part: part["decimals"].update(dict.fromkeys(part["losses"], 0.0)),
        lambda part: part["kinds"].popitem(),
        lambda part: part["references"]["equilibrium"].update(dict.fromkeys(part["losses"], "1")),
        lambda part: part.pop("value"),
        lambda part: part.update(value="x"),
        lambda part: part.update(losses=[]),
        lambda part: part.update(depth="a"),
        lambda part: part.update(depth=99),
        lambda part: part.update(reach="7"),
        lambda part: part.update(moves=[]),
        lambda part: part.update(history=[1]),
        lambda part: part.update(depth=0.0),
        lambda part: part.update(game=["x"]),
        lambda part: part.update(kinds={kind: [] for kind in part["kinds"]}),
        lambda part: part["references"].update(
            equilibrium={move: str(int(move == min(part["kinds"]))) for move in part["losses"]}
        ),
    ],
)
def test_a_key_that_contradicts_itself_is_one_line(written, change):
    path, positions = written
    number = next(k for k, each in enumerate(positions) if 0 < len(each.kinds) < len(each.losses) - 1)
    changed(files.key_path(path), number, change)
    with pytest.raises(eb.FileError, match=f"position {positions[number].id}: ") as error:
        files.read_positions(path)
    assert "\n" not in str(error.value)


def test_missing_and_doubled_lines_are_one_line(written):
    path, positions = written
    key = files.key_path(path)
    lines = key.read_text().splitlines()
    key.write_text("\n".join(lines[:-1]))
    with pytest.raises(eb.FileError, match=f"position {positions[-1].id} is only in .*positions.jsonl: questions"):
        files.read_positions(path)
    key.write_text("\n".join([*lines, lines[0]]))
    with pytest.raises(eb.FileError, match=f"line 6: the id '{positions[0].id}' occurs twice"):
        files.read_positions(path)
    for text, problem in (
        ("{", "line 1: not JSON"),
        ("[]", "line 1: not an object with an 'id'"),
        ('{"id": "a"}', "the answer to a is invalid"),
        ('{"id": "a", "move": "b", "moves": {}}', "the answer to a is invalid"),
        ('{"id": "a", "moves": ["b"]}', "the answer to a is invalid"),
        ('{"id": "a", "move": "b", "move": "c"}', r"answers\.jsonl, line 1: the key 'move' appears twice"),
        ('\n{"id": "a", "moves": {"b": 0.5, "b": 0.5}}', "line 2: the key 'b' appears twice"),
        ('{"id": "a", "id": "b", "move": "b"}', "line 1: the key 'id' appears twice"),
    ):
        key.write_text(text)
        with pytest.raises(eb.FileError, match=problem):
            files.read_answers(key)
    key.write_text('{"id": "a", "move": "b"}\n{"id": "c", "moves": {"b": 1}}\n{"id": "d", "move": null}\n')
    assert files.read_answers(key) == {"a": "b", "c": {"b": 1}, "d": None}


@pytest.mark.parametrize("name", ["positions.jsonl", "positions.answers.jsonl", "answers.jsonl"])
def test_a_key_that_is_doubled_is_refused_with_its_line(written, name, cli):
    path, positions = written
    answers = path.with_name("answers.jsonl")
    answers.write_text("\n".join(json.dumps({"id": one.id, "move": one.moves[0]}) for one in positions))
    words = ("exam", "--score", answers, "--positions", path)
    assert cli(*words)[0] == 0
    file = path.with_name(name)
    lines = file.read_text().split("\n")
    field = list(json.loads(lines[1]))[-1]
    lines[1] = f"{lines[1][:-1]}, {json.dumps(field)}: 1}}"
    file.write_text("\n".join(lines))
    assert cli(*words) == (2, "", f"error: {file}, line 2: the key {field!r} appears twice\n")


# --- the worksheet


def test_a_worksheet_has_every_position_and_its_key(tmp_path, cli):
    code, out, err = cli("exam", "liars-dice", "sides=3", "--count", 8, "--seed", 5, "-o", tmp_path / "w.html")
    assert (code, out) == (0, "")
    assert err.startswith(f"{tmp_path / 'w.html'}: 8 positions, equilibrium ")
    page = (tmp_path / "w.html").read_text("utf-8")
    assert not re.search(r"https?://", page)
    cards, key = page.split("<h2>Key</h2>")
    for position in eb.exam("liars-dice sides=3", 8, 5):
        card = re.search(rf'<li id="p{position.id}">(.*?)</li>', cards, re.DOTALL)[1]
        assert "⚀⚁⚂"[int(position.hand) - 1] in card
        assert all(f"<span>{move}</span>" in card for move in position.moves)
        best = ", ".join(move for move in position.moves if not position.loss(move))
        assert f"<p><span><b>{best}</b>" in card.replace("\n", "")
        assert f"<b>{best}</b>" in key
    assert key.count("<li>") == 8


def test_a_score_is_drawn_and_written(tmp_path, written, cli):
    path, positions = written
    game = [*SPARSE[0].split(), "--solution", SPARSE[1]]
    for name in ("s.svg", "s.html", "s.csv"):
        words = ["--score", "threshold", "--positions", path, "-o", tmp_path / name]
        code, out, err = cli("exam", *game, *words)
        assert (code, err) == (0, f"{tmp_path / name}\n")
    rows = list(csv.DictReader((tmp_path / "s.csv").open()))
    found = eb.score(positions, lambda each: each.references["threshold"], "threshold")
    assert [row["name"] for row in rows[:3]] == ["threshold", "equilibrium", "uniform"]
    assert [Fraction(row["exact loss"]) for row in rows[: len(found.lines)]] == [each.loss.mean for each in found.lines]
    assert "<svg" in (tmp_path / "s.svg").read_text()
    axes = _figure(found.lines, "").axes
    assert [axis.get_title(loc="left") for axis in axes] == list(dict.fromkeys(line.group for line in found.lines))
    assert [len(axis.get_yticks()) for axis in axes] == list(Counter(line.group for line in found.lines).values())
    page = (tmp_path / "s.html").read_text("utf-8")
    assert all(f'<data value="{each.loss.mean}">' in page for each in found.lines)
    assert out.startswith("Liar's Dice: ")


@pytest.mark.parametrize("game", [("kuhn", None), SPARSE], ids=["tree", "sparse"])
def test_players_sit_with_their_own_probabilities(game):
    of = opened(*game)
    positions = list(eb.exam(game[0], 6, solution=of_solution(game)))
    for name in ("uniform", "equilibrium"):
        assert rows_of(of, positions, name) == {each.id: each.references[name] for each in positions}
    always = rows_of(of, positions, eb.TreeProfile.uniform(of.table.tree()))
    assert always == rows_of(of, positions, "uniform")


def test_the_digest_holds_payoffs():
    other = small_files.COIN.replace("{ 2 -2 }", "{ 3 -3 }")
    assert opened(small_files.COIN, None).digest != opened(other, None).digest


# --- the public exam


@pytest.mark.slow
def test_the_public_exam_is_what_the_script_makes():
    made = public_exam.made(public_exam.opened())
    found = [position for name in public_exam.GAMES for position in made[name]]
    assert (found, []) == files.read_positions(DOCS / "exam" / "positions.jsonl")
    assert len(found) == 200
    assert len({each.certificate for each in found}) == 5


def test_the_table_of_the_public_exam_is_what_its_files_say():
    """The columns of players whose answers stand in the key; the others take minutes."""
    exam, _ = files.read_positions(DOCS / "exam" / "positions.jsonl")
    page = (DOCS / "exam.md").read_text("utf-8").split("<!-- players -->")[1].split("<!-- end")[0]
    head, _, *rows = ([cell.strip() for cell in row.split("|")[1:-1]] for row in page.split("\n") if row)
    for row, certificate in zip(rows, dict.fromkeys(each.certificate for each in exam), strict=False):
        lines = eb.score([each for each in exam if each.certificate == certificate], {}).lines
        means = {line.name: [mean.mean for mean in (line.loss, line.by_reach) if mean] for line in lines}
        found = {f"`{name}`": [public_exam.shown(mean) for mean in both] for name, both in means.items()}
        cells = dict(zip(head, row, strict=True))
        assert found["`equilibrium`"] == ["0", "0"]
        for player in found.keys() & {"`threshold`", "`uniform`"}:
            assert cells[player] == " / ".join(found[player])
    assert [row[0] for row in rows] == [*public_exam.GAMES, *public_exam.BESIDE]
