// A game to show to others: as text, as a picture, as a link. Nothing is sent unless one asks the system to.
import { nameGame } from "./levels.mjs";
import { make, pegs, placeOf } from "./ui.mjs";

const TILES = ["⬛", "🟨", "🟩"];
const NAMES = { p4c6r: "Mastermind", p5c8r: "Super Mastermind", p4c10n: "Bulls and Cows" };

// What people call a game: the page's title, and its name where it is shared.
export const nameShared = ({ game, table }) => game.rule === "position" ? "Find the word"
  : NAMES[nameGame(table.game)] ?? game.title;

// An answer in signs that common fonts have.
const drawAnswer = (game, response) => {
  const marks = game.marksOf(response);
  if (game.rule === "position") return marks.map((mark) => TILES[mark]).join("");
  const [black, white] = marks;
  return "●".repeat(black) + "○".repeat(white) + "·".repeat(game.nPegs - black - white);
};

// "Mastermind · 2026-11-24 · 5 (tree 5) · skill 87"; where the player had help, that instead of the skill.
export const writeScore = (tree, { day, isWon, moves, rivals, help, skill }) => [
  nameShared(tree), day, `${isWon ? moves.length : "X"}${rivals.length ? ` (${rivals.map(([name, length]) => `${name} ${length}`).join(", ")})` : ""}`, help,
  help || skill === undefined ? undefined : `skill ${skill.toFixed(0)}`].filter(Boolean).join(" · ");

// The score and a row for each answer, without the code.
export const writeShare = (tree, played) =>
  [writeScore(tree, played), ...played.moves.map(([, response]) => drawAnswer(tree.game, response))].join("\n");

export const writeHistory = (game, moves) =>
  moves.map(([guess, response]) => `${encodeURIComponent(game.writeCode(guess))}:${game.write(response)}`).join("/");

// The link of a position: it holds the whole game, and opens the review.
export const linkToGame = (tree, moves) => `#${encodeURIComponent(tree.name)}/${writeHistory(tree.game, moves)}`;

export const isServed = () => location.protocol.startsWith("http");

// Where the page is, for links that are sent: from disk its file alone, not the folders that it lies in.
export const addressOfPage = () => (isServed() ? location.href.split("#")[0] : location.pathname.split("/").at(-1));

const STEP = 44;
const makePen = (canvas) => {
  const pen = canvas.getContext("2d");
  const write = (text, x, y, fill, font, align = "center") => {
    Object.assign(pen, { fillStyle: fill, font: `${font} system-ui, sans-serif`, textAlign: align, textBaseline: "middle" });
    pen.fillText(text, x, y);
  };
  const round = (x, y, width, radius, fill, line = "#444") => {
    pen.beginPath();
    pen.roundRect(x, y, width, width, radius);
    Object.assign(pen, { fillStyle: fill, strokeStyle: line, lineWidth: 1.5 });
    pen.fill();
    pen.stroke();
  };
  return { pen, write, round };
};

// Pegs as the board shows them: symbol, color, ink.
const drawRow = ({ write, round }, game, [guess, response], y) => {
  const isWords = game.rule === "position";
  const row = pegs(game, guess, response);
  document.body.append(row);
  row.childNodes.forEach((one, at) => {
    const x = 56 + placeOf(game, at) * STEP;
    const { backgroundColor, color, textTransform } = getComputedStyle(one);
    round(x, y, 36, isWords ? 6 : 18, backgroundColor);
    const text = one.textContent;
    write(textTransform === "none" ? text : text.toUpperCase(), x + 18, y + 19, color, "700 17px");
  });
  row.remove();
  if (isWords) return;
  const [black, white] = game.marksOf(response);
  for (let pin = 0; pin < black + white; pin++)
    round(66 + game.nPegs * STEP + (pin >> 1) * 19, y + 2 + (pin % 2) * 19, 14, 7, pin < black ? "#000" : "#fff", "#333");
};

// The game as a picture: title, board, score.
const drawGame = (tree, played) => {
  const { game } = tree;
  const board = 80 + game.nPegs * STEP + (game.rule === "position" ? 0 : Math.ceil(game.nPegs / 2) * 19);
  const score = writeScore(tree, played).split(" · ").slice(1).join(" · ");
  const [width, height] = [Math.max(board, 340), 118 + played.moves.length * STEP];
  const canvas = make("canvas", { width: 2 * width, height: 2 * height });
  const tools = makePen(canvas);
  tools.pen.scale(2, 2);
  tools.pen.fillStyle = "#faf8f4";
  tools.pen.fillRect(0, 0, width, height);
  tools.write(nameShared(tree), 20, 32, "#1d1d1f", "700 22px", "left");
  tools.pen.fillStyle = "#e9dec8";
  tools.pen.beginPath();
  tools.pen.roundRect(12, 56, width - 24, played.moves.length * STEP + 12, 14);
  tools.pen.fill();
  played.moves.forEach((move, at) => {
    tools.write(at + 1, 36, 82 + at * STEP, "#595960", "15px");
    drawRow(tools, game, move, 64 + at * STEP);
  });
  tools.write(score, 20, height - 26, "#1d1d1f", "16px", "left");
  return canvas;
};

const save = (name, canvas) => canvas.toBlob((blob) => {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
});

// Copies a text, in old browsers by a field that exists for a moment.
const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { "aria-hidden": "true" });
    field.className = "hidden";
    field.value = text;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
};

// Copies a text, and says what became of it.
export const copyAndSay = async (said, text, done = "Copied.") => {
  said.textContent = await copy(text) ? done : "This browser does not let pages copy.";
};

// The buttons that share a game: by the system where it can, as text, link, picture.
export const makeShare = (tree, game, makeInvite) => {
  const said = make("span.said", { role: "status" });
  const button = (text, action) => make("button", { onclick: action }, text);
  const link = () => addressOfPage() + linkToGame(tree, game().moves);
  const send = () => navigator.share({ text: writeShare(tree, game()), ...isServed() ? { url: addressOfPage() } : {} })
    .catch(() => undefined);
  return make("div.share.buttons", {},
    navigator.share ? button("Share", send) : "",
    makeInvite(said),
    button("Copy rows", () => copyAndSay(said, writeShare(tree, game()))),
    button("Copy link", () => copyAndSay(said, link())),
    button("Save picture", () => save(`${tree.name}.png`, drawGame(tree, game()))), said);
};

// The code of a day, or of a class's word: the same for all who play this game by it.
export const pickCode = (tree, text) => {
  let hash = 2166136261;
  for (const sign of `${text} ${tree.game.key}`) hash = Math.imul(hash ^ sign.codePointAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
  return tree.root.candidates[((hash ^ (hash >>> 13)) >>> 0) % tree.root.candidates.length];
};

export const today = (now = new Date()) =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
