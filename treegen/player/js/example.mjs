// A game on the terminal with the table beside this file: node example.mjs
// Answer each guess with black and white pegs (0 2), or marks (01020) where positions are told.
import { createInterface } from "node:readline";

import { Player } from "./tgt_game.mjs";
import { table } from "./table.mjs";

const player = new Player(table);
const lines = createInterface({ input: process.stdin });
const ask = () => process.stdout.write(`${player.guess}? `);

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
