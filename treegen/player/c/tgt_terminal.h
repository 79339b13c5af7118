/* Codes and answers on a terminal, for the examples. */
#ifndef TGT_TERMINAL_H
#define TGT_TERMINAL_H

#include <stdio.h>

#include "tgt_codes.h"

static inline void tgt_print_code(const tgt_table *t, uint32_t code) {
    static uint16_t colors[1000];
    const uint8_t *word;
    uint32_t i, size;
    if (t->rule == TGT_ANSWERS) {
        word = tgt_label(t, code, &size);
        for (i = 0; i < size; i++) putchar(TGT_READ(word + i));
        if (!size) printf("%u", (unsigned)code);
        return;
    }
    if (t->words) {
        word = tgt_word(t, code, &size);
        for (i = 0; i < size; i++) putchar(TGT_READ(word + i));
        return;
    }
    tgt_colors(t, code, colors);
    for (i = 0; i < t->n_pegs; i++)
        printf("%s%u", i ? " " : "", (unsigned)colors[i] + t->repetition);
}

/* Print the answers to a question, or to a guess, with their numbers, which are typed. */
static inline void tgt_print_answers(const tgt_table *t, uint32_t code) {
    const uint8_t *label;
    uint32_t response = 0, size, i, is_guess = code < t->n_secrets;
    if (t->rule != TGT_ANSWERS) return;
    printf(" (");
    if (is_guess && t->n_colors) response = (uint32_t)printf("0 no") / 4;
    /* Where there are no questions, the labels are those of the answers to a guess. */
    for (; (!is_guess || !t->n_colors) && response < t->n_responses - 1; response++) {
        label = tgt_answer_label(t, is_guess ? t->n_secrets : code, response, &size);
        if (!size) break;
        printf("%s%u ", response ? ", " : "", (unsigned)response);
        for (i = 0; i < size; i++) putchar(TGT_READ(label + i));
    }
    if (is_guess) printf("%s%u right", response ? ", " : "", (unsigned)t->n_responses - 1);
    printf(")");
}

/* Print a response as people type it: 0 2, or 3, or 01020. */
static inline void tgt_print_response(const tgt_table *t, uint32_t response) {
    uint32_t black, white, size = 1, i;
    if (t->rule == TGT_BLACK || t->rule == TGT_ANSWERS) {
        printf("%u", (unsigned)response);
    } else if (t->rule == TGT_POSITION) {
        for (i = 1; i < t->n_pegs; i++) size *= 3;
        for (; size; size /= 3) printf("%u", (unsigned)(response / size % 3));
    } else {
        for (black = 0; black <= t->n_pegs; black++)
            for (white = 0; white <= t->n_pegs - black; white++)
                if (tgt_response(t, black, white) == response)
                    printf("%u %u", (unsigned)black, (unsigned)white);
    }
}

/* Print the guesses that were made before the table's first, a line for each. */
static inline void tgt_print_before(const tgt_table *t) {
    uint32_t i, code = 0, response = 0;
    for (i = 0; i < tgt_before(t, i, &code, &response); i++) {
        printf("guessed before: ");
        tgt_print_code(t, code);
        printf(", answered ");
        tgt_print_response(t, response);
        printf("\n");
    }
}

/* Read a line and set the response that it says, UINT32_MAX where it says none; return 0 at the
 * end of the input. Black and white pegs, 0 2; black pegs alone, 3; marks, 01020;
 * or the number of a question's answer. */
static inline int tgt_read_response(const tgt_table *t, uint32_t *response) {
    char line[80], rest;
    unsigned black, white = 0;
    int n;
    if (!fgets(line, sizeof line, stdin)) return 0;
    line[strcspn(line, "\r\n")] = 0;
    if (t->rule == TGT_POSITION) {
        *response = tgt_marks(t, line);
        return 1;
    }
    if (t->rule == TGT_ANSWERS) {
        *response = sscanf(line, "%6u %c", &black, &rest) == 1 ? black : UINT32_MAX;
        return 1;
    }
    if (t->rule == TGT_BLACK) n = sscanf(line, "%4u %c", &black, &rest) + 1;
    else n = sscanf(line, "%4u %4u %c", &black, &white, &rest);
    *response = n == 2 ? tgt_response(t, black, white) : UINT32_MAX;
    return 1;
}

#endif
