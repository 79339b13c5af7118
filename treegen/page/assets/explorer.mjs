// Walk the tree: the path, the answers of a state to unfold, an icicle that zooms.
import { count, plural } from "./engine.mjs";
import { expand, follow } from "./tree.mjs";
import { describeCode, describeResponse, draw, make, marks, pegs, pins, placeOf } from "./ui.mjs";
import { animateZoom } from "./zoom.mjs";

const ROWS = 4;
const LEAST_WIDTH = 300;
const ROW_HEIGHT = 44;
const LEAST_BOX = 24;
const TILE = 10;

// The boxes below a state: as wide as they have candidates, yet wide enough to hit. Where there is
// no room for all, the smallest share one box: [children, width] of each, from the left.
export const shareWidth = (children, width) => {
  const room = Math.floor(width / LEAST_BOX);
  if (!room || !children.length) return [];
  const largest = [...children].sort((a, b) => b.candidates.length - a.candidates.length);
  const alone = new Set(children.length > room ? largest.slice(0, room - 1) : children);
  const rest = children.filter((child) => !alone.has(child));
  const groups = children.filter((child) => alone.has(child)).map((child) => [child]);
  if (rest.length) groups.push(rest);
  const sizes = groups.map((group) => group.reduce((sum, { candidates }) => sum + candidates.length, 0));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const spare = width - LEAST_BOX * groups.length;
  return groups.map((group, index) => [group, LEAST_BOX + (spare * sizes[index]) / total]);
};

// An answer of words as a row of tiles, its middle at x.
const drawMarks = (game, response, x, y) => {
  const left = x - (game.nPegs * TILE) / 2 + 1;
  const strip = draw("rect", { x: left - 2, y: y - 2, width: game.nPegs * TILE + 2, height: TILE + 2, class: "strip" });
  return [strip, ...game.marksOf(response).map((mark, at) =>
    draw("rect", { x: left + placeOf(game, at) * TILE, y, width: TILE - 2, height: TILE - 2, class: `small mark${mark}` }))];
};

export const linkTo = (tree, path) =>
  `#${encodeURIComponent(tree.name)}/${path.map(tree.game.write).join("/")}`;

export const startExplorer = (panel, tree, start) => {
  const { game } = tree;
  let shown = tree.root;
  const left = panel.contains(document.activeElement) && document.activeElement.closest(".icicle, .states, .crumbs");
  const crumbs = make("nav.crumbs", { "aria-label": "Path" });
  const heading = make("div.heading", { "aria-live": "polite", tabindex: "-1" });
  const picture = make("div.icicle", { onkeydown: (event) => moveInPicture(event) });
  const key = make("p.legend", {}, make("span", {}, "a box for each answer, as wide as it has candidates"),
    make("span", {}, make("i.swatch", { "aria-hidden": "true" }), " few to many left"), make("span", {}, make("i.swatch.rest", { "aria-hidden": "true" }), " smaller answers together"));
  let boxes = [];
  const list = make("ul.states");
  panel.replaceChildren(
    make("p.hint", {}, "Click a box to zoom in (or arrow keys and Enter), unfold an answer, follow its bar."),
    crumbs, heading, picture, key, list);

  const answerText = (state) => `answer ${game.write(state.response)}: ${describeResponse(game, state.response)}`;

  const crumb = (state, isLast) => {
    const label = state.path.length ? marks(game, state.response) : "start";
    const text = [label, ` → ${game.writeCode(state.guess)}`];
    if (state.path.length && typeof label !== "string")
      text.unshift(make("span.hidden", {}, describeResponse(game, state.response)));
    return isLast
      ? make("span", { "aria-current": "true" }, ...text)
      : make("a", { href: linkTo(tree, state.path) }, ...text);
  };

  const box = (state, x, y, width) => {
    const label = `${game.write(state.response)} → ${game.writeCode(state.guess)}`;
    const size = plural(state.candidates.length, "candidate");
    const share = Math.log(state.candidates.length) / Math.log(shown.candidates.length);
    const parts = [
      draw("title", {}, `${label}, ${size}`),
      draw("rect", {
        x, y, width, height: ROW_HEIGHT,
        class: `heat${Math.min(4, Math.floor(share * 5))}`,
      }),
    ];
    const written = game.write(state.response);
    const fitting = [label, written].find((text) => width > text.length * 7.6 + 8);
    const named = `${game.writeCode(state.guess)} ${count(state.candidates.length)}`;
    const isNamed = game.rule === "position" && width > named.length * 7 + 4;
    const sized = () => draw("text", { x: x + width / 2, y: y + 35, class: "size" }, isNamed ? named : count(state.candidates.length));
    if (game.rule === "position") {
      if (width > game.nPegs * TILE + 4) parts.push(...drawMarks(game, state.response, x + width / 2, y + 8));
      parts.push(sized());
    } else if (fitting)
      parts.push(draw("text", { x: x + width / 2, y: y + 19 }, fitting), " ", sized());
    // What is spoken begins with what is written, and continues with the rest.
    const before = state.path.slice(shown.path.length, -1).map(game.write).join(", ");
    const spoken = game.rule === "position"
      ? `${isNamed ? `${game.writeCode(state.guess)} ` : ""}${size}, ${describeResponse(game, state.response)}${isNamed ? "" : ` → ${game.writeCode(state.guess)}`}`
      : `${fitting ?? label} ${size}${fitting === written ? ` → ${game.writeCode(state.guess)}` : ""}`;
    return draw("a", { href: linkTo(tree, state.path), tabindex: "-1", "aria-label": spoken + (before && `, after ${before}`) }, ...parts);
  };

  // Boxes too small to stand alone: one that leads to where they can.
  const restBox = (states, parent, x, y, width) => {
    const size = states.reduce((sum, { candidates }) => sum + candidates.length, 0);
    const whole = `+${states.length}`;
    const text = whole.length * 6.6 < width ? whole : "+";
    const before = parent.path.slice(shown.path.length).map(game.write).join(", ");
    const label = `${whole} answers, ${plural(size, "candidate")}${before && `, after ${before}`}`;
    return draw("a", { href: linkTo(tree, parent.path), tabindex: "-1", "aria-label": label },
      draw("title", {}, label),
      draw("rect", { x, y, width, height: ROW_HEIGHT, class: "rest" }),
      draw("text", { x: x + width / 2, y: y + 27, class: "size" }, text));
  };

  // One box at a time can be reached by Tab; from there arrows walk the rows and levels.
  const moveInPicture = (event) => {
    const from = boxes.find(({ element }) => element === document.activeElement);
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    const peers = boxes.filter(({ row }) => row === from.row);
    const at = peers.indexOf(from);
    const to = {
      ArrowLeft: () => peers[at - 1], ArrowRight: () => peers[at + 1], Home: () => peers[0],
      End: () => peers.at(-1), ArrowUp: () => from.parent,
      ArrowDown: () => boxes.find(({ parent }) => parent === from),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    if (to()) moveTo(to());
  };

  const moveTo = ({ element }) => {
    for (const one of boxes) one.element.setAttribute("tabindex", one.element === element ? "0" : "-1");
    element.focus();
  };

  const drawIcicle = (root) => {
    shown = root;
    const fullWidth = Math.max(LEAST_WIDTH, picture.clientWidth || LEAST_WIDTH);
    boxes = [];
    let level = [{ state: root, x: 0, width: fullWidth }];
    let row = 1;
    for (; row < ROWS && level.length; row++) {
      level = level.flatMap((parent) => drawBelow(parent, row));
      boxes.push(...level);
      level = level.filter(({ state }) => state);
    }
    if (!level.length && !boxes.some((one) => one.row === row - 1)) row--;
    picture.replaceChildren();
    key.hidden = !boxes.length;
    if (!boxes.length) return;
    boxes[0].element.setAttribute("tabindex", "0");
    picture.append(draw("svg", {
      viewBox: `0 0 ${fullWidth} ${(row - 1) * ROW_HEIGHT}`, role: "group",
      "aria-label": "Icicle of the next guesses: arrow keys move, Enter zooms in",
    }, ...boxes.map(({ element }) => element)));
    animateZoom(picture.firstChild, tree, root.path, boxes.filter(({ state }) => state).map(({ state, row: at, x, width }) => (
      { key: state.path.join(), x: x / fullWidth, y: (at - 1) / (row - 1), width: width / fullWidth, height: 1 / (row - 1) })));
  };

  // Whether a box has room for what its answer is called.
  const isNameable = ({ response }, width) =>
    width > (game.rule === "position" ? game.nPegs * TILE + 4 : game.write(response).length * 7.6 + 8);

  // The boxes of a state's answers: who stands where, and whose child it is.
  const drawBelow = (above, row) => {
    const { state, x, width } = above;
    const y = (row - 1) * ROW_HEIGHT;
    const parent = row > 1 ? above : undefined;
    let left = x;
    const shares = shareWidth(expand(tree, state), width);
    if (row > 1 && !shares.some(([group, share]) => group.length === 1 && isNameable(group[0], share))) return [];
    return shares.map(([[child, ...others], share]) => {
      const at = left;
      left += share;
      return others.length
        ? { row, parent, element: restBox([child, ...others], state, at, y, share) }
        : { row, parent, state: child, x: at, width: share, element: box(child, at, y, share) };
    });
  };

  // An answer to unfold; its bar leads to the state, and is as long as it has candidates beside the
  // answer with most.
  const item = (state, _, siblings) => {
    const { candidates, response, guess, path } = state;
    const isLeaf = candidates.length === 1;
    const bar = make("span.bar");
    bar.style.width = `${(100 * candidates.length) / Math.max(...siblings.map((one) => one.candidates.length))}%`;
    const text = [
      make("span.answer", { title: answerText(state) }, marks(game, response)),
      pins(game, response), pegs(game, guess),
      make("span.hidden", {}, `${answerText(state)}; next guess ${describeCode(game, guess)}; `),
      make("span.count", {}, isLeaf ? (game.isIdentify ? `the ${game.noun}` : "wins") : `${count(candidates.length)} left`),
    ];
    const link = make("a.zoom", { href: linkTo(tree, path),
      "aria-label": `Go to the state after ${path.map((one) => describeResponse(game, one)).join("; ")}` },
    make("span.track", {}, bar), "→");
    if (isLeaf) return make("li", {}, make("div.leaf", {}, ...text, link));
    const inner = make("ul");
    const details = make("details", {
      ontoggle: () => {
        if (details.open && !inner.children.length) inner.append(...expand(tree, state).map(item));
      },
    }, make("summary", {}, ...text), inner);
    return make("li", {}, details, link);
  };

  const tellUse = ({ wins, candidates }) => candidates.length === 1 && game.isIdentify ? ` · is the ${game.noun}, and is announced`
    : ` · ${wins ? "could" : "cannot"} be the ${game.noun}`;

  const show = (path) => {
    const states = follow(tree, path);
    const state = states.at(-1);
    const children = expand(tree, state);
    crumbs.replaceChildren(...states.map((one, index) => crumb(one, index === states.length - 1)));
    const lost = states.length <= path.length
      ? make("p.message.bad", { role: "status" }, `The tree has no state after ${game.write(path[states.length - 1])} here.`)
      : null;
    heading.replaceChildren(
      make("p.figure", {}, `Guess ${states.length}: `, pegs(game, state.guess),
        " ", make("b", { dir: "auto" }, game.writeCode(state.guess)),
        ` · ${plural(state.candidates.length, "candidate")}`,
        tellUse(state)));
    if (lost) heading.append(lost);
    drawIcicle(state);
    list.replaceChildren(...children.map(item));
    if (!children.length) list.append(make("li", {}, game.isIdentify ? `The ${game.noun} is known: nothing follows.` : "This guess wins: nothing follows."));
  };

  show(start);
  // Who followed a link stays where it led: in the picture, or at the heading.
  if (left) ((left.matches(".icicle") && boxes[0]?.element) || heading).focus();
  return () => show(shown.path);
};
