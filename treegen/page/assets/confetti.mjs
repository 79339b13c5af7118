// A win: some pegs fly up from the board and fall. Nothing moves where motion is not wanted.
import { make } from "./ui.mjs";

const N_PEGS = 28;
const FLIGHT_MS = 1500;

const fly = (peg, x, y) => {
  const [aside, up, turn] = [(Math.random() - .5) * 520, 160 + Math.random() * 260, (Math.random() - .5) * 720];
  const at = (dx, dy, angle) => `translate(${x + dx}px, ${y + dy}px) rotate(${angle}deg)`;
  return peg.animate([
    { transform: at(0, 0, 0), opacity: 1, easing: "cubic-bezier(.2, .8, .5, 1)" },
    { transform: at(aside * .7, -up, turn / 2), opacity: 1, offset: .4, easing: "cubic-bezier(.5, 0, .9, .6)" },
    { transform: at(aside, 340, turn), opacity: 0 },
  ], { duration: FLIGHT_MS * (.7 + .6 * Math.random()) });
};

export const celebrate = (board) => {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const { left, top, width, height } = board.getBoundingClientRect();
  const layer = make("div.confetti", { "aria-hidden": "true" });
  document.body.append(layer);
  const flights = Array.from({ length: N_PEGS }, (_, number) => {
    const peg = make(`i.peg.color${number % 6}`);
    layer.append(peg);
    return fly(peg, left + width / 2, top + height / 2).finished;
  });
  Promise.allSettled(flights).then(() => layer.remove());
};
