/* What people see of a table: colors or words of a code, marks, the guesses made before. */
#ifndef TGT_CODES_H
#define TGT_CODES_H

#include "tgt_player.h"

/* Write the values on an arrangement. */
static inline void tgt_arrange_(const tgt_table *t, uint32_t code, uint16_t *colors) {
    uint64_t total = t->n_codes, block = 0;
    uint32_t peg, earlier, color, left;
    for (peg = 0; peg < t->n_pegs; peg++, total = block) {
        tgt_reader_ r = {t->data, t->counts, UINT32_MAX};
        for (color = 0; color < t->n_colors; color++) {
            left = tgt_value_(&r, TGT_INT_);
            for (earlier = 0; earlier < peg; earlier++) left -= colors[earlier] == color;
            block = total * left / (t->n_pegs - peg);
            if (code < block) break;
            code -= (uint32_t)block;
        }
        colors[peg] = (uint16_t)color;
    }
}

/* Write the values on a code without words, from 0; `colors` has room for n_pegs of them. */
static inline void tgt_colors(const tgt_table *t, uint32_t code, uint16_t *colors) {
    uint32_t peg, later, base;
    if (t->counts) {
        tgt_arrange_(t, code, colors);
        return;
    }
    for (peg = t->n_pegs; peg-- > 0;) {
        base = t->repetition ? t->n_colors : t->n_colors - peg;
        colors[peg] = (uint16_t)(code % base);
        code /= base;
        if (t->repetition) continue;
        /* Among the colors that are free, the one of this rank: those behind it move up. */
        for (later = peg + 1; later < t->n_pegs; later++)
            if (colors[later] >= colors[peg]) colors[later]++;
    }
}

/* Return where a codebook's word stands in the table; set the size of its UTF-8 in bytes. */
static inline const uint8_t *tgt_word(const tgt_table *t, uint32_t code, uint32_t *size) {
    const uint8_t *at = t->data + t->words, *end = at + t->words_size, *begin;
    uint32_t left;
    if (t->words_size == t->n_codes * t->n_pegs) return *size = t->n_pegs, at + code * t->n_pegs;
    /* Not ASCII: pass over as many characters as stand before it, each one a byte that begins it
     * and those of the form 10xxxxxx. */
    for (left = code * t->n_pegs; left && at < end; left--)
        for (at++; at < end && (TGT_READ(at) & 0xc0) == 0x80; at++) continue;
    begin = at;
    for (left = t->n_pegs; left && at < end; left--)
        for (at++; at < end && (TGT_READ(at) & 0xc0) == 0x80; at++) continue;
    *size = (uint32_t)(at - begin);
    return begin;
}

/* Return the part of a text with this number, and set its size: parts end with `mark`. */
static inline const uint8_t *tgt_part_(const uint8_t *at, uint32_t left, uint32_t number,
                                       uint8_t mark, uint32_t *size) {
    const uint8_t *begin = at;
    for (; left; left--, at++) {
        if (TGT_READ(at) != mark) continue;
        if (!number--) break;
        begin = at + 1;
    }
    *size = number && number != UINT32_MAX ? 0 : (uint32_t)(at - begin);
    return begin;
}

/* Return a text of a table of answers, and set its size: 0 names, 1 questions, 2 answers. */
static inline const uint8_t *tgt_text_(const tgt_table *t, uint32_t which, uint32_t *size) {
    tgt_reader_ r = {t->data, t->words, UINT32_MAX};
    do *size = tgt_value_(&r, TGT_STR_);
    while (which--);
    return t->data + r.at - *size;
}

/* Return a candidate's name or a question, and set its size, 0 where the table has no labels. */
static inline const uint8_t *tgt_label(const tgt_table *t, uint32_t code, uint32_t *size) {
    uint32_t is_question = code >= t->n_secrets, length;
    const uint8_t *text = tgt_text_(t, is_question, &length);
    return tgt_part_(text, length, code - (is_question ? t->n_secrets : 0), '\n', size);
}

/* Return the answers to a question, separated by tabs, and set their size. */
static inline const uint8_t *tgt_row_(const tgt_table *t, uint32_t question, uint32_t *size) {
    uint32_t length;
    const uint8_t *text = tgt_text_(t, 2, &length), *row;
    row = tgt_part_(text, length, question - t->n_secrets, '\n', size);
    return *size ? row : tgt_part_(text, length, 0, '\n', size); /* one line serves all */
}

/* Return an answer to a question, and set its size, 0 where it has no such answer or label. */
static inline const uint8_t *tgt_answer_label(const tgt_table *t, uint32_t question,
                                              uint32_t response, uint32_t *size) {
    uint32_t length;
    const uint8_t *row = tgt_row_(t, question, &length);
    return tgt_part_(row, length, response, '\t', size);
}

/* Return the response of marks such as 01020 (grey 0, yellow 1, green 2), of which there must be
 * n_pegs and no more; UINT32_MAX where no code fits them. */
static inline uint32_t tgt_marks(const tgt_table *t, const char *marks) {
    uint32_t peg, response = 0;
    if (t->rule != TGT_POSITION) return UINT32_MAX;
    for (peg = 0; peg < t->n_pegs; peg++) {
        if (marks[peg] < '0' || marks[peg] > '2') return UINT32_MAX;
        response = 3 * response + (uint32_t)(marks[peg] - '0');
    }
    return marks[peg] ? UINT32_MAX : response;
}

/* Return how many guesses were made before the table's root, and set what the guess of this
 * place was and how it was answered. */
static inline uint32_t tgt_before(const tgt_table *t, uint32_t place, uint32_t *code,
                                  uint32_t *response) {
    tgt_reader_ r = {t->data, t->start, UINT32_MAX};
    uint32_t i;
    for (i = 0; i <= place && i < t->n_start / 2; i++) {
        *code = tgt_value_(&r, TGT_INT_);
        *response = tgt_value_(&r, TGT_INT_);
    }
    return t->n_start / 2;
}

#endif
