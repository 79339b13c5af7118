/* The colors of the codes that tgt_player.h guesses. */
#ifndef TGT_CODES_H
#define TGT_CODES_H

#include "tgt_player.h"

/* Write the values on an arrangement. */
static inline void tgt_arrange_(const tgt_table *t, uint32_t code, uint16_t *colors) {
    uint64_t total = t->n_codes, block = 0;
    uint32_t peg, earlier, color, left;
    for (peg = 0; peg < t->n_pegs; peg++, total = block) {
        for (color = 0; color < t->n_colors; color++) {
            left = tgt_count_(t, color);
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

#endif
