/* Breaks the code you think of, over the serial port (115200 baud, a line feed after each answer).
 *
 * Answer each guess as the game is answered: with black and white pegs, 0 2; with black pegs alone,
 * 3; or with marks (grey 0, yellow 1, green 2), 01020. After a game the next one begins.
 *
 * table.h is Mastermind by Knuth's strategy. `treegen export c FILE --profile lean -o DIR` writes
 * one for any other tree: copy its table.h here. The table stays in flash.
 */
#include "table.h" /* first: it says how a large table is read */

#include <TreegenPlayer.h>

tgt_table table;
tgt_lean game;
uint8_t candidates[TABLE_CANDIDATE_BYTES];
char line[80];
uint8_t length = 0;

uint32_t currentGuess() {
  return table.implicit ? tgt_lean_guess(&table, &game) : tgt_guess(&table, &game.state);
}

void printCode(uint32_t code) {
  static uint16_t colors[TGT_MAX_PEGS];
  if (table.words) {
    uint32_t size;
    const uint8_t *word = tgt_word(&table, code, &size);
    for (uint32_t i = 0; i < size; i++) Serial.write(TGT_READ(word + i));
    return;
  }
  tgt_colors(&table, code, colors);
  for (uint32_t peg = 0; peg < table.n_pegs; peg++) {
    if (peg) Serial.print(' ');
    Serial.print(colors[peg] + table.repetition);
  }
}

void ask() {
  printCode(currentGuess());
  Serial.print(F(" ? "));
}

void startGame() {
  tgt_start(&game.state);
  int status = table.implicit ? tgt_lean_start(&table, &game, candidates) : TGT_OK;
  if (status != TGT_OK) Serial.println(F("no room for this table"));
  while (status != TGT_OK) continue;
  ask();
}

uint32_t readResponse() {
  if (table.rule == TGT_POSITION) return tgt_marks(&table, line);
  char *rest = line;
  unsigned long black = strtoul(line, &rest, 10);
  char *end = rest;
  unsigned long white = strtoul(rest, &end, 10);
  bool isWhole = rest != line && (table.rule == TGT_PEGS ? end != rest : end == rest) && !*end;
  return isWhole ? tgt_response(&table, black, white) : UINT32_MAX;
}

void takeAnswer() {
  uint32_t response = readResponse();
  int result = table.implicit ? tgt_lean_answer(&table, &game, response)
                              : tgt_answer(&table, &game.state, response);
  if (result == TGT_IMPOSSIBLE) Serial.println(F("no secret answers so"));
  if (result == TGT_WON) Serial.println(F("found"));
  if (result == TGT_WON) startGame();
  else ask();
}

void setup() {
  Serial.begin(115200);
  int status = tgt_open(&table, table_data, table_size);
  if (status != TGT_OK) Serial.println(F("the table is damaged"));
  while (status != TGT_OK) continue;
  startGame();
}

void loop() {
  if (!Serial.available()) return;
  char letter = (char)Serial.read();
  if (letter == '\n') {
    line[length] = 0;
    length = 0;
    Serial.println();
    takeAnswer();
  } else if (letter != '\r' && length < sizeof line - 1) {
    line[length++] = letter;
  }
}
