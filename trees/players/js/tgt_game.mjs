// Games from a .tgt table as people play them: codes as colors or words, feedback as pegs, undo.
//
//     const player = new Player(bytes);      // or: await Player.load("p4c6r-knuth.tgt")
//     player.guess                           // "1122", null when the game is won
//     player.answer(black, white)            // the next guess; a RangeError where no
//     player.undo()                          // secret fits, and nothing has changed
//     player.answer("0 2")                   // the same, as people type it
//     player.before                          // of a table that starts mid-game, the guesses made
//                                            // before and their answers: [["1122", "02"]]
//     player.found                           // the secret, once it is known
//     player.answers                         // of a table of answers: those to the question
//     player.answer("yes")                   // asked now, in its words

import { walkLean } from "./tgt_lean.mjs";
import { START, openTable } from "./tgt_player.mjs";
import {
  checkStart,
  colorsOf,
  listAnswers,
  readAnswer,
  readGame,
  responseOf,
  writeCode,
  writeResponse,
} from "./tgt_rules.mjs";

export class Player {
  #table;
  #walk;
  #states;

  // `labels`: names, questions and answers that lie beside the table of a table of answers.
  constructor(data, labels) {
    this.#table = openTable(data, true);
    const { game, start, meta, nCodes, nResponses } = this.#table;
    this.game = readGame(game, nCodes, nResponses, labels);
    checkStart(start, nCodes, nResponses);
    this.meta = Object.fromEntries(meta.map((_, i) => meta.slice(2 * i, 2 * i + 2)).slice(0, 4));
    const { guess, answer, implicit } = this.#table;
    const isLeaf = (state) => this.#isLeaf(state, nResponses);
    const walk = { first: START, guess, answer, isLeaf };
    this.#walk = implicit ? walkLean(this.#table, this.game) : walk;
    this.restart();
  }

  static async load(url, labels) {
    const response = await fetch(url);
    if (!response.ok) throw Error(`${url}: ${response.status}`);
    return new Player(await response.arrayBuffer(), labels);
  }

  // Whether a state of a full table has no children.
  #isLeaf(state, nResponses) {
    const { answer } = this.#table;
    for (let response = 0; response < nResponses - 1; response++)
      if (answer(state, response)) return false;
    return true;
  }

  // Whether one candidate is left in a game that ends there: `found`, which is not guessed.
  get isKnown() {
    const state = this.#states.at(-1);
    return state !== null && this.game.announces === true && this.#walk.isLeaf(state);
  }

  get code() {
    const state = this.#states.at(-1);
    return state && !this.isKnown ? this.#walk.guess(state) : null;
  }

  // The index of the secret, once it is known: guessed, or the only one left.
  get foundCode() {
    const last = this.#states.at(-1) ?? this.#states.at(-2);
    return this.code === null ? this.#walk.guess(last) : null;
  }

  get found() {
    return this.foundCode === null ? null : writeCode(this.game, this.foundCode);
  }

  get answers() {
    return this.code === null || !this.game.answers ? [] : listAnswers(this.game, this.code);
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
      writeResponse(this.game, start[2 * i + 1], start[2 * i]),
    ]);
  }

  restart() {
    this.#states = [this.#walk.first];
  }

  answer(...feedback) {
    const isText = typeof feedback[0] === "string" || this.game.answers;
    if (!isText) return this.respond(responseOf(this.game, ...feedback));
    return this.respond(this.code === null ? -1 : readAnswer(this.game, this.code, `${feedback[0]}`));
  }

  respond(response) {
    const state = this.#states.at(-1);
    const next = state && !this.isKnown ? this.#walk.answer(state, response) : undefined;
    if (next === undefined) throw new RangeError("no secret fits that answer; please check it");
    this.#states.push(next);
    return this.guess;
  }

  undo() {
    if (this.#states.length > 1) this.#states.pop();
  }
}
