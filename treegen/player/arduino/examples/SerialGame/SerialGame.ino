/* Breaks the code you think of, over the serial port (115200 baud, a line feed after each answer).
 *
 * Answer each guess as the game is answered: with black and white pegs, 0 2; with black pegs alone,
 * 3; with marks (grey 0, yellow 1, green 2), 01020; or a question with one of its answers. After a
 * game the next one begins. Whatever waits calls delay, so that the board can do its own work and
 * no watchdog resets it.
 */
#include <TreegenPlayer.h>

#define TGT_PUT(letter) Serial.write((uint8_t)(letter))
#include <tgt_terminal.h>

tgt_table table;
tgt_lean game;
uint8_t candidates[TABLE_CANDIDATE_BYTES];
char line[TABLE_LINE_BYTES];
uint32_t length = 0;

uint32_t currentGuess() {
  return table.implicit ? tgt_lean_guess(&table, &game) : tgt_guess(&table, &game.state);
}

/* Whether one candidate is left in a game that ends there: it is announced, not guessed. */
bool isKnown() {
  return table.implicit ? tgt_lean_is_announced(&table, &game)
                        : tgt_is_announced(&table, &game.state);
}

void announce() {
  Serial.print(F("it is "));
  tgt_print_code(&table, currentGuess());
  Serial.println();
}

void ask() {
  tgt_print_code(&table, currentGuess());
  tgt_print_answers(&table, currentGuess());
  Serial.print(F(" ? "));
}

void startGame() {
  tgt_start(&game.state);
  int status = table.implicit ? tgt_lean_start(&table, &game, candidates) : TGT_OK;
  if (status != TGT_OK) Serial.println(F("no room for this table"));
  while (status != TGT_OK) delay(1);
  tgt_print_before(&table);
  if (isKnown()) announce();
  while (isKnown()) delay(1); /* nothing to ask */
  ask();
}

void takeAnswer() {
  uint32_t response = tgt_read_answer(&table, currentGuess(), line);
  int result = table.implicit ? tgt_lean_answer(&table, &game, response)
                              : tgt_answer(&table, &game.state, response);
  if (result == TGT_IMPOSSIBLE) Serial.println(F("no secret fits that answer; please check it"));
  if (result == TGT_WON) Serial.println(F("found"));
  if (result == TGT_NEXT && isKnown()) {
    announce();
    result = TGT_WON;
  }
  if (result == TGT_WON) startGame();
  else ask();
}

void setup() {
  Serial.begin(115200);
  int status = tgt_open(&table, table_data, table_size);
  if (status != TGT_OK) Serial.println(F("the table is damaged"));
  while (status != TGT_OK) delay(1);
  startGame();
}

void loop() {
  if (!Serial.available()) {
    delay(1);
    return;
  }
  int letter = Serial.read();
  if (letter != '\n') {
    length = tgt_add_letter(line, length, sizeof line, letter);
    return;
  }
  tgt_end_line(line, length, sizeof line);
  length = 0;
  Serial.println();
  takeAnswer();
}
