// What a position is worth and which guesses are best there, by the tree where it is on it; and what
// every guess of a game has cost. Runs in the worker.
import { filterSecrets, findBreach, isEnd, ruleOfPlay, splitBy } from "./engine.mjs";
import { findCanonicalMap, findMap } from "./symmetry.mjs";
import { MOST_EXACT } from "./exact.mjs";
import { step } from "./tree.mjs";
import { evaluateGuess, evaluateLegally, listBest, listLegal } from "./values.mjs";

const codesIn = (history) => history.map(([guess]) => guess);

// The state of the tree after a history, where pegs and colors may have changed names.
const findState = (tree, history) => {
  if (!tree.table.guess || tree.isComputed) return undefined;
  const images = [];
  let state = tree.root;
  for (const [, response] of history) {
    if (!state) return undefined;
    images.push(state.guess);
    state = step(tree, state, response);
  }
  const { game, start } = tree;
  const fixed = codesIn(start);
  const map = state && findMap(game, [...fixed, ...codesIn(history)], [...fixed, ...images]);
  return map && { state, guess: map.from(state.guess) };
};

// The total of all games below a state of the tree.
const sumState = (tree, state) => {
  let total = 0;
  const open = [state];
  while (open.length) {
    const one = open.pop();
    if (tree.game.isIdentify && one.candidates.length === 1) continue;
    total += one.candidates.length;
    for (const child of splitBy(tree.game, one.guess, one.candidates))
      if (child[0] !== tree.game.win) open.push(enter(tree, one, child));
  }
  return total;
};

const enter = (tree, state, [response, candidates]) => {
  const at = tree.table.answer(state.at, response);
  return { at, candidates, guess: tree.table.guess(at) };
};

// What the tree plays after a history, and the total of its games: undefined off the tree.
const lookUp = (tree, history) => {
  const found = findState(tree, history);
  if (!found) return undefined;
  const { state, guess } = found;
  state.total ??= state === tree.root ? tree.meta.total : sumState(tree, state);
  return { guess, total: state.total, kind: tree.isProved ? "proved" : "tree" };
};

// A position in the form that all have that differ by names of pegs and colors alone.
const standardize = (tree, history) => {
  const { game } = tree;
  const all = [...tree.start, ...history];
  const map = findCanonicalMap(game, codesIn(all));
  const renamed = all.map(([guess, response]) => [map.to(guess), response]);
  return { map, renamed, candidates: filterSecrets(game, renamed) };
};

const keyOf = (game, guesses) => {
  const map = findCanonicalMap(game, guesses);
  return guesses.map(map.to).join();
};

// The total of one guess after a history.
const rateOne = (tree, history, guess, until) => {
  const { game } = tree;
  const all = [...tree.start, ...history];
  const map = findCanonicalMap(game, [...codesIn(all), guess]);
  const before = filterSecrets(game, all.map(([one, response]) => [map.to(one), response]));
  const evaluate = ruleOfPlay(tree) ? evaluateLegally : evaluateGuess;
  const { total, isExact } = evaluate(game, map.to(guess), before, until);
  return { guess, total, kind: kindOf(isExact) };
};

const kindOf = (isExact) => (isExact ? "exact" : "estimate");

const isSameGuess = (tree, history, guess, other) => {
  const before = [...codesIn(tree.start), ...codesIn(history)];
  return keyOf(tree.game, [...before, guess]) === keyOf(tree.game, [...before, other]);
};

// The value of a guess after a history: the tree's where it plays so and the search does not reach.
const valueOf = (tree, history, n, guess, planned, until) => {
  const isPlanned = planned && isSameGuess(tree, history, guess, planned.guess);
  const isKnown = n > MOST_EXACT || planned?.kind === "proved" || ruleOfPlay(tree);
  return isPlanned && isKnown ? { ...planned, guess } : rateOne(tree, history, guess, until);
};

// Whether more time would make estimates exact.
const isCut = (tree, n, kind) => kind === "estimate" && n <= MOST_EXACT && !ruleOfPlay(tree);

// The best guesses after a history, the tree's and one that was tried among them: { n, planned, list },
// and whether a search was cut at a time.
export const advise = (tree, history, { many = 6, tried, until } = {}) => {
  const { game } = tree;
  const { map, renamed, candidates } = standardize(tree, history);
  const n = candidates.length;
  if (!n) return { n, list: [] };
  const planned = lookUp(tree, history);
  const seen = new Set();
  const before = codesIn(renamed);
  const rule = ruleOfPlay(tree);
  const isNew = (guess) => seen.size < seen.add(keyOf(game, [...before, guess])).size;
  const isLegal = (guess) => !findBreach(game, rule, renamed, guess) && isNew(guess);
  const found = rule ? listLegal(game, candidates, many, [...game.codes.keys()].filter(isLegal))
    : listBest(game, candidates, many, isNew, until);
  const list = found.map(({ guess, total, isExact }) => ({ guess: map.from(guess), total, kind: kindOf(isExact) }));
  for (const guess of [planned?.guess, tried]) if (guess !== undefined)
    addGuess(tree, history, list, valueOf(tree, history, n, guess, planned, until));
  const isPossible = new Set(filterSecrets(game, [...tree.start, ...history]));
  const rows = list.sort(byWorth).map((one) => ({ ...one, ...describeSplit(game, one.guess, isPossible) }));
  return { n, planned: planned?.guess, list: rows, isCut: rows.some(({ kind }) => isCut(tree, n, kind)) };
};

// How a guess splits the candidates: [response, size] of each cell, the most left, the average.
const describeSplit = (game, guess, isPossible) => {
  const split = splitBy(game, guess, [...isPossible]);
  const cells = [...split].map(([response, cell]) => [response, cell.length]).sort(([a], [b]) => a - b);
  const left = cells.filter(([response]) => response !== game.win).map(([, size]) => size);
  const squares = left.reduce((sum, size) => sum + size * size, 0);
  return { cells, worst: Math.max(0, ...left), average: squares / isPossible.size, isCandidate: isPossible.has(guess) };
};

const RANKS = { proved: 0, exact: 1, tree: 2, estimate: 3 };
const byWorth = (a, b) => a.total - b.total || RANKS[a.kind] - RANKS[b.kind];

// A guess stands in the list once, by its own name: in place of one that is the same by symmetry.
const addGuess = (tree, history, list, added) => {
  const find = (isIt) => list.findIndex(({ guess }) => isIt(guess));
  const named = find((guess) => guess === added.guess);
  const at = named >= 0 ? named : find((guess) => isSameGuess(tree, history, guess, added.guess));
  list.splice(at < 0 ? list.length : at, 1, added);
};

// A guess that loses this many guesses has half the skill of the best one; what loses less loses nothing.
const HALF_SKILL = 0.25;
export const LEAST_COST = 0.005;
export const SHORTLIST = 3;

export const reviewMove = (tree, history, at, until) => {
  const before = history.slice(0, at);
  const [guess, response] = history[at];
  const planned = lookUp(tree, before);
  const isKnown = planned?.kind === "proved";
  const [first] = isKnown ? [planned] : advise(tree, before, { many: SHORTLIST, until }).list;
  const n = filterSecrets(tree.game, [...tree.start, ...before]).length;
  const yours = valueOf(tree, before, n, guess, planned, until);
  const best = first.total <= yours.total ? first : yours;
  const kind = RANKS[best.kind] > RANKS[yours.kind] ? best.kind : yours.kind;
  return {
    guess, response, n, kind, isCut: isCut(tree, n, kind),
    expected: yours.total / n, best: best.total / n, bestGuess: best.guess,
    cost: (yours.total - best.total) / n,
    isPlanned: planned !== undefined && isSameGuess(tree, before, guess, planned.guess),
  };
};

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// The mean over the guesses that show skill; undefined where there are none. The best guess shows none where a
// hint showed it, or where nothing else was left to guess; a guess that lost something was the player's choice.
// To give up is to choose none of the guesses: it counts as one that is worth nothing.
const rateSkill = (moves, hinted, isGivenUp) => {
  const own = moves.filter(({ n, cost }, at) => cost >= LEAST_COST || n > 1 && !hinted.includes(at));
  const worths = own.map(({ cost }) => 100 * 2 ** (-cost / HALF_SKILL));
  if (isGivenUp) worths.push(0);
  return worths.length ? sum(worths) / worths.length : undefined;
};

// Every guess of a game with its cost; total cost, skill and luck of the game. What was expected at
// first, plus what was lost, minus luck, is the number of guesses. `hinted` are the guesses before which
// the player took a hint.
export const review = (tree, history, { until, hinted = [], isGivenUp } = {}) => {
  const moves = history.map((_, at) => reviewMove(tree, history, at, until));
  const left = filterSecrets(tree.game, [...tree.start, ...history]).length;
  const isWon = history.length > 0 && isEnd(tree.game, history.at(-1)[1], left);
  moves.forEach((move, at) => {
    const isLast = at === moves.length - 1;
    if (isLast && !isWon) return;
    move.luck = move.expected - 1 - (isLast ? 0 : moves[at + 1].best);
  });
  return {
    moves, isCut: moves.some((move) => move.isCut),
    cost: sum(moves.map(({ cost }) => cost)),
    luck: sum(moves.map(({ luck }) => luck ?? 0)),
    skill: rateSkill(moves, hinted, isGivenUp),
  };
};
