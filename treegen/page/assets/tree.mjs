// States of a table as the page walks them: each is found by the player, its candidates by play.
import { START, openTable } from "../../player/js/tgt_player.mjs";
import { allSecrets, filterSecrets, isKnown, makeGame, splitCandidates } from "./engine.mjs";

// The bytes of a table. Of a long list its words stand apart: how many letters each shares with the
// one before it, and the others.
export const readTable = ({ table, words = "", at = 0 }) => {
  const signs = atob(table);
  let last = "";
  const text = words.replace(/(\d)(\D+)/g, (_, shared, rest) => (last = last.slice(0, shared) + rest));
  return Uint8Array.from(signs.slice(0, at) + text + signs.slice(at), (sign) => sign.charCodeAt(0));
};

// Tables of one game share its codes.
const knownGames = new Map();
export const gameOf = (description) => {
  const key = JSON.stringify(description);
  if (!knownGames.has(key)) knownGames.set(key, makeGame(description));
  return knownGames.get(key);
};

// Opens a table that begins after the [guess, response] pairs of start; throws an Error that says
// why where it is damaged or foreign.
export const openTree = (name, bytes, start = [], isProved = false) => {
  const table = openTable(bytes);
  const game = gameOf(table.game);
  if (game.nCodes !== table.nCodes || game.nResponses !== table.nResponses)
    throw Error("bad table: the counts are not the game's");
  const meta = {};
  for (let at = 0; at < table.meta.length; at += 2) meta[table.meta[at]] = table.meta[at + 1];
  const root = { at: START, guess: table.guess(START), path: [], candidates: filterSecrets(game, start) };
  if (!root.candidates.length) throw Error("bad table: no code agrees with its beginning");
  return { name, table, game, root, meta, start, isProved };
};

// A game without a table: the page computes what a tree would hold.
export const makeBareTree = (description, start = [], strategy = "") => {
  const game = gameOf(description);
  const root = { path: [], candidates: filterSecrets(game, start) };
  return { name: JSON.stringify(description), game, table: { game: description }, root, start, meta: { strategy } };
};

// A state finds its guess when it is asked for.
const makeState = (table, state) =>
  Object.defineProperty(state, "guess", { get: () => (state.chosen ??= table.guess(state.at)) });

// Returns the states below a state, responses ascending; state.wins: the guess may be the secret.
export const expand = ({ game, table }, state) => {
  if (state.children) return state.children;
  state.wins = false;
  state.children = [];
  for (const [response, candidates] of splitCandidates(game, state.guess, state.candidates)) {
    const at = table.answer(state.at, response, candidates);
    if (response === game.win) state.wins = true;
    else if (at === undefined) throw Error(`the table has no state for ${game.write(response)}`);
    else state.children.push(makeState(table, { at, response, candidates, path: [...state.path, response] }));
  }
  return state.children;
};

// Returns the state that a response leads to, undefined where no secret fits.
export const step = (tree, state, response) =>
  expand(tree, state).find((child) => child.response === response);

// Returns the states from the root down a path, as far as the tree has them.
export const follow = (tree, path) => {
  const states = [tree.root];
  for (const response of path) {
    const next = step(tree, states.at(-1), response);
    if (!next) break;
    states.push(next);
  }
  return states;
};

// The states of a game against a secret, the last one where it is guessed or known.
export const playOut = (tree, secret) => {
  const states = [tree.root];
  for (;;) {
    const state = states.at(-1);
    if (isKnown(tree.game, state.candidates.length)) return states.slice(0, -1);
    const response = tree.game.respond(state.guess, secret);
    if (response === tree.game.win) return states;
    states.push(step(tree, state, response));
  }
};
