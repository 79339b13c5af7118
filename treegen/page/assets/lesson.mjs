// How the game is answered, by an example: in the help, and in a line under the board.
import { make, row, saveSettings, settings, spell } from "./ui.mjs";

const MOST_LOOKED_AT = 5000;

// What each mark means, in a game's words: [mark, long, short].
const listMeanings = (game) => {
  if (game.rule === "position") return [
    [2, "green: the letter is right, and in the right place", "right place"],
    [1, "yellow: the letter is in the word, but elsewhere", "elsewhere"],
    [0, "grey: the letter is not in the word, or not once more", "not in it"],
  ];
  const what = game.noun === "word" ? "letter" : "color";
  const black = [2, `black: a ${what} is right, and in the right place`, `right ${what} and place`];
  return game.rule === "black" ? [black]
    : [black, [1, `white: a ${what} is right, but belongs elsewhere`, `right ${what}, elsewhere`]];
};

const drawMark = (game, mark) => game.rule === "position"
  ? make("span.marks", { "aria-hidden": "true" }, make(`i.mark${mark}`))
  : make("span.pins", { "aria-hidden": "true" }, make(`i.${mark === 2 ? "black" : "white"}`));

// A guess and a code whose answer has as many kinds of marks as there are.
const findExample = (game) => {
  const secret = Math.floor(game.nSecrets * .7);
  const kindsOf = (guess) => {
    const found = game.marksOf(game.respond(guess, secret));
    if (game.rule === "position") return new Set(found).size;
    const [black, white] = found;
    return (black > 0) + (white > 0) + (black + white < game.nPegs) - Math.abs(black - 1) / 9;
  };
  const stride = Math.ceil(game.nCodes / MOST_LOOKED_AT);
  let best = { kinds: -1 };
  for (let guess = 0; guess < game.nCodes; guess += stride) {
    const kinds = guess === secret ? -1 : kindsOf(guess);
    if (kinds > best.kinds) best = { guess, kinds };
  }
  return { secret, guess: best.guess ?? secret };
};

// The marks in words, each on a line; pins do not say which peg they are for.
export const makeLesson = (game) => {
  const { secret, guess } = findExample(game);
  const response = game.respond(guess, secret);
  const meanings = listMeanings(game).map(([mark, text]) => make("li", {}, drawMark(game, mark), ` ${text}`));
  if (game.rule === "black") meanings.push(make("li", {}, "Colors that belong elsewhere get no pin in this game."));
  if (game.rule !== "position") meanings.push(make("li", {}, "Pins do not say which peg they are for."));
  return [
    make("p", {}, `One player hides a ${game.noun}, the other guesses. If the ${game.noun} is `, spell(game, secret, ","), " this guess is answered so:"),
    make("ol.board", { "aria-label": "Example" }, row(game, 1, guess, response)),
    make("ul.meanings", {}, ...meanings),
  ];
};

// The same in one line, where the marks are named for screen readers alone.
export const makeLegend = (game) => make("p.legend", {}, ...listMeanings(game).map(([mark, long, text]) =>
  make("span", {}, drawMark(game, mark), make("span.hidden", {}, long.split(":")[0], ":"), ` ${text}`)), game.rule === "black" ? make("span", {}, "no pin for other places") : "");

// The rules beside the board: on the first visit a card over it, until it is read.
export const makeWelcome = (game, done) => {
  const element = make("div.card.rules", { role: "region", "aria-label": "How it is played" });
  const button = make("button.primary", { onclick: () => {
    markRead();
    done();
  } }, "Got it");
  const markRead = () => {
    saveSettings({ seen: true });
    element.classList.remove("welcome");
    button.remove();
    for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, close);
  };
  // Escape, a tap outside and what is typed close it, too; a tap and a key do what they always do.
  const close = ({ target, key }) => {
    const isMeant = key ? /^(.|Escape)$/u.test(key) : !element.contains(target);
    if (!isMeant || !element.getClientRects().length) return;
    const hadFocus = element.contains(document.activeElement);
    markRead();
    if (hadFocus) done();
  };
  element.append(make("h2", {}, "How it is played"), ...makeLesson(game));
  if (!settings.seen) {
    element.classList.add("welcome");
    element.append(button);
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, close);
  }
  return [element, markRead];
};

let shown;

// Shows what the help says of a game.
export const showLessons = (game) => {
  if (shown === game) return;
  shown = game;
  for (const place of document.querySelectorAll(".lesson")) place.replaceChildren(...makeLesson(game));
};
