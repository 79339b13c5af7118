// Strategies that are computed by a rule: a chain of criteria and a tie-break, written as treegen
// writes them, such as "max,power:2,random". Less is better; the first criterion decides, the next
// one among its ties, and so on.
import { scorerOf } from "./scores.mjs";
import { listEligible, roomFor } from "./values.mjs";

export const MOST_POWER = 9;
const MOST_SCORED = 2e7;

// Sums of powers are exact: by large integers where numbers would not be.
const sumPowers = (power) => (n) => {
  const isLarge = n ** (power + 1) > Number.MAX_SAFE_INTEGER;
  const worth = Array.from({ length: n + 1 }, (_, size) => (isLarge ? BigInt(size) ** BigInt(power + 1) : size ** (power + 1)));
  return (cells) => cells.reduce((sum, size) => sum + worth[size], worth[0]);
};

// Logarithms in fixed point, sums of those of the prime factors: equal partitions tie exactly.
const listLogarithms = (n) => {
  const logs = [0, 0];
  for (let number = 2; number <= n; number++) {
    let factor = 2;
    while (factor * factor <= number && number % factor) factor++;
    const isPrime = number % factor || factor === number;
    logs.push(isPrime ? Math.round(2 ** 32 * Math.log2(number)) : logs[factor] + logs[number / factor]);
  }
  return logs;
};

const sumInformation = (n) => {
  const logs = listLogarithms(n);
  return (cells) => cells.reduce((sum, size) => sum + size * logs[size], 0);
};

export const CRITERIA = {
  max: ["least worst case", () => () => (cells) => Math.max(...cells)],
  power: ["least T_l", sumPowers],
  entropy: ["most information", () => sumInformation],
  parts: ["most answers", () => () => (cells) => -cells.length],
  consistent: ["may be the code", () => () => (cells, isPossible) => (isPossible ? 0 : 1)],
};

export const TIES = { lowest: "the first", highest: "the last", random: "at random" };

// { criteria: [name, power][], tie } of a text; undefined where it is no chain.
export const parseChain = (text) => {
  const parts = text.split(",").map((part) => (part === "expected" ? "power:1" : part));
  const tie = Object.hasOwn(TIES, parts.at(-1)) ? parts.pop() : "lowest";
  const criteria = parts.map((part) => /^(\w+)(?::([1-9]))?$/.exec(part) ?? []).map(([, name, power]) => [name, Number(power)]);
  const isKnown = ([name, power]) => Object.hasOwn(CRITERIA, name) && (name === "power") === power > 0;
  return criteria.length && criteria.every(isKnown) ? { criteria, tie } : undefined;
};

export const describeChain = ({ criteria, tie }) =>
  `${criteria.map(([name, power]) => CRITERIA[name][0].replace("_l", `_${power}`)).join(", then ")}; ties: ${TIES[tie]}`;

const lots = { seed: 0 };

// Which of some ties a random choice takes: the same for the same position until a new game.
export const pickOne = (codes) => {
  const mixed = Math.imul(lots.seed ^ codes.reduce((sum, code) => Math.imul(sum, 31) + code | 0, 7), 2654435761) >>> 0;
  return codes[mixed % codes.length];
};

export const renewSeed = (seed = Math.floor(Math.random() * 2 ** 31)) => (lots.seed = seed);

// The lowest of the guesses that differ by names of pegs and colors alone, before anything is known:
// colors stand in their order, none more often than the one before it.
const isFirstOfItsKind = ({ codes, symbols }) => (guess) => {
  const times = symbols.map((_, color) => codes[guess].filter((one) => one === color).length);
  return codes[guess].every((color, peg, code) => !peg || color >= code[peg - 1])
    && times.every((number, color) => !color || number <= times[color - 1]);
};

// The guesses that are compared: all that differ, or of a large game as many as there is time for.
const isStart = (game, candidates) => game.isSymmetric && candidates.length === game.nCodes;
const isScored = (game, candidates) => game.nCodes * candidates.length <= MOST_SCORED;
const listGuesses = (game, candidates) => {
  if (isScored(game, candidates)) return [...game.codes.keys()];
  if (isStart(game, candidates)) return [...game.codes.keys()].filter(isFirstOfItsKind(game));
  return [...new Set(listEligible(game, candidates, roomFor(game, candidates.length)))].sort((a, b) => a - b);
};

// How many guesses are compared where there is no time for all; undefined where all are.
export const countCompared = (game, candidates) =>
  isScored(game, candidates) || isStart(game, candidates) ? undefined : listGuesses(game, candidates).length;

// Every guess that tells something, with its values.
const rateAll = ({ criteria }, game, candidates) => {
  const measures = criteria.map(([name, power]) => CRITERIA[name][1](power)(candidates.length));
  const score = scorerOf(game);
  const row = new Uint16Array(candidates.length);
  const sizes = new Int32Array(game.nResponses);
  const isPossible = new Set(candidates);
  return listGuesses(game, candidates).flatMap((guess) => {
    score(guess, candidates, row);
    sizes.fill(0);
    for (let at = 0; at < row.length; at++) sizes[row[at]]++;
    const cells = [...sizes.filter((size) => size)];
    return cells.length < 2 ? [] : [{ guess, values: measures.map((measure) => measure(cells, isPossible.has(guess))) }];
  });
};

// What each criterion leaves: { steps: { name, power, best, kept, of }[], ties }.
export const narrow = (chain, game, candidates) => {
  let left = rateAll(chain, game, candidates);
  const steps = chain.criteria.map(([name, power], at) => {
    const best = left.reduce((least, { values }) => (values[at] < least ? values[at] : least), left[0].values[at]);
    const of = left.length;
    left = left.filter(({ values }) => values[at] === best);
    return { name, power, best, kept: left.length, of };
  });
  return { steps, ties: left.map(({ guess }) => guess) };
};

export const listTies = (chain, game, candidates) => narrow(chain, game, candidates).ties;

export const chooseByChain = (chain, game, candidates) => {
  if (candidates.length === 1) return candidates[0];
  const ties = listTies(chain, game, candidates);
  return { lowest: ties[0], highest: ties.at(-1), random: pickOne(ties) }[chain.tie];
};
