"""The packages of the players, made, installed elsewhere, and played."""

import functools
import http.server
import shutil
import subprocess
import sys
import threading
import venv

import pytest

from treegen import Codebook, make_player

from ..formats.test_players import make_questions, run_lines, write_changes
from ..formats.test_table import build
from ..paths import ROOT
from ..written import bytes_of

PLAY = """
for (const profile of ["full", "lean", "slim"]) {
  const player = new Player(read(profile));
  console.log(player.guess, player.answer(0, 2), player.answer(4, 0));
}
const own = new Player(table);
console.log(own.guess, own.answer("0 2"), own.answer("40"));
try { new Player(new Uint8Array(99)); } catch (error) { console.log(error instanceof Error); }
"""
SAID = "1122 2344 null\n" * 4 + "true\n"
READ = 'const read = (profile) => readFileSync(profile + ".tgt");\n'
NAME = "treegen-p4c6r-knuth"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Return a scratch project with the npm package installed from its tarball."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    package, folder = tmp_path_factory.mktemp("package"), tmp_path_factory.mktemp("project")
    write_changes(package, make_player(build("p4c6r"), "npm"))
    pack = ["npm", "pack", "--silent", "--pack-destination", folder]
    subprocess.run(pack, cwd=package, check=True, capture_output=True)
    (tarball,) = folder.glob("*.tgz")
    (folder / "package.json").write_text('{"private": true}\n')
    install = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", tarball]
    subprocess.run(install, cwd=folder, check=True, capture_output=True)
    for profile in ("full", "lean", "slim"):
        table = bytes_of(build("p4c6r"), "table", profile=profile)
        (folder / f"{profile}.tgt").write_bytes(table)
    return folder


def test_npm_package_plays_on_the_terminal(project):
    command = [project / "node_modules" / ".bin" / NAME]
    said = run_lines(command, project, " 0 2\r\n40\n")
    assert said == "1122? 2344? found\n"


@pytest.mark.parametrize("profile", ["full", "slim"])
def test_npm_package_of_words_and_questions(profile, tmp_path):
    """Without npm: what it would install, played by node."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    words = build(Codebook(["écran", "éclat", "nacré"], feedback="position"))
    write_changes(tmp_path, make_player(words, "npm", profile=profile))
    assert run_lines(["node", "play.mjs"], tmp_path, "22222\n") == "écran? found\n"
    write_changes(tmp_path, make_player(make_questions(), "npm"))
    assert run_lines(["node", "play.mjs"], tmp_path, "HUIT\n").endswith("it is araignée\n")


@pytest.mark.parametrize(
    ("name", "head"),
    [
        (
            "game.mjs",
            'import { Player, table } from "treegen-p4c6r-knuth";\n'
            'import { readFileSync } from "node:fs";\n',
        ),
        (
            "game.cjs",
            'const { Player, table } = require("treegen-p4c6r-knuth");\n'
            'const { readFileSync } = require("node:fs");\n',
        ),
    ],
)
def test_npm_package_plays_in_node(project, name, head):
    (project / name).write_text(head + READ + PLAY)
    done = subprocess.run(["node", name], cwd=project, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (SAID, "")


@pytest.mark.slow
def test_npm_package_plays_in_a_browser(project):
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    module = "./node_modules/treegen-p4c6r-knuth/index.mjs"
    (project / "index.html").write_text(
        f"""<!doctype html><title>game</title><pre></pre><script type="module">
import {{ Player }} from "{module}";
const said = [];
for (const profile of ["full", "lean", "slim"]) {{
  const player = await Player.load(profile + ".tgt");
  said.push(player.guess, player.answer(0, 2), player.answer(4, 0));
}}
document.querySelector("pre").textContent = said.join(" ");
</script>"""
    )
    handler = functools.partial(Quiet, directory=project)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/index.html"
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000"]
        done = subprocess.run([chromium, *flags, "--dump-dom", url], capture_output=True, text=True)
        server.shutdown()
    assert "<pre>" + "1122 2344  " * 2 + "1122 2344 </pre>" in done.stdout, done.stdout[:500]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    extensions_map = {".mjs": "text/javascript", ".html": "text/html", "": "application/octet"}  # noqa: RUF012

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def tsc(tmp_path_factory):
    """Return the compiler of TypeScript from npm, whose checks read the types."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "package.json").write_text('{"private": true}\n')
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "typescript@5.9.3"]
    if subprocess.run(install, cwd=folder, capture_output=True).returncode:
        pytest.skip("npm gets no typescript: the types are not checked")
    return folder / "node_modules" / ".bin" / "tsc"


USES = """
export const mine: Player = new Player(own);
const player: Player = new Player(new Uint8Array(9), { names: [], questions: [], answers: [] });
const guess: string | null = player.answer(0, 2) ?? player.answer("01020");
const [made, told]: [string, string] = player.before[0]!;
const table: Table = openTable(new Uint8Array(9).buffer);
const state: State | null | undefined = table.answer(START, 3);
export const texts: (string | null)[] = [guess, made, told, player.found, ...player.answers];
export const codes: number[] = state ? [table.guess(state)] : [];
export const later: Promise<Player> = Player.load("p4c6r.tgt");
// @ts-expect-error: a table has to be given
new Player();
// @ts-expect-error: nothing is written
player.code = 3;
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "resolution"),
    [("game.mts", "nodenext"), ("game.cts", "nodenext"), ("b.ts", "bundler")],
)
def test_types_of_the_npm_package_fit_its_members(project, tsc, name, resolution):
    head = (
        "import { Player, START, openTable, table as own, type State, type Table }"
        ' from "treegen-p4c6r-knuth";\n'
    )
    (project / name).write_text(f"{head}{list_members(project)}{USES}")
    module = "esnext" if resolution == "bundler" else resolution
    flags = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom"]
    flags += ["--module", module, "--moduleResolution", resolution]
    done = subprocess.run([tsc, *flags, name], cwd=project, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("", 0)


def list_members(project):
    """Return TypeScript that compiles if the classes have the members that the types tell."""
    (project / "members.mjs").write_text("""
import { Player, openTable } from "treegen-p4c6r-knuth";
import { readFileSync } from "node:fs";
const data = readFileSync("full.tgt");
const player = new Player(data);
const own = Object.getOwnPropertyNames(Player.prototype).filter((name) => name !== "constructor");
const members = { Player: [...own, ...Object.keys(player)], Table: Object.keys(openTable(data)) };
for (const [name, keys] of Object.entries(members))
  console.log(`export const keysOf${name}: Record<keyof ${name}, true> = {${keys}};`
    .replace(/(?<=[{,])\\w+/g, "$&: true"));
""")
    done = subprocess.run(["node", "members.mjs"], cwd=project, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.slow
def test_python_distribution_plays_alone(tmp_path):
    script = ROOT / "scripts" / "build-packages.py"
    made = subprocess.run([sys.executable, script, tmp_path / "python"], capture_output=True)
    assert made.returncode == 0
    wheel = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", tmp_path]
    subprocess.run([*wheel, tmp_path / "python"], check=True, capture_output=True)
    (path,) = tmp_path.glob("treegen_player-*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--no-index", path]
    subprocess.run(install, check=True, capture_output=True)
    frozen = subprocess.run([python, "-m", "pip", "freeze"], capture_output=True, text=True)
    assert frozen.stdout.startswith("treegen-player @ ") and frozen.stdout.count("\n") == 1
    for profile in ("full", "lean", "slim"):
        (tmp_path / "x.tgt").write_bytes(bytes_of(build("p4c6r"), "table", profile=profile))
        done = subprocess.run(
            [python.parent / "tgt-player", "x.tgt"],
            cwd=tmp_path, input="0 2\n4 0\n", capture_output=True, text=True,
        )  # fmt: skip
        assert (done.stdout, done.stderr) == ("1122? 2344? found in 2 guesses\n", "")
