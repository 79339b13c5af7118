// A game on the terminal with the table beside this file: go run .
//
// Answer each guess as the game is answered: with black and white pegs, 0 2; with black pegs
// alone, 3; with marks (grey 0, yellow 1, green 2), 01020; or a question with one of its answers.
package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode"

	"game/tgt"
)

//go:embed table.tgt
var data []byte

func readResponse(table *tgt.Table, code int, line string) int {
	if table.Rule == "answers" {
		return table.AnswerOf(code, line)
	}
	if table.Rule == "position" {
		return table.Marks(strings.TrimSpace(line))
	}
	words := strings.FieldsFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == '.' })
	if table.Rule == "pegs" && len(words) == 1 && len(words[0]) == 2 {
		words = []string{words[0][:1], words[0][1:]}
	}
	numbers := []int{0, 0}
	for place, word := range words {
		if place > 1 || len(word) > 4 || strings.Trim(word, "0123456789") != "" {
			return -1
		}
		numbers[place], _ = strconv.Atoi(word)
	}
	if len(words) != 1 && table.Rule == "black" || len(words) != 2 && table.Rule == "pegs" {
		return -1
	}
	return table.Response(numbers[0], numbers[1])
}

func formatResponse(table *tgt.Table, code, response int) string {
	if answers := table.Answers(code); response < len(answers) {
		return answers[response]
	}
	return table.FormatResponse(response)
}

// The code to guess, or the question with at most 12 of its answers.
func ask(table *tgt.Table, code int) string {
	answers := table.Answers(code)
	if len(answers) == 0 {
		return table.Format(code)
	}
	if len(answers) > 12 {
		answers = append(answers[:12:12], "...")
	}
	return fmt.Sprintf("%s (%s)", table.Format(code), strings.Join(answers, "/"))
}

func main() {
	table, err := tgt.Open(data)
	var game *tgt.Game
	if err == nil {
		game, err = table.NewGame()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, pair := range table.Start {
		guess, answer := table.Format(pair[0]), formatResponse(table, pair[0], pair[1])
		fmt.Printf("guessed before: %s, answered %s\n", guess, answer)
	}
	lines := bufio.NewReader(os.Stdin)
	for !game.IsWon() && !game.IsKnown() {
		fmt.Printf("%s ? ", ask(table, game.Guess()))
		line, err := lines.ReadString('\n')
		if err != nil && line == "" {
			return
		}
		if game.Answer(readResponse(table, game.Guess(), line)) == tgt.Impossible {
			fmt.Println("no secret fits that answer; please check it")
		}
	}
	if game.IsKnown() {
		fmt.Println("it is", table.Format(game.Guess()))
		return
	}
	fmt.Println("found")
}
