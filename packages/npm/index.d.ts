/** A state of the bare walk: a node and where its children begin. */
export type State = readonly [node: number, bit: number];

export interface Table {
  /** The game as the table describes it, such as `["pegs", 4, 6, 1, "pegs"]`. */
  readonly game: readonly (string | number)[];
  /** Guesses made before the first one: guess, response, guess, response … */
  readonly start: readonly number[];
  readonly nCodes: number;
  readonly nResponses: number;
  readonly nNodes: number;
  /** 0 in a full table; in a lean one, states with so many candidates are left out. */
  readonly implicit: number;
  /** The index of the code to guess. */
  guess(state: State): number;
  /** The next state; null when the game is won, undefined where no secret answers so. */
  answer(state: State, response: number): State | null | undefined;
}

/** The first state of every table. */
export const START: State;

/**
 * Check a table, all of it, and prepare to walk it by response numbers.
 * @throws Error where a single byte is damaged
 */
export function openTable(data: ArrayBuffer | ArrayLike<number>, takesLean?: boolean): Table;

/** How the codes of a game are made and answered. */
export interface Game {
  readonly nPegs: number;
  readonly rule: "pegs" | "black" | "position";
  readonly nColors?: number;
}

/** Games from a `full` or `lean` table, as people play them. */
export class Player {
  /** @throws Error where the table is damaged or of another profile */
  constructor(data: ArrayBuffer | ArrayLike<number>);
  /** Fetch a table. */
  static load(url: string | URL): Promise<Player>;
  readonly game: Game;
  /** What the table claims: `digest`, `strategy`, `total`, `worst`. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** The code to guess as people write it, `"1122"` or `"crane"`; null when the game is won. */
  get guess(): string | null;
  /** Its index. */
  get code(): number | null;
  /** Its colors from 0, of a word its characters. */
  get colors(): (number | string)[] | null;
  /** Guesses made before the table's first, and how they were answered. */
  get before(): [guess: string, answer: string][];
  /**
   * Take the answer to the guess and return the next guess: black and white pegs, black pegs alone,
   * or marks such as `"01020"` (grey, yellow, green), as the game is answered.
   * @throws RangeError where no secret answers so; nothing has changed then
   */
  answer(black: number, white?: number): string | null;
  answer(marks: string): string | null;
  /** Take the answer as a response number. */
  respond(response: number): string | null;
  /** Take the last answer back. */
  undo(): void;
  restart(): void;
}
