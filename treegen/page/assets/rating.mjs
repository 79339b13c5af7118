// Which question comes next where a key has left its tree: the best by a rule of the library, decided
// by whole numbers, with its ties.

// The logarithm of a size in multiples of 2 ** -32: a sum over prime factors, so that what is equal ties.
const logs = [0, 0];
const logOf = (number) => {
  if (logs[number] === undefined) {
    let prime = 2;
    while (number % prime) prime++;
    const rest = number / prime;
    logs[number] = rest > 1 ? logOf(prime) + logOf(rest) : Math.round(Math.log2(prime) * 2 ** 32);
  }
  return logs[number];
};

const add = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

// What a criterion makes of the sizes of a question's cells, of whether it may win; less is better.
const CRITERIA = {
  max: (sizes) => Math.max(...sizes),
  consistent: (_, mayWin) => Number(!mayWin),
  parts: (sizes) => -sizes.length,
  expected: (sizes) => add(sizes.map((size) => size * size)),
  entropy: (sizes) => add(sizes.map((size) => size * logOf(size))),
};

// By criteria of sizes, one after the other; of equal ones the first code.
const chooseBySizes = ({ divide, nResponses }, criteria) => (left, codes) => {
  let best, least;
  for (const code of codes) {
    const cells = divide(code, left);
    if (cells.size < 2) continue;
    const sizes = [...cells.values()].map(({ items }) => items.length);
    const values = criteria.map((name) => CRITERIA[name](sizes, cells.has(nResponses - 1)));
    const at = least ? values.findIndex((value, place) => value !== least[place]) : 0;
    if (at >= 0 && (!least || values[at] < least[at])) [best, least] = [code, values];
  }
  return best;
};

// The logarithm of a whole number in multiples of 2 ** -bits: its fraction, of 30 bits, is squared again
// and again; each time that it passes 2, the next bit is 1.
const logInBits = (number, bits) => {
  let whole = 0;
  while (number >= 2 ** (whole + 1)) whole++;
  let scaled = Math.floor(number * 2 ** (30 - whole));
  let log = whole;
  while (bits--) {
    const [high, low] = [scaled >>> 16, scaled & 65535];
    scaled = 4 * high * high + Math.floor((high * low * 2 ** 17 + low * low) / 2 ** 30);
    log = 2 * log + Number(scaled >= 2 ** 31);
    if (scaled >= 2 ** 31) scaled = Math.floor(scaled / 2);
  }
  return log;
};

const countBits = (word) => {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

// How many pairs of some candidates can be told apart for certain: all pairs, but for those of a class, and
// those of two classes that no question parts. The latter are few; their rows have a bit for each.
const makePairCounter = ({ n, classOf, isCertain, findAlike }, isWin) => {
  const width = Math.ceil(n / 32);
  const rows = isWin || isCertain ? [] : findAlike();
  rows.forEach((row, one) => {
    for (let other = 0; other < n; other++)
      if (one === other || classOf?.[one] === (classOf?.[other] ?? NaN)) row[other >> 5] &= ~(1 << other % 32);
    if (!row.some(Boolean)) delete rows[one];
  });
  return (items) => {
    const counts = new Map();
    let pairs = 0;
    items.forEach((item, place) => {
      const known = classOf ? (counts.get(classOf[item]) ?? 0) : 0;
      if (classOf) counts.set(classOf[item], known + 1);
      pairs += place - known;
    });
    const alike = items.filter((item) => rows[item]);
    const mask = new Int32Array(width);
    for (const item of alike) mask[item >> 5] |= 1 << item % 32;
    let twice = 0;
    for (const item of alike)
      for (let word = 0; word < width; word++) twice += countBits(rows[item][word] & mask[word]);
    return pairs - twice / 2;
  };
};

// By what a question leaves of candidates with shares; by the cost, if it divides what is gained.
const chooseByShares = (whole, countPairs, measureName, isPerCost) => {
  const { n, divide, classOf, costs, first, unit, root } = whole;
  const all = add(root.shares);
  const bits = Math.min(20, 56 - all.toString(2).length);
  const kept = new Map();
  const log = (number) => {
    if (!kept.has(number)) kept.set(number, number && logInBits(number, bits));
    return kept.get(number);
  };
  const dearest = isPerCost && costs ? Math.max(...costs) : 1;
  const isSmall = Math.max(all, n * unit) * Math.max(n * n, 2 ** bits * 64) * dearest < 2 ** 53;
  const exact = isSmall ? Number : BigInt;
  const multiply = (one, other) => exact(one) * exact(other);
  const measures = {
    "expected-left": ({ items }, total) => multiply(total, items.length),
    "separable-pairs": ({ items }, total) => multiply(total, countPairs(items)),
    information: ({ items, shares }, total) => {
      const known = new Map();
      items.forEach((item, at) => {
        const name = classOf ? classOf[item] : item;
        known.set(name, (known.get(name) ?? 0) + shares[at]);
      });
      let left = multiply(total, log(total));
      for (const share of known.values()) left -= multiply(share, log(share));
      return left;
    },
  };
  const measure = (cell) => {
    const isDone = cell.items.length < 2 && measureName !== "expected-left";
    return isDone ? exact(0) : measures[measureName](cell, add(cell.shares));
  };
  // What a question leaves; undefined if it excludes nobody. Nothing is left of what a guess wins.
  const rate = (code, left) => {
    const cells = divide(code, left);
    if (![...cells.values()].some(({ items }) => items.length < left.items.length)) return undefined;
    if (code < n) cells.delete(whole.nResponses - 1);
    return [...cells.values()].reduce((sum, cell) => sum + measure(cell), exact(0));
  };
  return (left, codes) => {
    const total = add(left.shares);
    const weighed = total ? left : { ...left, shares: left.items.map(() => unit) };
    const shareOf = new Map(left.items.map((item, at) => [item, left.shares[at]]));
    // The likeliest guess comes first.
    const guesses = codes.filter((code) => code < n);
    guesses.sort((one, other) => (shareOf.get(other) ?? 0) - (shareOf.get(one) ?? 0));
    const rated = [...guesses, ...codes.filter((code) => code >= n)]
      .map((code) => ({ code, value: rate(code, weighed) }))
      .filter(({ value }) => value !== undefined);
    if (!rated.length) return undefined;
    // Logarithms are rounded: what differs by no more than that is equal.
    const slack = exact(measureName === "information" ? 2 * total : 0);
    if (!isPerCost) {
      const least = rated.reduce((least, { value }) => (value < least ? value : least), rated[0].value);
      return rated.find(({ value }) => value <= least + slack).code;
    }
    const now = measure(weighed);
    const costOf = (code) => exact(costs?.[code - first] ?? 1);
    let best = rated[0];
    for (const one of rated.slice(1))
      if ((now - one.value) * costOf(best.code) > (now - best.value + slack) * costOf(one.code)) best = one;
    return best.code;
  };
};

// What a rule likes a question for.
const REASONS = {
  max: "leaves the fewest candidates at worst",
  expected: "leaves the fewest candidates on average",
  "expected-left": "leaves the fewest candidates on average",
  entropy: "tells the most",
  information: "tells the most",
  parts: "has the most different answers",
  "separable-pairs": "leaves the least to be told apart",
};

// How a table is asked by a rule, and why: whether it is over where some are left, and which of some codes comes
// next.
export const makeRule = (whole, rule, isWin) => {
  const { isCertain, classOf } = whole;
  const hasShares = !isCertain || classOf;
  const [name, cost] = rule.split("/");
  const countPairs = hasShares ? makePairCounter(whole, isWin) : undefined;
  const isOver = (items) => !isWin && (countPairs ? !countPairs(items) : items.length < 2);
  const choose = hasShares
    ? chooseByShares(whole, countPairs, name, cost !== undefined)
    : chooseBySizes(whole, name.split(","));
  return { isOver, choose, reason: `${REASONS[name.split(",")[0]]}${cost ? " for its cost" : ""}` };
};
