/* Play code-breaking games from a .tgt table: C99, no heap, no recursion.
 *
 *     tgt_table table;
 *     tgt_state state;
 *     if (tgt_open(&table, data, size) != TGT_OK) ...    every byte is checked here
 *     tgt_start(&state);
 *     code = tgt_guess(&table, &state);                  an index; see tgt_codes.h
 *     tgt_answer(&table, &state, tgt_response(&table, black, white));
 *
 * A state is two numbers: keep a copy to take an answer back. Tables of the profile `full` need
 * no more; tgt_codes.h writes codes, tgt_lean.h plays `lean` and `slim`. docs/notes/table-format.md specifies all.
 *
 * Define TGT_QUESTIONS before including this for tables of answers, for games that are over when
 * one candidate is left, and for weighted ones.
 *
 * On AVR a table marked TGT_MEMORY, of at most 32,767 bytes, stays in flash. Where a table does
 * not lie in ordinary memory, define TGT_READ(address), which gives a byte, before including this;
 * where a watchdog waits, define TGT_YIELD(), which loops over a whole table call now and then.
 */
#ifndef TGT_PLAYER_H
#define TGT_PLAYER_H

#include "tgt_envelope.h"

/* What tgt_open returns. */
enum {
    TGT_OK,
    TGT_NOT_A_TABLE, /* another magic, or cut off */
    TGT_BAD_CRC,
    TGT_BAD_HEADER,  /* a value of a wrong type or out of range */
    TGT_UNSUPPORTED, /* a profile, game or size that this player does not play */
    TGT_BAD_SECTION, /* a section of a wrong length, or bits set behind its end */
    TGT_BAD_TREE     /* guesses or responses out of range, or no finite tree */
};

/* What tgt_answer returns. */
enum { TGT_IMPOSSIBLE, TGT_NEXT, TGT_WON };
/* How guesses are answered. */
enum { TGT_PEGS, TGT_BLACK, TGT_POSITION, TGT_ANSWERS, TGT_NO_RULE_ };

typedef struct {
    const uint8_t *data;
    uint32_t n_codes, n_secrets, n_responses, n_nodes;
    uint32_t n_pegs, n_colors;
    uint32_t words, words_size;      /* offset and bytes of a codebook's words */
    uint32_t counts;                 /* offset of an arrangement's pegs of each color, or 0 */
    uint32_t start, n_start;         /* offset and number of the values of `start` */
    uint32_t guess, response, shape; /* offsets of the sections */
    uint8_t guess_bits, response_bits, implicit, repetition, rule, is_slim;
    uint8_t announces;               /* a game is over when one candidate is left */
} tgt_table;

typedef struct {
    uint32_t node; /* in level order, the root is 0 */
    uint32_t at;   /* where its ones begin in the shape */
} tgt_state;

static inline uint32_t tgt_bit_(const tgt_table *t, uint32_t section, uint32_t at) {
    return (uint32_t)(TGT_READ(t->data + section + (at >> 3)) >> (7 - (at & 7)) & 1);
}

static inline uint32_t tgt_field_(const tgt_table *t, uint32_t section, uint32_t place,
                                  uint8_t width) {
    uint32_t at = place * width, value = 0;
    while (width--) value = value << 1 | tgt_bit_(t, section, at++);
    return value;
}

static inline uint8_t tgt_width_(uint32_t highest) {
    uint8_t width = 0;
    while (highest >> width) width++;
    return width;
}

/* Number of codes of a game without words; 0 when there are none, or 2^31 or more. */
static inline uint32_t tgt_count_codes_(const tgt_table *t) {
    tgt_reader_ r = {t->data, t->counts, UINT32_MAX};
    uint64_t n = 1;
    uint32_t peg, count = 0, rank = 0;
    for (peg = 0; peg < t->n_pegs; peg++) {
        if (t->counts) { /* one more peg, the rank-th of its color */
            if (rank == count) count = tgt_value_(&r, TGT_INT_), rank = 0;
            n = n * (peg + 1) / ++rank;
        } else {
            if (!t->repetition && peg >= t->n_colors) return 0;
            n *= t->repetition ? t->n_colors : t->n_colors - peg;
        }
        if (n >> 31) return 0;
    }
    return (uint32_t)n;
}

/* Number of characters of a codebook's words. */
static inline uint32_t tgt_count_characters_(const tgt_table *t) {
    uint32_t i, n = 0;
    for (i = 0; i < t->words_size; i++) {
        TGT_YIELD_AT_(i);
        n += (TGT_READ(t->data + t->words + i) & 0xc0) != 0x80;
    }
    return n;
}

/* Read the pegs of each color. */
static inline int tgt_read_counts_(tgt_table *t, tgt_reader_ *r, uint32_t n_colors) {
    uint32_t color, count;
    t->counts = r->at;
    t->n_colors = n_colors;
    t->rule = TGT_BLACK;
    t->repetition = 1; /* colors are written from 1 */
    for (color = 0; color < n_colors; color++) {
        count = tgt_value_(r, TGT_INT_);
        if (r->at > r->end || count < 1 || count > 1000 - t->n_pegs) return TGT_BAD_HEADER;
        t->n_pegs += count;
    }
    return n_colors ? TGT_OK : TGT_BAD_HEADER;
}

static inline uint8_t tgt_rule_(tgt_reader_ *r, uint8_t has_words) {
    uint32_t size = tgt_value_(r, TGT_STR_);
    if (tgt_is_(r, size, TGT_NAME_("pegs"))) return TGT_PEGS;
    if (tgt_is_(r, size, TGT_NAME_("black"))) return TGT_BLACK;
    return has_words && tgt_is_(r, size, TGT_NAME_("position")) ? TGT_POSITION : TGT_NO_RULE_;
}

#ifdef TGT_QUESTIONS
/* Read candidates and questions; names, questions, answers stay where they are. */
static inline int tgt_read_questions_(tgt_table *t, tgt_reader_ *r) {
    t->n_secrets = tgt_value_(r, TGT_INT_);
    t->n_colors = tgt_value_(r, TGT_INT_);
    t->words = r->at;
    tgt_value_(r, TGT_STR_), tgt_value_(r, TGT_STR_), tgt_value_(r, TGT_STR_);
    tgt_value_(r, TGT_STR_); /* no matrix */
    t->rule = TGT_ANSWERS;
    t->n_pegs = 1;
    return r->at > r->end || !t->n_secrets || t->n_secrets >> 30 || t->n_colors >> 30 ? TGT_BAD_HEADER
                                                                                     : TGT_OK;
}

/* Pass over weights and costs, and a goal: return how many values are left, and the kind's size. */
static inline uint32_t tgt_read_terms_(tgt_table *t, tgt_reader_ *r, uint32_t n_values,
                                       uint32_t *kind) {
    tgt_reader_ ahead;
    uint32_t i, size, begin;
    *kind = tgt_value_(r, TGT_STR_);
    if (tgt_is_(r, *kind, TGT_NAME_("weighted"))) {
        tgt_value_(r, TGT_STR_), tgt_value_(r, TGT_STR_);
        *kind = tgt_value_(r, TGT_STR_);
        n_values -= 3;
    }
    ahead = *r;
    for (i = 1, begin = size = 0; i < n_values && ahead.at < ahead.end; i++) {
        begin = ahead.at;
        size = TGT_READ(ahead.data + begin);
        size = tgt_value_(&ahead, size < 128 || size - 0xcc < 4 ? TGT_INT_ : TGT_STR_);
    }
    t->announces = i > 1 && TGT_READ(ahead.data + begin) == (0xa0 | 13) &&
                   tgt_is_(&ahead, size, TGT_NAME_("goal identify"));
    return n_values - t->announces;
}
#endif

static inline int tgt_read_game_(tgt_table *t, tgt_reader_ *r) {
    uint32_t n_values = tgt_value_(r, TGT_ARRAY_), kind, repetition = 0;
#ifdef TGT_QUESTIONS
    n_values = tgt_read_terms_(t, r, n_values, &kind);
    if (tgt_is_(r, kind, TGT_NAME_("questions")))
        return n_values == 7 ? tgt_read_questions_(t, r) : TGT_BAD_HEADER;
#else
    kind = tgt_value_(r, TGT_STR_);
#endif
    if (r->at > r->end) return TGT_BAD_HEADER;
    if (tgt_is_(r, kind, TGT_NAME_("arrangements"))) return tgt_read_counts_(t, r, n_values - 1);
    if (tgt_is_(r, kind, TGT_NAME_("codebook"))) {
        t->rule = tgt_rule_(r, 1);
        t->n_pegs = tgt_value_(r, TGT_INT_);
        t->n_secrets = tgt_value_(r, TGT_INT_);
        t->words_size = tgt_value_(r, TGT_STR_);
        t->words = r->at - t->words_size;
    } else if (tgt_is_(r, kind, TGT_NAME_("pegs"))) {
        t->n_pegs = tgt_value_(r, TGT_INT_);
        t->n_colors = tgt_value_(r, TGT_INT_);
        repetition = tgt_value_(r, TGT_INT_);
        t->rule = tgt_rule_(r, 0);
    } else {
        return TGT_UNSUPPORTED;
    }
    t->repetition = (uint8_t)repetition;
    if (r->at > r->end || n_values != 5 || t->n_pegs - 1 >= 1000 || t->n_colors > 1000)
        return TGT_BAD_HEADER;
    return repetition > 1 || t->rule == TGT_NO_RULE_ ? TGT_BAD_HEADER : TGT_OK;
}

/* Check the counts against the game. */
static inline int tgt_check_counts_(tgt_table *t) {
    uint32_t n = t->n_pegs, expected;
#ifdef TGT_QUESTIONS
    if (t->rule == TGT_ANSWERS)
        return t->n_responses - 2 >= 65535 || t->n_secrets + t->n_colors != t->n_codes
                   ? TGT_BAD_HEADER
                   : TGT_OK;
#endif
    expected = t->rule == TGT_BLACK ? n + 1 : (n + 1) * (n + 2) / 2 - 1;
    if (t->rule == TGT_POSITION) {
        if (n > 9) return TGT_BAD_HEADER;
        for (expected = 1; n; n--) expected *= 3;
    }
    if (!t->words) {
        if (tgt_count_codes_(t) != t->n_codes) return TGT_BAD_HEADER;
        t->n_secrets = t->n_codes;
    } else {
        uint32_t n_characters = tgt_count_characters_(t);
        if (t->words_size == 0 || n_characters % t->n_pegs) return TGT_BAD_HEADER;
        if (n_characters / t->n_pegs != t->n_codes) return TGT_BAD_HEADER;
    }
    return t->n_responses != expected || t->n_secrets - 1 >= t->n_codes ? TGT_BAD_HEADER : TGT_OK;
}

/* Read the offset of a section, checking its length and the bits behind its end. */
static inline uint32_t tgt_section_(tgt_reader_ *r, uint32_t n_fields, uint32_t width) {
    uint64_t n_bits = (uint64_t)n_fields * width;
    uint32_t size = tgt_value_(r, TGT_BIN_), spare = (uint32_t)(-n_bits & 7);
    if (r->at > r->end || size != (n_bits + 7) / 8) return 0;
    if (size && TGT_READ(r->data + r->at - 1) & ((1u << spare) - 1)) return 0;
    return r->at - size;
}

/* Check that guesses and responses are in range and the shape is one finite tree. */
static inline int tgt_check_tree_(const tgt_table *t) {
    uint32_t node = 0, ones = 0, at, reply, least = 0;
    for (at = 0; at < t->n_nodes; at++) {
        TGT_YIELD_AT_(at);
        if (tgt_field_(t, t->guess, at, t->guess_bits) >= t->n_codes) return TGT_BAD_TREE;
    }
    for (at = 0; at < 2 * t->n_nodes - 1; at++) {
        TGT_YIELD_AT_(at);
        if (tgt_bit_(t, t->shape, at)) {
            if (++ones >= t->n_nodes) return TGT_BAD_TREE;
            reply = t->is_slim ? least : tgt_field_(t, t->response, ones - 1, t->response_bits);
            if (reply >= t->n_responses - 1 || reply < least) return TGT_BAD_TREE;
            least = reply + 1;
        } else {
            if (++node > ones && at + 1 < 2 * t->n_nodes - 1) return TGT_BAD_TREE;
            least = 0;
        }
    }
    return TGT_OK;
}

/* Check `start`: pairs of a guess and a response. */
static inline int tgt_check_start_(const tgt_table *t, uint32_t end) {
    tgt_reader_ r = {t->data, t->start, end};
    uint32_t i, value;
    for (i = 0; i < t->n_start; i++) {
        value = tgt_value_(&r, TGT_INT_);
        if (r.at > r.end || value >= (i & 1 ? t->n_responses : t->n_codes)) return TGT_BAD_HEADER;
    }
    return t->n_start & 1 ? TGT_BAD_HEADER : TGT_OK;
}

/* Read the envelope up to the sections. */
static inline int tgt_read_header_(tgt_table *t, tgt_reader_ *r, uint32_t *minor) {
    uint32_t n_values = tgt_value_(r, TGT_ARRAY_), size, implicit, i;
    int status, is_full;
    tgt_value_(r, TGT_STR_);
    *minor = tgt_value_(r, TGT_INT_);
    size = tgt_value_(r, TGT_STR_);
    if (r->at > r->end) return TGT_BAD_HEADER;
    is_full = tgt_is_(r, size, TGT_NAME_("full"));
    t->is_slim = tgt_is_(r, size, TGT_NAME_("slim"));
    if (!is_full && !t->is_slim && !tgt_is_(r, size, TGT_NAME_("lean"))) return TGT_UNSUPPORTED;
    n_values += t->is_slim; /* it lacks the responses */
    if (n_values < 14 || (*minor == 0 && n_values != 14)) return TGT_BAD_HEADER;
    if ((status = tgt_read_game_(t, r)) != TGT_OK) return status;
#ifdef TGT_QUESTIONS
    if (t->rule == TGT_ANSWERS && !is_full) return TGT_BAD_HEADER; /* no rule answers there */
    if (t->announces) tgt_value_(r, TGT_STR_);
#endif
    t->n_start = tgt_value_(r, TGT_ARRAY_);
    t->start = r->at;
    for (i = 0; i < t->n_start && r->at <= r->end; i++) tgt_value_(r, TGT_INT_);
    tgt_skip_meta_(r);
    t->n_codes = tgt_value_(r, TGT_INT_);
    t->n_responses = tgt_value_(r, TGT_INT_);
    t->n_nodes = tgt_value_(r, TGT_INT_);
    implicit = tgt_value_(r, TGT_INT_);
    if (r->at > r->end || t->n_nodes < 1 || t->n_nodes >> 30) return TGT_BAD_HEADER;
    if (is_full ? implicit : implicit - 1 > 1) return TGT_BAD_HEADER;
    t->implicit = (uint8_t)implicit;
    if ((status = tgt_check_counts_(t)) != TGT_OK) return status;
    return tgt_check_start_(t, r->end);
}

/* Check a table, all of it, and prepare to play; return TGT_OK or what is wrong. */
static inline int tgt_open(tgt_table *t, const uint8_t *data, uint32_t size) {
    tgt_reader_ r = {data, 0, size - 5}, tail = {data, size - 4, size};
    uint32_t minor;
    int status;
    memset(t, 0, sizeof *t);
    t->data = data;
    if (size < 16 || TGT_READ(data + 1) != 0xa4 || TGT_READ(data + 2) != 'T' ||
        TGT_READ(data + 3) != 'G' || TGT_READ(data + 4) != 'T' || TGT_READ(data + 5) != '1')
        return TGT_NOT_A_TABLE;
    if (size >> 28) return TGT_UNSUPPORTED;
    if (TGT_READ(data + size - 5) != 0xce || tgt_number_(&tail, 4) != tgt_crc_(data, size - 5))
        return TGT_BAD_CRC;
    if ((status = tgt_read_header_(t, &r, &minor)) != TGT_OK) return status;
    t->guess_bits = tgt_width_(t->n_codes - 1);
    t->response_bits = tgt_width_(t->n_responses - 2);
    t->guess = tgt_section_(&r, t->n_nodes, t->guess_bits);
    t->response = t->is_slim ? t->guess : tgt_section_(&r, t->n_nodes - 1, t->response_bits);
    t->shape = tgt_section_(&r, 2 * t->n_nodes - 1, 1);
    if (!t->guess || !t->response || !t->shape) return TGT_BAD_SECTION;
    if (minor == 0 && r.at != r.end) return TGT_BAD_SECTION;
    return tgt_check_tree_(t);
}

/* Whether one candidate is left in a game that ends there: tgt_guess is announced, not guessed. */
static inline int tgt_is_announced(const tgt_table *t, const tgt_state *s) {
    return t->announces && !tgt_bit_(t, t->shape, s->at);
}

static inline void tgt_start(tgt_state *s) { s->node = s->at = 0; }

/* Return the code to guess, an index. */
static inline uint32_t tgt_guess(const tgt_table *t, const tgt_state *s) {
    return tgt_field_(t, t->guess, s->node, t->guess_bits);
}

/* Move to a child: pass over as many zeros of the shape as the child is nodes away. */
static inline void tgt_move_(const tgt_table *t, tgt_state *s, uint32_t child) {
    uint32_t left = child - s->node, at = s->at, ones, zeros;
    s->node = child;
    while (left) {
        if ((at & 7) == 0) {
            ones = TGT_READ(t->data + t->shape + (at >> 3));
            ones -= ones >> 1 & 0x55u;
            ones = (ones & 0x33u) + (ones >> 2 & 0x33u);
            zeros = 8 - ((ones + (ones >> 4)) & 15u);
            if (zeros < left) {
                left -= zeros;
                at += 8;
                continue;
            }
        }
        left -= !tgt_bit_(t, t->shape, at++);
    }
    s->at = at;
}

/* Take the response to the guess. TGT_IMPOSSIBLE (no secret fits that answer) changes nothing. Of
 * `slim`, which has no responses, take the place among the state's children. */
static inline int tgt_answer(const tgt_table *t, tgt_state *s, uint32_t response) {
    uint32_t at = s->at, child = s->at - s->node + 1, first = child;
#ifdef TGT_QUESTIONS
    if (tgt_is_announced(t, s)) return TGT_IMPOSSIBLE;
#endif
    if (response == t->n_responses - 1) return TGT_WON;
    for (; tgt_bit_(t, t->shape, at); at++, child++) {
        if ((t->is_slim ? child - first
                        : tgt_field_(t, t->response, child - 1, t->response_bits)) != response)
            continue;
        tgt_move_(t, s, child);
        return TGT_NEXT;
    }
    return TGT_IMPOSSIBLE;
}

/* Return the response of black and white pegs; UINT32_MAX where no code fits them. */
static inline uint32_t tgt_response(const tgt_table *t, uint32_t black, uint32_t white) {
    uint32_t n = t->n_pegs;
    if (black > n || (t->rule == TGT_PEGS && (white > n - black || (black + 1 == n && white == 1))))
        return UINT32_MAX;
    if (t->rule != TGT_PEGS) return t->rule == TGT_BLACK ? black : UINT32_MAX;
    return black == n ? t->n_responses - 1 : black * (2 * n + 3 - black) / 2 + white;
}

#endif
