// A finished game step by step: the board as it stood, and a curve of how many codes were left.
import { count } from "./engine.mjs";
import { draw, make } from "./ui.mjs";

const [WIDTH, HEIGHT] = [100, 30];

// By logarithms: a good guess leaves a share, whatever there was.
const drawCurve = (kind, lefts, steps) => draw("polyline", { class: kind, points: lefts.map((left, at) =>
  `${(WIDTH * at) / steps},${HEIGHT - (HEIGHT * Math.log(left + 1)) / Math.log(lefts[0] + 1)}`).join(" ") });

// `games` are [name, how many were left at first and after each guess, 0 where it was found]: yours, then perhaps
// the tree's. `show` gets the number of guesses made.
export const makeSteps = (games, show) => {
  const steps = Math.max(...games.map(([, lefts]) => lefts.length)) - 1;
  const kinds = ["mine", "theirs"];
  const mark = draw("line", { y1: 0, y2: HEIGHT });
  const note = make("p.hint");
  const slider = make("input", { type: "range", max: steps, value: steps, "aria-label": "Step through the game", oninput: () => move() });
  const leftAfter = (lefts, at) => lefts[Math.min(at, lefts.length - 1)];
  const move = () => {
    const at = Number(slider.value);
    for (const end of ["x1", "x2"]) mark.setAttribute(end, (WIDTH * at) / steps);
    note.replaceChildren(at ? `After guess ${at}: ` : "At first: ", ...games.flatMap(([name, lefts], place) => [
      make(`i.swatch.${kinds[place]}`, { "aria-hidden": "true" }), ` ${name} ${leftAfter(lefts, at) ? `${count(leftAfter(lefts, at))} left` : "found it"} `]));
    slider.setAttribute("aria-valuetext", note.textContent);
    show(at);
  };
  move();
  return make("div.steps", {}, draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    mark, ...games.map(([, lefts], place) => drawCurve(kinds[place], lefts, steps))), slider, note);
};
