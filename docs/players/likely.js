// As likely.py: call a bid that is probably false; else make the most probable bid.
let sides, dice, hand;
const comb = (n, k) => (k === 0 ? 1 : (comb(n - 1, k - 1) * n) / k);
function chance(bid) {
  const [quantity, face] = bid.split("x");
  const unseen = dice - hand.length;
  let sum = 0;
  for (let k = Math.max(0, quantity - hand.filter((die) => die === face).length); k <= unseen; k++)
    sum += comb(unseen, k) * (sides - 1) ** (unseen - k);
  return sum / sides ** unseen;
}
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...pairs] = line.split(" ");
  const said = Object.fromEntries(pairs.map((pair) => pair.split("=")));
  if (word === "new") [sides, dice] = [Number(said.sides), said.dice.split(",").reduce((a, b) => a + Number(b), 0)];
  if (word !== "move") return;
  hand = said.hand.split(",");
  const bids = said.legal.split(",").filter((move) => move !== "call");
  const mustCall = !bids.length || (said.history && chance(said.history.split(",").pop()) < 0.5);
  console.log(mustCall ? "call" : bids.reduce((a, b) => (chance(b) > chance(a) ? b : a)));
});
