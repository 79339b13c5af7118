// What a guess is worth: guesses to the end, in total over the candidates. Exact by search where few
// are left; elsewhere what a greedy play needs, which best play never exceeds.
import { splitBy, sumFew } from "./engine.mjs";
import { MOST_EXACT, searchExactly } from "./exact.mjs";
import { scorerOf } from "./scores.mjs";

// Scores on each level of the play from a position: it decides how many guesses are tried.
const MOST_TRIED = 2e6;
const LARGE = 2000;
const MOST_TRIED_LARGE = 4e5;
const MOST_INNER = 8;

const everyNth = (codes, room) => {
  const stride = Math.ceil(codes.length / Math.max(1, room));
  return stride === 1 ? codes : codes.filter((_, place) => place % stride === 0);
};

// How many guesses are tried in each state of the play from a position of n candidates.
export const roomFor = (game, n) => {
  const most = game.nCodes > 5 * LARGE ? MOST_TRIED / 2 : MOST_TRIED;
  const scores = n > LARGE ? MOST_TRIED_LARGE : most;
  return Math.min(game.nCodes, Math.max(16, Math.ceil(scores / n)));
};

// Candidates first, then other codes, evenly spaced where there is no time for all.
export const listEligible = (game, candidates, room) => {
  if (candidates.length >= room) return everyNth(candidates, room);
  const others = room - candidates.length;
  return [...candidates, ...Array.from({ length: others }, (_, at) => Math.floor((at * game.nCodes) / others))];
};

// Guesses in the order in which they promise most: more answers, then fewer candidates left on
// average; candidates first, the lowest first. Useless guesses are left out.
export const rankGreedily = (game, candidates, room, codes = listEligible(game, candidates, room)) => {
  const score = scorerOf(game);
  const row = new Uint16Array(candidates.length);
  const sizes = new Int32Array(game.nResponses);
  const seen = new Set();
  const ranked = [];
  codes.forEach((guess, place) => {
    if (seen.has(guess)) return;
    seen.add(guess);
    score(guess, candidates, row);
    sizes.fill(0);
    for (let at = 0; at < row.length; at++) sizes[row[at]]++;
    const wins = sizes[game.win] > 0;
    let [parts, squares] = [0, wins ? -1 : 0];
    for (const size of sizes) {
      if (size) parts++;
      squares += size * size;
    }
    if (parts > 1 || wins) ranked.push({ guess, parts, squares, place });
  });
  return ranked.sort((a, b) => b.parts - a.parts || a.squares - b.squares || a.place - b.place);
};

const sumCells = (game, guess, candidates, evaluate) => {
  let total = candidates.length;
  for (const [response, cell] of splitBy(game, guess, candidates))
    if (response !== game.win) total += evaluate(cell);
  return total;
};

const isSolvable = (game, n, room) => n <= MOST_INNER && room >= game.nCodes;

// What greedy play needs in total, with a number of guesses tried in each state.
const estimateTotal = (game, candidates, room) => {
  const n = candidates.length;
  if (n < 3) return sumFew(game, n);
  if (isSolvable(game, n, room)) return searchExactly(game, candidates).list(1)[0].total;
  const [{ guess }] = rankGreedily(game, candidates, room);
  return sumCells(game, guess, candidates, (cell) => estimateTotal(game, cell, room));
};

// The total after a guess: exact where few are left and there is time, or where it leaves two at most in
// each cell.
export const evaluateGuess = (game, guess, candidates, until) => {
  const room = roomFor(game, candidates.length);
  const isSmall = candidates.length <= MOST_EXACT;
  let isExact = true;
  const total = sumCells(game, guess, candidates, (cell) => {
    if (cell.length < 3) return sumFew(game, cell.length);
    const found = isSmall && searchExactly(game, cell, until).list(1);
    if (found) return found[0].total;
    isExact = false;
    return estimateTotal(game, cell, room);
  });
  return { total, isExact };
};

// The best guesses of some candidates, the best first, with their totals.
export const listBest = (game, candidates, many, isNew, until) => {
  const exact = candidates.length <= MOST_EXACT && searchExactly(game, candidates, until).list(many);
  if (exact) return exact.map((one) => ({ ...one, isExact: true }));
  const found = [];
  for (const { guess } of rankGreedily(game, candidates, roomFor(game, candidates.length))) {
    if (found.length === many) break;
    if (isNew(guess)) found.push({ guess, ...evaluateGuess(game, guess, candidates, until) });
  }
  return found.sort((a, b) => a.total - b.total);
};

// The same by a rule of play. It allows every candidate, so a play of candidates alone keeps it.
const estimateLegally = (game, candidates) => {
  const n = candidates.length;
  if (n < 3) return sumFew(game, n);
  const [{ guess }] = rankGreedily(game, candidates, n, everyNth(candidates, roomFor(game, n)));
  return sumCells(game, guess, candidates, (cell) => estimateLegally(game, cell));
};

export const evaluateLegally = (game, guess, candidates) => {
  let isExact = true;
  const total = sumCells(game, guess, candidates, (cell) => {
    isExact &&= cell.length < 3;
    return estimateLegally(game, cell);
  });
  return { total, isExact };
};

// The best of the codes that a rule allows.
export const listLegal = (game, candidates, many, codes) =>
  rankGreedily(game, candidates, codes.length, codes).slice(0, many)
    .map(({ guess }) => ({ guess, ...evaluateLegally(game, guess, candidates) }))
    .sort((a, b) => a.total - b.total);
