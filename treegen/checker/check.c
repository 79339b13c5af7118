/* check.c: checks a proof that no strategy for a code-breaking game needs fewer guesses.
 *
 * Usage: check [-w STEPS] [X.proof [HIDDEN [OTHERS]]]
 *
 * docs/certificate-format.md of treegen specifies a proof. Without a file, or where it is -, it
 * comes on the standard input. A proof about words needs their lists: HIDDEN has the secrets,
 * OTHERS more words that may be guessed. Exit 0 and PROVED: the claim holds. Exit 1: something was
 * not shown. Exit 2: the proof cannot be read, or takes more than a limit allows. Any C99 compiler
 * will do: cc -O3 -o check check.c
 *
 *
 * WHY THIS SUFFICES
 *
 * Let S be a set of secrets of n members. A guess g splits S into cells: the members that give one
 * answer. The answer that says "this is the secret" wins. Let V(S) be the least total of guesses
 * over all members of S of any strategy that finds them, and V(S, r) the least where every secret
 * is found by guess r ("none", here infinite, if that cannot be). A strategy begins with a guess,
 * which costs one for each member, and goes on in each cell apart:
 *
 *     V(S, r) = min over g of ( n + the sum of V(cell, r - 1) over the cells that do not win ).
 *
 * A guess with all of S in one cell that does not win costs n and leaves S as it was, so a least
 * strategy never makes it. All others leave cells smaller than S. (1)
 *
 * A proof is a list of lemmas "V(S_i, r_i) >= L_i". S_0 has all secrets; every other S_i is a cell
 * of the set of an earlier lemma, found here by comparing all its members' answers, and r_i is one
 * less. The sets, the answers, and all bounds are computed here; nothing of them is taken from the
 * file. The function prove() accepts a lemma if every guess with two cells or more costs at least
 * L_i, where a cell counts with the greatest of these bounds:
 *
 * (A) Size. Let b be the most cells, the winning one not counted, that any guess has on S. On a
 *     subset no guess has more. In a tree for a cell of m members, one node asks the first guess,
 *     at most b the second, at most b * b the third and so on, and each node ends one game at most.
 *     So the lengths of the m games add up to fill(m, 1, 1) or more: one game of length 1, then b
 *     of length 2, b * b of length 3, until there are m; with r - 1 guesses left, what does not fit
 *     into r - 1 levels cannot be found, and the bound is infinite.
 *
 * (B) One guess ahead, for m >= 3. Let `own` be the most cells, the winning one not counted, that
 *     a member of the cell has as a guess on the cell, and `most` the same of all guesses. If the
 *     next guess is a member, it ends one game, and at most `own` nodes ask the second guess: the
 *     total is 1 + fill(m - 1, own, 2) or more, where fill starts with `own` games of length 2. If
 *     it is none, no game ends at once: fill(m, most, 2) or more. The lesser of the two bounds V.
 *     As most <= b, it is not counted where b in its place makes no difference.
 *
 * (C) The L_j of a lemma that a "u" line names for this cell, where S_j is the cell, or the image
 *     of the cell under a symmetry that the line gives, compared member by member. Exchanging pegs
 *     and renaming colors changes no answer and maps the codes onto themselves, so the image of a
 *     strategy is a strategy of the same lengths, and V(image, r) = V(S, r). The lemma must have at
 *     least as many guesses left as the cell, since V(S, r) can only grow as r falls.
 *
 * Each of these is a lower bound of V(cell, r - 1), if the lemmas of (C) are true. They are: say
 * that all lemmas were accepted and some are false, and take a false one of the fewest members.
 * Every lemma that was used for it by (C) is about a set as large as a cell of a guess with two
 * cells or more, so smaller than S, so true. Then all its bounds hold, and by (1) so does the
 * lemma: a contradiction. Hence no order of lemmas matters, and a circle of lemmas proves nothing:
 * each use goes to a strictly smaller set. That is why *every* lemma must be accepted.
 *
 * Symmetries of a lemma ("s" lines). If a symmetry maps S onto itself (checked member by member),
 * guess g costs on S what its image costs. So of the guesses that such symmetries turn into each
 * other only the least is looked at: orbits() joins each guess to its image under each symmetry
 * given; a symmetry that is left out only means that more guesses must be refuted.
 *
 * "first": lemma 0 then speaks of strategies that begin with one of these guesses, so these are
 * all that is refuted for it; its symmetries must keep their list. None of them may leave all
 * secrets in one cell: it is of no use, but such a strategy may begin with it. Other lemmas are
 * about all guesses; none may use lemma 0, as no cell is as large as all secrets.
 *
 * At sight. With a win and A other answers, every guess has at most A cells that do not win, so
 * V(S, r) is at least fill(n, 1, 1) with A in place of b. A lemma that says no more needs no look.
 * It is the only way for n < 3.
 *
 * What has to be believed: that this file does what it says, the compiler, the machine, and that
 * the game is the one that is meant: make_codes() and answer_of() are its rules. Numbers: a bound
 * has at most 12 digits, infinity is 2^50 and sums stop there, so 64 bits never overflow. They may:
 * a least strategy for n < 2^20 secrets takes at most n guesses for each, so a total of 2^50 or more
 * is infinite.
 *
 * LIMITS. 2^30 pairs of guess and secret (2 GiB for answers, up to 8 GiB for sets of them); 2^28
 * members of sets in all (1 GiB); 2^22 lemmas; 2^24 symmetries, and as many uses (under 1 GiB each);
 * lines of 2^16 bytes; lists of a million words; STEPS of work, a step being one guess and one member
 * looked at: 4 * 10^12 if -w does not say otherwise, which takes hours.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PEGS = 9, MAX_COLORS = 26, MAX_LINE = 1 << 16, BLOCK = 256, NONE = -1 };

#define MAX_PLACES ((uint64_t)1 << 20) /* colors to the power of pegs */
#define MAX_CODES 1000000u
#define MAX_PAIRS ((uint64_t)1 << 30)
#define MAX_MEMBERS ((uint64_t)1 << 28)
#define MAX_LEMMAS (1u << 22)
#define MAX_ITEMS (1u << 24)
#define INFINITE ((int64_t)1 << 50)

typedef char Word[4 * MAX_PEGS + 1]; /* a letter has up to four bytes */
typedef struct { uint8_t peg[MAX_PEGS], color[MAX_COLORS]; } Map;
typedef struct { uint32_t guess, lemma; uint16_t answer; int32_t map; uint32_t line; } Use;
typedef struct {
    int64_t bound;
    uint32_t n, *set; /* members, ascending */
    int left;         /* guesses left; 0: no limit */
    uint32_t line, maps, n_maps, uses, n_uses;
} Lemma;

/* The game. The first n_secrets codes may be secret. */
static int n_pegs, n_colors, is_words, rule; /* rule: 'p' pegs, 'b' black, 'w' position */
static uint32_t n_codes, n_secrets, n_answers, n_others, win; /* others: those that do not win */
static uint32_t *letters;    /* [code][peg] */
static Word *words;          /* of a codebook; behind the last one is room for one more */
static uint32_t *sorted;     /* their order */
static int32_t *place_of;    /* index of the code whose colors are the digits of a number; -1 */
static uint16_t *answers;    /* [guess][secret] */
static void *sets;           /* [secret][guess]: the set of this one answer, in set_bytes */
static int set_bytes;        /* 2, 4 or 8; 0: too many answers for that */
static uint32_t stride;      /* items of a row of sets: the guesses, and empty sets at the end */
static uint32_t *by_cells, *cells_of_all; /* with many answers: guesses by their cells on all */
static uint16_t *columns;    /* then: [secret][guess in this order]: the answer */
static char game_name[256];

/* The proof. */
static Lemma *lemmas;
static Map *maps;
static Use *uses;
static uint32_t n_lemmas, n_maps, n_uses, *first, n_first;
static int64_t claim = NONE;
static int cap;
static uint64_t n_members, steps, max_steps = 4000000000000u;
static uint32_t line_number;

/* End with a verdict: 1, something was not shown; 2, the proof is malformed or beyond a limit. */
static void end(int code, const char *text, ...)
{
    va_list list;
    va_start(list, text);
    if (code == 2 && line_number)
        printf("line %" PRIu32 ": ", line_number);
    printf(code == 1 ? "NOT PROVED: " : "UNREADABLE: ");
    vprintf(text, list);
    printf("\n");
    exit(code);
}

#define fail(...) end(1, __VA_ARGS__)
#define refuse(...) end(2, __VA_ARGS__)

static void *get(uint64_t number, size_t size)
{
    void *memory = number < SIZE_MAX / size ? calloc(number + 1, size) : NULL;
    if (!memory)
        refuse("there is no memory for %" PRIu64 " items of %zu bytes", number, size);
    return memory;
}

/* Room for one item more in an array that doubles; its length is `number`. */
static void *grow(void *items, uint32_t number, uint32_t most, size_t size)
{
    if (number >= most)
        refuse("more than %" PRIu32 " lines of a kind", most);
    if (number & (number - 1))
        return items;
    items = realloc(items, (number ? 2 * (size_t)number : 1) * size);
    if (!items)
        refuse("there is no memory for %" PRIu32 " lines", number);
    return items;
}

static void step(uint64_t number)
{
    steps += number;
    if (steps > max_steps) {
        line_number = 0;
        refuse("the check takes more than %" PRIu64 " steps (-w)", max_steps);
    }
}

/* ---- The game: its codes and answers ---- */

static uint32_t answer_of(const uint32_t *guess, const uint32_t *secret)
{
    uint32_t black = 0, common = 0, number = 0, used = 0;
    int i, j;
    for (i = 0; i < n_pegs; i++)
        black += guess[i] == secret[i];
    if (rule == 'b')
        return black;
    if (rule == 'w') { /* 2 right place; then, from the left, 1 while an unmatched copy is left */
        for (i = 0; i < n_pegs; i++) {
            uint32_t digit = guess[i] == secret[i] ? 2 : 0;
            for (j = 0; !digit && j < n_pegs; j++)
                if (secret[j] == guess[i] && guess[j] != secret[j] && !(used >> j & 1)) {
                    used |= 1u << j;
                    digit = 1;
                }
            number = 3 * number + digit;
        }
        return number;
    }
    for (i = 0; i < n_pegs; i++) { /* black and white: the k-th copy, if the secret has k */
        uint32_t copies = 0, earlier = 0;
        for (j = 0; j < n_pegs; j++)
            copies += secret[j] == guess[i];
        for (j = 0; j < i; j++)
            earlier += guess[j] == guess[i];
        common += earlier < copies;
    }
    /* Numbered by black, then white: b black leave 0 to n - b white. */
    return black * (uint32_t)(n_pegs + 1) - black * (black - 1) / 2 + common - black;
}

static void make_answers(void)
{
    uint32_t g, s, a;
    uint64_t pairs = (uint64_t)n_codes * n_secrets;
    if (rule == 'p') /* one number, n - 1 black and 1 white, is never given */
        n_answers = (uint32_t)((n_pegs + 1) * (n_pegs + 2) / 2);
    else if (rule == 'b')
        n_answers = (uint32_t)n_pegs + 1;
    else
        for (n_answers = 1, a = 0; a < (uint32_t)n_pegs; a++)
            n_answers *= 3;
    win = n_answers - 1;
    n_others = rule == 'p' ? win - 1 : win;
    if (pairs > MAX_PAIRS)
        refuse("%s has too many pairs of guess and secret: %" PRIu64, game_name, pairs);
    answers = get(pairs, sizeof *answers);
    step(pairs);
    set_bytes = n_answers <= 16 ? 2 : n_answers <= 32 ? 4 : n_answers <= 64 ? 8 : 0;
    stride = (n_codes + BLOCK - 1) / BLOCK * BLOCK;
    if (set_bytes)
        sets = get((uint64_t)stride * n_secrets, (size_t)set_bytes);
    for (g = 0; g < n_codes; g++)
        for (s = 0; s < n_secrets; s++) {
            uint64_t at = (uint64_t)s * stride + g;
            a = answer_of(letters + (size_t)g * MAX_PEGS, letters + (size_t)s * MAX_PEGS);
            if ((a == win) != (g == s))
                refuse("%s has a code twice", game_name);
            answers[(uint64_t)g * n_secrets + s] = (uint16_t)a;
            if (set_bytes == 2)
                ((uint16_t *)sets)[at] = (uint16_t)(1u << a);
            else if (set_bytes == 4)
                ((uint32_t *)sets)[at] = (uint32_t)1 << a;
            else if (set_bytes == 8)
                ((uint64_t *)sets)[at] = (uint64_t)1 << a;
        }
}

static void make_codes(int is_repeated)
{
    uint64_t places = 1, number;
    int i, j;
    for (i = 0; i < n_pegs; i++)
        if ((places *= (uint64_t)n_colors) > MAX_PLACES)
            refuse("%s has too many codes", game_name);
    place_of = get(places, sizeof *place_of);
    letters = get(places * MAX_PEGS, sizeof *letters);
    for (number = 0; number < places; number++) { /* in lexicographic order */
        uint32_t *code = letters + (size_t)n_codes * MAX_PEGS;
        uint64_t rest = number;
        int repeats = 0;
        for (i = n_pegs - 1; i >= 0; i--, rest /= (uint64_t)n_colors) {
            code[i] = (uint32_t)(rest % (uint64_t)n_colors);
            for (j = i + 1; j < n_pegs; j++)
                repeats |= code[i] == code[j];
        }
        place_of[number] = is_repeated || !repeats ? (int32_t)n_codes++ : NONE;
    }
    if (!n_codes)
        refuse("%s has no codes", game_name);
    n_secrets = n_codes;
}

static uint32_t image_of(const Map *map, uint32_t code)
{
    const uint32_t *from = letters + (size_t)code * MAX_PEGS;
    uint32_t to[MAX_PEGS] = {0}, number = 0;
    int i;
    for (i = 0; i < n_pegs; i++)
        to[map->peg[i]] = map->color[from[i]];
    for (i = 0; i < n_pegs; i++)
        number = number * (uint32_t)n_colors + to[i];
    return (uint32_t)place_of[number]; /* a code: colors that differ stay different */
}

/* ---- Lists of words, and their digest (SHA-256: FIPS 180-4) ---- */

static uint32_t hash[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static uint8_t chunk[64];
static uint64_t n_hashed;

static uint32_t turn(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static void hash_byte(uint8_t byte)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64], v[8], i;
    chunk[n_hashed++ % 64] = byte;
    if (n_hashed % 64)
        return;
    for (i = 0; i < 16; i++)
        w[i] = (uint32_t)chunk[4 * i] << 24 | (uint32_t)chunk[4 * i + 1] << 16 |
               (uint32_t)chunk[4 * i + 2] << 8 | chunk[4 * i + 3];
    for (; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] +
               (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(v, hash, sizeof v);
    for (i = 0; i < 64; i++) {
        uint32_t a = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) +
                     ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        uint32_t b = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) +
                     ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += a;
        v[0] = a + b;
    }
    for (i = 0; i < 8; i++)
        hash[i] += v[i];
}

static void hash_text(const char *text)
{
    for (; *text; text++)
        hash_byte((uint8_t)*text);
}

static void end_hash(char *hex)
{
    uint64_t bits = 8 * n_hashed;
    int i;
    for (hash_byte(0x80); n_hashed % 64 != 56;)
        hash_byte(0);
    for (i = 56; i >= 0; i -= 8)
        hash_byte((uint8_t)(bits >> i));
    for (i = 0; i < 8; i++)
        sprintf(hex + 8 * i, "%08" PRIx32, hash[i]);
}

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        refuse("%s cannot be opened", path);
    return file;
}

/* Read the next word, between white space; 0 at the end of the file. */
static int next_word(FILE *file, char *word)
{
    int c, n = 0;
    while ((c = getc(file)) != EOF && (c > ' ' || !c || !n)) {
        if (!c || n == 4 * MAX_PEGS)
            refuse("a list of words has a byte 0, or what is no word");
        if (c > ' ')
            word[n++] = (char)c;
        step(1);
    }
    if (ferror(file))
        refuse("a list of words cannot be read");
    word[n] = 0;
    return n;
}

/* Letters are the code points of UTF-8. */
static int split_word(const char *word, uint32_t *code)
{
    const uint8_t *at = (const uint8_t *)word;
    int n = 0, more;
    for (; *at; n++) {
        uint32_t letter = *at++;
        more = letter < 0x80 ? 0 : letter >> 5 == 6 ? 1 : letter >> 4 == 14 ? 2 : letter >> 3 == 30 ? 3 : -1;
        if (more > 0)
            letter &= 0x3fu >> more;
        for (; more > 0 && *at >> 6 == 2; more--)
            letter = letter << 6 | (*at++ & 0x3fu);
        if (more || n == MAX_PEGS)
            refuse("%.40s is no word of up to %d letters in UTF-8", word, MAX_PEGS);
        code[n] = letter;
    }
    return n;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(words[*(const uint32_t *)a], words[*(const uint32_t *)b]);
}

/* The word of the lists that is equal to the one at a place, or NULL. */
static const uint32_t *find_word(uint32_t place)
{
    return n_codes ? bsearch(&place, sorted, n_codes, sizeof *sorted, compare_words) : NULL;
}

/* Of OTHERS those that are secrets count as such. */
static void read_words(char *const *paths, int n_paths, const char *digest)
{
    char hex[65];
    uint32_t i, known = 0;
    int p;
    for (p = 0; p < n_paths; p++) {
        FILE *file = open_file(paths[p]);
        for (;;) {
            words = grow(words, known, MAX_CODES, sizeof *words);
            if (!next_word(file, words[known]))
                break;
            known += !find_word(known);
        }
        fclose(file);
        n_codes = known;
        n_secrets = p ? n_secrets : known;
        free(sorted);
        sorted = get(n_codes, sizeof *sorted);
        for (i = 0; i < n_codes; i++)
            sorted[i] = i;
        qsort(sorted, n_codes, sizeof *sorted, compare_words);
    }
    if (!n_secrets)
        refuse("the list of secrets is empty, or none is given");
    letters = get((uint64_t)n_codes * MAX_PEGS, sizeof *letters);
    for (i = 0; i < n_codes; i++) {
        int n = split_word(words[i], letters + (size_t)i * MAX_PEGS);
        if (i && n != n_pegs)
            refuse("%.40s is not as long as other words", words[i]);
        n_pegs = n;
    }
    sprintf(hex, "%s %" PRIu32, rule == 'p' ? "pegs" : rule == 'b' ? "black" : "position", n_secrets);
    hash_text(hex);
    for (i = 0; i < n_codes; i++)
        hash_byte('\n'), hash_text(words[i]);
    end_hash(hex);
    if (strcmp(hex, digest))
        refuse("these are not the lists of the proof: their digest is %s", hex);
}

/* ---- Bounds (A) and (B) ---- */

static int64_t add(int64_t a, int64_t b)
{
    return a + b < INFINITE ? a + b : INFINITE;
}

/* The least sum of the lengths of m games: up to `room` of length `level`, `b` times as many of
 * each length more. `left` guesses are allowed; 0: any number. */
static int64_t fill(uint32_t m, uint64_t room, int level, uint64_t b, int left)
{
    int64_t sum = 0;
    for (; m; level++, room = room < m ? room * b : m) {
        uint32_t taken = room < m ? (uint32_t)room : m;
        if (!taken || (left && level > left))
            return INFINITE;
        sum += (int64_t)taken * level;
        m -= taken;
    }
    return sum;
}

/* Count the cells of each guess that do not win: the sets of answers of the members are united;
 * then the bits are counted, in ever wider fields. */
#define DEFINE_SURVEY(NAME, TYPE)                                                                  \
    static void NAME(const uint32_t *set, uint32_t n, uint8_t *counts)                         \
    {                                                                                              \
        const TYPE all = (TYPE)~(TYPE)0, others = (TYPE)~((TYPE)1 << win), ones = all / 255;       \
        TYPE found[BLOCK], x;                                                                      \
        uint32_t start, i, g;                                                                      \
        for (start = 0; start < stride; start += BLOCK) {                                          \
            memset(found, 0, sizeof found);                                                        \
            for (i = 0; i < n; i++) {                                                              \
                const TYPE *row = (const TYPE *)sets + (size_t)set[i] * stride + start;            \
                for (g = 0; g < BLOCK; g++)                                                        \
                    found[g] = (TYPE)(found[g] | row[g]);                                          \
            }                                                                                      \
            for (g = 0; g < BLOCK; g++) {                                                          \
                x = found[g] & others;                                                             \
                x = (TYPE)(x - (x >> 1 & all / 3));                                                \
                x = (TYPE)((x & all / 5) + (x >> 2 & all / 5));                                    \
                x = (TYPE)((x + (x >> 4)) & all / 17);                                             \
                counts[start + g] = (uint8_t)((TYPE)(x * ones) >> (8 * sizeof x - 8));             \
            }                                                                                      \
        }                                                                                          \
    }

DEFINE_SURVEY(survey_16, uint16_t)
DEFINE_SURVEY(survey_32, uint32_t)
DEFINE_SURVEY(survey_64, uint64_t)

/* The same of one guess, as long as it may have more than `most`: row[s * apart] answers secret s. */
static uint32_t count_cells(const uint16_t *row, size_t apart, const uint32_t *set, uint32_t n,
                            uint32_t most)
{
    static uint64_t *seen, now;
    uint32_t i, found = 0;
    if (!seen)
        seen = get(n_answers, sizeof *seen);
    seen[win] = ++now; /* 64 bits: it never comes again */
    for (i = 0; i < n && found + (n - i) > most; i++) {
        uint64_t *at = seen + row[set[i] * apart];
        found += *at != now;
        *at = now;
    }
    return found;
}

/* The most cells that do not win of any guess, which are known to be `most` or more. */
static uint32_t survey(const uint32_t *set, uint32_t n, uint32_t most, uint8_t *counts)
{
    uint32_t i, found;
    step((uint64_t)n * n_codes);
    if (set_bytes) {
        (set_bytes == 2 ? survey_16 : set_bytes == 4 ? survey_32 : survey_64)(set, n, counts);
        for (i = 0; i < n_codes; i++)
            most = counts[i] > most ? counts[i] : most;
        return most;
    }
    /* No guess has more cells on a subset than on all secrets. */
    for (i = 0; i < n_codes && most < n && most < cells_of_all[by_cells[i]]; i++) {
        /* Its answers lie beside the last guess's, so the processor has just read them. */
        found = count_cells(columns + i, stride, set, n, most);
        most = found > most ? found : most;
    }
    return most;
}

/* The bound (B) of a cell, or what is known of it if (B) is no more. */
static int64_t look_ahead(const uint32_t *cell, uint32_t m, uint32_t b, int left, int64_t known)
{
    static uint8_t *counts;
    uint32_t own = 0, i, found;
    int64_t member, other;
    if (!counts)
        counts = get(stride, sizeof *counts);
    step((uint64_t)m * m);
    for (i = 0; i < m; i++) {
        found = count_cells(answers + (size_t)cell[i] * n_secrets, 1, cell, m, own);
        own = found > own ? found : own;
    }
    member = add(1, fill(m - 1, own, 2, b, left));
    if (member <= known)
        return known;
    other = fill(m, b, 2, b, left); /* no guess has more than b cells: is that enough? */
    if (other < member)
        other = fill(m, survey(cell, m, own, counts), 2, b, left);
    other = other < member ? other : member;
    return other > known ? other : known;
}

/* ---- Lemmas ---- */

static uint32_t *mark, marked; /* members of a set have the mark of the day */

static void mark_set(const uint32_t *set, uint32_t n)
{
    uint32_t i;
    if (!++marked)
        refuse("too many sets were compared");
    for (i = 0; i < n; i++)
        mark[set[i]] = marked;
}

static int is_image(const uint32_t *set, uint32_t n, int32_t map, const Lemma *of)
{
    uint32_t i;
    if (n != of->n)
        return 0;
    mark_set(of->set, of->n);
    for (i = 0; i < n; i++)
        if (mark[map < 0 ? set[i] : image_of(maps + map, set[i])] != marked)
            return 0;
    return 1;
}

static uint32_t *parent_of; /* of a guess among those that are turned into each other; a root: itself */

static uint32_t least_of(uint32_t g)
{
    while (parent_of[g] != g)
        g = parent_of[g] = parent_of[parent_of[g]];
    return g;
}

/* Check the symmetries of a lemma, and join the guesses that they turn into each other. */
static void orbits(const Lemma *lemma, int is_first)
{
    uint32_t i, g;
    step((uint64_t)n_codes * (1 + lemma->n_maps));
    for (g = 0; g < n_codes; g++)
        parent_of[g] = g;
    for (i = lemma->maps; i < lemma->maps + lemma->n_maps; i++) {
        if (!is_image(lemma->set, lemma->n, (int32_t)i, lemma))
            fail("line %" PRIu32 ": a symmetry moves the set of its lemma", lemma->line);
        if (is_first) {
            mark_set(first, n_first);
            for (g = 0; g < n_first; g++)
                if (mark[image_of(maps + i, first[g])] != marked)
                    fail("line %" PRIu32 ": a symmetry moves the first guesses", lemma->line);
        }
        for (g = 0; g < n_codes; g++) {
            uint32_t a = least_of(g), b = least_of(image_of(maps + i, g));
            if (a < b)
                parent_of[b] = a;
            else
                parent_of[a] = b;
        }
    }
}

/* Of the guess at hand: the answers that it has, and of each the size of its cell, where it begins in
 * `cells`, and a bound. Sizes are 0 between guesses. */
static uint32_t *kinds, n_kinds, *sizes, *starts, *cells;
static int64_t *bounds, *by_size; /* by_size: the bound (A) of so many members */

/* Raise the sum of the bounds of a guess's cells by (C), then by (B) until it is enough. */
static int64_t improve(const Lemma *lemma, uint32_t g, uint32_t b, int64_t sum)
{
    const uint16_t *row = answers + (size_t)g * n_secrets;
    const Use *use = uses + lemma->uses, *last = use + lemma->n_uses;
    int left = lemma->left ? lemma->left - 1 : 0;
    uint32_t i, k, a;
    step((uint64_t)lemma->n + lemma->n_uses);
    for (i = k = 0; k < n_kinds; i += sizes[kinds[k++]])
        starts[kinds[k]] = i;
    for (i = 0; i < lemma->n; i++)
        cells[starts[row[lemma->set[i]]]++] = lemma->set[i];
    for (k = 0; k < n_kinds; k++)
        starts[kinds[k]] -= sizes[kinds[k]];
    for (; use < last; use++) {
        const Lemma *of = lemmas + use->lemma;
        if (use->guess != g)
            continue;
        a = use->answer;
        if (!sizes[a] || !is_image(cells + starts[a], sizes[a], use->map, of))
            fail("line %" PRIu32 ": lemma %" PRIu32 " is about another set", use->line, use->lemma);
        if (lemma->left && of->left < left)
            fail("line %" PRIu32 ": lemma %" PRIu32 " has fewer guesses left", use->line, use->lemma);
        if (of->bound > bounds[a]) {
            sum = add(sum, of->bound - bounds[a]);
            bounds[a] = of->bound;
        }
    }
    while (sum < lemma->bound) { /* (B) gains most near b + 2 members */
        uint32_t best = win, m, away, least = UINT32_MAX;
        step(n_kinds);
        for (k = 0; k < n_kinds; k++) {
            m = sizes[kinds[k]];
            away = m < b + 2 ? b + 2 - m : m - (b + 2);
            if (m >= 3 && away < least)
                best = kinds[k], least = away;
        }
        if (best == win)
            break;
        m = sizes[best], sizes[best] = 0;
        sum = add(sum, look_ahead(cells + starts[best], m, b, left, bounds[best]) - bounds[best]);
    }
    return sum;
}

/* What a guess costs at least; infinite if it leaves the set whole. */
static int64_t cost(const Lemma *lemma, uint32_t g, uint32_t b)
{
    const uint16_t *row = answers + (size_t)g * n_secrets;
    int64_t sum = lemma->n;
    uint32_t i, a;
    step(lemma->n);
    for (n_kinds = i = 0; i < lemma->n; i++)
        if (!sizes[a = row[lemma->set[i]]]++)
            kinds[n_kinds++] = a;
    for (i = 0; i < n_kinds; i++) {
        a = kinds[i];
        bounds[a] = a == win ? 0 : by_size[sizes[a]];
        sum = add(sum, bounds[a]);
    }
    if (n_kinds == 1) /* the cell does not win, which one member alone can do */
        sum = INFINITE;
    else if (sum < lemma->bound)
        sum = improve(lemma, g, b, sum);
    for (i = 0; i < n_kinds; i++)
        sizes[kinds[i]] = 0;
    return sum;
}

static void name_code(uint32_t code, char *text)
{
    int i;
    if (is_words) {
        strcpy(text, words[code]);
        return;
    }
    for (i = 0; i < n_pegs; i++)
        text[i] = (char)('a' + letters[(size_t)code * MAX_PEGS + (size_t)i]);
    text[n_pegs] = 0;
}

static uint8_t *cells_of, *is_member; /* of the lemma at hand, for each guess */

static void prove(uint32_t number)
{
    const Lemma *lemma = lemmas + number;
    uint32_t n = lemma->n, i, m, b;
    int is_first = !number && n_first, left = lemma->left ? lemma->left - 1 : 0;
    orbits(lemma, is_first);
    if (lemma->bound <= fill(n, 1, 1, n_others, lemma->left))
        return;
    if (n < 3)
        fail("line %" PRIu32 ": lemma %" PRIu32 " is not true", lemma->line, number);
    b = survey(lemma->set, n, 0, cells_of);
    memset(is_member, 0, n_codes);
    for (i = 0; i < n; i++)
        is_member[lemma->set[i]] = 1;
    for (m = 0; m <= n; m++)
        by_size[m] = fill(m, 1, 1, b, left);
    for (i = 0; i < (is_first ? n_first : n_codes); i++) {
        uint32_t g = is_first ? first[i] : i;
        char text[sizeof(Word)];
        int64_t sum;
        if (least_of(g) != g)
            continue;
        /* However its members are spread over them, so many cells cost at least this. */
        if (set_bytes && add(n, fill(n - is_member[g], cells_of[g], 1, b, left)) >= lemma->bound)
            continue;
        sum = cost(lemma, g, b);
        if (is_first && n_kinds == 1)
            fail("line %" PRIu32 ": a first guess has one cell", lemma->line);
        if (sum >= lemma->bound)
            continue;
        name_code(g, text);
        fail("line %" PRIu32 ": lemma %" PRIu32 " claims %" PRId64 ", guess %s shows %" PRId64,
             lemma->line, number, lemma->bound, text, sum);
    }
}

/* ---- Reading ---- */

static FILE *proof;
static char line[MAX_LINE], *words_of[MAX_LINE];

/* Read the next line that counts as words with one blank between; 0 at the end of the file. */
static int next_line(void)
{
    int c, n, at, count = 1;
    do {
        for (n = 0; (c = getc(proof)) != EOF && c != '\n'; line[n++] = (char)c)
            if (n == MAX_LINE - 1 || !c)
                refuse("a line is too long, or has a byte 0");
        if (c == EOF && !n && !ferror(proof))
            return 0;
        line_number++;
        if (c == EOF)
            refuse(ferror(proof) ? "the proof cannot be read" : "the last line has no end");
    } while (line_number > 1 && (!n || *line == '#'));
    words_of[0] = line;
    for (at = 0, line[n] = 0; at < n; at++) {
        if ((uint8_t)line[at] < ' ')
            refuse("a line has a control character");
        if (line[at] == ' ')
            line[at] = 0, words_of[count++] = line + at + 1;
    }
    for (at = 0; at < count; at++)
        if (!*words_of[at])
            refuse("words are separated by one blank");
    return count;
}

static int64_t number_of(const char *text, size_t digits)
{
    size_t n = strlen(text);
    if (!n || n > digits || strspn(text, "0123456789") != n)
        refuse("%.40s is no number of up to %zu digits", text, digits);
    return strtoll(text, NULL, 10);
}

static int64_t bound_of(const char *text)
{
    return strcmp(text, "none") ? number_of(text, 12) : INFINITE;
}

static uint32_t code_of(const char *text)
{
    uint32_t number = 0;
    int i;
    if (is_words) {
        const uint32_t *found = NULL;
        if (strlen(text) < sizeof *words)
            found = find_word((uint32_t)(strcpy(words[n_codes], text), n_codes));
        if (!found)
            refuse("%.40s is no word of the lists", text);
        return *found;
    }
    for (i = 0; i < n_pegs && text[i] >= 'a' && text[i] < 'a' + n_colors; i++)
        number = number * (uint32_t)n_colors + (uint32_t)(text[i] - 'a');
    if (i < n_pegs || text[i] || place_of[number] == NONE)
        refuse("%.40s is no code of %s", text, game_name);
    return (uint32_t)place_of[number];
}

static uint16_t parse_answer(const char *text)
{
    uint32_t number = 0;
    int i, length = rule == 'p' ? 2 : rule == 'b' ? 1 : n_pegs, most = rule == 'w' ? 2 : n_pegs;
    if ((int)strlen(text) != length)
        refuse("%.40s is no answer", text);
    for (i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '0' + most)
            refuse("%.40s is no answer", text);
    if (rule == 'p') {
        uint32_t black = (uint32_t)(text[0] - '0'), white = (uint32_t)(text[1] - '0');
        if ((int)(black + white) > n_pegs || ((int)black == n_pegs - 1 && white == 1))
            refuse("%s is no answer", text);
        return (uint16_t)(black * (uint32_t)(n_pegs + 1) - black * (black - 1) / 2 + white);
    }
    for (i = 0; i < length; i++)
        number = (rule == 'w' ? 3 : 10) * number + (uint32_t)(text[i] - '0');
    return (uint16_t)number;
}

static int32_t parse_map(const char *pegs, const char *colors)
{
    Map map;
    uint32_t seen_pegs = 0, seen_colors = 0;
    int i;
    memset(&map, 0, sizeof map);
    if (is_words || (int)strlen(pegs) != n_pegs || (int)strlen(colors) != n_colors)
        refuse("%.40s %.40s is no symmetry", pegs, colors);
    for (i = 0; i < n_pegs; i++) {
        if (pegs[i] < '1' || pegs[i] > '0' + n_pegs)
            refuse("%.40s is no exchange of pegs", pegs);
        seen_pegs |= 1u << (map.peg[i] = (uint8_t)(pegs[i] - '1'));
    }
    for (i = 0; i < n_colors; i++) {
        if (colors[i] < 'a' || colors[i] >= 'a' + n_colors)
            refuse("%.40s is no renaming", colors);
        seen_colors |= 1u << (map.color[i] = (uint8_t)(colors[i] - 'a'));
    }
    if (seen_pegs + 1 != 1u << n_pegs || seen_colors + 1 != 1u << n_colors)
        refuse("%s %s is no symmetry", pegs, colors);
    maps = grow(maps, n_maps, MAX_ITEMS, sizeof *maps);
    maps[n_maps] = map;
    return (int32_t)n_maps++;
}

static void parse_game(int n, char *const *paths, int n_paths)
{
    if (n == 4 && !strcmp(words_of[1], "codebook")) {
        const char *name = words_of[2];
        if (strlen(words_of[3]) != 64 || strspn(words_of[3], "0123456789abcdef") != 64)
            refuse("%.80s is no sha256", words_of[3]);
        rule = !strcmp(name, "pegs") ? 'p' : !strcmp(name, "black") ? 'b' : 'w';
        if (rule == 'w' && strcmp(name, "position"))
            refuse("%.40s is no rule of answers", name);
        sprintf(game_name, "the codebook %.16s…", words_of[3]);
        is_words = 1;
        if (!n_paths)
            refuse("the proof is about words: give their lists");
        read_words(paths, n_paths, words_of[3]);
    } else {
        const char *at = words_of[1];
        if (n != 2 || strlen(at) > 8 || at[0] != 'p' || at[1] < '1' || at[1] > '9' || at[2] != 'c')
            refuse("this game is not known");
        strcpy(game_name, at);
        n_pegs = at[1] - '0';
        for (at += 3; *at >= '0' && *at <= '9' && n_colors < 100; at++)
            n_colors = 10 * n_colors + *at - '0';
        if (n_colors < 1 || n_colors > MAX_COLORS || game_name[3] == '0' || (*at != 'r' && *at != 'n'))
            refuse("%s is no game of up to %d colors, r or n", game_name, MAX_COLORS);
        rule = at[1] == 'b' ? 'b' : 'p';
        if (at[rule == 'b' ? 2 : 1])
            refuse("%s is no game", game_name);
        if (n_paths)
            refuse("the proof is about no words, and lists are given");
        make_codes(*at == 'r');
    }
    make_answers();
}

static void add_lemma(uint32_t *set, uint32_t n, int left, int64_t bound)
{
    Lemma *lemma;
    lemmas = grow(lemmas, n_lemmas, MAX_LEMMAS, sizeof *lemmas);
    lemma = lemmas + n_lemmas++;
    memset(lemma, 0, sizeof *lemma);
    lemma->set = set, lemma->n = n, lemma->left = left, lemma->bound = bound;
    lemma->maps = n_maps, lemma->uses = n_uses, lemma->line = line_number;
    if ((n_members += n) > MAX_MEMBERS)
        refuse("the sets have more than %" PRIu64 " members", (uint64_t)MAX_MEMBERS);
}

static void parse_lemma(int n)
{
    int64_t number = n == 5 ? number_of(words_of[1], 9) : n_lemmas;
    const Lemma *parent;
    uint32_t guess, answer, i, size = 0, *set;
    const uint16_t *row;
    if (number >= n_lemmas)
        refuse("a lemma needs an earlier lemma, a guess, an answer and a bound");
    parent = lemmas + number;
    guess = code_of(words_of[2]), answer = parse_answer(words_of[3]);
    row = answers + (size_t)guess * n_secrets;
    step(parent->n);
    for (i = 0; i < parent->n; i++)
        size += row[parent->set[i]] == answer;
    if (!size)
        refuse("a lemma about no secret");
    if (parent->left == 1)
        refuse("a lemma without guesses left");
    set = get(size, sizeof *set);
    for (i = size = 0; i < parent->n; i++)
        if (row[parent->set[i]] == answer)
            set[size++] = parent->set[i];
    add_lemma(set, size, parent->left ? parent->left - 1 : 0, bound_of(words_of[4]));
}

static void parse_use(int n)
{
    Use use;
    memset(&use, 0, sizeof use);
    if (n != 4 && n != 6)
        refuse("a use has a guess, an answer, a lemma, and may have a symmetry");
    use.guess = code_of(words_of[1]), use.answer = parse_answer(words_of[2]);
    use.lemma = (uint32_t)number_of(words_of[3], 9), use.line = line_number;
    if (use.answer == win)
        refuse("the answer that wins needs no lemma");
    use.map = n == 6 ? parse_map(words_of[4], words_of[5]) : NONE;
    uses = grow(uses, n_uses, MAX_ITEMS, sizeof *uses);
    uses[n_uses++] = use;
    lemmas[n_lemmas - 1].n_uses++;
}

/* The header, in this order: treegen, game, first (may be absent), cap (so too), total, root. */
static void parse_line(int n, char *const *paths, int n_paths)
{
    static int stage;
    const char *word = words_of[0];
    uint32_t i, *all;
    int at;
    if (stage == 0 && n == 3 && !strcmp(word, "treegen") && !strcmp(words_of[1], "proof") &&
        !strcmp(words_of[2], "1"))
        stage = 1;
    else if (stage == 1 && n > 1 && !strcmp(word, "game")) {
        parse_game(n, paths, n_paths);
        mark = get(n_codes, sizeof *mark);
        stage = 2;
    } else if (stage == 2 && n > 1 && !strcmp(word, "first")) {
        first = get((uint64_t)n, sizeof *first);
        mark_set(NULL, 0);
        for (at = 1; at < n; at++) {
            first[n_first] = code_of(words_of[at]);
            if (mark[first[n_first]] == marked)
                refuse("%.40s stands twice", words_of[at]);
            mark[first[n_first++]] = marked;
        }
        stage = 3;
    } else if ((stage == 2 || stage == 3) && n == 2 && !strcmp(word, "cap")) {
        cap = (int)number_of(words_of[1], 6);
        if (!cap)
            refuse("a cap of 0 guesses");
        stage = 4;
    } else if (stage >= 2 && stage <= 4 && n == 2 && !strcmp(word, "total")) {
        claim = bound_of(words_of[1]);
        stage = 5;
    } else if (stage == 5 && n == 2 && !strcmp(word, "root")) {
        all = get(n_secrets, sizeof *all);
        for (i = 0; i < n_secrets; i++)
            all[i] = i;
        add_lemma(all, n_secrets, cap, bound_of(words_of[1]));
        stage = 6;
    } else if (stage == 6 && !strcmp(word, "l"))
        parse_lemma(n);
    else if (stage == 6 && n == 3 && !strcmp(word, "s")) {
        if (lemmas[n_lemmas - 1].n_uses)
            refuse("symmetries stand before uses");
        parse_map(words_of[1], words_of[2]);
        lemmas[n_lemmas - 1].n_maps++;
    } else if (stage == 6 && !strcmp(word, "u"))
        parse_use(n);
    else
        refuse("this line cannot stand here: %.40s", word);
}

static int compare_counts(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (cells_of_all[x] != cells_of_all[y])
        return cells_of_all[x] > cells_of_all[y] ? -1 : 1;
    return (x > y) - (x < y);
}

static void prepare(void)
{
    uint32_t g, i;
    parent_of = get(n_codes, sizeof *parent_of);
    cells_of = get(stride, sizeof *cells_of);
    is_member = get(n_codes, sizeof *is_member);
    sizes = get(n_answers, sizeof *sizes);
    kinds = get(n_answers, sizeof *kinds);
    starts = get(n_answers, sizeof *starts);
    cells = get(n_secrets, sizeof *cells);
    bounds = get(n_answers, sizeof *bounds);
    by_size = get(n_secrets, sizeof *by_size);
    if (set_bytes)
        return;
    by_cells = get(n_codes, sizeof *by_cells);
    cells_of_all = get(n_codes, sizeof *cells_of_all);
    step((uint64_t)n_codes * n_secrets);
    for (g = 0; g < n_codes; g++) {
        by_cells[g] = g;
        cells_of_all[g] = count_cells(answers + (size_t)g * n_secrets, 1, lemmas[0].set, n_secrets, 0);
    }
    qsort(by_cells, n_codes, sizeof *by_cells, compare_counts);
    columns = get((uint64_t)stride * n_secrets, sizeof *columns);
    for (i = 0; i < n_secrets; i++)
        for (g = 0; g < n_codes; g++)
            columns[(size_t)i * stride + g] = answers[(size_t)by_cells[g] * n_secrets + i];
}

static void report(void)
{
    char text[sizeof(Word)];
    uint32_t i;
    printf("PROVED: for %s no strategy", game_name);
    for (i = 0; i < n_first; i++) {
        name_code(first[i], text);
        printf("%s %s", i ? " or" : " that begins with", text);
    }
    if (claim < INFINITE)
        printf(" has a total below %" PRId64, claim);
    else
        printf(" finds every secret");
    if (cap)
        printf(claim < INFINITE ? " where every game ends within %d guesses" : " within %d guesses", cap);
    printf(" (%" PRIu32 " lemma%s)\n", n_lemmas, n_lemmas == 1 ? "" : "s");
}

int main(int argc, char **argv)
{
    uint32_t i;
    int n;
    proof = stdin;
    if (argc > 2 && !strcmp(argv[1], "-w")) {
        max_steps = (uint64_t)number_of(argv[2], 18);
        argv += 2, argc -= 2;
    }
    if (argc > 4 || (argc > 1 && argv[1][0] == '-' && argv[1][1]))
        refuse("usage: check [-w STEPS] [X.proof [HIDDEN [OTHERS]]]");
    if (argc > 1 && strcmp(argv[1], "-"))
        proof = open_file(argv[1]);
    while ((n = next_line()))
        parse_line(n, argv + 2, argc > 2 ? argc - 2 : 0);
    line_number = 0;
    if (!n_lemmas)
        refuse("the proof has no root");
    if (claim > lemmas[0].bound)
        fail("lemma 0 does not say what is claimed");
    for (i = 0; i < n_uses; i++)
        if (uses[i].lemma >= n_lemmas)
            fail("line %" PRIu32 ": there is no lemma %" PRIu32, uses[i].line, uses[i].lemma);
    prepare();
    for (i = 0; i < n_lemmas; i++)
        prove(i);
    report();
    return 0;
}
