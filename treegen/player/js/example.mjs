// A game on the terminal with the table beside this file: node example.mjs
// Answer each guess as the game is answered: with black and white pegs, 0 2; with black pegs alone,
// 3; or with marks (grey 0, yellow 1, green 2), 01020.
import { createInterface } from "node:readline";

import { Player } from "./tgt_game.mjs";
import { table } from "./table.mjs";

const player = new Player(table);
const lines = createInterface({ input: process.stdin });
const ask = () => process.stdout.write(`${player.guess}? `);

for (const [guess, answer] of player.before)
  console.log(`guessed before: ${guess}, answered ${answer}`);
ask();
for await (const line of lines) {
  const words = line.trim().split(/\s+/);
  try {
    player.answer(...(player.game.rule === "position" ? words : words.map(Number)));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.log(error.message);
  }
  if (player.guess === null) break;
  ask();
}
console.log("found");
lines.close();
