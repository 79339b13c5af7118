// A script of pages with words: the keyboard of their language, results that are pasted. Pages of pegs alone are small
// without it.
import { bare, findCode, makeKeyboard, openKeyboards } from "./keyboard.mjs";
import { readResult } from "./paste.mjs";

openKeyboards(JSON.parse(document.getElementById("keyboards").textContent));
globalThis.words = { bare, findCode, makeKeyboard, readResult };
