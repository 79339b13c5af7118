/* The envelope of a .tgt table: how its bytes are read, the heads of MessagePack values, the CRC. */
#ifndef TGT_ENVELOPE_H
#define TGT_ENVELOPE_H

#include <stdint.h>
#include <string.h>
#ifdef __AVR__ /* names stay in flash; tables too, unless TGT_READ says otherwise */
#include <avr/pgmspace.h>
#define TGT_NAME_(text) PSTR(text)
#define TGT_LETTER_(address) pgm_read_byte(address)
#ifndef TGT_READ
#define TGT_MEMORY PROGMEM
#define TGT_READ(address) pgm_read_byte(address)
#endif
#else
#define TGT_NAME_(text) (text)
#define TGT_LETTER_(address) (*(address))
#endif
#ifndef TGT_MEMORY
#define TGT_MEMORY
#endif
#ifndef TGT_READ
#define TGT_READ(address) (*(address))
#endif
#ifndef TGT_YIELD
#define TGT_YIELD() ((void)0)
#endif
#define TGT_YIELD_AT_(i)               \
    do {                               \
        if (!((i) & 255u)) TGT_YIELD(); \
    } while (0)

enum { TGT_INT_, TGT_MAP_, TGT_ARRAY_, TGT_STR_, TGT_BIN_, TGT_NONE_ };

typedef struct {
    const uint8_t *data;
    uint32_t at, end;
} tgt_reader_;

/* Read bytes as a big-endian number; above 32 bits the largest one stands for it. */
static inline uint32_t tgt_number_(tgt_reader_ *r, uint32_t n_bytes) {
    uint32_t value = 0;
    if (n_bytes > r->end - r->at) {
        r->at = r->end + 1;
        return 0;
    }
    while (n_bytes--) {
        value = value >> 24 ? UINT32_MAX : value << 8 | TGT_READ(r->data + r->at);
        r->at++;
    }
    return value;
}

/* Read the head of a value: return its kind, set its size (of a number: the number). */
static inline uint8_t tgt_head_(tgt_reader_ *r, uint32_t *size) {
    uint32_t tag = r->at < r->end ? tgt_number_(r, 1) : 0xc1;
    *size = tag & 15u;
    if (tag < 0x80) return *size = tag, TGT_INT_;
    if (tag < 0x90) return TGT_MAP_;
    if (tag < 0xa0) return TGT_ARRAY_;
    if (tag < 0xc0) return *size = tag & 31u, TGT_STR_;
    if (tag >= 0xc4 && tag <= 0xc6) return *size = tgt_number_(r, 1u << (tag - 0xc4)), TGT_BIN_;
    if (tag >= 0xcc && tag <= 0xcf) return *size = tgt_number_(r, 1u << (tag - 0xcc)), TGT_INT_;
    if (tag >= 0xd9 && tag <= 0xdb) return *size = tgt_number_(r, 1u << (tag - 0xd9)), TGT_STR_;
    if (tag >= 0xdc && tag <= 0xdd) return *size = tgt_number_(r, 2u << (tag - 0xdc)), TGT_ARRAY_;
    if (tag >= 0xde && tag <= 0xdf) return *size = tgt_number_(r, 2u << (tag - 0xde)), TGT_MAP_;
    return TGT_NONE_;
}

/* Read a value of a kind, pass over its bytes: return its number or size, or spoil the reader. */
static inline uint32_t tgt_value_(tgt_reader_ *r, uint8_t kind) {
    uint32_t size;
    if (r->at > r->end || tgt_head_(r, &size) != kind || r->at > r->end ||
        (kind >= TGT_STR_ && size > r->end - r->at)) {
        r->at = r->end + 1;
        return 0;
    }
    if (kind >= TGT_STR_) r->at += size;
    return size;
}

/* Whether the text of this size that was read last is a name. */
static inline uint8_t tgt_is_(const tgt_reader_ *r, uint32_t size, const char *name) {
    uint8_t letter;
    for (;; name++, size--) {
        letter = (uint8_t)TGT_LETTER_(name);
        if (!letter || !size) return !letter && !size;
        if (letter != TGT_READ(r->data + r->at - size)) return 0;
    }
}

/* Pass over the map `meta`, whose values are numbers, texts and bytes. */
static inline void tgt_skip_meta_(tgt_reader_ *r) {
    uint32_t left = tgt_value_(r, TGT_MAP_), size;
    for (left = left > r->end ? r->end : left * 2; left && r->at <= r->end; left--) {
        uint8_t kind = tgt_head_(r, &size);
        if (kind == TGT_INT_) continue;
        if (kind < TGT_STR_ || kind == TGT_NONE_ || r->at > r->end || size > r->end - r->at) {
            r->at = r->end + 1;
            return;
        }
        r->at += size;
    }
}

static inline uint32_t tgt_crc_(const uint8_t *data, uint32_t size) {
    uint32_t crc = UINT32_MAX, i;
    uint8_t bit;
    for (i = 0; i < size; i++) {
        TGT_YIELD_AT_(i);
        crc ^= TGT_READ(data + i);
        for (bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1u ? 0xedb88320u : 0u);
    }
    return ~crc;
}

#endif
