/* Changes the table argv[1] argv[2] times, mends its CRC, and opens it: every table that is taken
 * must be one finite tree whose guesses are codes. Prints how many were taken. First every byte is
 * changed and every truncation made without mending: all of them must be refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostile.h"

static uint32_t draw(uint32_t n) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % n;
}

static int is_taken(const uint8_t *data, uint32_t size) {
    tgt_table table;
    uint8_t *copy = malloc(size ? size : 1); /* exactly so long: a read behind it is seen */
    int status;
    memcpy(copy, data, size);
    status = tgt_open(&table, copy, size);
    free(copy);
    return status == TGT_OK;
}

static void check_unmended(uint8_t *data, uint32_t size) {
    uint32_t i;
    for (i = 0; i < size; i++) {
        uint8_t change = (uint8_t)(1 + draw(255));
        data[i] ^= change;
        if (is_taken(data, size)) printf("byte %u changed, and taken\n", (unsigned)i), exit(1);
        data[i] ^= change;
        if (is_taken(data, i)) printf("cut at %u, and taken\n", (unsigned)i), exit(1);
    }
}

static uint32_t mutate(uint8_t *copy, const uint8_t *data, uint32_t size) {
    uint32_t times = 1 + draw(4), at;
    memcpy(copy, data, size);
    while (times--) {
        at = draw(4) ? draw(size - 5) : 6 + draw(130); /* the header more often */
        switch (draw(4)) {
        case 0: copy[at] = (uint8_t)draw(256); break;
        case 1: copy[at] ^= (uint8_t)(1u << draw(8)); break;
        case 2: copy[at] = (uint8_t)(draw(2) ? 0xff : 0xcc + draw(4)); break;
        default: copy[at] = copy[draw(size)]; break;
        }
    }
    return draw(50) ? size : 16 + draw(size - 15);
}

int main(int argc, char **argv) {
    static uint8_t data[1 << 16], copy[1 << 16];
    FILE *stream = fopen(argc > 2 ? argv[1] : "", "rb");
    long left, taken = 0;
    uint32_t size;
    if (!stream) return 3;
    size = (uint32_t)fread(data, 1, sizeof data, stream);
    fclose(stream);
    check_unmended(data, size);
    for (left = strtol(argv[2], NULL, 10); left; left--)
        taken += play_hostile(copy, mutate(copy, data, size));
    printf("%ld\n", taken);
    return 0;
}
