// Answers questions about positions: in the worker, or in the page where no worker starts.
import { advise, review, reviewMove } from "./advisor.mjs";
import { narrow, parseChain } from "./chains.mjs";
import { openComputed } from "./levels.mjs";
import { makeBareTree, openTree, playOut } from "./tree.mjs";

const opened = new Map();

const openFor = ({ name, table, description, start, isProved, strategy }) => {
  const key = table ? name : JSON.stringify([description, start, strategy]);
  if (!opened.has(key))
    opened.set(key, table ? openTree(name, table, start, isProved) : makeBareTree(description, start, strategy));
  return opened.get(key);
};

// How many games of some secrets end with each number of guesses: lengths[1], lengths[2], …
export const countLengths = (tree, secrets) => {
  const lengths = [];
  for (const secret of secrets) {
    const length = playOut(tree, secret).length;
    lengths[length] = (lengths[length] ?? 0) + 1;
  }
  return Array.from(lengths, (games) => games ?? 0);
};

// What each chain guesses first, and the value by which it does.
const openBy = ({ game, root }, chains) => chains.map((text) => {
  const { steps, ties } = narrow(parseChain(text), game, root.candidates);
  return { guess: ties[0], best: steps[0].best };
});

// A question that has a budget, in milliseconds, is answered by estimates where that is used up.
const endOf = ({ budget }) => (budget === undefined ? Infinity : Date.now() + budget);

const ANSWERS = {
  review: (tree, question) => review(tree, question.history, { ...question, until: endOf(question) }),
  judge: (tree, { history }) => reviewMove(tree, history, history.length - 1),
  advise: (tree, question) => advise(tree, question.history, { ...question, until: endOf(question) }),
  lengths: (tree, { secrets, tree: { name } }) => countLengths(openComputed(name) ?? tree, secrets),
  openings: (tree, { chains }) => openBy(tree, chains),
};

// What a tree needs to be opened elsewhere.
export const packTree = ({ name, source, table, start, isProved, meta }) =>
  ({ name, table: source, description: table.game, start, isProved, strategy: meta.strategy });

export const answerQuestion = (question) => ANSWERS[question.ask](openFor(question.tree), question);
