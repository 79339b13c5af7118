// The icicle zooms: a picture grows out of the box that it enlarges, or shrinks back into it.

const ZOOM_MS = 280;
let last = {};

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const grow = ({ x, y, width, height }) => `translate(${100 * x}%, ${100 * y}%) scale(${width}, ${height})`;
const shrink = ({ x, y, width, height }) => `scale(${1 / width}, ${1 / height}) translate(${-100 * x}%, ${-100 * y}%)`;

// Moves a new picture of the state after a path to its place; boxes are its states, as shares of it.
export const animateZoom = (picture, tree, path, boxes) => {
  const key = path.join();
  const find = (places, wanted) => places.find((one) => one.key && (wanted === one.key || wanted.startsWith(`${one.key},`)));
  const before = last.tree === tree && last.key !== key ? last : undefined;
  last = { tree, key, boxes };
  if (!before || isCalm()) return;
  const inner = before.boxes.find((one) => one.key === key);
  const outer = inner ? undefined : find([...boxes].reverse(), before.key);
  const from = inner ? grow(inner) : outer && shrink(outer);
  if (from) picture.animate([{ transform: from, opacity: .3 }, { transform: "none" }], { duration: ZOOM_MS, easing: "ease-out" });
};
