// Games from a .tgt table as people play them: codes as colors or words, feedback as pegs, undo.
//
//     const player = new Player(bytes);      // or: await Player.load("p4c6r-knuth.tgt")
//     player.guess                           // "1122", null when the game is won
//     player.answer(black, white)            // the next guess; a RangeError where no secret
//     player.undo()                          // answers so, and nothing has changed
//     player.before                          // of a table that starts mid-game, the guesses made
//                                            // before and their answers: [["1122", "02"]]

import { walkLean } from "./tgt_lean.mjs";
import { START, openTable } from "./tgt_player.mjs";
import { checkStart, colorsOf, readGame, responseOf, writeCode, writeResponse } from "./tgt_rules.mjs";

export class Player {
  #table;
  #walk;
  #states;

  constructor(data) {
    this.#table = openTable(data, true);
    const { game, start, meta, nCodes, nResponses } = this.#table;
    this.game = readGame(game, nCodes, nResponses);
    checkStart(start, nCodes, nResponses);
    this.meta = Object.fromEntries(meta.map((_, i) => meta.slice(2 * i, 2 * i + 2)).slice(0, 4));
    const { guess, answer, implicit } = this.#table;
    this.#walk = implicit ? walkLean(this.#table, this.game) : { first: START, guess, answer };
    this.restart();
  }

  static async load(url) {
    const response = await fetch(url);
    if (!response.ok) throw Error(`${url}: ${response.status}`);
    return new Player(await response.arrayBuffer());
  }

  get code() {
    const state = this.#states.at(-1);
    return state && this.#walk.guess(state);
  }

  get guess() {
    return this.code === null ? null : writeCode(this.game, this.code);
  }

  get colors() {
    return this.code === null ? null : colorsOf(this.game, this.code);
  }

  get before() {
    const { start } = this.#table;
    return Array.from({ length: start.length / 2 }, (_, i) => [
      writeCode(this.game, start[2 * i]),
      writeResponse(this.game, start[2 * i + 1]),
    ]);
  }

  restart() {
    this.#states = [this.#walk.first];
  }

  answer(...feedback) {
    return this.respond(responseOf(this.game, ...feedback));
  }

  respond(response) {
    const state = this.#states.at(-1);
    const next = state ? this.#walk.answer(state, response) : undefined;
    if (next === undefined) throw new RangeError("no secret answers so");
    this.#states.push(next);
    return this.guess;
  }

  undo() {
    if (this.#states.length > 1) this.#states.pop();
  }
}
