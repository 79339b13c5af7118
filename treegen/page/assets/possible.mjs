// What is possible after the answers: which color or letter each place can still have.
import { count } from "./engine.mjs";
import { make, nameOf, peg } from "./ui.mjs";

const MOST_FADED = 12;

// The colors that some candidates have at a place.
const findColors = (game, candidates, place) => new Set(candidates.map((code) => game.codes[code][place]));

const drawPlace = (game, candidates, place) => {
  const found = findColors(game, candidates, place);
  const colors = [...game.symbols.keys()].filter((color) => found.has(color) || game.symbols.length <= MOST_FADED);
  const named = [...found].sort((a, b) => a - b).map((color) => nameOf(game, color)).join(", ");
  return make("li", {}, make("span.hidden", {}, `Place ${place + 1}: ${named}`), make("span.number", { "aria-hidden": "true" }, place + 1),
    make("span.pegs", {}, ...colors.map((color) => {
      const element = peg(game, color);
      if (!found.has(color)) element.classList.add("gone");
      return element;
    })));
};

// A card that tells it, folded away where there is little room. Returns the element and how to update it.
export const makePossible = (game, total) => {
  const note = make("p", {});
  const places = make("ol.places");
  let candidates = [];
  const write = () => {
    if (!element.open) return;
    note.textContent = `${count(candidates.length)} of ${count(total)} ${game.noun}s fit all answers.`;
    places.replaceChildren(...game.codes[0].map((_, place) => drawPlace(game, candidates, place)));
  };
  const element = make("details.card.possible", { ontoggle: write, open: matchMedia("(min-width: 46rem)").matches && "open" },
    make("summary", {}, "What is possible"), note, places);
  return [element, (codes) => {
    candidates = codes;
    write();
  }];
};
