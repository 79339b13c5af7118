"""Small trees in the notations of other programs, written slowly from their descriptions."""

import json

DIGITS = "0123456789"


def walk(tree, node=0):
    yield node
    for child in tree.children(node):
        yield from walk(tree, child)


def code(tree, node, symbols=None):
    return tree.game.format_code(int(tree.guess[node]), symbols)


def answer(tree, node):
    return tree.game.format_response(int(tree.response[node]))


def write_gv(tree):
    """As the published picture's source: numbers as names, a remark behind the first guess."""
    lines = ["digraph Mastermind_Strategy_Test {", 'size="40,40"', "overlap=true", "ordering=out"]
    lines += ["node [shape=plaintext]", "root=1000"]
    for node in walk(tree):
        label = f"{code(tree, node)} - 0" if node == 0 else code(tree, node)
        lines.append(f'{1000 + node} [label="{label}",fontcolor=green,style=bold]')
        if node:
            edge = f"{1000 + tree.parent[node]} -> {1000 + node}"
            lines.append(f'{edge} [label="{answer(tree, node)}"]')
    return "\n".join([*lines, "}", ""])


def write_gv_regions(tree):
    """As the program writes today: quoted names, IG for the first guess."""
    lines = ["digraph Mastermind_Strategy_Test {", "root=IG"]
    lines.append(f'IG [label="{code(tree, 0)}",shape=circle,color=red]')
    for node in range(1, tree.n_nodes):
        parent = "IG" if tree.parent[node] == 0 else f'"{tree.parent[node]:04x}"'
        lines.append(f'"{node:04x}" [label="{code(tree, node)}",fontcolor=green,style=bold]')
        lines.append(f'{parent} -> "{node:04x}" [label="{answer(tree, node)}"]')
    return "\n".join([*lines, "}", ""])


def pegs(tree, response):
    black, white = tree.game.feedback.feedback_of(response)
    return "X" * black + "O" * white + "-" * (tree.game.n_pegs - black - white)


def write_yaml(tree):
    symbols = DIGITS[: tree.game.n_colors]

    def entries(node, indent):
        """The lines of a map, the first of them without its indent."""
        items = [(pegs(tree, int(tree.response[child])), child) for child in tree.children(node)]
        if tree.is_winning[node]:
            items.append(("X" * tree.game.n_pegs, None))
        lines = []
        for feedback, child in items:
            if child is None or not len(tree.children(child)):
                lines.append(f"{feedback}: {code(tree, node if child is None else child, symbols)}")
            else:
                lines.append(f"{feedback}:")
                lines += state(child, indent + 2)
        return [lines[0], *(line if line[0] == " " else " " * indent + line for line in lines[1:])]

    def state(node, indent):
        first, *rest = entries(node, indent + 2)
        space = " " * indent
        return [f"{space}- {code(tree, node, symbols)}", f"{space}- {first}", *rest]

    return "\n".join(["---", *state(0, 0), ""])


def write_wordle(tree):
    letters = str.maketrans("012", "BYG")
    width = 2 * tree.game.n_pegs + 3
    lines, column = [], 0

    def put(column, text):
        lines[-1] = lines[-1].ljust(column) + text

    def visit(node, level):
        put(level * width, code(tree, node))
        is_first = True
        branches = [(int(tree.response[child]), child) for child in tree.children(node)]
        branches += [(tree.game.win, None)] * bool(tree.is_winning[node])
        for response, child in branches:
            if not is_first:
                lines.append("")
            is_first = False
            written = tree.game.format_response(response).translate(letters)
            put(level * width + tree.game.n_pegs + 1, f"{written}{level + 1}")
            if child is not None:
                visit(child, level + 1)

    lines.append("")
    visit(0, column)
    return "\n".join([*lines, ""])


def write_pymm(tree):
    game = tree.game

    def state(node):
        colors = game.codes[tree.guess[node]].tolist()
        value = {
            "root": sum(color * game.n_colors**peg for peg, color in enumerate(colors)),
            "in_solution": bool(tree.is_winning[node]),
            "problem_size": int(tree.n_candidates[node]),
        }
        for child in tree.children(node):
            black, white = game.feedback.feedback_of(int(tree.response[child]))
            missing = game.n_pegs - black
            score = missing * (missing + 1) // 2 + white
            value.setdefault("children", {})[str(score)] = state(child)
        return value

    root = state(0)
    root["stats"] = {"total_moves": tree.total, "max_depth": tree.worst}
    return json.dumps({"tree": root, "max_levels": 6}, indent=2, sort_keys=True)


def make_digraph(tree):
    import networkx

    graph = networkx.DiGraph()
    for node in walk(tree):
        graph.add_node(node, guess=code(tree, node), candidates=int(tree.n_candidates[node]))
        if node:
            graph.add_edge(int(tree.parent[node]), node, feedback=answer(tree, node))
    return graph


def write_graphml(tree):
    import networkx

    return "\n".join(networkx.generate_graphml(make_digraph(tree)))


def write_node_link(tree):
    import networkx

    return json.dumps(networkx.node_link_data(make_digraph(tree), edges="edges"))


def spaced_irving(text):
    """An mmstrat text as the papers print it: no spaces, the impossible cell written."""
    return text.replace(" ", "")
