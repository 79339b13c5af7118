// Who answers the guesses: a person who thinks of a code, the page for a code put into its holes, or the
// evil code-maker, which keeps the answer open as long as it can.
import { makeInvite } from "./challenge.mjs";
import { makeEntry } from "./entry.mjs";
import { gameKey, tabStore } from "./store.mjs";
import { make, showPicks, spell } from "./ui.mjs";

const WAYS = {
  thought: "I think of one",
  hidden: "I hide one here",
  friend: "For a friend",
  evil: "Evil",
};

// Returns { element, isAsking(), show(), secret(), isEvil(), isAuto(), type(event) }. changed() is called when
// another way or code is chosen: the game begins anew.
export const makeHider = (tree, message, changed) => {
  const { game } = tree;
  const key = `hider ${gameKey(tree)}`;
  const kept = tabStore.recall(key) ?? {};
  let way = Object.hasOwn(WAYS, kept.way) ? kept.way : "thought";
  let secret = tree.root.candidates.includes(kept.secret) ? kept.secret : undefined;
  let isAuto = kept.isAuto !== false;
  let isShown = false;

  const send = make("button.primary", { onclick: () => hide() }, "Hide it");
  const entry = makeEntry(game, send, message);
  entry.slots.setAttribute("aria-label", `The ${game.noun} to hide`);
  const holes = make("div.holes", {}, make("div.board.strip", {}, entry.slots, entry.isKeyboard ? "" : send), entry.palette);
  const covered = make("div.covered");
  const ways = make("div.picks.chips", { role: "radiogroup", "aria-label": `Who hides the ${game.noun}` });
  const element = make("div.hider", {}, ways, holes, covered);

  const keep = () => tabStore.keep(key, { way, secret, isAuto });
  const isHiding = () => way === "hidden" || way === "friend";
  const isAsking = () => isHiding() && secret === undefined;
  const said = make("span.said", { role: "status" });
  const invite = makeInvite(tree, () => ({ secret, length: 0 }), said);

  const choose = (next) => {
    [way, secret] = [next, undefined];
    keep();
    entry.clear();
    show();
    changed();
    if (isAsking()) entry.focus();
  };

  const hide = () => {
    const code = entry.read();
    if (!tree.root.candidates.includes(code)) {
      if (code !== undefined) entry.refuse(game.noun === "word" ? "That word is not in the list of words to find." : "The answers given above rule this code out.");
      entry.focus();
      return;
    }
    [secret, isShown] = [code, false];
    keep();
    show();
    changed();
  };

  const show = () => {
    showPicks(ways, "way", Object.entries(WAYS).map(([value, title]) => ({ value, title })), way, choose);
    holes.hidden = !isAsking();
    covered.hidden = !isHiding() || isAsking();
    if (isAsking()) entry.redraw();
    if (covered.hidden) return;
    said.textContent = "";
    covered.replaceChildren(
      isShown ? spell(game, secret) : make("span.pegs", { role: "img", "aria-label": "covered" }, ...game.codes[0].map(() => make("i.peg.cover", {}, "?"))),
      make("button", { onclick: () => {
        isShown = !isShown;
        show();
        covered.querySelector("button").focus();
      } }, isShown ? "Cover" : "Look"),
      make("button", { onclick: () => choose(way) }, "Another"),
      make("label", {}, make("input", { type: "checkbox", checked: isAuto && "checked", onchange: (event) => {
        isAuto = event.target.checked;
        keep();
        changed(true);
      } }), " answer for me"), ...way === "friend" ? [invite, said] : []);
  };

  show();
  return {
    element, isAsking, show,
    secret: () => secret,
    isEvil: () => way === "evil",
    isAuto: () => way === "evil" || isAuto && secret !== undefined,
    type: (event) => {
      if (event.key === "Enter") hide();
      else entry.type(event);
    },
  };
};
