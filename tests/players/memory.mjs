// The heap that a MicroPython player takes: node memory.mjs PORT FOLDER MODULE CALL, where CALL
// opens the table `data`. Prints bytes for code, table, opening and games; then what the import
// allocates in all, which a collection frees but for the code.
import { readdirSync, readFileSync } from "node:fs";

const [port, folder, module, call] = process.argv.slice(2);
const { loadMicroPython } = await import(port);
const said = [];
const python = await loadMicroPython({ stdout: (text) => said.push(Number(text)), linebuffer: true });
for (const name of readdirSync(folder))
  python.FS.writeFile(`/${name}`, readFileSync(`${folder}/${name}`));

// This port collects when a run ends, and not before.
const look = () => {
  python.runPython("gc.collect()");
  python.runPython("print(gc.mem_alloc())");
  return said.pop();
};
const measure = (code) => {
  const before = look();
  python.runPython(`${code}\nprint(gc.mem_alloc())`);
  const allocated = said.pop() - before;
  return [look() - before, allocated];
};

const game = "for r in (0, 1, 5): guess(), answer(r)\nfor r in (0, 1, 5): undo()";
python.runPython("import gc, sys\nsys.path.insert(0, '/')");
look();
const [code, allocated] = measure(`from ${module} import ${call.split("(")[0]}`);
const [table] = measure("with open('/table.tgt', 'rb') as file: data = file.read()\ndel file");
const [opening] = measure(`guess, answer, undo = ${call}`);
measure(game); // the interpreter keeps each name that it meets, once
console.log(JSON.stringify([code, table, opening, measure(game)[0], allocated]));
