// Walk a table of the profiles `lean` and `slim`: the player keeps the candidates, and guesses the
// first of them where the table says no more.

import { START } from "./tgt_player.mjs";
import { colorsOf, score } from "./tgt_rules.mjs";

const MAX_SECRETS = 2 ** 20;
// The work that replaying a start may take, in pegs that are compared.
const FREE_WORK = 2 ** 22;
const WORK_PER_NODE = 2 ** 10;

const refuseUnless = (isTrue, reason) => {
  if (!isTrue) throw Error(`bad table: ${reason}`);
};

// The secrets that answer the guesses of the start as it says.
const begin = ({ start, nNodes }, game, nSecrets) => {
  const pairs = Array.from({ length: start.length / 2 }, (_, i) => start.slice(2 * i, 2 * i + 2));
  const guesses = pairs.map(([code]) => colorsOf(game, code));
  const candidates = [];
  let left = FREE_WORK + WORK_PER_NODE * nNodes;
  for (let secret = 0; secret < nSecrets; secret++) {
    const colors = pairs.length ? colorsOf(game, secret) : [];
    const agrees = ([, response], i) => {
      left -= game.nPegs;
      refuseUnless(left >= 0, "its start takes too much work");
      return score(game, guesses[i], colors) === response;
    };
    if (pairs.every(agrees)) candidates.push(secret);
  }
  return candidates;
};

// Where the state behind a response stands among its siblings: each response before it with more
// than `implicit` candidates has one; -1 if it has none.
const findPlace = (replies, response, implicit) => {
  const sizes = new Map();
  for (const reply of replies) sizes.set(reply, (sizes.get(reply) ?? 0) + 1);
  const stored = [...sizes.keys()].filter((reply) => sizes.get(reply) > implicit);
  return stored.includes(response) ? stored.filter((reply) => reply < response).length : -1;
};

// Return the first state and what leads from one to the next, as a full table has them.
export const walkLean = (table, game) => {
  const { nCodes, nResponses, nNodes, implicit, isSlim } = table;
  const nSecrets = game.nSecrets ?? nCodes;
  refuseUnless(game.rule !== "answers", "no rule tells how a table of answers is answered");
  refuseUnless(nSecrets <= MAX_SECRETS && nNodes <= nSecrets, "too many secrets, or states");
  const first = begin(table, game, nSecrets);
  // A stored state wins one secret; each of its other answers leaves a state that is stored too,
  // or `implicit` secrets.
  const most = nNodes * (1 + implicit * (nResponses - 1));
  refuseUnless(first.length > 0 && first.length <= most, "its states cannot tell the secrets apart");
  const isLeaf = ({ candidates }) => candidates.length === 1;
  // The only candidate is announced, whatever the table says.
  const guess = (state) =>
    state.node && !(game.announces && isLeaf(state)) ? table.guess(state.node) : state.candidates[0];
  return {
    first: { node: START, candidates: first },
    guess,
    isLeaf,
    answer(state, response) {
      if (response === nResponses - 1) return null;
      const colors = colorsOf(game, guess(state));
      const replies = state.candidates.map((secret) => score(game, colors, colorsOf(game, secret)));
      const candidates = state.candidates.filter((_, i) => replies[i] === response);
      if (!candidates.length) return undefined;
      const key = isSlim ? findPlace(replies, response, implicit) : response;
      return { node: state.node && table.answer(state.node, key), candidates };
    },
  };
};
