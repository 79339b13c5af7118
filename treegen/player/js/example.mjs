// A game on the terminal with the table beside this file: node example.mjs
// Answer each guess as the game is answered: with black and white pegs, 02; with black pegs alone,
// 3; with marks (grey 0, yellow 1, green 2), 01020; or a question with one of its answers.
import { createInterface } from "node:readline";

import { Player } from "./tgt_game.mjs";
import { table } from "./table.mjs";

// The parts of an answer: marks, black pegs, or black and white pegs as 02, 0.2 or 0 2.
const splitAnswer = (line, { nPegs, rule }) => {
  if (rule === "answers") return [line.trim()];
  const words = line.trim().split(/[\s.]+/);
  if (rule === "position") return words;
  const isDense = rule === "pegs" && words.length === 1 && nPegs < 10;
  const parts = isDense ? [...words[0]] : words;
  const isWhole = parts.length === (rule === "pegs" ? 2 : 1) && parts.every((p) => /^\d+$/.test(p));
  if (!isWhole) throw RangeError("no secret answers so");
  return parts.map(Number);
};

const player = new Player(table);
const lines = createInterface({ input: process.stdin });
const listed = () => (player.answers.length ? ` (${player.answers.slice(0, 12).join("/")})` : "");
const asked = () => (`${player.guess}`.endsWith("?") ? player.guess : `${player.guess}?`);
const ask = () => process.stdout.write(`${asked()}${listed()} `);

for (const [guess, answer] of player.before)
  console.log(`guessed before: ${guess}, answered ${answer}`);
if (player.guess !== null) ask();
for await (const line of lines) {
  try {
    player.answer(...splitAnswer(line, player.game));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.log(error.message);
  }
  if (player.guess === null) break;
  ask();
}
if (player.guess === null) console.log(player.isKnown ? `it is ${player.found}` : "found");
lines.close();
