// As driver.c, for the JavaScript module that argv[2] names.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modulePath, ...tables] = process.argv.slice(2);
const player = await import(pathToFileURL(modulePath));

const walk = (bytes) => {
  const table = player.openTable(bytes);
  return (responses) => {
    let state = player.START;
    const results = [table.guess(state)];
    for (const response of responses) {
      const next = table.answer(state, response);
      state = next || state;
      results.push(next ? table.guess(next) : next === null ? -1 : -2);
    }
    return results;
  };
};

// What a game begins with as the one before is not played again: answers are taken back.
const play = (bytes) => {
  const game = new player.Player(bytes);
  let taken = [];
  // The code that is guessed now; -3 and less for one that is announced; -1 when the game is won.
  const show = () => game.code ?? (game.isKnown ? -3 - game.foundCode : -1);
  let results = [show()];
  return (responses) => {
    let same = 0;
    while (same < taken.length && taken[same] === responses[same]) same++;
    while (taken.length > same) {
      taken.pop();
      if (results[taken.length + 1] !== -2) game.undo();
    }
    results = results.slice(0, same + 1);
    for (const response of responses.slice(same)) {
      taken.push(response);
      try {
        game.respond(response);
        results.push(show());
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        results.push(-2);
      }
    }
    return results;
  };
};

const run = (path) => {
  const lines = readFileSync(path + ".games", "utf8").split("\n").slice(0, -1);
  let answer;
  try {
    answer = (player.Player ? play : walk)(readFileSync(path));
  } catch (error) {
    return "bad";
  }
  return lines.map((line) => answer(line.split(" ").filter(Boolean).map(Number)).join(" "));
};

for (const path of tables) console.log([run(path), "."].flat().join("\n"));
