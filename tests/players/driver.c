/* Plays the games of TABLE.games on each TABLE that is named: a line of responses in, a line of
 * results out: the first guess, then after each response the next guess, -1 (won), -2 (impossible).
 * A table that is refused gives the line "bad"; a line "." ends each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TGT_QUESTIONS
#include "tgt_lean.h"

static FILE *open_or_exit(const char *path) {
    FILE *stream = fopen(path, "rb");
    if (!stream) exit(3);
    return stream;
}

static uint8_t *read_file(const char *path, uint32_t *size) {
    FILE *stream = open_or_exit(path);
    uint8_t *data;
    fseek(stream, 0, SEEK_END);
    *size = (uint32_t)ftell(stream);
    rewind(stream);
    data = malloc(*size ? *size : 1); /* no byte more: a read behind the end is seen */
    if (!data || fread(data, 1, *size, stream) != *size) exit(3);
    fclose(stream);
    return data;
}

/* The code that is guessed now; -3 and less for one that is announced. */
static long show_full(const tgt_table *table, const tgt_state *state) {
    long code = (long)tgt_guess(table, state);
    return tgt_is_announced(table, state) ? -3 - code : code;
}

static long show_lean(const tgt_table *table, const tgt_lean *game) {
    long code = (long)tgt_lean_guess(table, game);
    return tgt_lean_is_announced(table, game) ? -3 - code : code;
}

static void play_full(const tgt_table *table, char *line) {
    tgt_state state;
    char *word;
    tgt_start(&state);
    printf("%ld", show_full(table, &state));
    for (word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        int result = tgt_answer(table, &state, (uint32_t)strtoul(word, NULL, 10));
        long guess = show_full(table, &state);
        printf(" %ld", result == TGT_NEXT ? guess : result == TGT_WON ? -1L : -2L);
    }
    printf("\n");
}

/* The games before and after each answer: what two games begin with alike is played once. */
#define MOST_ANSWERS 64
static struct {
    tgt_lean game;
    uint8_t *candidates;
    unsigned long answer;
    long result;
} steps[MOST_ANSWERS];
static uint32_t n_played; /* steps that stand for the game before */

static void start_lean(const tgt_table *table) {
    uint32_t i;
    n_played = 0;
    for (i = 0; i < MOST_ANSWERS; i++)
        if (!(steps[i].candidates = malloc(tgt_lean_bytes(table)))) exit(3);
    if (tgt_lean_start(table, &steps[0].game, steps[0].candidates) != TGT_OK) exit(3);
}

static void play_lean(const tgt_table *table, char *line) {
    uint32_t n = 0, is_same = 1;
    char *word;
    printf("%ld", show_lean(table, &steps[0].game));
    for (word = strtok(line, " \n"); word; word = strtok(NULL, " \n"), n++) {
        unsigned long answer = strtoul(word, NULL, 10);
        if (n + 1 == MOST_ANSWERS) exit(3);
        is_same = is_same && n < n_played && steps[n].answer == answer;
        if (!is_same) {
            tgt_lean *game = &steps[n + 1].game;
            int result;
            memcpy(steps[n + 1].candidates, steps[n].candidates, tgt_lean_bytes(table));
            *game = steps[n].game;
            game->candidates = steps[n + 1].candidates;
            result = tgt_lean_answer(table, game, (uint32_t)answer);
            steps[n].answer = answer;
            steps[n].result = result == TGT_NEXT  ? show_lean(table, game)
                              : result == TGT_WON ? -1L
                                                  : -2L;
        }
        printf(" %ld", steps[n].result);
    }
    n_played = n;
    printf("\n");
}

static void play_table(const char *path) {
    static char line[1 << 16], games[4096];
    uint32_t size;
    uint8_t *data = read_file(path, &size), *candidates = NULL;
    tgt_table table;
    tgt_lean game;
    int status = tgt_open(&table, data, size);
    FILE *stream;
    uint32_t i;
    if (status == TGT_OK && table.implicit) {
        candidates = malloc(tgt_lean_bytes(&table));
        status = tgt_lean_start(&table, &game, candidates);
        if (status == TGT_OK) start_lean(&table);
    }
    if (status != TGT_OK) printf("bad\n");
    snprintf(games, sizeof games, "%s.games", path);
    stream = open_or_exit(games);
    while (status == TGT_OK && fgets(line, sizeof line, stream)) {
        if (candidates) play_lean(&table, line);
        else play_full(&table, line);
    }
    fclose(stream);
    free(data);
    free(candidates);
    for (i = 0; i < MOST_ANSWERS; i++) {
        free(steps[i].candidates);
        steps[i].candidates = NULL;
    }
    printf(".\n");
}

int main(int argc, char **argv) {
    int i;
    for (i = 1; i < argc; i++) play_table(argv[i]);
    return 0;
}
