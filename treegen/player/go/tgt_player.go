// Package tgt plays code-breaking games from a .tgt table, with the standard library alone.
//
//	table, err := tgt.Open(data)                  // every byte is checked here
//	game, err := table.NewGame()
//	game.Guess()                                  // the index of a code; table.Format writes it
//	game.Answer(table.Response(black, white))     // Next, Won or Impossible
//	game.Undo()
//
// Of a table of answers Format writes the question and Answers lists what may be answered. A game
// whose goal is to identify is over when game.IsKnown tells so: Guess is then announced, not asked.
//
// It plays the profiles full, lean and slim. MIT license.
package tgt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What an answer leads to.
type Result int

const (
	Impossible Result = iota // no secret fits that answer; nothing has changed
	Next
	Won
)

const (
	maxSecrets  = 1 << 20
	freeWork    = 1 << 22 // pegs that replaying a start may compare
	workPerNode = 1 << 10
	maxAnswers  = 65535 // to a question
	symbols     = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// Table is a checked table.
type Table struct {
	Profile, Kind, Rule              string
	Pegs, Colors, Repetition         int
	Codes, Secrets, Responses, Nodes int
	Start                            [][2]int // guesses made before the root, and their responses
	Announces                        bool     // a game is over when one candidate is left
	texts                            []string // of a table of answers: candidates, questions
	answers                          [][]string
	implicit                         int
	counts                           []int
	words                            []rune
	guesses, responses, shape        section
}

// A section holds fields of some bits each, the first in the highest bits.
type section struct {
	data  []byte
	width int
}

func (s section) get(place int) int {
	value := 0
	for at := place * s.width; at < (place+1)*s.width; at++ {
		value = value<<1 | int(s.data[at>>3]>>(7-at&7)&1)
	}
	return value
}

func demand(isTrue bool, problem string) {
	if !isTrue {
		panic(fmt.Errorf("bad table: %s", problem))
	}
}

// catch makes an error of what was demanded in vain.
func catch(err *error) {
	if problem, isError := recover().(error); isError {
		*err = problem
	}
}

// Open checks a table, all of it.
func Open(data []byte) (table *Table, err error) {
	defer catch(&err)
	demand(len(data) >= 16 && string(data[1:6]) == "\xa4TGT1", "this is no table")
	end := len(data) - 5
	sum := binary.BigEndian.Uint32(data[end+1:])
	demand(data[end] == 0xce && crc32.ChecksumIEEE(data[:end]) == sum, "the CRC-32 does not fit")
	demand(len(data)>>28 == 0, "it is too large")
	values := unpack(data[:end])
	t := &Table{Profile: text(values[2])}
	minor, last := number(values[1]), map[string]int{"full": 13, "lean": 13, "slim": 12}[t.Profile]
	demand(last > 0, "the profile is unknown")
	demand(len(values) >= last && (minor > 0 || len(values) == last), "it has too few or many values")
	t.readGame(list(values[3]))
	_, isMap := values[5].(dict)
	demand(isMap, "meta is no map")
	t.Codes, t.Responses, t.Nodes = number(values[6]), number(values[7]), number(values[8])
	t.implicit = number(values[9])
	t.checkCounts(list(values[4]))
	t.guesses = newSection(values[10], t.Nodes, t.Codes-1)
	if t.Profile != "slim" {
		t.responses = newSection(values[11], t.Nodes-1, t.Responses-2)
	}
	t.shape = newSection(values[last-1], 2*t.Nodes-1, 1)
	t.checkTree()
	return t, nil
}

type dict struct{} // a map, whose values nobody needs

// unpack returns the values of an envelope whose CRC-32 was cut off.
func unpack(data []byte) []any {
	at := 0
	take := func(size int) []byte {
		demand(size >= 0 && size <= len(data)-at, "it ends early")
		at += size
		return data[at-size : at]
	}
	size := func(width int) int {
		value := uint64(0)
		for _, octet := range take(width) {
			value = value<<8 | uint64(octet)
		}
		if value > math.MaxInt {
			return math.MaxInt
		}
		return int(value)
	}
	var read func(depth int) any
	readList := func(count, depth int) []any {
		demand(count <= len(data), "it has too many values")
		values := []any{}
		for ; count > 0; count-- {
			values = append(values, read(depth+1))
		}
		return values
	}
	readText := func(size int) string {
		part := take(size)
		demand(utf8.Valid(part), "a text is not UTF-8")
		return string(part)
	}
	read = func(depth int) any {
		demand(depth < 3, "it is nested too deep")
		tag := int(take(1)[0])
		switch {
		case tag < 0x80:
			return tag
		case tag < 0x90:
			readList(2*(tag&15), depth)
			return dict{}
		case tag < 0xa0:
			return readList(tag&15, depth)
		case tag < 0xc0:
			return readText(tag & 31)
		case tag >= 0xc4 && tag <= 0xc6:
			return take(size(1 << (tag - 0xc4)))
		case tag >= 0xcc && tag <= 0xcf:
			return size(1 << (tag - 0xcc))
		case tag >= 0xd9 && tag <= 0xdb:
			return readText(size(1 << (tag - 0xd9)))
		case tag >= 0xdc && tag <= 0xdd:
			return readList(size(2<<(tag-0xdc)), depth)
		case tag >= 0xde && tag <= 0xdf:
			readList(2*size(2<<(tag-0xde)), depth)
			return dict{}
		}
		panic(errors.New("bad table: a value of an unknown type"))
	}
	demand(data[0]>>4 == 9, "the envelope is no array")
	at = 1
	values := readList(int(data[0]&15)-1, 0)
	demand(at == len(data) && len(values) >= 11, "the envelope ends wrong")
	return values
}

func number(value any) int {
	n, isNumber := value.(int)
	demand(isNumber, "a value is no number")
	return n
}

func text(value any) string {
	s, isText := value.(string)
	demand(isText, "a value is no text")
	return s
}

func list(value any) []any {
	values, isList := value.([]any)
	demand(isList, "a value is no array")
	return values
}

func newSection(value any, fields, highest int) section {
	data, isBinary := value.([]byte)
	width := bits.Len(uint(highest))
	size := fields * width
	demand(isBinary && len(data) == (size+7)/8, "a section has a wrong length")
	isClean := size%8 == 0 || data[len(data)-1]&(1<<(8-size%8)-1) == 0
	demand(isClean, "a section has bits set behind its end")
	return section{data, width}
}

func (t *Table) readGame(values []any) {
	values = t.readTerms(values)
	t.Kind, t.Colors = text(values[0]), 1
	switch n := len(values); {
	case t.Kind == "pegs" && n == 5:
		t.Pegs, t.Colors = number(values[1]), number(values[2])
		t.Repetition, t.Rule = number(values[3]), text(values[4])
	case t.Kind == "codebook" && n == 5:
		t.Rule, t.Pegs, t.Secrets = text(values[1]), number(values[2]), number(values[3])
		t.words = []rune(text(values[4]))
	case t.Kind == "arrangements" && n > 1:
		t.Rule, t.Repetition, t.Colors = "black", 1, n-1
		for _, value := range values[1:] {
			count := number(value)
			demand(count >= 1 && count <= 1000, "the pegs of a color are out of range")
			t.counts = append(t.counts, count)
			t.Pegs += count
		}
	case t.Kind == "questions" && n == 7 && t.Profile == "full":
		t.Rule, t.Pegs, t.Secrets = "answers", 1, number(values[1])
		t.readLabels(number(values[2]), values[3:])
		return
	default:
		demand(false, "the game is of an unknown kind, or damaged")
	}
	isSmall := t.Pegs >= 1 && t.Pegs <= 1000 && t.Colors >= 1 && t.Colors <= 1000
	demand(isSmall && t.Repetition <= 1, "the game is out of range")
}

// readTerms returns a description without the goal, weights and costs of its game.
func (t *Table) readTerms(values []any) []any {
	demand(len(values) > 0, "the game is empty")
	if values[0] == any("weighted") {
		demand(len(values) > 3, "the weights have no game")
		text(values[1])
		text(values[2])
		values = values[3:]
	}
	last := len(values) - 1
	t.Announces = last > 0 && values[last] == any("goal identify")
	if t.Announces {
		values = values[:last]
	}
	return values
}

// readLabels reads the words of a table of answers, if there are any.
func (t *Table) readLabels(questions int, values []any) {
	isSmall := t.Secrets >= 1 && t.Secrets>>30 == 0 && questions>>30 == 0
	demand(isSmall, "the counts of a table of answers are out of range")
	t.Colors = t.Secrets + questions
	names, asked := lines(values[0]), lines(values[1])
	t.texts = append(names, asked...)
	isWhole := len(t.texts) == 0 || len(names) == t.Secrets && len(asked) == questions
	demand(isWhole, "the names or questions have a wrong number")
	for _, line := range lines(values[2]) {
		t.answers = append(t.answers, strings.Split(line, "\t"))
	}
	n := len(t.answers)
	demand(n == 0 || n == 1 || n == questions, "the answers have a wrong number")
	text(values[3]) // no matrix: the tree knows the answers
}

func lines(value any) []string {
	if text(value) == "" {
		return nil
	}
	return strings.Split(text(value), "\n")
}

// checkCounts checks the counts against the game, and reads the start.
func (t *Table) checkCounts(start []any) {
	isFull := t.Profile == "full"
	demand(isFull && t.implicit == 0 || !isFull && (t.implicit == 1 || t.implicit == 2), "implicit")
	codes := t.countCodes()
	demand(codes > 0 && t.Codes == codes, "n_codes is not the game's")
	if t.words == nil && t.Rule != "answers" {
		t.Secrets = codes
	}
	demand(t.Secrets >= 1 && t.Secrets <= codes, "the secrets are out of range")
	n, responses := t.Pegs, -1
	switch t.Rule {
	case "pegs":
		responses = (n+1)*(n+2)/2 - 1
	case "black":
		responses = n + 1
	case "position":
		demand(t.words != nil && n <= 9, "marks are for words of at most 9 letters")
		responses = int(math.Pow(3, float64(n)))
	case "answers":
		responses = t.Responses
		demand(responses > 1 && responses <= maxAnswers+1, "n_responses is out of range")
		for _, answers := range t.answers {
			demand(len(answers) < responses, "a question has too many answers")
		}
	}
	demand(t.Responses == responses, "n_responses is not the game's")
	demand(t.Nodes >= 1 && t.Nodes>>30 == 0, "n_nodes is out of range")
	demand(len(start)%2 == 0, "the start is no pairs")
	for at := 0; at < len(start); at += 2 {
		pair := [2]int{number(start[at]), number(start[at+1])}
		demand(pair[0] < codes && pair[1] < responses, "the start is out of range")
		t.Start = append(t.Start, pair)
	}
}

// countCodes returns the number of codes; 0 if there are none, or 2^31 or more.
func (t *Table) countCodes() int {
	n := 1
	switch {
	case t.Rule == "answers":
		return t.Colors
	case t.words != nil:
		if len(t.words)%t.Pegs != 0 {
			return 0
		}
		return len(t.words) / t.Pegs
	case t.counts != nil:
		placed := 0
		for _, count := range t.counts {
			for rank := 1; rank <= count; rank++ {
				placed++
				if n = n * placed / rank; n>>31 != 0 {
					return 0
				}
			}
		}
	default:
		for peg := 0; peg < t.Pegs; peg++ {
			if n *= t.Colors - peg*(1-t.Repetition); n <= 0 || n>>31 != 0 {
				return 0
			}
		}
	}
	return n
}

func (t *Table) checkTree() {
	node, ones, least := 0, 0, 0
	for place := 0; place < t.Nodes; place++ {
		demand(t.guesses.get(place) < t.Codes, "a guess is no code")
	}
	for at := 0; at < 2*t.Nodes-1; at++ {
		if t.shape.get(at) == 0 {
			node, least = node+1, 0
			demand(node <= ones || at == 2*t.Nodes-2, "the shape is no tree")
			continue
		}
		ones++
		demand(ones < t.Nodes, "the shape is no tree")
		reply := t.reply(ones, least)
		demand(reply >= least && reply < t.Responses-1, "the responses are out of order")
		least = reply + 1
	}
}

// reply returns the response that leads to a node; in slim its place among its siblings.
func (t *Table) reply(node, place int) int {
	if t.Profile == "slim" {
		return place
	}
	return t.responses.get(node - 1)
}

// A state is a node and where its ones begin in the shape.
type state struct{ node, at int }

var implicit = state{-1, 0} // where the first candidate is guessed

// child returns the state behind a response (in slim a place), implicit where no state is stored.
func (t *Table) child(s state, response int) state {
	first := s.at - s.node + 1
	for place := 0; s != implicit && t.shape.get(s.at+place) == 1; place++ {
		if t.reply(first+place, place) == response {
			for ; s.node < first+place; s.at++ {
				s.node += 1 - t.shape.get(s.at)
			}
			return s
		}
	}
	return implicit
}

// ColorsOf returns the colors of a code, from 0; of a word its characters.
func (t *Table) ColorsOf(code int) []int {
	colors := make([]int, t.Pegs)
	switch {
	case t.words != nil:
		for peg := range colors {
			colors[peg] = int(t.words[code*t.Pegs+peg])
		}
	case t.counts != nil:
		t.arrange(code, colors)
	default:
		for peg := t.Pegs - 1; peg >= 0; peg-- {
			base := t.Colors - peg*(1-t.Repetition)
			colors[peg] = code % base
			code /= base
			// Among the colors that are free, the one of this rank: those behind it move up.
			for later := peg + 1; later < t.Pegs && t.Repetition == 0; later++ {
				if colors[later] >= colors[peg] {
					colors[later]++
				}
			}
		}
	}
	return colors
}

func (t *Table) arrange(code int, colors []int) {
	left, total := append([]int{}, t.counts...), t.Codes
	for peg := range colors {
		color, block := 0, total*left[0]/(t.Pegs-peg)
		for code >= block {
			code -= block
			color++
			block = total * left[color] / (t.Pegs - peg)
		}
		colors[peg], total = color, block
		left[color]--
	}
}

// Format writes a code as people do: 1122, a word, a question or a candidate's name.
func (t *Table) Format(code int) string {
	switch {
	case len(t.texts) > 0:
		return t.texts[code]
	case t.Rule == "answers" && code < t.Secrets:
		return fmt.Sprint("candidate ", code+1)
	case t.Rule == "answers":
		return fmt.Sprint("question ", code-t.Secrets+1)
	case t.words != nil:
		return string(t.words[code*t.Pegs : (code+1)*t.Pegs])
	}
	parts := make([]string, t.Pegs)
	for peg, color := range t.ColorsOf(code) {
		parts[peg] = strconv.Itoa(color + t.Repetition)
		if t.Colors <= 35 {
			parts[peg] = string(symbols[color+t.Repetition])
		}
	}
	if t.Colors <= 35 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts, ".")
}

// Answers lists the answers to a question of a table of answers, or to a candidate that is guessed.
func (t *Table) Answers(code int) []string {
	switch {
	case t.Rule != "answers":
		return nil
	case code < t.Secrets && (t.Colors > t.Secrets || t.Responses == 2):
		return []string{"no", "right"}
	case code < t.Secrets: // where there are no questions, the answers are those to a guess
		return append(append([]string{}, t.row(0)...), "right")
	}
	return t.row(code - t.Secrets)
}

func (t *Table) row(question int) []string {
	if len(t.answers) > 0 {
		return t.answers[question%len(t.answers)]
	}
	numbers := make([]string, t.Responses-1)
	for response := range numbers {
		numbers[response] = strconv.Itoa(response)
	}
	return numbers
}

// AnswerOf returns the response of an answer to a question in its words, in any case where one alone
// fits; -1 if there is none. Letters are not composed: é has to be one.
func (t *Table) AnswerOf(code int, answer string) int {
	found, count, labels := -1, 0, t.Answers(code)
	meant := strings.Join(strings.Fields(answer), " ")
	for response, label := range labels {
		if code < t.Secrets && response == len(labels)-1 {
			response = t.Responses - 1
		}
		if label == meant {
			return response
		}
		if fold(label, false) == fold(meant, false) || fold(label, true) == fold(meant, true) {
			found, count = response, count+1
		}
	}
	if count > 1 {
		return -1
	}
	return found
}

// fold returns what texts have in common that differ in case alone, also by the case of a Turkish i.
func fold(text string, isTurkic bool) string {
	folded := strings.Map(func(letter rune) rune {
		switch {
		case letter == 'ı' || isTurkic && letter == 'I':
			return 'ı'
		case letter == 'İ' && !isTurkic:
			return letter
		}
		return unicode.ToLower(unicode.ToUpper(unicode.ToLower(letter)))
	}, text)
	return strings.ReplaceAll(folded, "ß", "ss")
}

// Response returns that of black and white pegs (black alone, where none are white); -1 if none.
func (t *Table) Response(black, white int) int {
	n := t.Pegs
	switch {
	case black < 0 || white < 0 || black > n:
		return -1
	case t.Rule == "black":
		return black
	case t.Rule != "pegs" || white > n-black || (black == n-1 && white == 1):
		return -1
	case black == n:
		return t.Responses - 1
	}
	return black*(2*n+3-black)/2 + white
}

// Marks returns the response of marks such as 01020 (grey 0, yellow 1, green 2); -1 if none.
func (t *Table) Marks(marks string) int {
	if t.Rule != "position" || len(marks) != t.Pegs || strings.Trim(marks, "012") != "" {
		return -1
	}
	response, _ := strconv.ParseInt(marks, 3, 32)
	return int(response)
}

// FormatResponse writes a response as people do: 02, 3 or 01020.
func (t *Table) FormatResponse(response int) string {
	switch t.Rule {
	case "black", "answers":
		return strconv.Itoa(response)
	case "position":
		marks := strconv.FormatInt(int64(response), 3)
		return strings.Repeat("0", t.Pegs-len(marks)) + marks
	}
	for black := 0; black <= t.Pegs; black++ {
		for white := 0; white <= t.Pegs-black; white++ {
			if t.Response(black, white) == response {
				return fmt.Sprint(black, white)
			}
		}
	}
	return ""
}

// score returns the response of a secret to a guess, by their colors.
func (t *Table) score(guess, secret []int) int {
	var room [16]int
	marks, left, black, white := room[:0], secret[:0:0], 0, 0
	for peg, color := range guess {
		if color == secret[peg] {
			marks, black = append(marks, 2), black+1
		} else {
			marks, left = append(marks, 0), append(left, secret[peg])
		}
	}
	if t.Rule == "black" {
		return black
	}
	index := 0
	for peg, color := range guess {
		for at := 0; marks[peg] == 0 && at < len(left); at++ {
			if left[at] == color {
				left[at], marks[peg], white = -1, 1, white+1
			}
		}
		index = 3*index + marks[peg]
	}
	if t.Rule == "position" {
		return index
	}
	return t.Response(black, white)
}

// Game is a game that is played.
type Game struct {
	table *Table
	steps []step
}

type step struct {
	state
	candidates []int32 // of lean and slim
	isWon      bool
}

// NewGame begins a game; an error says why the rules of a lean or slim table do not fit it.
func (t *Table) NewGame() (game *Game, err error) {
	defer catch(&err)
	if t.Profile == "full" {
		return &Game{t, []step{{}}}, nil
	}
	demand(t.Secrets <= maxSecrets && t.Nodes <= t.Secrets, "too many secrets, or states")
	var candidates []int32
	work := freeWork + workPerNode*t.Nodes
	for secret := 0; secret < t.Secrets; secret++ {
		if t.agrees(secret, &work) {
			candidates = append(candidates, int32(secret))
		}
	}
	// A stored state wins one secret; each of its other answers leaves a state that is stored too,
	// or implicit secrets.
	most := t.Nodes * (1 + t.implicit*(t.Responses-1))
	demand(len(candidates) > 0 && len(candidates) <= most, "its states cannot tell secrets apart")
	return &Game{t, []step{{candidates: candidates}}}, nil
}

// agrees tells whether a secret answers the guesses of the start as it says.
func (t *Table) agrees(secret int, work *int) bool {
	for _, pair := range t.Start {
		*work -= t.Pegs
		demand(*work >= 0, "its start takes too much work")
		if t.score(t.ColorsOf(pair[0]), t.ColorsOf(secret)) != pair[1] {
			return false
		}
	}
	return true
}

func (g *Game) last() step { return g.steps[len(g.steps)-1] }

// IsWon tells whether the code is found.
func (g *Game) IsWon() bool { return g.last().isWon }

// IsKnown tells whether one candidate is left in a game that ends there: Guess, which is announced.
func (g *Game) IsKnown() bool {
	now, t := g.last(), g.table
	if !t.Announces || now.isWon {
		return false
	}
	if t.Profile == "full" {
		return t.shape.get(now.at) == 0
	}
	return len(now.candidates) == 1
}

// Guess returns the code to guess, or the question to ask, an index.
func (g *Game) Guess() int {
	now := g.last()
	if now.state == implicit || len(now.candidates) == 1 && g.IsKnown() {
		return int(now.candidates[0])
	}
	return g.table.guesses.get(now.node)
}

// Answer takes the response to the guess.
func (g *Game) Answer(response int) Result {
	now, t := g.last(), g.table
	if now.isWon || response < 0 || g.IsKnown() {
		return Impossible
	}
	if response == t.Responses-1 {
		g.steps = append(g.steps, step{isWon: true})
		return Won
	}
	var candidates []int32
	if t.Profile != "full" {
		if candidates, response = g.filter(response); len(candidates) == 0 {
			return Impossible
		}
	}
	next := t.child(now.state, response)
	if t.Profile == "full" && next == implicit {
		return Impossible
	}
	g.steps = append(g.steps, step{state: next, candidates: candidates})
	return Next
}

// filter returns the candidates that answer so, and by what the table knows the state behind it:
// the response, or in slim its place among the answers with more candidates than implicit.
func (g *Game) filter(response int) ([]int32, int) {
	var kept []int32
	t, sizes := g.table, map[int]int{}
	guess := t.ColorsOf(g.Guess())
	for _, secret := range g.last().candidates {
		reply := t.score(guess, t.ColorsOf(int(secret)))
		if sizes[reply]++; reply == response {
			kept = append(kept, secret)
		}
	}
	if t.Profile == "lean" {
		return kept, response
	}
	place := 0
	for reply, size := range sizes {
		if reply < response && size > t.implicit {
			place++
		}
	}
	if len(kept) <= t.implicit {
		place = -1
	}
	return kept, place
}

// Undo takes the last answer back, if there is one.
func (g *Game) Undo() {
	if len(g.steps) > 1 {
		g.steps = g.steps[:len(g.steps)-1]
	}
}
