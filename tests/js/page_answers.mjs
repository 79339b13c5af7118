// Answers questions about a table with the modules of the page: JSON on stdin, JSON on stdout.
import { readFileSync } from "node:fs";
import {
  allSecrets, chooseGreedily, filterSecrets, findConflict, rateGuess, splitCandidates,
} from "../../treegen/page/assets/engine.mjs";
import { decodeBase64, expand, follow, openTree, step } from "../../treegen/page/assets/tree.mjs";

const question = JSON.parse(readFileSync(0, "utf8"));
const tree = openTree("tree", decodeBase64(question.table), question.start);
const { game } = tree;

// Every state, depth first: guess, number of candidates, whether it may win.
const walk = (state, found = []) => {
  const children = expand(tree, state);
  found.push([state.path.join("."), state.guess, state.candidates.length, state.wins]);
  for (const child of children) walk(child, found);
  return found;
};

const answers = {
  scores: () => allSecrets(game).map((guess) => allSecrets(game).map((s) => game.respond(guess, s))),
  codes: () => game.codes.map((_, code) => game.writeCode(code)),
  responses: () => Array.from({ length: game.nResponses }, (_, r) => game.write(r)),
  round: () => Array.from({ length: game.nResponses }, (_, r) => game.responseOf(game.marksOf(r))),
  states: () => walk(tree.root),
  greedy: () => question.histories.map((history) => {
    const candidates = filterSecrets(game, history);
    const { guess, expected, worst } = chooseGreedily(game, candidates);
    const again = rateGuess(game, guess, candidates);
    const cells = [...splitCandidates(game, guess, candidates).values()].map((cell) => cell.length);
    return { guess, expected, worst, again, cells };
  }),
  conflicts: () => question.histories.map((history) => findConflict(game, history)),
  follow: () => question.paths.map((path) => [follow(tree, path).length, !!step(tree, tree.root, path[0])]),
  meta: () => [tree.meta.strategy, tree.meta.total, tree.meta.worst],
};

console.log(JSON.stringify(answers[question.ask]()));
