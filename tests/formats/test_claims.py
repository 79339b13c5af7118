"""What a text says of its tree beside the tree itself is compared, and leniency is told."""

import json
import warnings

import pytest

from treegen import FormatError, TreegenWarning, build, open_game

from .. import foreign
from ..written import import_text, text_of

GAME = open_game("p2c3r")


@pytest.fixture(scope="module")
def mmstrat():
    """A text in which plain and marked states stand side by side."""
    tree = build("p3c5r", "knuth")
    text = text_of(tree, "text", style="mmstrat")
    assert "*)" in text
    return tree, text


def find_plain(text):
    """Return where the parenthesis of a plain ``n (g)`` closes."""
    return next(at for at in range(20, len(text)) if text[at] == ")" and text[at - 4] == "(")


def test_a_removed_star_is_noticed(mmstrat):
    tree, text = mmstrat
    stars = [at for at in range(len(text)) if text.startswith("*)", at)]
    assert len(stars) > 1
    for at in stars:
        damaged = text[:at] + text[at + 1 :]
        with pytest.raises(
            FormatError, match=r"possible secret here; it is not.*lenient=True accepts it"
        ):
            import_text(damaged, tree.game, "irving")
        with pytest.warns(TreegenWarning, match=r"1 state is written n \(g\) though g cannot win"):
            again = import_text(damaged, tree.game, "irving", lenient=True)
        assert again == tree


def test_an_added_star_is_noticed(mmstrat):
    tree, text = mmstrat
    close = find_plain(text)
    with pytest.raises(FormatError, match="is a possible secret here; the text says it is none"):
        import_text(text[:close] + "*" + text[close:], tree.game, "irving")


def test_another_guess_that_splits_as_well_is_noticed(mmstrat):
    """The guess of ``n (g)`` must be a candidate: another one makes another total."""
    tree, text = mmstrat
    n_told = 0
    codes = [tree.game.format_code(code) for code in range(tree.game.n_codes)]
    close = find_plain(text)
    for code in codes:
        if code == text[close - 3 : close]:
            continue
        changed = text[: close - 3] + code + text[close:]
        try:
            again = import_text(changed, tree.game, "irving")
        except FormatError:
            n_told += 1
            continue
        assert again.total == tree.total
    assert n_told > len(codes) // 2


def test_cells_of_two_behind_a_plain_guess_are_an_error_or_told(mmstrat):
    tree, _ = mmstrat
    text = text_of(tree, "text", style="irving").partition("\n\n")[2]
    assert "x)" in text
    at = text.index("x)")
    damaged = text[:at] + text[at + 1 :]
    with pytest.raises(FormatError, match=r"(as if none held more than 1|it is not)"):
        import_text(damaged, tree.game, "irving")
    with pytest.warns(TreegenWarning, match=r"though a cell holds two: read as n \(gx\)"):
        assert import_text(damaged, tree.game, "irving", lenient=True) == tree


def test_a_text_without_any_star_is_read_and_told(mmstrat):
    tree, text = mmstrat
    remark = rf"{text.count('*)')} states are written n \(g\) though g cannot win"
    with pytest.warns(TreegenWarning, match=remark):
        assert import_text(text.replace("*)", ")"), tree.game, "irving") == tree
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert import_text(text, tree.game, "irving") == tree


def pymm_with(change):
    value = json.loads(foreign.write_pymm(build("p2c3r", "knuth")))
    change(value["tree"])
    return json.dumps(value)


def first_child(node):
    return next(iter(node["children"].values()))


PYMM = [
    (lambda root: root["stats"].update(total_moves=23), r"\$\.tree\.stats\.total_moves: .*23"),
    (lambda root: root["stats"].update(average_game_length=2.5), "average 2.5"),
    (lambda root: root.update(in_solution=False), r"in_solution: the text claims wins False"),
    (
        lambda root: first_child(root).update(stats={"max_depth": 9}),
        r"children\.\d\.stats\.max_depth: the text claims worst 9; that state has 2",
    ),
]


@pytest.mark.parametrize(("change", "message"), PYMM)
def test_pymm_figures_of_every_state(change, message):
    with pytest.raises(FormatError, match=message):
        import_text(pymm_with(change), GAME, "pymm")


def test_true_figures_of_pymm_are_taken():
    text = pymm_with(lambda root: root["stats"].update(average_game_length=24 / 9))
    assert import_text(text, GAME, "pymm").total == 24


GRAPH = [
    ("total", 23),
    ("average", 2.5),
    ("worst", 5),
    ("n_worst", 2),
    ("histogram", "1/2/4/2"),
    ("secrets", 8),
    ("digest", "00"),
]


@pytest.mark.parametrize(("key", "value"), GRAPH)
def test_false_figures_of_json_are_refused(key, value):
    document = json.loads(text_of(build("p2c3r", "knuth"), "json"))
    assert import_text(json.dumps(document)).total == 24
    document["graph"][key] = value
    with pytest.raises(FormatError, match=rf"\$\.graph: the text claims (n_)?{key}"):
        import_text(json.dumps(document))
    document["graph"][key] = "many"
    with pytest.raises(FormatError, match=r"a number is needed|the text claims"):
        import_text(json.dumps(document))


@pytest.mark.parametrize(("key", "value"), [("depth", 3), ("wins", False)])
def test_what_a_node_says_of_itself(key, value):
    document = json.loads(text_of(build("p2c3r", "knuth"), "json"))
    document["nodes"][1][key] = value
    with pytest.raises(FormatError, match=rf"\$\.nodes\[1\]: the text claims {key}"):
        import_text(json.dumps(document))
    # In a graph that is not ours the attribute may mean anything.
    del document["graph"]["shown"], document["graph"]["nodes"]
    assert import_text(json.dumps(document)).total == 24


def test_false_figures_of_graphml_are_refused():
    text = text_of(build("p2c3r", "knuth"), "graphml")
    assert import_text(text).total == 24
    with pytest.raises(FormatError, match="<graph>: the text claims worst 5; its tree has 4"):
        import_text(text.replace('key="worst">4<', 'key="worst">5<'))


def test_a_part_keeps_the_figures_of_the_whole_tree():
    tree = build("p3c4r", "knuth")
    part = import_text(text_of(tree, "json", path="01"))
    assert part.digest == tree.subtree("01").digest
