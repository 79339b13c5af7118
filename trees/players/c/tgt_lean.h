/* Play .tgt tables of the profiles `lean` and `slim`: the caller keeps the candidates.
 *
 *     uint8_t candidates[...];                 at least tgt_lean_bytes(&table), 162 for p4c6r
 *     tgt_lean game;
 *     if (tgt_lean_start(&table, &game, candidates) != TGT_OK) ...
 *     code = tgt_lean_guess(&table, &game);
 *     tgt_lean_answer(&table, &game, tgt_response(&table, black, white));
 *
 * To take an answer back, keep a copy of the game and of the candidates.
 */
#ifndef TGT_LEAN_H
#define TGT_LEAN_H

#include "tgt_codes.h"

#ifndef TGT_MAX_PEGS
#define TGT_MAX_PEGS 16
#endif
#ifndef TGT_MAX_SECRETS
#define TGT_MAX_SECRETS (UINT32_C(1) << 20)
#endif

typedef struct {
    tgt_state state;
    uint8_t *candidates; /* a bit for each secret, the first the highest of its byte */
    uint8_t is_implicit; /* the table says no more: the first candidate is guessed */
} tgt_lean;

/* Return how many bytes the candidates take, and for `slim` a count of two bits for each answer. */
static inline uint32_t tgt_lean_bytes(const tgt_table *t) {
    return (t->n_secrets + 7) / 8 + (t->is_slim ? (t->n_responses + 3) / 4 : 0);
}

static inline void tgt_lean_colors_(const tgt_table *t, uint32_t code, uint16_t *colors) {
    uint32_t peg;
    if (!t->words) {
        tgt_colors(t, code, colors);
        return;
    }
    for (peg = 0; peg < t->n_pegs; peg++)
        colors[peg] = TGT_READ(t->data + t->words + code * t->n_pegs + peg);
}

/* Mark pegs by place (2), then by color alone (1), each peg of the secret once. */
static inline uint32_t tgt_lean_mark_(const tgt_table *t, const uint16_t *guess,
                                      const uint16_t *secret, uint8_t *marks) {
    uint8_t is_used[TGT_MAX_PEGS];
    uint32_t peg, other, black = 0;
    for (peg = 0; peg < t->n_pegs; peg++) {
        is_used[peg] = guess[peg] == secret[peg];
        marks[peg] = (uint8_t)(2 * is_used[peg]);
        black += is_used[peg];
    }
    for (peg = 0; peg < t->n_pegs; peg++) {
        for (other = 0; marks[peg] == 0 && other < t->n_pegs; other++) {
            if (is_used[other] || guess[peg] != secret[other]) continue;
            is_used[other] = marks[peg] = 1;
        }
    }
    return black;
}

static inline uint32_t tgt_lean_score_(const tgt_table *t, const uint16_t *guess,
                                       const uint16_t *secret) {
    uint8_t marks[TGT_MAX_PEGS];
    uint32_t peg, white = 0, index = 0;
    uint32_t black = tgt_lean_mark_(t, guess, secret, marks);
    if (t->rule == TGT_BLACK) return black;
    for (peg = 0; peg < t->n_pegs; peg++) {
        white += marks[peg] == 1;
        index = 3 * index + marks[peg];
    }
    return t->rule == TGT_POSITION ? index : tgt_response(t, black, white);
}

/* Return where the candidates of an answer are counted, up to 3, and set the place of its bits. */
static inline uint8_t *tgt_lean_count_(const tgt_table *t, const tgt_lean *g, uint32_t response,
                                       uint8_t *shift) {
    *shift = (uint8_t)(2 * (response & 3));
    return g->candidates + (t->n_secrets + 7) / 8 + (response >> 2);
}

/* Return the first candidate that answers a guess so; n_secrets when there is none. Drop the others
 * if that is asked; otherwise count the candidates of each answer of a slim table. */
static inline uint32_t tgt_lean_filter_(const tgt_table *t, tgt_lean *g, uint32_t code,
                                        uint32_t response, uint8_t drop) {
    uint16_t guess[TGT_MAX_PEGS], secret[TGT_MAX_PEGS];
    uint32_t i, reply, first = t->n_secrets;
    uint8_t bit, shift, *count, all = drop || t->is_slim;
    tgt_lean_colors_(t, code, guess);
    for (i = 0; i < t->n_secrets && (all || first == t->n_secrets); i++) {
        bit = (uint8_t)(0x80u >> (i & 7));
        TGT_YIELD_AT_(i);
        if (!(g->candidates[i >> 3] & bit)) continue;
        tgt_lean_colors_(t, i, secret);
        reply = tgt_lean_score_(t, guess, secret);
        if (reply == response && first == t->n_secrets) first = i;
        if (drop && reply != response) g->candidates[i >> 3] &= (uint8_t)~bit;
        if (drop || !t->is_slim) continue;
        count = tgt_lean_count_(t, g, reply, &shift);
        if ((*count >> shift & 3) < 3) *count = (uint8_t)(*count + (1u << shift));
    }
    return first;
}

/* Return the place among its siblings of the state behind an answer: as many answers before it have
 * more than `implicit` candidates; UINT32_MAX where it has not. */
static inline uint32_t tgt_lean_rank_(const tgt_table *t, const tgt_lean *g, uint32_t response) {
    uint32_t i, rank = 0;
    uint8_t shift, is_stored = 0, *count;
    for (i = 0; i <= response; i++) {
        count = tgt_lean_count_(t, g, i, &shift);
        rank += is_stored;
        is_stored = (*count >> shift & 3) > t->implicit;
    }
    return is_stored ? rank : UINT32_MAX;
}

/* Drop the secrets that do not answer the guesses of `start` as it says: return how many are left,
 * or TGT_MAX_SECRETS + 1 where that is more work than the format allows. */
static inline uint32_t tgt_lean_begin_(const tgt_table *t, uint8_t *candidates) {
    uint32_t most = ((UINT32_C(1) << 22) + (t->n_nodes << 10)) / t->n_pegs, i, pair, n = 0;
    uint16_t guess[TGT_MAX_PEGS], secret[TGT_MAX_PEGS];
    for (i = 0; i < t->n_secrets; i++) {
        tgt_reader_ r = {t->data, t->start, UINT32_MAX};
        TGT_YIELD_AT_(i);
        tgt_lean_colors_(t, i, secret);
        for (pair = t->n_start / 2; pair; pair--) {
            if (!most--) return TGT_MAX_SECRETS + 1;
            tgt_lean_colors_(t, tgt_value_(&r, TGT_INT_), guess);
            if (tgt_lean_score_(t, guess, secret) != tgt_value_(&r, TGT_INT_)) break;
        }
        if (pair) candidates[i >> 3] &= (uint8_t)~(0x80u >> (i & 7));
        else n++;
    }
    return n;
}

/* Begin a game; TGT_UNSUPPORTED where the codes are too long or too many or not ASCII, or the table
 * is full; TGT_BAD_HEADER where no secret agrees with the table's start, or more do than its
 * states can tell apart. */
static inline int tgt_lean_start(const tgt_table *t, tgt_lean *g, uint8_t *candidates) {
    uint32_t n = t->n_secrets, most;
    if (t->implicit == 0 || t->n_pegs > TGT_MAX_PEGS || n > TGT_MAX_SECRETS)
        return TGT_UNSUPPORTED;
    if (t->words && t->words_size != t->n_codes * t->n_pegs) return TGT_UNSUPPORTED;
    if (t->n_nodes > n) return TGT_BAD_HEADER;
    g->candidates = candidates;
    g->is_implicit = 0;
    tgt_start(&g->state);
    memset(candidates, 0xff, tgt_lean_bytes(t));
    if (t->n_start) n = tgt_lean_begin_(t, candidates);
    if (n > TGT_MAX_SECRETS) return TGT_UNSUPPORTED;
    /* A state that is stored wins one secret; each of its other answers leaves a state that is
     * stored too, or `implicit` secrets. */
    most = 1 + t->implicit * (t->n_responses - 1);
    return n == 0 || (n - 1) / most >= t->n_nodes ? TGT_BAD_HEADER : TGT_OK;
}

/* Whether one candidate is left in a game that ends there: tgt_lean_guess is announced, not guessed. */
static inline int tgt_lean_is_announced(const tgt_table *t, const tgt_lean *g) {
    uint32_t i, n = 0;
    for (i = 0; t->announces && i < t->n_secrets && n < 2; i++)
        n += (g->candidates[i >> 3] & 0x80u >> (i & 7)) != 0;
    return n == 1;
}

/* Return the code to guess, an index. */
static inline uint32_t tgt_lean_guess(const tgt_table *t, const tgt_lean *g) {
    uint32_t i;
#ifdef TGT_QUESTIONS
    if (!g->is_implicit && !tgt_lean_is_announced(t, g)) return tgt_guess(t, &g->state);
#else
    if (!g->is_implicit) return tgt_guess(t, &g->state);
#endif
    for (i = 0; !(g->candidates[i >> 3] & 0x80u >> (i & 7)); i++) continue;
    return i;
}

/* Take the response to the guess. TGT_IMPOSSIBLE (no secret fits that answer) changes nothing. */
static inline int tgt_lean_answer(const tgt_table *t, tgt_lean *g, uint32_t response) {
    uint32_t code = tgt_lean_guess(t, g);
#ifdef TGT_QUESTIONS
    if (tgt_lean_is_announced(t, g)) return TGT_IMPOSSIBLE;
#endif
    if (response == t->n_responses - 1) return TGT_WON;
    memset(g->candidates + (t->n_secrets + 7) / 8, 0, tgt_lean_bytes(t) - (t->n_secrets + 7) / 8);
    if (tgt_lean_filter_(t, g, code, response, 0) == t->n_secrets) return TGT_IMPOSSIBLE;
    tgt_lean_filter_(t, g, code, response, 1);
    if (t->is_slim) response = tgt_lean_rank_(t, g, response);
    if (!g->is_implicit) g->is_implicit = tgt_answer(t, &g->state, response) != TGT_NEXT;
    return TGT_NEXT;
}

#endif
