// Exact fractions on BigInt, and the format of numbers.

const FRACTION = /^(-?\d+)(?:\/(\d+))?$/;

/** The fraction [numerator, denominator] of a text like "-1/9", or null if the text is a float. */
export function fraction(text) {
  const found = FRACTION.exec(text);
  return found ? [BigInt(found[1]), BigInt(found[2] ?? 1)] : null;
}

export function times(a, b) {
  return a && b ? lowest(a[0] * b[0], a[1] * b[1]) : null;
}

export function plus(a, b) {
  return a && b ? lowest(a[0] * b[1] + b[0] * a[1], a[1] * b[1]) : null;
}

export function minus(a, b) {
  return b ? plus(a, [-b[0], b[1]]) : null;
}

/** Positive if a > b, negative if a < b. */
export function compare(a, b) {
  const difference = a[0] * b[1] - b[0] * a[1];
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

function lowest(above, below) {
  let [a, b] = [above < 0n ? -above : above, below];
  while (b) [a, b] = [b, a % b];
  return a ? [above / a, below / a] : [0n, 1n];
}

export function fractionText(f) {
  return f[1] === 1n ? `${f[0]}` : `${f[0]}/${f[1]}`;
}

/** The number nearest to a text like "1/3" or "0.25". */
export function float(text) {
  const [above, below] = text.split("/");
  if (below === undefined) return Number(above);
  const [a, b] = [Number(above), Number(below)];
  if (Number.isFinite(a) && Number.isFinite(b)) return a / b;
  // Beyond 1e308: the leading digits of both as doubles, and a power of ten.
  const shift = Math.max(above.length, below.length) - 300;
  return Number(BigInt(above) / 10n ** BigInt(shift)) / Number(BigInt(below) / 10n ** BigInt(shift));
}

/** A probability: whole percents bare, else one decimal; two digits below 0.1%, "<0.01%" below that; 0% and 100% only
 *  where it is just that. */
export function percent(p) {
  if (p <= 0) return "0%";
  if (p >= 1) return "100%";
  const share = 100 * p;
  if (share >= 99.95) return ">99.9%";
  if (share < 0.01) return "<0.01%";
  return share >= 0.1 ? `${share.toFixed(1).replace(/\.0$/, "")}%` : `${Number(share.toPrecision(2))}%`;
}

/** A payoff: whole numbers bare, else three decimals, and up to six below 0.001; a true minus sign. */
export function decimal(x) {
  const size = Math.abs(x);
  if (Number.isInteger(x) || size >= 1e15) return `${x}`.replace("-", "−");
  if (size < 5e-7) return "≈ 0";
  const text = size < 1e-4 ? x.toFixed(6).replace(/0+$/, "") : size < 0.001 ? x.toPrecision(3) : x.toFixed(size < 1000 ? 3 : 0);
  return text.replace("-", "−");
}

/** The most letters of a fraction in a picture, and of one that the rules give (SHORT and LONG in efg_builder/base/words.py). */
export const SHORT = 6, LONG = 12;

/** A fraction of at most so many letters, with a true minus sign; null if longer or unknown. */
function shortFraction(exact, letters) {
  const text = exact ? fractionText(exact) : "";
  return text && text.replace("-", "").length <= letters ? text.replace("-", "−") : null;
}

/** A probability in a picture: its fraction if known and short, else in percent, with ≈ if rounded. */
export function shareText(p, exact = null, letters = SHORT) {
  return shortFraction(exact, letters) ?? rounded(percent(p), exact);
}

/** "1/3 ≈ 33.3%", "1/4 = 25%". */
export function shareInFull(p, exact = null, longest = 12) {
  const text = shortFraction(exact, longest), written = percent(p);
  if (!text) return rounded(written, exact);
  if (exact[1] === 1n) return text;
  return /^[<>]/.test(written) ? `${text} ${written}` : `${text} ${isShare(written, exact) ? "=" : "≈"} ${written}`;
}

/** A value or payoff in a picture, likewise. */
export function amountText(x, exact = null, letters = SHORT) {
  return shortFraction(exact, letters) ?? nearly(x);
}

/** "1/3 ≈ 0.333", "1/4 = 0.25". */
export function amountInFull(x, exact = null) {
  const text = shortFraction(exact, 13);
  if (!text) return nearly(x);
  if (exact[1] === 1n) return text;
  const written = plainDecimal(x);
  return `${text} ${isAmount(written, exact) ? "=" : "≈"} ${written.replace("≈ ", "")}`;
}

function rounded(written, exact) {
  return /^[<>]|^(0|100)%$/.test(written) || (exact && isShare(written, exact)) ? written : `≈${written}`;
}

function nearly(x) {
  const written = plainDecimal(x);
  return Number.isInteger(x) || written.startsWith("≈") ? written : `≈${written}`;
}

/** Removes trailing zeros. */
function plainDecimal(x) {
  return decimal(x).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

function isShare(written, exact) {
  return equals(written.replace("%", ""), [exact[0] * 100n, exact[1]]);
}

function isAmount(written, exact) {
  return equals(written.replace("−", "-"), exact);
}

/** Whether a decimal like "12.5" equals this fraction. */
function equals(written, [above, below]) {
  const [, whole, part = ""] = /^(-?\d+)(?:\.(\d+))?$/.exec(written) ?? [];
  return whole !== undefined && BigInt(whole + part) * below === above * 10n ** BigInt(part.length);
}
