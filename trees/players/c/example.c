/* A game on the terminal with the table of table.h.
 *
 *     cc -std=c99 -O2 example.c -o example && ./example
 *
 * Answer each guess as the game is answered: with black and white pegs, 0 2; with black pegs
 * alone, 3; with marks (grey 0, yellow 1, green 2), 01020; or a question with one of its answers.
 */
#include <stdio.h>

#include "table.h"
#include "tgt_terminal.h"

int main(void) {
    tgt_table table;
    tgt_state state;
    uint32_t response;
    int status = tgt_open(&table, table_data, table_size), result = TGT_NEXT;
    if (status == TGT_OK) tgt_start(&state);
    if (status != TGT_OK) {
        fprintf(stderr, "the table cannot be played: %d\n", status);
        return 1;
    }
    tgt_print_before(&table);
    while (result != TGT_WON && !tgt_is_announced(&table, &state)) {
        tgt_print_code(&table, tgt_guess(&table, &state));
        tgt_print_answers(&table, tgt_guess(&table, &state));
        printf(" ? ");
        fflush(stdout);
        if (!tgt_read_response(&table, tgt_guess(&table, &state), &response)) return 0;
        result = tgt_answer(&table, &state, response);
        if (result == TGT_IMPOSSIBLE) printf("no secret fits that answer; please check it\n");
    }
    if (result != TGT_WON) {
        printf("it is ");
        tgt_print_code(&table, tgt_guess(&table, &state));
        printf("\n");
        return 0;
    }
    printf("found\n");
    return 0;
}
