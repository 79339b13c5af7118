"""Every JSON output is what its schema says, and every schema is of an output."""

import json

import pytest

import treegen

from ..command import run

jsonschema = pytest.importorskip("jsonschema")

PLAIN = {
    "tree": "stats a.tree --json",
    "stats": "stats a.tree b.tree --json",
    "games": "games --json",
    "strategies": "strategies --json",
    "report": "verify a.tree --claim total=24 --json",
    "reports": "verify a.tree b.tree --trust --json",
    "diff": "diff a.tree b.tree --json",
    "explanation": "explain a.tree --json",
    "guess-cost": "explain b.tree --json",
    "comparison": "compare p2c3r -s knuth -s random-consistent b.tree -n 3 --json",
    "sample": "simulate p2c3r -n 2 --json",
    "openings": "openings p2c3r --json",
    "played-game": "play a.tree --secret 32 --json",
    "online-game": "play p2c3r -s adaptive --secret 32 --json",
    "advice": "play p2c3r --history 12:10 --top 2 --candidates --json",
    "manifest": "manifest a.tree words.txt --json",
    "graph": "export json a.tree",
    "answers": "score p2c3r 12 11 23 --json",
    "applied": "apply a.tree games.csv --trace --check secret --json",
}
MORE = {
    "tree": "build p2c3r --history 12:10 -o c.tree --json",
    "game": "games words.txt --json",
    "report": "verify b.tree --sample 3 --json",
    "graph": "export json a.tree --depth 1 --path 00",
    "openings": "openings p2c3r -s optimal --top 2 --json",
}
UNCERTAIN = {
    "tree": "stats u.tree --json",
    "report": "verify u.tree --json",
    "manifest": "manifest u.tree --json",
    "graph": "export json u.tree",
    "explanation": "explain u.tree --json",
    "guess-cost": "explain u.tree --exact --json",
    "openings": "openings u.csv --json",
    "diff": "diff u.tree v.tree --json",
    "comparison": "compare u.tree v.tree --json",
    "sample": "simulate u.csv -n 2 --json",
    "answers": "score u.csv p a b --json",
    "applied": "apply u.tree u.csv --json",
    "played-game": "play v.tree --secret c --json",
}
CASES = [*PLAIN.items(), *MORE.items(), *UNCERTAIN.items()]
CODES = {"diff": 1, "report": 0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("schemas")
    treegen.build("p2c3r").write(place / "a.tree")
    treegen.build("p2c3r", "optimal", log=place / "log.json").write(place / "b.tree")
    (place / "u.csv").write_text("name,p,q\na,x,x\nb,?,y\nc,y,?\n", encoding="utf-8")
    uncertain = treegen.open_game(place / "u.csv", notice=lambda text: None)
    treegen.build(uncertain).write(place / "u.tree")
    treegen.build(uncertain, "optimal", first="q").write(place / "v.tree")
    (place / "games.csv").write_text("secret,11,12\n11,20,10\n12,10,\n", encoding="utf-8")
    (place / "words.txt").write_text("abc\nabd\n", encoding="utf-8")
    return place


def check(name, value):
    schema = treegen.read_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(value)


@pytest.mark.parametrize(("name", "line"), CASES, ids=[line for _, line in CASES])
def test_output_is_what_its_schema_says(folder, monkeypatch, capsys, name, line):
    monkeypatch.chdir(folder)
    assert run(*line.split()) == CODES.get(name, 0)
    check(name, json.loads(capsys.readouterr().out))


def test_a_search_writes_the_log_that_its_schema_says(folder):
    check("search-log", json.loads((folder / "log.json").read_text(encoding="utf-8")))


def test_every_schema_is_tried():
    assert {name for name, _ in CASES} | {"search-log", "warmup"} == treegen.list_schemas().keys()


def test_a_schema_refuses_what_it_does_not_know():
    row = treegen.stats(treegen.build("p2c3r")).to_dict()
    check("tree", row)
    for other in ({**row, "colour": 1}, {**row, "total": "24"}, {}):
        with pytest.raises(jsonschema.ValidationError):
            check("tree", other)


def test_unknown_schemas_are_named():
    with pytest.raises(treegen.UsageError, match="there is no schema 'shape': there are advice"):
        treegen.read_schema("shape")
    with pytest.raises(treegen.UsageError, match="no schemas of version 9"):
        treegen.list_schemas(9)
