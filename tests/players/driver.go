// As driver.c, for the Go player.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"driver/tgt"
)

// The code that is guessed now; -3 and less for one that is announced.
func show(game *tgt.Game) int {
	if game.IsKnown() {
		return -3 - game.Guess()
	}
	return game.Guess()
}

func play(game *tgt.Game, games string) (lines []string) {
	results, answers := []int{show(game)}, []string{}
	for _, line := range strings.Split(strings.TrimSuffix(games, "\n"), "\n") {
		if games == "" {
			break
		}
		wanted, same := strings.Fields(line), 0
		for same < len(answers) && same < len(wanted) && answers[same] == wanted[same] {
			same++
		}
		for _, result := range results[same+1:] { // what the game before does not begin with
			if result != -2 {
				game.Undo()
			}
		}
		results = results[:same+1]
		for _, word := range wanted[same:] {
			response, err := strconv.Atoi(word)
			if err != nil {
				panic(err)
			}
			switch game.Answer(response) {
			case tgt.Next:
				results = append(results, show(game))
			case tgt.Won:
				results = append(results, -1)
			default:
				results = append(results, -2)
			}
		}
		answers = wanted
		lines = append(lines, strings.Trim(fmt.Sprint(results), "[]"))
	}
	return lines
}

func main() {
	for _, path := range os.Args[1:] {
		data, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		games, _ := os.ReadFile(path + ".games")
		table, err := tgt.Open(data)
		var game *tgt.Game
		if err == nil {
			game, err = table.NewGame()
		}
		if err != nil {
			fmt.Println("bad")
		} else if lines := play(game, string(games)); len(lines) > 0 {
			fmt.Println(strings.Join(lines, "\n"))
		}
		fmt.Println(".")
	}
}
