// Answers questions about tables with the modules of the page: a line of JSON for each line.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { allSecrets, answerEvilly, filterSecrets, findBreach, findConflict, isEnd, ruleOfPlay } from "../../treegen/page/assets/engine.mjs";
import { chooseByChain, listTies, parseChain, renewSeed } from "../../treegen/page/assets/chains.mjs";
import { LEVELS, countAt } from "../../treegen/page/assets/levels.mjs";
import { HALVES, readWord } from "../../treegen/page/assets/challenge.mjs";
import { explainChoice } from "../../treegen/page/assets/explain.mjs";
import { findCode, makeKeyboard, openKeyboards } from "../../treegen/page/assets/keyboard.mjs";
import { readResult } from "../../treegen/page/assets/paste.mjs";
import { answerQuestion, countLengths, packTree } from "../../treegen/page/assets/questions.mjs";
import { findNicest, listFitting, playLine, readLines, writeLine } from "../../treegen/page/assets/lines.mjs";
import { encodeQr } from "../../treegen/page/assets/qr.mjs";
import { pickCode } from "../../treegen/page/assets/share.mjs";
import { advise, review, reviewMove } from "../../treegen/page/assets/advisor.mjs";
import { tellDecision } from "../../treegen/page/assets/report.mjs";
import { nameOpponent, rankOpponent } from "../../treegen/page/assets/ui.mjs";
import { expand, follow, makeBareTree, openTree, readTable, step } from "../../treegen/page/assets/tree.mjs";

// Every state, depth first: guess, number of candidates, whether it may win.
const walk = (tree, state, found = []) => {
  const children = expand(tree, state);
  found.push([state.path.join("."), state.guess, state.candidates.length, state.wins]);
  for (const child of children) walk(tree, child, found);
  return found;
};

const answers = {
  scores: ({ game }) =>
    allSecrets(game).map((guess) => allSecrets(game).map((s) => game.respond(guess, s))),
  codes: ({ game }) => game.codes.map((_, code) => game.writeCode(code)),
  responses: ({ game }) => Array.from({ length: game.nResponses }, (_, r) => game.write(r)),
  round: ({ game }) =>
    Array.from({ length: game.nResponses }, (_, r) => game.responseOf(game.marksOf(r))),
  states: (tree) => walk(tree, tree.root),
  breaches: ({ game, meta }, { histories }) => histories.map((history) =>
    game.codes.map((_, guess) => findBreach(game, ruleOfPlay({ meta }), history, guess) ?? "")),
  conflicts: ({ game }, { histories }) => histories.map((history) => findConflict(game, history)),
  ends: ({ game }, { histories }) => histories.map((history) => isEnd(game, history.at(-1)[1], filterSecrets(game, history).length)),
  follow: (tree, { paths }) =>
    paths.map((path) => [follow(tree, path).length, !!step(tree, tree.root, path[0])]),
  advise: (tree, { histories, many, until }) => histories.map((history) => advise(tree, history, { many, until })),
  review: (tree, { histories, hinted, isGivenUp }) => histories.map((history, at) =>
    review(tree, history, { hinted: hinted?.[at], isGivenUp: isGivenUp?.[at] })),
  decided: (tree, { histories }) => histories.map((history) => tellDecision(review(tree, history))),
  opponents: (tree, { strategies }) => strategies.map((strategy) => ({ ...tree, meta: { ...tree.meta, strategy } }))
    .sort((a, b) => rankOpponent(a) - rankOpponent(b)).map(nameOpponent),
  choose: ({ game }, { chain, candidates }) =>
    candidates.map((some) => chooseByChain(parseChain(chain), game, some)),
  ties: ({ game }, { chain, candidates }) =>
    candidates.map((some) => listTies(parseChain(chain), game, some)),
  draws: ({ game }, { chain, candidates, many }) => Array.from({ length: many }, () => {
    renewSeed();
    return chooseByChain(parseChain(chain), game, candidates[0]);
  }),
  explain: (tree, { chain, candidates, planned }) => candidates.map((some, at) =>
    explainChoice({ ...tree, rule: chain }, some, planned[at])),
  level: ({ game }, { level, candidates }) => candidates.map((some) => [LEVELS[level][1](game, some), countAt(level, game, some) ?? 0]),
  evil: ({ game }, { candidates, guesses }) => candidates.map((some, at) => answerEvilly(game, guesses[at], some)),
  lengths: (tree) => countLengths(tree, tree.root.candidates),
  parse: (_, { chains }) => chains.map((chain) => parseChain(chain) !== undefined),
  judge: (tree, { histories }) => histories.map((history) => reviewMove(tree, history, history.length - 1)),
  keyboards: (_, { lists }) => lists.map((list) => makeKeyboard({ rule: "position", symbols: [...new Set(list)].sort() }))
    .map(({ symbols, rows }) => rows.map((row) => row.map((color) => symbols[color]).join("")).join(" ")),
  typed: ({ game }, { typed }) => {
    const { symbols } = makeKeyboard(game);
    return typed.map((word) => findCode({ ...game, symbols }, [...word].map((letter) => symbols.indexOf(letter))) ?? null);
  },
  pasted: (tree, { texts }) => texts.map(([text, secret]) => readResult(tree, text, secret))
    .map(({ moves, problem }) => problem ?? moves.map(([guess, response]) => `${tree.game.writeCode(guess)}:${tree.game.write(response)}`).join(" ")),
  hard: ({ table, start }, { questions }) => questions.map((question) =>
    answerQuestion({ tree: packTree(makeBareTree(table.game, start, "hard mode eligible=hints")), ...question })),
  opponent: nameOpponent,
  halves: () => HALVES,
  words: (_, { texts }) => texts.map((text) => readWord(text) ?? null),
  pick: (tree, { texts }) => texts.map((text) => pickCode(tree, text)),
  line: (tree, { games }) => games.map((game) => writeLine(tree, game)),
  paste: (tree, { texts }) => texts.map((text) => readLines(tree, text)),
  played: (tree, { lines }) => lines.map((line) => playLine(tree, line)),
  fitting: (tree, { games }) => listFitting(tree, games),
  nicest: (_, { judged }) => findNicest(judged) ?? null,
  qr: (_, { texts }) => texts.map((text) => encodeQr(text)?.map((row) => row.map((one) => one & 1).join("")) ?? null),
  meta: ({ meta }) => [meta.strategy, meta.total, meta.worst],
};

openKeyboards(readFileSync(new URL("../../treegen/page/assets/keyboards.txt", import.meta.url), "utf-8").trim().split("\n"));
for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const opened = openTree("tree", readTable(question), question.start, question.isProved);
  const tree = { ...opened, isBest: question.isBest };
  console.log(JSON.stringify(answers[question.ask](tree, question)));
}
