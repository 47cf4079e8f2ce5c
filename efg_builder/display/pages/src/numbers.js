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

export function gcd(a, b) {
  while (b) [a, b] = [b, a % b];
  return a;
}

function lowest(above, below) {
  const a = gcd(above < 0n ? -above : above, below);
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

/** A probability in percent with a number of decimals; 0% and 100% only if exact. */
export function percent(p, digits = 1) {
  if (p <= 0) return "0%";
  if (p >= 1) return "100%";
  const parts = 10 ** digits, count = halfToEven(100 * p * parts);
  if (count === 0) return `<${(1 / parts).toFixed(digits)}%`;
  return count === 100 * parts ? `>${(100 - 1 / parts).toFixed(digits)}%` : `${(count / parts).toFixed(digits)}%`;
}

function halfToEven(x) {
  const below = Math.floor(x), rest = x - below;
  return rest > 0.5 || (rest === 0.5 && below % 2) ? below + 1 : below;
}

/** A payoff: a whole number without decimals, otherwise three decimals, or up to six below 0.001; a true minus sign. */
export function decimal(x) {
  const size = Math.abs(x);
  if (Number.isInteger(x) || size >= 1e15) return `${x}`.replace("-", "−");
  if (size < 5e-7) return "≈ 0";
  const text = size < 1e-4 ? x.toFixed(6).replace(/0+$/, "") : size < 0.001 ? x.toPrecision(3) : x.toFixed(size < 1000 ? 3 : 0);
  return text.replace("-", "−");
}

/** The maximum letters of a fraction in a picture, and of a fraction from the rules (SHORT and LONG in efg_builder/base/words.py). */
export const SHORT = 6, LONG = 12;
const LARGEST_DENOMINATOR = 24n;

/** A fraction of at most so many letters, with a true minus sign; null if longer or unknown. */
function shortFraction(exact, letters) {
  const text = exact ? fractionText(exact) : "";
  return text && text.replace("-", "").length <= letters ? text.replace("-", "−") : null;
}

/** Whether a probability, [number, exact fraction or null], may stand in a table of fractions. */
export function isSimple([p, exact]) {
  return exact ? exact[1] <= LARGEST_DENOMINATOR : p === 0 || p === 1;
}

/**
 * The notation of a table (as `notation` in efg_builder/base/words.py): write(p, exact, row) gives a probability as a
 * fraction or in whole percent. A percentage has one decimal if it would read 0% or 100%, or as another number in `row`.
 */
export function notation(fractions) {
  if (fractions) return (p, exact) => (exact ? fractionText(exact) : `${p}`);
  return (p, _, row = []) => {
    const whole = percent(p, 0), fine = percent(p);
    if (p <= 0 || p >= 1) return whole;
    const alike = row.some((each) => percent(each, 0) === whole && percent(each) !== fine);
    return whole === "<1%" || whole === ">99%" || alike ? fine : whole;
  };
}

/** The notation of a table of numbers, each [p, exact]. */
export function notationOf(numbers) {
  return notation(numbers.every(isSimple));
}

/** The notation of probabilities that the rules give as text. */
export function rulesOf(texts) {
  return notation(texts.every((text) => shortFraction(fraction(text), LONG)));
}

/** The probabilities of a sentence, each [p, exact], in one notation; ≈ precedes a rounded percentage. */
export function inText(numbers) {
  const simple = numbers.every(isSimple), write = notation(simple), row = numbers.map(([p]) => p);
  return numbers.map(([p, exact]) => (simple ? write(p, exact) : rounded(write(p, exact, row), exact)));
}

/** A probability outside tables. */
export function shareText(p, exact = null) {
  return inText([[p, exact]])[0];
}

/** "1/3 ≈ 33.3%", "1/4 = 25%". */
export function shareInFull(p, exact = null, longest = 12) {
  const text = shortFraction(exact, longest), written = percent(p).replace(".0%", "%");
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
