// Opponents without a table: a guess is computed when it is needed.
import { searchExactly } from "./exact.mjs";
import { rankGreedily, roomFor } from "./values.mjs";
import { makeBareTree } from "./tree.mjs";
import { chooseByChain, countCompared, describeChain, parseChain, pickOne, renewSeed } from "./chains.mjs";

export const MOST_COMPUTED = 50_000;
const MOST_SOLVED = 10;

const rank = (game, candidates) => rankGreedily(game, candidates, roomFor(game, candidates.length));

const chooseBest = (game, candidates) =>
  candidates.length <= MOST_SOLVED ? searchExactly(game, candidates).list(1)[0].guess : rank(game, candidates)[0].guess;

// The rule that is offered first where one is to be composed: the least worst case; of equal guesses one that may
// be the code, then the first.
export const FIRST_RULE = "max,consistent,lowest";

export const LEVELS = {
  lexicographic: ["first consistent", (game, candidates) => candidates[0]],
  random: ["random consistent", (game, candidates) => pickOne(candidates)],
  minimax: ["minimax", (game, candidates) => chooseByChain(parseChain(FIRST_RULE), game, candidates)],
  best: ["best", chooseBest],
};

// How many guesses a level compares for some candidates; undefined where it compares all.
export const countAt = (level, game, candidates) =>
  candidates.length > 2 && (level === "minimax" || parseChain(level)) ? countCompared(game, candidates) : undefined;

// A level by name, or a chain of criteria: [title, choose].
const findLevel = (level) => {
  const chain = parseChain(level);
  if (Object.hasOwn(LEVELS, level)) return LEVELS[level];
  return chain && [describeChain(chain), (game, candidates) => chooseByChain(chain, game, candidates)];
};

// A tree that grows as it is walked; its name is that of the game and the level. A new game may
// draw other lots.
const makeComputedTree = (name, description, level) => {
  const bare = makeBareTree(description);
  const [title, choose] = findLevel(level);
  const table = {
    game: description,
    guess: (candidates) => choose(bare.game, candidates),
    answer: (at, response, candidates) => candidates,
  };
  const root = { ...bare.root, at: bare.root.candidates };
  Object.defineProperty(root, "guess", { get: () => (root.chosen ??= table.guess(root.at)) });
  const renew = () => {
    if (!level.includes("random")) return undefined;
    root.chosen = root.children = undefined;
    return renewSeed();
  };
  const compared = ({ candidates }) => countAt(level, bare.game, candidates);
  return { ...bare, name, level, table, root, renew, compared, isComputed: true, meta: { strategy: `${title}, computed` } };
};

const countCodes = (nPegs, nColors, repeats) => {
  let codes = 1;
  for (let peg = 0; peg < nPegs; peg++) codes *= repeats ? nColors : Math.max(0, nColors - peg);
  return codes;
};

const made = new Map();

// The tree of a name like p4c7r~best; undefined where it is none, or the game is too large.
export const openComputed = (name) => {
  const parts = /^p(\d)c(\d\d?)([rn])(b?)~([\w,:]+)$/.exec(name ?? "");
  if (!parts || !findLevel(parts[5])) return undefined;
  const [nPegs, nColors, repeats] = [Number(parts[1]), Number(parts[2]), parts[3] === "r"];
  const nCodes = countCodes(nPegs, nColors, repeats);
  if (nPegs < 1 || nColors > 35 || nCodes < 2 || nCodes > MOST_COMPUTED) return undefined;
  if (!made.has(name))
    made.set(name, makeComputedTree(name, ["pegs", nPegs, nColors, Number(repeats), parts[4] ? "black" : "pegs"], parts[5]));
  return made.get(name);
};

// The name of a game without a level; undefined for words and other games.
export const nameGame = ([kind, nPegs, nColors, repeats, rule, ...others]) =>
  kind === "pegs" && !others.length ? `p${nPegs}c${nColors}${repeats ? "r" : "n"}${rule === "black" ? "b" : ""}` : undefined;
