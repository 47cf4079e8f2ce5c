// The cost and payoffs of a call: the rules of efg_builder/games/match_rules.py.

/** A board's facts about bids, from the data of efg_builder/display/pages/play.py (`told`): each label's bid, the call, the matching dice. */
export function bidsOf(told) {
  const bids = new Map(told.names.map((name, b) => [name, told.bids[b]]));
  return { bids, call: told.call, wild: told.wild, exact: told.exact };
}

/** Whether the caller loses if `there` dice match, and the number of dice lost. */
export function lost({ loss, exact }, quantity, there) {
  const over = there - quantity;
  return [over > 0 || (over === 0 && exact === "caller-loses-one"), loss === "one" || !over ? 1 : Math.abs(over)];
}

/** The payoffs if `caller` calls a bid of that quantity, and `there` dice match. */
export function paid(rules, caller, quantity, there) {
  const [loses, dice] = lost(rules, quantity, there), players = rules.pays.length;
  const side = rules.pays[loses ? caller : (caller + players - 1) % players];
  return side[Math.min(dice, side.length) - 1];
}
