/* Codes and answers as people read and type them, for the examples.
 *
 * Where there is no stdio, define TGT_PUT(letter), which writes a byte, before including this; then
 * tgt_read_answer takes a line, and tgt_read_response is left out.
 */
#ifndef TGT_TERMINAL_H
#define TGT_TERMINAL_H

#ifndef TGT_PUT
#include <stdio.h>
#define TGT_PUT(letter) putchar(letter)
#define TGT_HAS_STDIO_
#endif

#include "tgt_codes.h"

/* Room for the pegs of a code and the bytes of a line: what table.h says, or of any table. */
#ifndef TGT_SHOWN_PEGS
#ifdef TABLE_PEGS
#define TGT_SHOWN_PEGS TABLE_PEGS
#else
#define TGT_SHOWN_PEGS 1000
#endif
#endif
#ifndef TABLE_LINE_BYTES
#define TABLE_LINE_BYTES (1 << 16)
#endif
enum { TGT_SHOWN_ANSWERS_ = 12 };

static inline void tgt_print_text_(const char *text) { /* a TGT_NAME_ */
    for (; TGT_LETTER_(text); text++) TGT_PUT(TGT_LETTER_(text));
}

static inline void tgt_print_bytes_(const uint8_t *text, uint32_t size) {
    for (; size; size--, text++) TGT_PUT(TGT_READ(text));
}

/* Write a number's digits, at most ten, to the end of `text`; return where they begin. */
static inline char *tgt_write_number_(char *text, uint32_t number) {
    char *at = text + 10;
    for (*at = 0; number || !*at; number /= 10) *--at = (char)('0' + number % 10);
    return at;
}

static inline void tgt_print_number_(uint32_t number) {
    char text[11], *at;
    for (at = tgt_write_number_(text, number); *at; at++) TGT_PUT(*at);
}

static inline void tgt_print_code(const tgt_table *t, uint32_t code) {
    /* Two at least: gcc -O2 does not see that behind the only peg there is none. */
    static uint16_t colors[TGT_SHOWN_PEGS > 1 ? TGT_SHOWN_PEGS : 2];
    const uint8_t *word;
    uint32_t i, size = 0;
    if (t->rule == TGT_ANSWERS) {
        word = tgt_label(t, code, &size);
        tgt_print_bytes_(word, size);
        if (size) return;
        if (code < t->n_secrets) tgt_print_text_(TGT_NAME_("candidate "));
        else tgt_print_text_(TGT_NAME_("question "));
        tgt_print_number_(code + 1 - (code < t->n_secrets ? 0 : t->n_secrets));
        return;
    }
    if (t->words) {
        word = tgt_word(t, code, &size);
        tgt_print_bytes_(word, size);
        return;
    }
    tgt_colors(t, code, colors);
    for (i = 0; i < t->n_pegs; i++) {
        if (i) TGT_PUT(' ');
        tgt_print_number_((uint32_t)colors[i] + t->repetition);
    }
}

/* An answer to a question, or to a guess: its text lies in the table or in `text`. */
typedef struct {
    const tgt_table *table;
    const uint8_t *row; /* the labels that are left */
    uint32_t left, has_labels, is_guess, place;
    uint32_t response, size;
    const uint8_t *label;
    const char *text;
    char number[11];
} tgt_choice_;

static inline void tgt_begin_choices_(const tgt_table *t, uint32_t code, tgt_choice_ *c) {
    uint32_t size;
    c->table = t;
    c->is_guess = code < t->n_secrets;
    c->left = c->place = 0;
    c->row = tgt_text_(t, 2, &size);
    c->has_labels = size != 0;
    /* Where there are no questions, the labels are those of the answers to a guess. */
    if (size) c->row = tgt_row_(t, c->is_guess ? t->n_secrets : code, &c->left);
    if (c->is_guess && (t->n_colors || t->n_responses == 2)) c->left = 0;
}

/* Go to the next answer; return 0 behind the last one. */
static inline int tgt_next_choice_(tgt_choice_ *c) {
    const tgt_table *t = c->table;
    uint32_t is_plain = c->is_guess && (t->n_colors || t->n_responses == 2), place = c->place++;
    c->label = NULL;
    c->response = place;
    if (is_plain && !place) {
        c->text = "no";
    } else if (c->left) {
        c->label = tgt_part_(c->row, c->left, 0, '\t', &c->size);
        c->left -= c->size;
        c->row = c->label + c->size;
        if (c->left) c->left--, c->row++;
        return 1;
    } else if (!is_plain && !c->has_labels && place < t->n_responses - 1) {
        c->text = tgt_write_number_(c->number, place);
    } else if (c->is_guess && c->response != t->n_responses) {
        c->text = "right";
        c->response = t->n_responses - 1;
        c->place = t->n_responses; /* no more come */
    } else {
        return 0;
    }
    c->size = (uint32_t)strlen(c->text);
    return 1;
}

static inline uint8_t tgt_choice_letter_(const tgt_choice_ *c, uint32_t at) {
    return c->label ? (uint8_t)TGT_READ(c->label + at) : (uint8_t)c->text[at];
}

static inline uint8_t tgt_lower_(uint8_t letter) {
    return letter >= 'A' && letter <= 'Z' ? (uint8_t)(letter + 32) : letter;
}

/* How a line says an answer: 2 as it is written, 1 in other capitals of A to Z, 0 not. */
static inline uint8_t tgt_compare_(const tgt_choice_ *c, const char *line) {
    uint32_t at;
    uint8_t result = 2, letter, typed;
    for (at = 0; at < c->size && line[at]; at++) {
        letter = tgt_choice_letter_(c, at), typed = (uint8_t)line[at];
        if (tgt_lower_(letter) != tgt_lower_(typed)) return 0;
        if (letter != typed) result = 1;
    }
    return at < c->size || line[at] ? 0 : result;
}

/* The response of an answer in a question's words, in other capitals where one alone fits. */
static inline uint32_t tgt_find_answer_(const tgt_table *t, uint32_t code, const char *line) {
    tgt_choice_ c;
    uint32_t found = UINT32_MAX, n_alike = 0;
    uint8_t likeness;
    for (tgt_begin_choices_(t, code, &c); tgt_next_choice_(&c);) {
        likeness = tgt_compare_(&c, line);
        if (likeness == 2) return c.response;
        if (likeness) n_alike++, found = c.response;
    }
    return n_alike == 1 ? found : UINT32_MAX;
}

/* Print the first answers to a question, or to a guess. */
static inline void tgt_print_answers(const tgt_table *t, uint32_t code) {
    tgt_choice_ c;
    uint32_t n = 0, i;
    if (t->rule != TGT_ANSWERS) return;
    tgt_print_text_(TGT_NAME_(" ("));
    for (tgt_begin_choices_(t, code, &c); n <= TGT_SHOWN_ANSWERS_ && tgt_next_choice_(&c); n++) {
        if (n) TGT_PUT('/');
        if (n == TGT_SHOWN_ANSWERS_) tgt_print_text_(TGT_NAME_("..."));
        for (i = 0; n < TGT_SHOWN_ANSWERS_ && i < c.size; i++) TGT_PUT(tgt_choice_letter_(&c, i));
    }
    TGT_PUT(')');
}

/* Print a response as people type it: 0 2, or 3, or 01020, or a question's answer. */
static inline void tgt_print_response(const tgt_table *t, uint32_t code, uint32_t response) {
    uint32_t black, white, size = 1, i;
    tgt_choice_ c;
    if (t->rule == TGT_ANSWERS) {
        for (tgt_begin_choices_(t, code, &c); tgt_next_choice_(&c);)
            for (i = 0; c.response == response && i < c.size; i++)
                TGT_PUT(tgt_choice_letter_(&c, i));
    } else if (t->rule == TGT_BLACK) {
        tgt_print_number_(response);
    } else if (t->rule == TGT_POSITION) {
        for (i = 1; i < t->n_pegs; i++) size *= 3;
        for (; size; size /= 3) tgt_print_number_(response / size % 3);
    } else {
        for (black = 0; black <= t->n_pegs; black++)
            for (white = 0; white <= t->n_pegs - black; white++)
                if (tgt_response(t, black, white) == response) {
                    tgt_print_number_(black);
                    TGT_PUT(' ');
                    tgt_print_number_(white);
                }
    }
}

/* Print the guesses that were made before the table's first, a line for each. */
static inline void tgt_print_before(const tgt_table *t) {
    uint32_t i, code = 0, response = 0;
    for (i = 0; i < tgt_before(t, i, &code, &response); i++) {
        tgt_print_text_(TGT_NAME_("guessed before: "));
        tgt_print_code(t, code);
        tgt_print_text_(TGT_NAME_(", answered "));
        tgt_print_response(t, code, response);
        TGT_PUT('\n');
    }
}

/* Add a byte to a line, whose spaces are made single ones and fall away at its ends; return its new
 * size. Of a line that is too long, `room` bytes with the zero behind them, nothing is left. */
static inline uint32_t tgt_add_letter(char *line, uint32_t size, uint32_t room, int letter) {
    if (size == room) return size; /* too long: until it is cleared */
    if (letter == 0xa0 && size && (uint8_t)line[size - 1] == 0xc2) letter = ' ', size--;
    if (letter == '\t' || letter == '\r' || letter == '\v' || letter == '\f') letter = ' ';
    if (letter == ' ' && (!size || line[size - 1] == ' ')) return size;
    if (size == room - 1) return line[0] = 0, room;
    line[size] = (char)(letter ? letter : 1); /* a zero would end it */
    return size + 1;
}

/* End a line of `size` bytes. */
static inline void tgt_end_line(char *line, uint32_t size, uint32_t room) {
    if (size == room) size = 0;
    if (size && line[size - 1] == ' ') size--;
    line[size] = 0;
}

/* Read numbers of at most four digits, separated by spaces or dots: return how many, 3 where there
 * is anything else. Two digits alone are two numbers where that is asked. */
static inline uint8_t tgt_read_numbers_(const char *line, uint8_t may_join, uint32_t *numbers) {
    uint8_t n = 0, n_digits = 0, is_inside = 0;
    for (; *line; line++) {
        if (*line == ' ' || *line == '.') {
            is_inside = 0;
            continue;
        }
        if (*line < '0' || *line > '9' || (!is_inside && n == 2)) return 3;
        if (!is_inside) numbers[n++] = n_digits = 0;
        if (++n_digits > 4) return 3;
        numbers[n - 1] = numbers[n - 1] * 10 + (uint32_t)(*line - '0');
        is_inside = 1;
    }
    if (n != 1 || !may_join || n_digits != 2) return n;
    numbers[1] = numbers[0] % 10;
    numbers[0] /= 10;
    return 2;
}

/* Return the response that a line says: black and white pegs, 0 2 or 02; black pegs alone, 3; marks,
 * 01020; a question's answer. UINT32_MAX where it says none. */
static inline uint32_t tgt_read_answer(const tgt_table *t, uint32_t code, const char *line) {
    uint32_t numbers[2] = {0, 0};
    uint8_t n;
    if (t->rule == TGT_ANSWERS) return tgt_find_answer_(t, code, line);
    if (t->rule == TGT_POSITION) return tgt_marks(t, line);
    n = tgt_read_numbers_(line, t->rule == TGT_PEGS, numbers);
    if (n != (t->rule == TGT_PEGS ? 2 : 1)) return UINT32_MAX;
    return tgt_response(t, numbers[0], numbers[1]);
}

#ifdef TGT_HAS_STDIO_
/* Read a line and set the response to a guess that it says, UINT32_MAX where it says none; return 0
 * at the end of the input. */
static inline int tgt_read_response(const tgt_table *t, uint32_t code, uint32_t *response) {
    static char line[TABLE_LINE_BYTES];
    uint32_t size = 0;
    int letter = getchar();
    if (letter == EOF) return 0;
    for (; letter != '\n' && letter != EOF; letter = getchar())
        size = tgt_add_letter(line, size, sizeof line, letter);
    tgt_end_line(line, size, sizeof line);
    *response = tgt_read_answer(t, code, line);
    return 1;
}
#endif

#endif
