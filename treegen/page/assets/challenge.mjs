// A challenge: a link that holds a code, obscured and not secret, and how many guesses its sender needed; or the
// word of a class, which picks the code that all of it look for.
import { addressOfPage, copyAndSay, isServed, nameShared, pickCode, today } from "./share.mjs";
import { gameKey } from "./store.mjs";
import { capital, make } from "./ui.mjs";

const MOST_GUESSES = 99;
// Their product is 1 modulo 2 ** 32.
const [FACTOR, INVERSE] = [0x9e3779b1, 0x0e8b2f51];

// Codes that are neighbors look unlike each other; another game reads another one.
const seedOf = (tree) => parseInt(gameKey(tree).slice(0, 8), 16);
const fold16 = (number) => (number ^ number >>> 16) >>> 0;
const obscure = (number, seed) => fold16(Math.imul(number ^ seed, FACTOR));
const reveal = (number, seed) => (Math.imul(fold16(number), INVERSE) ^ seed) >>> 0;

// Two of these make the word of a class. Any two differ in two letters, so that one slip makes no other word. Of
// letters that look alike, I and L, O and Q, U and V, one alone is in use and stands for both, and for digits like it.
export const HALVES = ("antarkashbagbeebuscupdaydewdogduoeggelkemufanfoxfurgemhenhopjetjoykeylableg" +
  "matoakowlpawredrunryeseaskytoewaxwebyamzoo").match(/.../g);
const ALIKE = { i: "l", 1: "l", q: "o", 0: "o", v: "u" };
export const CLASS_WORD = `(?:${HALVES.join("|")}){2}`;

export const drawWord = () =>
  [...crypto.getRandomValues(new Uint16Array(2))].map((number) => HALVES[number % HALVES.length]).join("").toUpperCase();

// The word that somebody typed, in any case, with anything between its letters; undefined if it is none.
export const readWord = (text) => {
  const word = [...text.toLowerCase()].map((sign) => ALIKE[sign] ?? sign).join("").replace(/[^a-z]/g, "");
  return RegExp(`^${CLASS_WORD}$`).test(word) ? word.toUpperCase() : undefined;
};

// What begins for a pupil. The ticket tells equal games of two pupils apart.
export const joinClass = (tree, word) => {
  const [ticket] = crypto.getRandomValues(new Uint8Array(1));
  return { word, ticket, secret: pickCode(tree, word), beat: 0, isEvil: false, moves: [], over: "", hinted: [] };
};

export const linkToClass = (tree, word) => `#${encodeURIComponent(tree.name)}/?${word.toLowerCase()}/class`;

// "#name/?token", then "/2026-11-24" of a code of a day, "/evil" where there is no code; `length` is 0 where it does
// not count.
export const linkToChallenge = (tree, { secret, length, day, isEvil }) => {
  const code = isEvil ? tree.root.candidates[0] : secret;
  const token = obscure(code * (MOST_GUESSES + 1) + length, seedOf(tree)).toString(36);
  return `#${encodeURIComponent(tree.name)}/${["?" + token, isEvil ? "evil" : day].filter(Boolean).join("/")}`;
};

// The game that a link begins; undefined where it is damaged. A code of another day is one like any other.
export const readChallenge = (tree, [token, kind]) => {
  if (kind === "class") {
    const word = readWord(token);
    return word && joinClass(tree, word);
  }
  const number = reveal(parseInt(token.slice(1), 36), seedOf(tree));
  const [secret, beat] = [Math.floor(number / (MOST_GUESSES + 1)), number % (MOST_GUESSES + 1)];
  const isWhole = tree.root.candidates.includes(secret) && (!kind || kind === "evil" || pickCode(tree, kind) === secret);
  return isWhole ? { secret, beat, isEvil: kind === "evil", day: kind === today() ? kind : undefined, moves: [], over: "", hinted: [] } : undefined;
};

// The button that sends one: by the system where it can, else by the clipboard.
export const makeInvite = (tree, read, said) => make("button", { onclick: async () => {
  const game = read();
  const url = addressOfPage() + linkToChallenge(tree, game);
  const text = `${nameShared(tree)}: ${game.length ? `beat my ${game.length}` : game.isEvil ? "beat the evil code-maker" : `find my ${tree.game.noun}`}`;
  if (isServed() && navigator.share) {
    await navigator.share({ text, url }).catch(() => undefined);
    return;
  }
  await copyAndSay(said, `${text}\n${url}`,
    `Copied. The link hides the ${tree.game.noun} from the eye, not from who decodes it.${isServed() ? "" : " Your friend needs this page, too."}`);
} }, "Challenge a friend");
