"""Certificates that somebody changed: random changes of solutions with sparse strategies, and of solutions on trees."""

import gzip
import json
import random
import re
from fractions import Fraction

import efg_builder as eb
from efg_builder.proof.certificate import digests
from efg_builder.strategies.writing import game_part


def signed(data, **changes):
    """*data* with changes, and the digests that belong to them."""
    forged = data | changes
    return forged | {"digests": digests(forged)} if "game" in forged else forged


def a_row(data, rng):
    """The part that holds a row of probabilities, its key there, and the row."""
    if "profile" in data:
        entry = rng.choice(data["profile"])
        return entry, "probabilities", entry["probabilities"]
    part = rng.choice([part for part in data["strategies"] if part])
    name = rng.choice(list(part))
    return part, name, part[name]


def change_a_digit(data, rng):
    key = rng.choice(["value", "lower", "upper", "regrets", "regret", "game", *["strategies", "profile"] * 2])
    text = json.dumps(data.get(key))
    if places := [at for at, letter in enumerate(text) if letter.isdigit()]:
        at = rng.choice(places)
        data[key] = json.loads(text[:at] + rng.choice([d for d in "123456789" if d != text[at]]) + text[at + 1 :])


def move_probability(data, rng):
    part, name, row = a_row(data, rng)
    moves = [*row, *(["call"] if "strategies" in data and not name.endswith("start") else [])]
    source, target = rng.choice([move for move, p in row.items() if p != "0"]), rng.choice(moves)
    shift = Fraction(row[source]) / rng.randint(1, 5)
    found = {move: Fraction(p) for move, p in row.items()}
    found[source] -= shift
    found[target] = found.get(target, 0) + shift
    part[name] = {move: str(p) for move, p in found.items() if p or "profile" in data}


def break_a_probability(data, rng):
    _, _, row = a_row(data, rng)
    move = rng.choice(list(row))
    p = Fraction(row[move])
    double = f"{2 * p.numerator}/{2 * p.denominator}"
    wrong = [
        double,
        str(-p - 1),
        str(p / 2 + 2),
        float(p),
        f"{float(p):.3f}",
        " 1",
        "1e0",
        None,
        "p",
        "1/0",
        [row[move]],
    ]
    row[move] = rng.choice(wrong)


def rename_a_move(data, rng):
    _, _, row = a_row(data, rng)
    row[rng.choice(["9x9", "1x1", "fold", "", "0 ", "call", "2x3"])] = row.pop(rng.choice(list(row)))


def change_the_rows(data, rng):
    """One row is gone, swapped with another, or added."""
    if "profile" in data:
        entries, at = data["profile"], rng.randrange(len(data["profile"]))
        if rng.random() < 0.5:
            del entries[at]
        else:
            entries.append(entries[at])
        return
    part, name, row = a_row(data, rng)
    change, (hand, _, history) = rng.randrange(3), name.partition(": ")
    if change == 0:
        del part[name]
    elif change == 1:
        other = rng.choice(list(part))
        part[name], part[other] = part[other], row
    else:
        other = rng.choice([*sorted({name.partition(": ")[0] for name in part}), "9", "1,9"])
        names = [f"{other}: {history} 2x1", f"{hand}: 9x9", f"{other}: {history}", f"{hand}:  {history}"]
        part[rng.choice(names)] = {"call": "1"}


def change_the_players(data, rng):
    """The strategies of others, or of more or fewer; of a tree the head of one entry."""
    if "profile" in data:
        one = rng.choice(data["profile"])
        wrong = {"player": 3 - one["player"], "infoset": one["infoset"] + 1, "label": "x", "note": ""}
        key = rng.choice([*wrong, "reached"])
        one[key] = wrong.get(key, not one["reached"])
        return
    change = rng.randrange(3)
    if change == 0:
        data["strategies"].reverse()
        return
    lists = [data["strategies"], *(data[key] for key in ("value", "regrets") if key in data)]
    for part in lists:
        (part.append({} if part is data["strategies"] else "0") if change == 1 else part.pop())
    if rng.random() < 0.5:
        part = data["game"]["settings"]
        part["dice"] = f"{part['dice']},1" if change == 1 else part["dice"].rpartition(",")[0]


def change_the_game(data, rng):
    """Other settings, with the title and sizes that belong to them; of a tree other lines."""
    part = data["game"]
    if "efg" in part:
        change_the_efg(part, rng)
        return
    more = ("1,1,1", "2,1,1", "1,2,1", "1,1,1,1") if len(part["players"]) > 2 else ("1,1", "1,2", "2,1", "2,2", "1,1,1")
    key, *values = rng.choice(
        [
            ("sides", "2", "3", "4", "5", "6"),
            ("dice", "1,1", *more),
            ("wild", "none", "1", "2", "3"),
            ("order", "quantity-face", "face-quantity"),
            ("max_quantity", "1", "2", "3", "4", "5"),
            *([("payoff", "points")] if "payoff" in part["settings"] else [("lose2", "1", "2/3"), ("loss", "one")]),
        ]
    )
    changes = {key: rng.choice([value for value in values if value != part["settings"][key]])}
    try:
        data["game"] = game_part(eb.game(part["name"], **(part["settings"] | changes)))
    except eb.ParameterError:
        data["game"] = part | {"settings": part["settings"] | changes}


def change_the_efg(part, rng):
    lines = part["efg"].split("\n")
    at, other, change = rng.randrange(3, len(lines) - 1), rng.randrange(3, len(lines) - 1), rng.randrange(4)
    if change == 0:
        del lines[at]
    elif change == 1:
        lines[at], lines[other] = lines[other], lines[at]
    elif change == 2:
        lines[at] = re.sub(r"-?\d+(?= \}|, )", lambda number: str(int(number[0]) + 1), lines[at], count=1)
    else:
        lines.insert(at, lines[at])
    part["efg"] = "\n".join(lines)


def change_the_head(data, rng):
    key = rng.choice(["title", "players", "nodes", "decision_nodes", "name", "settings", "sha256"])
    wrong = {"title": "Chess", "players": data["game"]["players"][::-1], "name": "mia", "settings": {}, "sha256": "0"}
    data["game"][key] = wrong.get(key, 12345)


def change_the_claim(data, rng):
    two, exact = data["lower"] is not None, data["regret"] == "0"
    true = {"equilibrium"} if exact else {"bracket" if two else "near-equilibrium", "not-an-equilibrium"}
    statuses = ["equilibrium", "near-equilibrium", "bracket", "not-an-equilibrium", "proved", ""]
    status = rng.choice([status for status in statuses if status not in true])
    changes = [
        {"status": status},
        # What the file allows itself makes no equilibrium of what is none; and by it a near one would be one.
        {"status": status if exact else rng.choice(sorted(true)), "tolerance": rng.choice(["1", "1000", str(10**300)])},
        {"exact": not data["exact"]},
        {"value": [*data["value"][1:], data["value"][0] + "1"]},
        {"value": data["value"][:-1]},
        {"lower": "-100"},
        {"upper": data["upper"] + "0" if two else "1"},
        {"regrets": [*data.get("regrets", ["0"]), "0"]},
        {"regret": "1/1000"},
        {"regret": 0},
        {"regret": "-1/10"},
        {"default": data.get("default", "none").replace("first", "last") + " "},
        {"note": "true"},
        {"equilibria": []} if "strategies" in data else {"note": None},
    ]
    data.update(rng.choice(changes))


def lose_a_part(data, rng):
    parts = ["value", "exact", "regret", "regrets", "status", "default", "strategies", "profile", "method", "game"]
    del data[rng.choice([part for part in parts if part in data])]


CHANGES = [
    *(change_a_digit, change_a_digit, change_a_digit, move_probability, move_probability, break_a_probability),
    *(change_the_rows, change_the_rows, change_the_rows, change_the_players, change_the_players, rename_a_move),
    *(change_the_game, change_the_game, change_the_head, lose_a_part, *[change_the_claim] * 3),
]


def tampered(bases, count):
    """Changed certificates by name: *count* of them or a few less. Those of odd number have new digests."""
    found = {}
    for number in range(count):
        rng = random.Random(number)
        base = rng.choice(bases)
        data, change = json.loads(json.dumps(base)), rng.choice(CHANGES)
        change(data, rng)
        if data == base:
            continue
        text = json.dumps(signed(data) if number % 2 else data)
        if number % 20 == 19:  # a key that stands twice, with its old value last
            key = rng.choice(["lower", "status", "game"])
            text = f"{json.dumps({key: '0'})[:-1]}, {json.dumps(base)[1:]}"
        found[f"{number}-{change.__name__}-{'signed' if number % 2 else 'plain'}"] = text
    return found


# What one change does to the JSON of a certificate.


def replaced(data, path, value):
    """A copy of *data*, of JSON, in which *value* stands where the keys and indices of *path* lead."""
    copy = json.loads(json.dumps(data))
    part = copy
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return copy


def repacked(packed, change):
    """A compressed certificate with its parts changed, and check values that fit."""
    parts = json.loads(gzip.decompress(packed))
    change(parts)
    return gzip.compress(json.dumps(signed(parts)).encode())


def put(name, row, player=0):
    return lambda data: data["strategies"][player].update({name: row})


def game(**changes):
    return lambda data: data["game"].update(changes)


def rules(**changes):
    return lambda data: data["game"]["settings"].update(changes)


def claim(**changes):
    return lambda data: data.update(changes)
