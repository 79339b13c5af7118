/* Opens bytes that may be anything, their CRC mended; walks the whole tree of a table that is taken. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tgt_lean.h"

/* Go to every state, in level order, by answers alone; stop the program where something is wrong. */
static void walk_all(const tgt_table *t) {
    tgt_state *states = malloc(t->n_nodes * sizeof *states), next;
    uint32_t n_states = 1, node, response;
    tgt_start(&states[0]);
    for (node = 0; node < n_states; node++) {
        if (tgt_guess(t, &states[node]) >= t->n_codes) abort();
        for (response = 0; response + 1 < t->n_responses; response++) {
            next = states[node];
            if (tgt_answer(t, &next, response) != TGT_NEXT) continue;
            if (next.node != n_states || n_states >= t->n_nodes) abort();
            states[n_states++] = next;
        }
    }
    if (n_states != t->n_nodes) abort();
    free(states);
}

/* Play a lean table with the first response that goes on. */
static void play_lean_once(const tgt_table *t) {
    tgt_lean game;
    uint8_t *candidates;
    uint32_t guess, response, left = 64;
    if (t->n_secrets > 4096 || t->n_responses > 4096) return;
    candidates = malloc(tgt_lean_bytes(t));
    if (tgt_lean_start(t, &game, candidates) == TGT_OK) {
        while (left--) {
            guess = tgt_lean_guess(t, &game);
            if (guess >= t->n_codes) abort();
            for (response = 0; response + 1 < t->n_responses; response++)
                if (tgt_lean_answer(t, &game, response) == TGT_NEXT) break;
            if (response + 1 >= t->n_responses) break;
        }
    }
    free(candidates);
}

/* Return whether the table was taken. */
static int play_hostile(const uint8_t *bytes, uint32_t size) {
    tgt_table table;
    uint8_t *data = malloc(size ? size : 1);
    int is_taken, i;
    memcpy(data, bytes, size);
    if (size >= 16) {
        uint32_t crc = tgt_crc_(data, size - 5);
        data[size - 5] = 0xce;
        for (i = 0; i < 4; i++) data[size - 4 + i] = (uint8_t)(crc >> (24 - 8 * i));
    }
    is_taken = tgt_open(&table, data, size) == TGT_OK;
    if (is_taken && (uint64_t)table.n_nodes * table.n_responses < 1u << 22) walk_all(&table);
    if (is_taken && table.implicit) play_lean_once(&table);
    free(data);
    return is_taken;
}
