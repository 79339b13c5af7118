/* A game on the terminal with the table of table.h.
 *
 *     cc -std=c99 -O2 example.c -o example && ./example
 *
 * Answer each guess with black and white pegs: 0 2
 */
#include <stdio.h>

#include "tgt_codes.h"

#include "table.h"

static void print_guess(const tgt_table *table, uint32_t code) {
    uint16_t colors[1000];
    uint32_t peg;
    if (!table->words) {
        tgt_colors(table, code, colors);
        for (peg = 0; peg < table->n_pegs; peg++)
            printf("%u ", (unsigned)colors[peg] + table->repetition);
    } else { /* a codebook of ASCII words */
        const uint8_t *word = table->data + table->words + code * table->n_pegs;
        for (peg = 0; peg < table->n_pegs; peg++) putchar(word[peg]);
    }
    printf("? ");
    fflush(stdout);
}

int main(void) {
    tgt_table table;
    tgt_state state;
    unsigned black, white;
    int status = tgt_open(&table, table_data, table_size), result = TGT_NEXT;
    if (status != TGT_OK) {
        fprintf(stderr, "the table cannot be played: %d\n", status);
        return 1;
    }
    tgt_start(&state);
    while (result != TGT_WON) {
        print_guess(&table, tgt_guess(&table, &state));
        if (scanf("%u %u", &black, &white) != 2) return 1;
        result = tgt_answer(&table, &state, tgt_response(&table, black, white));
        if (result == TGT_IMPOSSIBLE) printf("no secret answers so\n");
    }
    printf("found\n");
    return 0;
}
