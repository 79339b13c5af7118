/** A state of the bare walk: a node and where its children begin. */
export type State = readonly [node: number, bit: number];

export interface Table {
  /** The game as the table describes it, such as `["pegs", 4, 6, 1, "pegs"]`. */
  readonly game: readonly (string | number)[];
  /** Guesses made before the first one: guess, response, guess, response … */
  readonly start: readonly number[];
  /** What the table claims: a key, its value, a key … */
  readonly meta: readonly unknown[];
  readonly nCodes: number;
  readonly nResponses: number;
  readonly nNodes: number;
  /** 0 in a full table; in the others, states of up to that many candidates are left out. */
  readonly implicit: number;
  /** Whether it is a slim table, in which an answer is the place among the state's children. */
  readonly isSlim: boolean;
  /** The index of the code to guess. */
  guess(state: State): number;
  /** The next state; null when the game is won, undefined where no secret fits that answer. */
  answer(state: State, response: number): State | null | undefined;
}

/** The table of this package. */
export const table: Uint8Array;

/** The first state of every table. */
export const START: State;

/**
 * Check a table, all of it, and prepare to walk it by response numbers; only with `takesAll` is a
 * lean or slim one taken, whose walk is that of the states which it stores.
 * @throws Error where a single byte is damaged
 */
export function openTable(data: ArrayBuffer | ArrayLike<number>, takesAll?: boolean): Table;

/** How the codes of a game are made and answered. */
export interface Game {
  readonly rule: "pegs" | "black" | "position" | "answers";
  /** In a table of answers there are none. */
  readonly nPegs?: number;
  readonly nColors?: number;
  /** True in a game that is over when one candidate is left: `found` announces it. */
  readonly announces?: boolean;
}

/** The words of a table of answers, where they lie beside the table. */
export interface Labels {
  readonly names: readonly string[];
  readonly questions: readonly string[];
  /** The answers to each question. */
  readonly answers: readonly (readonly string[])[];
}

/** Games from a `full`, `lean` or `slim` table, as people play them. */
export class Player {
  /** @throws Error where the table is damaged or of another profile */
  constructor(data: ArrayBuffer | ArrayLike<number>, labels?: Labels);
  /** Fetch a table. */
  static load(url: string | URL, labels?: Labels): Promise<Player>;
  readonly game: Game;
  /** What the table claims: `digest`, `strategy`, `total`, `worst`. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** The code to guess as people write it, `"1122"` or `"crane"`; null when the game is over. */
  get guess(): string | null;
  /** Its index. */
  get code(): number | null;
  /** The index of the secret, once it is known; null before. */
  get foundCode(): number | null;
  /** Whether one candidate is left in a game that ends there: `found`, which is not guessed. */
  get isKnown(): boolean;
  /** Its colors from 0, of a word its characters. */
  get colors(): (number | string)[] | null;
  /** The secret, once it is known. */
  get found(): string | null;
  /** Of a table of answers, the answers to the question asked now. */
  get answers(): string[];
  /** Guesses made before the table's first, and how they were answered. */
  get before(): [guess: string, answer: string][];
  /**
   * Take the answer to the guess and return the next guess: black and white pegs, black pegs alone,
   * marks such as `"01020"` (grey, yellow, green), or the words of a question, as the game is
   * answered; also as they are typed, such as `"0 2"`.
   * @throws RangeError where no secret fits that answer; nothing has changed then
   */
  answer(black: number, white?: number): string | null;
  answer(text: string): string | null;
  /** Take the answer as a response number. */
  respond(response: number): string | null;
  /** Take the last answer back. */
  undo(): void;
  restart(): void;
}
