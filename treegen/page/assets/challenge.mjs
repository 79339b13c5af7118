// A challenge: a link that holds a code, obscured and not secret, and how many guesses its sender needed.
import { addressOfPage, copy, isServed, nameShared, pickDaily, today } from "./share.mjs";
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

// "#name/?token", then "/2026-11-24" of a code of a day, "/evil" where there is no code; `length` is 0 where it does
// not count.
export const linkToChallenge = (tree, { secret, length, day, isEvil }) => {
  const code = isEvil ? tree.root.candidates[0] : secret;
  const token = obscure(code * (MOST_GUESSES + 1) + length, seedOf(tree)).toString(36);
  return `#${encodeURIComponent(tree.name)}/${["?" + token, isEvil ? "evil" : day].filter(Boolean).join("/")}`;
};

// The game that a link begins; undefined where it is damaged. A code of another day is one like any other.
export const readChallenge = (tree, [token, kind]) => {
  const number = reveal(parseInt(token.slice(1), 36), seedOf(tree));
  const [secret, beat] = [Math.floor(number / (MOST_GUESSES + 1)), number % (MOST_GUESSES + 1)];
  const isWhole = tree.root.candidates.includes(secret) && (!kind || kind === "evil" || pickDaily(tree, kind) === secret);
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
  said.textContent = await copy(`${text}\n${url}`)
    ? `Copied. The link hides the ${tree.game.noun} from the eye, not from who decodes it.${isServed() ? "" : " Your friend needs this page, too."}` : "This browser does not let pages copy.";
} }, "Challenge a friend");
