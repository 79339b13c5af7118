// A game on the terminal with the table beside this file: node example.mjs
// Answer each guess as the game is answered: with black and white pegs, 02; with black pegs alone,
// 3; with marks (grey 0, yellow 1, green 2), 01020; or a question with one of its answers.
import { createInterface } from "node:readline";

import { Player } from "./tgt_game.mjs";
import { table } from "./table.mjs";

const player = new Player(table);
const lines = createInterface({ input: process.stdin });
const list = (answers) => ` (${answers.slice(0, 12).join("/")}${answers.length > 12 ? "/..." : ""})`;
const listed = () => (player.game.answers ? list(player.answers) : "");
const asked = () => (`${player.guess}`.endsWith("?") ? player.guess : `${player.guess}?`);
const ask = () => process.stdout.write(`${asked()}${listed()} `);

for (const [guess, answer] of player.before)
  console.log(`guessed before: ${guess}, answered ${answer}`);
if (player.guess !== null) ask();
for await (const line of lines) {
  try {
    player.answer(line);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.log(error.message);
  }
  if (player.guess === null) break;
  ask();
}
if (player.guess === null) console.log(player.isKnown ? `it is ${player.found}` : "found");
lines.close();
