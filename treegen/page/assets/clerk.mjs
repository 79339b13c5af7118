// Answers questions about positions: in the worker, or in the page where no worker starts.
import { advise, review } from "./advisor.mjs";
import { chooseGreedily, filterSecrets, ruleOfPlay } from "./engine.mjs";
import { decodeBase64, makeBareTree, openTree } from "./tree.mjs";

const opened = new Map();

const openFor = ({ name, table, description, start, isProved }) => {
  const key = `${name} ${table ?? JSON.stringify(description)}`;
  if (!opened.has(key))
    opened.set(key, table ? openTree(name, decodeBase64(table), start, isProved) : makeBareTree(description));
  return opened.get(key);
};

// A question that has a budget, in milliseconds, is answered by estimates where that is used up.
const endOf = ({ budget }) => (budget === undefined ? Infinity : Date.now() + budget);

const ANSWERS = {
  review: (tree, question) => review(tree, question.history, endOf(question)),
  advise: (tree, question) => advise(tree, question.history, { ...question, until: endOf(question) }),
  play: (tree, { history }) =>
    chooseGreedily(tree.game, filterSecrets(tree.game, history), ruleOfPlay(tree), history).guess,
};

// What a tree needs to be opened elsewhere.
export const packTree = ({ name, source, table, start, isProved }) =>
  ({ name, table: source, description: table.game, start, isProved });

export const answerQuestion = (question) => ANSWERS[question.ask](openFor(question.tree), question);
