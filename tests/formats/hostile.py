"""Beginnings of texts in every format, and what may be repeated behind them without an end."""

YAML = "---\n- 11\n"
STATE = "1:    1 1 | 9 \n"
END = f"{STATE}\nQuestions in worst case: 3 \n"
HEADER = "# treegen: text in the style lines\n# game: p2c3r\n"
NODE = '{"nodes":[{"id":0,"guess":'

HEADS = {
    "r-post": ["", STATE, f"{STATE}2:    ", f"{STATE}2:    00|1", END, f"{END}After: "],
    "yaml": ["", YAML, f"{YAML}- XO:", f"{YAML}- XO: 11"],
    "gv": [
        "digraph ",
        *("digraph T {\n", 'digraph T {\n"', "digraph T {\n0 ", "digraph T {\n0 ["),
        *('digraph T {\n0 [label="', 'digraph T {\n0 -> 1 [label="11"', "digraph T {\n/*"),
    ],
    "json": [NODE, f'{NODE}"', f'{NODE}"11","candidates":', f'{NODE}"11"}}],"links":[', '{"'],
    "graphml": [
        "<graphml ",
        '<graphml><graph><node id="0">',
        '<graphml><key id="k" attr.name="guess"/><graph><node id="0"><data key="k">',
    ],
    "irving": ["", "9 (12: ", "{9 (12: ", "\\a\n9 (12: ", f"{HEADER}# after: "],
    "mmstrat": ["9 (12: "],
    "codegolf": ["", "{AB:{", "{AB:{10:", "{"],
    "indented": ["", "12 (9)\n", "12 (9)\n  00 ", "1 Has wings? ", f"{HEADER}# total: "],
    "key": ["1 ", "1  Has wings? ", "1  Has wings? true ..."],
    "booklet": ["1  ", "1  12\n    "],
    "lines": ["", "12 1 ", f"{HEADER}# bound: ", f"{HEADER}# symbols: "],
    "csv": ["", "12,", "12,33\n"],
    "nested": ['{"guess":', '{"guess":"', '{"guess":"12","map":{', "export default "],
    "wordle": ["", "abc ", "abc BBB1 "],
    "pymm": ['{"tree":', '{"tree":{"root":'],
}

UNITS = [
    *(" ", "a", "1", "\n", " \n", "1\n", "\t", "\u3000", "\x00", "\x1b", "é", "e\u0301"),
    *("(", "{", "[", '"', "\\", "|", ":", ",", ".", "-", "<", "&", "=", ";", "%", "*", "/*", "//"),
    *("1, ", "12 ", " | ", "->", "<a>", "<data>", "&lt;", "... ", "\\a[", "\\a{", "X", " XO", "1("),
    *("00:", "12:00 ", "a=b\n", '{"a":', "[[", '"0":1,', "{9 (12: ", "\n{9 (12: ", "true → 2, "),
    *("12 (9)\n", "12 1 12:20\n", "12,33\n", "abc BBB1 ", "After: 1 | 1 \n", "# a: b\n"),
    *('0 [label="a"]\n', '"a" -> "b" [label="11"]\n', '<node id="1"/>', "Has wings? "),
]

NESTS = {
    "nested": ('{"guess":"12","map":{"00":', '"12"', "}}"),
    "codegolf": ("{AB:{10:", "AC", "}}"),
    "irving": ("9 (12: ", "1", ")"),
    "pymm": ('{"tree":{"root":1,"problem_size":2,"children":{"1":', "1", "}}"),
    "json": (f'{NODE}"11","candidates":', "1", "}]}"),
    "graphml": ('<graphml><node id="0">', "", "</node></graphml>"),
}
"""What may be nested without an end: what opens, what is within, what closes."""

CHARACTERS = "*SHOW\n*CHARACTER LIST\n#1. leaf/\n1. a/\n2. b/\n"
MATRIX = "#NEXUS\nBEGIN DATA; DIMENSIONS NCHAR=2; "
KEY = 'var chars = [["x"],["leaf","a","b"]'
ATTRIBUTES = "@relation r\n@attribute a {x,y}\n@attribute b {u,v}\n"
COLUMNS = "name\tleaf\tw\nstring\td\tc\nmeta\t\tweight\n"

DATASETS = '<Datasets xmlns="http://rs.tdwg.org/UBIF/2006/">'

TABLE_HEADS = {
    "separated": ["a,b\n", "a,b\nc,d\n", 'a,b\nc,"', 'a,"', "sep=;\n", "#"],
    "orange": [COLUMNS, COLUMNS[:-7], COLUMNS[:-16], "mS#", "mS#name\tD#leaf\n"],
    "arff": [
        *("@relation r\n@attribute ", "@relation r\n@attribute '", "@relation r\n@attribute a {"),
        *(f"{ATTRIBUTES}@data\n", f"{ATTRIBUTES}@data\nx,", f"{ATTRIBUTES}@data\n'", "%"),
    ],
    "sliks": ["var ", "// ", "/*", "var chars = [", 'var chars = [["', f"{KEY},[", f'{KEY},["'],
    "sliks items": [f'{KEY}]; var items = [[""],["x",', f'{KEY}]; var items = [[""],["', KEY],
    "nexus": [
        *("#NEXUS ", "#NEXUS\nBEGIN DATA;", "#NEXUS\nBEGIN DATA; DIMENSIONS NCHAR="),
        *(f"{MATRIX}FORMAT ", f"{MATRIX}MATRIX\na ", f"{MATRIX}MATRIX\na 01\nb 10\n;\n"),
        *(f"{MATRIX}CHARLABELS ", f"{MATRIX}CHARSTATELABELS ", f"{MATRIX}STATELABELS 1 "),
    ],
    "sdd": [
        *(f"{DATASETS}", f"{DATASETS}<Dataset><Characters>"),
        *(f"{DATASETS}<!--", f"{DATASETS}<a b='"),
    ],
    "tnt": [
        *("xread ", "xread '", "xread 2 2\n", "xread 2 1\na 01;\ncnames {0 "),
        "a;\nxread 2 1\na [",
    ],
    "records": ['[{"a":', '[{"a": 1}, {"', '{"a": 1}\n{"a":'],
    "markdown": ["a|b\n-|-\n", "|a|b|\n|--|--|\n|", "|a|\n|-"],
    "delta": [
        *("*SHOW ", "*COMMENT <", "*SHOW\n*CHARACTER LIST\n", "*SHOW\n*CHARACTER LIST\n#1. leaf"),
        *(CHARACTERS, f"{CHARACTERS}*ITEM DESCRIPTIONS\n# x", f"{CHARACTERS}*CHARACTER TYPES 1,"),
        f"{CHARACTERS}*IMPLICIT VALUES 1,",
        f"{CHARACTERS}*ITEM DESCRIPTIONS\n# x/ 1,",
        f"{CHARACTERS}*DEPENDENT CHARACTERS 1,",
    ],
}
"""Beginnings of tables of answers, by form."""
