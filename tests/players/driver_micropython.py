"""As driver.c, for MicroPython: `open_table` and `TABLES`, pairs of a table and games, are set."""


def play(table, games):
    try:
        guess, answer, undo = open_table(table)  # noqa: F821
    except ValueError:
        print("bad")
        return
    for line in games.split("\n")[:-1]:
        results = [guess()]
        made = 0
        for word in line.split():
            result = answer(int(word))
            made += result is not False
            results.append(guess() if result else -1 if result is None else -2)
        for _ in range(made):
            undo()
        print(" ".join(map(str, results)))


for pair in TABLES:  # noqa: F821
    play(*pair)
    print(".")
