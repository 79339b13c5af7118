// Exact search where few candidates are left: the least total of guesses over all ways to play on.
import { sumFew } from "./engine.mjs";
import { scorerOf } from "./scores.mjs";

// A set of candidates is a mask of bits, so that 31 are the most.
export const MOST_EXACT = 20;

// States between two looks at the clock.
const STATES_BETWEEN = 16;
const OUT_OF_TIME = {};

// No play needs less in total for n candidates with a number of responses: one is found at once, one
// of each further response by the second guess, and so on.
const boundTotal = (n, nResponses) => {
  let [total, room, depth] = [0, 1, 1];
  for (let left = n; left > 0; depth++) {
    const found = Math.min(left, room);
    total += found * depth;
    left -= found;
    room *= nResponses - 1;
  }
  return total;
};

// The same where a candidate is announced as soon as it is the only one.
const boundAnnounced = (n, nResponses) => {
  let [room, depth] = [1, 0];
  while (room * nResponses <= n) [room, depth] = [room * nResponses, depth + 1];
  const early = Math.floor((room * nResponses - n) / (nResponses - 1));
  return n * (depth + 1) - early;
};

const countBits = (mask) => {
  let n = 0;
  for (; mask; mask &= mask - 1) n++;
  return n;
};

// The best of some options: as many as wanted, the least total first.
const rankOptions = (options, evaluate, many) => {
  const found = [];
  for (const option of options) {
    const limit = found.length < many ? Infinity : found.at(-1).total;
    if (option.bound >= limit) break;
    const total = evaluate(option, options, limit);
    if (total >= limit) continue;
    found.push({ guess: option.guess, total });
    found.sort((a, b) => a.total - b.total);
    found.length = Math.min(found.length, many);
  }
  return found;
};

// The search over some candidates: rows of responses, one of each way to split them. It gives up at a
// time, in milliseconds of the clock.
export const searchExactly = (game, candidates, until = Infinity) => {
  const n = candidates.length;
  const score = scorerOf(game);
  const row = new Uint16Array(n);
  const bound = game.isIdentify ? boundAnnounced : boundTotal;
  const bounds = Array.from({ length: n + 1 }, (_, size) => (size ? bound(size, game.nResponses) : 0));
  const known = new Map();
  const masks = new Int32Array(game.nResponses);
  let nStates = 0;

  // The cells of a row on a set, largest first; the win left out. None if it tells nothing.
  const split = (responses, set) => {
    const touched = [];
    for (let rest = set; rest; rest &= rest - 1) {
      const at = 31 - Math.clz32(rest & -rest);
      const response = responses[at];
      if (!masks[response]) touched.push(response);
      masks[response] |= 1 << at;
    }
    const cells = [];
    let isWinning = false;
    for (const response of touched) {
      if (response === game.win) isWinning = true;
      else cells.push(masks[response]);
      masks[response] = 0;
    }
    if (cells.length === 1 && !isWinning) return undefined;
    return { cells, isWinning };
  };

  // One option for each way to split a set, with a bound of its total, the least bound first.
  const listOptions = (rows, set) => {
    const seen = new Set();
    const size = countBits(set);
    const options = [];
    for (const one of rows) {
      const parts = split(one.responses, set);
      if (!parts) continue;
      const key = [...parts.cells].sort((a, b) => a - b).join();
      if (seen.has(key)) continue;
      seen.add(key);
      const sizes = parts.cells.map(countBits);
      options.push({ ...one, cells: parts.cells, bound: sizes.reduce((sum, cell) => sum + bounds[cell], size) });
    }
    return options.sort((a, b) => a.bound - b.bound);
  };

  // The total of an option if it is less than limit, something not less otherwise.
  const evaluate = ({ cells, bound }, rows, limit) => {
    let total = bound;
    for (const cell of [...cells].sort((a, b) => countBits(b) - countBits(a))) {
      if (total >= limit) return total;
      const least = bounds[countBits(cell)];
      total += leastTotal(cell, rows, limit - total + least) - least;
    }
    return total;
  };

  const leastTotal = (set, rows, limit) => {
    const size = countBits(set);
    if (size < 3) return sumFew(game, size);
    const memo = known.get(set);
    if (memo && (memo.isExact || memo.total >= limit)) return memo.total;
    if (++nStates % STATES_BETWEEN === 0 && Date.now() > until) throw OUT_OF_TIME;
    const options = listOptions(rows, set);
    let best = Math.max(limit, bounds[size]);
    let isExact = false;
    for (const option of options) {
      if (option.bound >= best) break;
      const total = evaluate(option, options, best);
      if (total < best) [best, isExact] = [total, true];
    }
    known.set(set, { total: best, isExact });
    return best;
  };

  const whole = n > 31 ? 0 : (2 ** n - 1) | 0;
  const isPossible = new Set(candidates);
  const codes = [...candidates, ...game.codes.keys()];
  const rows = [];
  codes.forEach((guess, place) => {
    if (place >= n && isPossible.has(guess)) return;
    score(guess, candidates, row);
    rows.push({ guess, responses: row.slice() });
  });
  const options = listOptions(rows, whole);

  // The best guesses, each of another split, with their totals; undefined where time ran out.
  const list = (many) => {
    try {
      return rankOptions(options, evaluate, many);
    } catch (error) {
      if (error !== OUT_OF_TIME) throw error;
      return undefined;
    }
  };
  return { list };
};
