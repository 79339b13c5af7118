// A game to show to others: as text, as a picture, as a link. Nothing is sent.
import { filterSecrets, isEnd } from "./engine.mjs";
import { make, symbolOf } from "./ui.mjs";

const TILES = ["⬛", "🟨", "🟩"];

const emojiRow = (game, response) => {
  const marks = game.marksOf(response);
  if (game.rule === "position") return marks.map((mark) => TILES[mark]).join("");
  const [black, white] = marks;
  return "⚫".repeat(black) + "⚪".repeat(white) + "➖".repeat(game.nPegs - black - white);
};

// Rows of emoji, without the code.
export const writeShare = (tree, moves, limit, label) => {
  const left = filterSecrets(tree.game, moves, tree.root.candidates);
  const isWon = moves.length > 0 && isEnd(tree.game, moves.at(-1)[1], left.length);
  const head = `${label ?? tree.game.title} ${isWon ? moves.length : "X"}/${limit}`;
  return [head, ...moves.map(([, response]) => emojiRow(tree.game, response))].join("\n");
};

export const writeHistory = (game, moves) =>
  moves.map(([guess, response]) => `${encodeURIComponent(game.writeCode(guess))}:${game.write(response)}`).join("/");

// The link of a position: it holds the whole game, and opens the review.
export const linkToGame = (tree, moves) => `#${encodeURIComponent(tree.name)}/${writeHistory(tree.game, moves)}`;

const SIZE = 36;
const COLORS = ["#d55e00", "#0072b2", "#f0e442", "#009e73", "#d88fb5", "#7cc8f2", "#e69f00", "#6a3d9a", "#7b4a3f", "#d9d9d9"];
const MARK_FILLS = ["#b8bcc2", "#e8c547", "#7dbb74"];

const escapeText = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const drawPeg = (game, color, at, y, mark) => {
  const x = 40 + at * (SIZE + 6);
  const fill = mark === undefined ? COLORS[color] ?? "#f4f4f2" : MARK_FILLS[mark];
  const ink = mark === undefined && [1, 7, 8].includes(color) ? "#fff" : "#111";
  return `<rect x="${x}" y="${y}" width="${SIZE}" height="${SIZE}" rx="${mark === undefined ? SIZE / 2 : 5}" fill="${fill}" stroke="#444"/>` +
    `<text x="${x + SIZE / 2}" y="${y + 24}" text-anchor="middle" fill="${ink}">${escapeText(symbolOf(game, color))}</text>`;
};

const drawPins = ([black, white], from, y) =>
  Array.from({ length: black + white }, (_, pin) =>
    `<circle cx="${from + 12 + (pin >> 1) * 18}" cy="${y + 9 + (pin % 2) * 18}" r="7" fill="${pin < black ? "#000" : "#fff"}" stroke="#333" stroke-width="2"/>`).join("");

// The game as a picture that stands alone.
export const drawGame = (game, moves) => {
  const isWords = game.rule === "position";
  const width = 56 + game.nPegs * (SIZE + 6) + (isWords ? 0 : Math.ceil(game.nPegs / 2) * 18 + 16);
  const height = 16 + moves.length * (SIZE + 8);
  const rows = moves.map(([guess, response], at) => {
    const y = 12 + at * (SIZE + 8);
    const marks = game.marksOf(response);
    const drawn = game.codes[guess].map((color, peg) => drawPeg(game, color, peg, y, isWords ? marks[peg] : undefined));
    return `<text x="14" y="${y + 24}">${at + 1}</text>${drawn.join("")}` +
      (isWords ? "" : drawPins(marks, 40 + game.nPegs * (SIZE + 6), y));
  });
  const namespace = document.createRange().createContextualFragment("<svg></svg>").firstChild.namespaceURI;
  return `<svg xmlns="${namespace}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="system-ui, sans-serif" font-weight="700" font-size="16"><rect width="100%" height="100%" fill="#faf8f4"/>${rows.join("")}</svg>`;
};

const save = (name, text) => {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

// Copies a text; where the browser forbids that, it stands selected.
const copy = async (field, text, said) => {
  field.value = text;
  field.hidden = false;
  field.select();
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = "Copied.";
  } catch {
    said.textContent = "Copy the text above.";
  }
};

// The buttons that share a game: text, link, picture.
export const makeShare = (tree, game) => {
  const field = make("textarea", { readonly: "readonly", rows: 5, "aria-label": "Text to share", hidden: "hidden" });
  const said = make("span.said", { role: "status" });
  const button = (text, action) => make("button", { type: "button", onclick: action }, text);
  const link = () => location.href.split("#")[0] + linkToGame(tree(), game().moves);
  return make("div.share", {},
    make("div.buttons", {},
      button("Copy rows", () => copy(field, writeShare(tree(), game().moves, game().limit, game().label), said)),
      button("Copy link", () => copy(field, link(), said)),
      button("Save picture", () => save(`${tree().name}.svg`, drawGame(tree().game, game().moves))), said),
    field);
};

// The code of a day: the same for all who play this game on it.
export const pickDaily = (tree, date) => {
  let hash = 2166136261;
  for (const sign of `${date} ${tree.game.key}`) hash = Math.imul(hash ^ sign.codePointAt(0), 16777619);
  hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
  return tree.root.candidates[((hash ^ (hash >>> 13)) >>> 0) % tree.root.candidates.length];
};

export const today = (now = new Date()) =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
