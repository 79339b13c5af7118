/* A game with a table that stays in a file, as on an SD card or in serial flash: 64 bytes of it are
 * in memory at a time.
 *
 *     cc -std=c99 -O2 stream.c -o stream && ./stream table.tgt
 *
 * Answer as in example.c. Any other memory needs no more than another read_byte.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t read_byte(const uint8_t *address);
#define TGT_READ(address) read_byte(address)
#define TGT_MAX_PEGS 1000 /* of any game */
#define TGT_QUESTIONS
#include "tgt_lean.h"
#include "tgt_terminal.h"

/* Where the table's addresses begin. Nothing lies there, and only read_byte looks. */
#define BASE ((const uint8_t *)(uintptr_t)0x10000)
#define BLOCK 64

static FILE *file;

static uint8_t read_byte(const uint8_t *address) {
    static uint8_t block[BLOCK];
    static long in_memory = -1;
    long at = (long)((uintptr_t)address - (uintptr_t)BASE);
    if (at / BLOCK != in_memory) {
        in_memory = at / BLOCK;
        fseek(file, in_memory * BLOCK, SEEK_SET);
        if (fread(block, 1, BLOCK, file) == 0) exit(1);
    }
    return block[at % BLOCK];
}

static uint32_t find_size(const char *path) {
    file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) return 0;
    return (uint32_t)ftell(file);
}

static uint32_t guess(const tgt_table *table, const tgt_lean *game) {
    return table->implicit ? tgt_lean_guess(table, game) : tgt_guess(table, &game->state);
}

static int is_announced(const tgt_table *table, const tgt_lean *game) {
    return table->implicit ? tgt_lean_is_announced(table, game)
                           : tgt_is_announced(table, &game->state);
}

static int play(const tgt_table *table, tgt_lean *game) {
    uint32_t response;
    int result = TGT_NEXT;
    tgt_print_before(table);
    while (result != TGT_WON && !is_announced(table, game)) {
        tgt_print_code(table, guess(table, game));
        tgt_print_answers(table, guess(table, game));
        printf(" ? ");
        fflush(stdout);
        if (!tgt_read_response(table, guess(table, game), &response)) return 0;
        result = table->implicit ? tgt_lean_answer(table, game, response)
                                 : tgt_answer(table, &game->state, response);
        if (result == TGT_IMPOSSIBLE) printf("no secret fits that answer; please check it\n");
    }
    if (result != TGT_WON) {
        printf("it is ");
        tgt_print_code(table, guess(table, game));
        printf("\n");
        return 0;
    }
    printf("found\n");
    return 0;
}

int main(int argc, char **argv) {
    tgt_table table;
    tgt_lean game;
    uint8_t *candidates = NULL;
    uint32_t size = find_size(argc > 1 ? argv[1] : "table.tgt");
    int status = tgt_open(&table, BASE, size);
    tgt_start(&game.state);
    if (status == TGT_OK && table.implicit) {
        candidates = malloc(tgt_lean_bytes(&table));
        status = candidates ? tgt_lean_start(&table, &game, candidates) : TGT_UNSUPPORTED;
    }
    if (status != TGT_OK) fprintf(stderr, "the table cannot be played: %d\n", status);
    else status = play(&table, &game);
    free(candidates);
    return status;
}
