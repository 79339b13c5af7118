/* check.c: checks a proof that no strategy for a code-breaking game needs fewer guesses.
 *
 * Usage: check [-w STEPS] [X.proof [HIDDEN [OTHERS]]]   or, of a table in a file: X.proof TABLE
 *
 * docs/certificate-format.md of treegen specifies a proof. Without a file, or where it is -, it
 * comes on the standard input. A proof about words needs their lists: HIDDEN has the secrets,
 * OTHERS more words that may be guessed. Exit 0 and PROVED: the claims hold. Exit 1: something was
 * not shown. Exit 2: the proof cannot be read, or takes more than a limit allows. Any C99 compiler
 * will do: cc -O3 -o check check.c
 *
 *
 * WHY THIS SUFFICES
 *
 * Let S be a set of secrets, G the guesses that may be made, r what they may cost. A guess g splits
 * S into cells: the members that give one answer. The answer that says "this is the secret" wins.
 * Guess g has a cost c(g), secret x a weight w(x): plain games have 1 for both. Let V(S, r, G) be
 * the least cost of any strategy that finds all members of S: for each of them its weight times
 * what its guesses cost, all times `scale`; and its weight times `last` more if they cost exactly r
 * ("none", here infinite, if some member cannot be found for r). A strategy begins with a guess and
 * goes on in each cell apart, where perhaps less may be guessed:
 *
 *     V(S, r, G) = min over g in G, c(g) <= r, of
 *                  scale c(g) w(S) + (last w(winner) if c(g) = r) + sum of V(cell, r - c(g), G')
 *
 * summed over the cells that do not win. If a single secret need only be known ("identify"), it
 * costs nothing but w(x) last if r = 0; else it must be guessed, too. A guess with all of S in one
 * cell that does not win costs something and leaves S as it was, with less to spend and no more
 * guesses, so a least strategy never makes it. All others leave cells smaller than S. (1)
 *
 * A proof is a list of lemmas "V(S_i, r_i, G_i) >= L_i". S_0 has the secrets that agree with what is
 * given; every other S_i is a cell of the set of an earlier lemma, found here by comparing all its
 * members' answers; r_i is what that guess leaves, and G_i what the rule of play then allows: all
 * guesses; those that win a member of S_i ("candidates"); or those codes that agree with all answers
 * on the path from S_0 on, or use their hints. The sets, the answers, and all bounds are computed
 * here; nothing of them is taken from the file. The function prove() accepts a lemma if every guess
 * of G_i with two cells or more costs at least L_i, where a cell counts with the greatest of these
 * bounds. In all of them b is the most cells of a guess of G_i on S_i. On a part of S_i no guess has
 * more; and below, there are no other guesses.
 *
 * (A) Size, in plain games. The winning cell is not counted in b. In a tree for a cell of m members,
 *     one node asks the first guess, at most b the second, at most b * b the third and so on, and
 *     each node ends one game at most. So the lengths of the m games add up to fill(m, 1, 1) or
 *     more: one game of length 1, then b of length 2, b * b of length 3, until there are m; what
 *     does not fit into the guesses left cannot be found, and the bound is infinite.
 *
 * (B) One guess ahead, in plain games, for m >= 3. Let `own` be the most cells, the winning one not
 *     counted, that a member of the cell has as a guess on the cell, and `most` the same of all
 *     guesses that the cell allows. If the next guess is a member, it ends one game, and at most
 *     `own` nodes ask the second guess: the total is 1 + fill(m - 1, own, 2) or more, where fill
 *     starts with `own` games of length 2. If it is none, no game ends at once: fill(m, most, 2) or
 *     more. The lesser of the two bounds V. As most <= b, it is not counted where b in its place
 *     makes no difference.
 *
 * (C) The L_j of a lemma that a "u" line names for this cell, where S_j is the cell, or the image
 *     of the cell under a symmetry that the line gives, compared member by member. Exchanging pegs
 *     and renaming colors changes no answer and maps the codes onto themselves, so the image of a
 *     strategy is a strategy of the same costs, if all weights and costs are 1 and no guess is
 *     forbidden by the answers before. The lemma must have at least as much left as the cell, since
 *     V can only grow as r falls; and at least the guesses that the cell has, one by one, since V can
 *     only grow as guesses are taken away.
 *
 * (D) Weights and sizes, in all other games. Let c be the least cost of a guess of G_i that is of use
 *     on S_i. To be identified, the members of a cell are leaves of a tree with at most b branches a
 *     node (b counts the winning cell, too), and the cost is at least c times the sum of weight times
 *     depth: at least c times that of Huffman's tree. To be guessed, one member at most is found by
 *     the first guess, b by the second, b * b by the third; the heaviest come first in the least sum
 *     of weight times level, times c. A single member costs its own cheapest guess. With r left,
 *     no more than K(r) members can be found, K(x) being at least 1 as soon as a single one can be
 *     found, and the most over the guesses of cost y <= x of: 1 for a member that wins, and for each
 *     cell the lesser of its size and K(x - y). More make the bound infinite, and of a cell of m at
 *     least m - K(r - 1) members, the lightest at best, pay `last`.
 *
 * (E) One guess ahead, in these games, for two members or more: the least over the guesses of the
 *     cell of what the guess costs and (D) of its cells.
 *
 * Each of these is a lower bound of V(cell), if the lemmas of (C) are true. They are: say that all
 * lemmas were accepted and some are false, and take a false one of the fewest members. Every lemma
 * that was used for it by (C) is about a set as large as a cell of a guess with two cells or more,
 * so smaller than S, so true. Then all its bounds hold, and by (1) so does the lemma: a
 * contradiction. Hence no order of lemmas matters, and a circle of lemmas proves nothing: each use
 * goes to a strictly smaller set. That is why *every* lemma must be accepted.
 *
 * Symmetries of a lemma ("s" lines). If a symmetry maps S onto itself (checked member by member),
 * guess g costs on S what its image costs. So of the guesses that such symmetries turn into each
 * other only the least is looked at: orbits() joins each guess to its image under each symmetry
 * given; a symmetry that is left out only means that more guesses must be refuted.
 *
 * "first": lemma 0 then speaks of strategies that begin with one of these guesses, so these are
 * all that is refuted for it; its symmetries must keep their list. None of them may leave all
 * secrets in one cell: it is of no use, but such a strategy may begin with it. "except": it speaks of
 * strategies that begin with any other guess that is of use. Other lemmas are about all guesses; none
 * may use lemma 0, as no cell is as large as its set.
 *
 * At sight. With a win and A other answers, every guess has at most A cells that do not win, so in
 * a plain game V is at least fill(n, 1, 1) with A in place of b. A lemma that says no more needs no
 * look. In other games only a single member is known at sight. It is the only way for n = 1.
 *
 * What has to be believed: that this file does what it says, the compiler, the machine, and that
 * the game is the one that is meant: make_codes(), answer_of(), allows() and the table of the proof
 * are its rules. Numbers: a bound has at most 18 digits, infinity is 2^60 and sums stop there. A
 * least strategy makes fewer guesses for each secret than there are secrets; a claim is refused if
 * so many of the dearest guess would come to 2^59, so 64 bits never overflow, and what costs 2^60
 * is impossible.
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
#define NO_ONE UINT32_MAX

#define MAX_PLACES ((uint64_t)1 << 20) /* colors to the power of pegs */
#define MAX_CODES 1000000u
#define MAX_PAIRS ((uint64_t)1 << 30)
#define MAX_MEMBERS ((uint64_t)1 << 28)
#define MAX_LEMMAS (1u << 22)
#define MAX_ITEMS (1u << 24)
#define MAX_ANSWER 60000u /* of a table */
#define INFINITE ((int64_t)1 << 60)
#define MAX_COST ((int64_t)1 << 59)
#define UNLIMITED ((int64_t)1 << 40) /* as what may be spent */

typedef char Word[4 * MAX_PEGS + 1]; /* a letter has up to four bytes */
typedef struct { uint8_t peg[MAX_PEGS], color[MAX_COLORS]; } Map;
typedef struct { uint32_t guess, lemma; uint16_t answer; int32_t map; uint32_t line; } Use;
typedef struct { const uint32_t *list; uint32_t n; } Guesses; /* no list: all of them */
typedef struct {
    int64_t bound, left; /* left: what may be spent */
    uint32_t n, *set;    /* members, those of the greatest weight first */
    Guesses legal;       /* by a rule of play that depends on the answers */
    uint32_t line, maps, n_maps, uses, n_uses;
} Lemma;
typedef struct {
    uint32_t *first, n_first; /* first guesses; if is_except, all but these */
    int is_except;
    int64_t cap, scale, last, total; /* cap: 0: none */
} Claim;

/* The game. The secrets are the first codes, or the items of a table. */
static int n_pegs, n_colors, is_words, rule; /* rule: 'p' pegs, 'b' black, 'w' position, 't' table */
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
static int is_identified, has_stakes, is_plain, eligible; /* the first letter of the rule of play */
static int64_t *weights, *costs, *ends; /* ends: of a secret that alone is left */
static uint32_t n_weights, n_costs, *owners; /* the secret that a guess of a table wins, if any */
static uint32_t n_rows;      /* of a table, read by now */
static uint32_t *everyone, n_everyone; /* the secrets that agree with what is given */
static Guesses allowed;      /* and what the rule of play then allows */

/* The proof. */
static Claim *claims, *claim; /* all, and the one at hand */
static Lemma *lemmas;
static Map *maps;
static Use *uses;
static uint32_t n_claims, n_lemmas, n_in_all, n_maps, n_uses;
static uint64_t n_members, steps, max_steps = 4000000000000u;
static uint32_t line_number;
static int version;

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
#define fail_if(condition, ...) do { if (condition) fail(__VA_ARGS__); } while (0)
#define refuse_if(condition, ...) do { if (condition) refuse(__VA_ARGS__); } while (0)

static void *get(uint64_t number, size_t size)
{
    void *memory = number < SIZE_MAX / size ? calloc(number + 1, size) : NULL;
    refuse_if(!memory, "there is no memory for %" PRIu64 " items of %zu bytes", number, size);
    return memory;
}

/* Room for one item more in an array that doubles; its length is `number`. */
static void *grow(void *items, uint32_t number, uint32_t most, size_t size)
{
    refuse_if(number >= most, "more than %" PRIu32 " lines of a kind", most);
    if (number & (number - 1))
        return items;
    items = realloc(items, (number ? 2 * (size_t)number : 1) * size);
    refuse_if(!items, "there is no memory for %" PRIu32 " lines", number);
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
    refuse_if(pairs > MAX_PAIRS,
              "%s has too many pairs of guess and secret: %" PRIu64, game_name, pairs);
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
            refuse_if((a == win) != (g == s), "%s has a code twice", game_name);
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
        refuse_if((places *= (uint64_t)n_colors) > MAX_PLACES, "%s has too many codes", game_name);
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
    refuse_if(!n_codes, "%s has no codes", game_name);
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
    refuse_if(!file, "%s cannot be opened", path);
    return file;
}

/* Read the next word, between white space; 0 at the end of the file. */
static int next_word(FILE *file, char *word)
{
    int c, n = 0;
    while ((c = getc(file)) != EOF && (c > ' ' || !c || !n)) {
        refuse_if(!c || n == 4 * MAX_PEGS, "a list of words has a byte 0, or what is no word");
        if (c > ' ')
            word[n++] = (char)c;
        step(1);
    }
    refuse_if(ferror(file), "a list of words cannot be read");
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
        refuse_if(more || n == MAX_PEGS,
                  "%.40s is no word of up to %d letters in UTF-8", word, MAX_PEGS);
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
    refuse_if(!n_secrets, "the list of secrets is empty, or none is given");
    letters = get((uint64_t)n_codes * MAX_PEGS, sizeof *letters);
    for (i = 0; i < n_codes; i++) {
        int n = split_word(words[i], letters + (size_t)i * MAX_PEGS);
        refuse_if(i && n != n_pegs, "%.40s is not as long as other words", words[i]);
        n_pegs = n;
    }
    sprintf(hex, "%s %" PRIu32, rule == 'p' ? "pegs" : rule == 'b' ? "black" : "position", n_secrets);
    hash_text(hex);
    for (i = 0; i < n_codes; i++)
        hash_byte('\n'), hash_text(words[i]);
    end_hash(hex);
    refuse_if(strcmp(hex, digest), "these are not the lists of the proof: their digest is %s", hex);
}

/* ---- Tables, weights and costs ---- */

static FILE *proof;
static char line[MAX_LINE], *words_of[MAX_LINE];

static int next_line(void);
static int64_t number_of(const char *text, size_t digits);

/* The number of an answer of a table. */
static uint16_t sign_of(const char *text, size_t length)
{
    static const char signs[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const char *at = length == 1 ? strchr(signs, *text) : NULL;
    char copy[8] = "";
    int64_t number;
    if (at && *at)
        return (uint16_t)(at - signs);
    refuse_if(length < 2 || length > 5 || *text == '0', "%.40s is no answer", text);
    number = number_of(memcpy(copy, text, length), 5);
    refuse_if(number > MAX_ANSWER, "%.40s is no answer", text);
    return (uint16_t)number;
}

/* A row of a table: the answers to one guess; MAX_ANSWER + 1 wins, for now. */
static void add_row(const char *text)
{
    uint16_t *row = answers + (size_t)n_rows * n_secrets;
    uint32_t i = 0;
    int is_list = strchr(text, ',') != NULL;
    step(n_secrets);
    refuse_if(n_rows++ == n_codes, "the table has more guesses than it says");
    if (*text == '=') {
        int64_t item = number_of(text + 1, 6);
        refuse_if(!item || item > n_secrets, "there is no item %.40s", text + 1);
        row[item - 1] = MAX_ANSWER + 1;
        return;
    }
    for (; *text && i < n_secrets; i++) {
        size_t length = is_list ? strcspn(text, ",") : 1;
        row[i] = length == 1 && *text == '*' ? MAX_ANSWER + 1 : sign_of(text, length);
        text += length;
        refuse_if(*text == ',' && (!*++text || !is_list), "an answer is missing");
    }
    refuse_if(i != n_secrets || *text, "a guess has not as many answers as there are items");
}

static int compare_items(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b, g;
    for (g = 0; g < n_codes; g++) {
        const uint16_t *row = answers + (size_t)g * n_secrets;
        if (row[x] != row[y])
            return row[x] < row[y] ? -1 : 1;
    }
    return 0;
}

/* Take a table from a file; the line at hand is lost. */
static void read_table(const char *path, const char *digest)
{
    FILE *kept = proof;
    uint32_t number = line_number;
    char hex[65];
    int n;
    for (proof = open_file(path); (n = getc(proof)) != EOF; hash_byte((uint8_t)n))
        step(1);
    end_hash(hex);
    refuse_if(strcmp(hex, digest), "this is not the table of the proof: its digest is %s", hex);
    for (rewind(proof), line_number = 0; (n = next_line()); add_row(words_of[1]))
        refuse_if(n != 2 || strcmp(words_of[0], "q"), "each line of a table begins with q");
    fclose(proof);
    proof = kept, line_number = number;
}

/* Number the answer that wins; refuse a table that makes no sense. */
static void make_table(void)
{
    static uint32_t *order;
    uint64_t at, pairs = (uint64_t)n_codes * n_secrets;
    uint32_t i, wins;
    order = get(n_secrets, sizeof *order);
    refuse_if(n_rows != n_codes, "the table has %" PRIu32 " guesses, not %" PRIu32, n_rows, n_codes);
    for (at = win = 0; at < pairs; at++)
        if (answers[at] <= MAX_ANSWER && answers[at] >= win)
            win = answers[at] + 1u;
    n_answers = win + 1, n_others = win, stride = n_codes;
    for (i = 0; i < n_codes; i++)
        for (wins = 0, at = (uint64_t)i * n_secrets; at < (uint64_t)(i + 1) * n_secrets; at++)
            if (answers[at] > MAX_ANSWER) {
                answers[at] = (uint16_t)win;
                refuse_if(wins++, "a guess of the table wins two items");
            }
    step(16 * pairs);
    for (i = 0; i < n_secrets; i++)
        order[i] = i;
    qsort(order, n_secrets, sizeof *order, compare_items);
    for (i = 1; i < n_secrets; i++)
        refuse_if(!compare_items(order + i - 1, order + i), "two items of the table are alike");
    free(order);
}

static void parse_numbers(int n, int64_t **numbers, uint32_t *known, uint32_t most, size_t digits)
{
    int at;
    refuse_if(n < 2, "numbers are missing");
    for (at = 1; at < n; at++) {
        *numbers = grow(*numbers, *known, most, sizeof **numbers);
        (*numbers)[(*known)++] = number_of(words_of[at], digits);
    }
    has_stakes = 1;
}

static int compare_weights(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (weights[x] != weights[y])
        return weights[x] > weights[y] ? -1 : 1;
    return (x > y) - (x < y);
}

static void prepare(void);

/* When all lines about the game are read: complete what they leave out. */
static void finish_game(void)
{
    uint64_t at;
    uint32_t i, g;
    refuse_if((n_weights && n_weights != n_secrets) || (n_costs && n_costs != n_codes),
              "there are %" PRIu32 " weights and %" PRIu32 " costs", n_weights, n_costs);
    weights = n_weights ? weights : get(n_secrets, sizeof *weights);
    costs = n_costs ? costs : get(n_codes, sizeof *costs);
    is_plain = rule != 't' && !is_identified && !has_stakes;
    ends = get(n_secrets, sizeof *ends), owners = get(n_codes, sizeof *owners);
    everyone = get(n_secrets, sizeof *everyone);
    for (i = n_everyone = 0; i < n_secrets; everyone[n_everyone++] = i, i++) {
        weights[i] = n_weights ? weights[i] : 1;
        ends[i] = is_identified ? 0 : INFINITE;
    }
    for (g = 0; g < n_codes; g++) {
        refuse_if((costs[g] = n_costs ? costs[g] : 1) < 1, "a guess costs nothing");
        owners[g] = NO_ONE;
        for (at = (uint64_t)g * n_secrets, i = 0; i < n_secrets; i++)
            if (answers[at + i] == win) {
                owners[g] = i;
                ends[i] = costs[g] < ends[i] ? costs[g] : ends[i];
            }
    }
    for (i = 0; i < n_secrets; i++)
        refuse_if(ends[i] == INFINITE, "an item of the table cannot be guessed");
    qsort(everyone, n_secrets, sizeof *everyone, compare_weights);
    prepare();
}

/* ---- The rule of play ---- */

static int has_rule(void)
{
    return eligible == 'h' || eligible == 'k';
}

/* Whether a code may be guessed after an answer: it would have been answered so ("consistent"), or
 * keeps each right letter and uses each other one as often as it was not missing ("hints"). */
static int allows(uint32_t guess, uint32_t answer, uint32_t code)
{
    const uint32_t *asked = letters + (size_t)guess * MAX_PEGS;
    const uint32_t *held = letters + (size_t)code * MAX_PEGS;
    uint32_t digits[MAX_PEGS];
    int i, j, needed;
    if (eligible == 'k')
        return answer_of(asked, held) == answer;
    for (i = n_pegs - 1; i >= 0; i--, answer /= 3)
        digits[i] = answer % 3;
    for (i = 0; i < n_pegs; i++) {
        if (digits[i] == 2 && held[i] != asked[i])
            return 0;
        for (needed = j = 0; digits[i] && j < n_pegs; j++)
            needed += (digits[j] && asked[j] == asked[i]) - (held[j] == asked[i]);
        if (needed > 0)
            return 0;
    }
    return 1;
}

/* What a rule of play leaves of some guesses after an answer; it is written into `room`. */
static Guesses filter(Guesses legal, uint32_t guess, uint32_t answer, uint32_t *room)
{
    Guesses kept = {NULL, 0};
    uint32_t i;
    if (!has_rule())
        return legal;
    step(legal.n);
    for (i = 0; i < legal.n; i++)
        if (allows(guess, answer, legal.list[i]))
            room[kept.n++] = legal.list[i];
    kept.list = room;
    return kept;
}

static uint32_t *mark, marked; /* members of a set have the mark of the day */

static void mark_set(const uint32_t *set, uint32_t n)
{
    uint32_t i;
    refuse_if(!++marked, "too many sets were compared");
    for (i = 0; i < n; i++)
        mark[set[i]] = marked;
}

/* The guesses of a state; those of a table are written into `room`. */
static Guesses list_legal(const uint32_t *set, uint32_t n, Guesses legal, uint32_t *room)
{
    Guesses own = {set, n};
    uint32_t g;
    if (eligible != 'c' || rule != 't')
        return eligible == 'c' ? own : legal;
    step(n_codes);
    mark_set(set, n);
    for (own.list = room, own.n = g = 0; g < n_codes; g++)
        if (owners[g] != NO_ONE && mark[owners[g]] == marked)
            room[own.n++] = g;
    return own;
}

/* ---- Bounds (A) and (B) ---- */

static int64_t add(int64_t a, int64_t b)
{
    return a + b < INFINITE ? a + b : INFINITE;
}

static int64_t spend(int64_t left, uint32_t guess)
{
    return left == UNLIMITED ? left : left - costs[guess];
}

/* The least cost of m games: up to `room` of length `level`, `b` times as many of each length more,
 * with `left` guesses. */
static int64_t fill(uint32_t m, uint64_t room, int64_t level, uint64_t b, int64_t left)
{
    int64_t sum = 0;
    for (; m; level++, room = room < m ? room * b : m) {
        uint32_t taken = room < m ? (uint32_t)room : m;
        if (!taken || level > left)
            return INFINITE;
        sum += taken * (claim->scale * level + (level == left ? claim->last : 0));
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

/* The most cells that do not win of some guesses, which are known to be `most` or more; `counts` is
 * written only if these are all guesses, and answers are few. */
static uint32_t survey(const uint32_t *set, uint32_t n, uint32_t most, Guesses of, uint8_t *counts)
{
    uint32_t i, found;
    step((uint64_t)n * of.n);
    if (set_bytes && !of.list) {
        (set_bytes == 2 ? survey_16 : set_bytes == 4 ? survey_32 : survey_64)(set, n, counts);
        for (i = 0; i < n_codes; i++)
            most = counts[i] > most ? counts[i] : most;
        return most;
    }
    for (i = 0; i < of.n && most < n; i++) {
        uint32_t g = of.list ? of.list[i] : by_cells[i];
        /* No guess has more cells on a subset than on all secrets, and by a rule of play those with
         * most come first. */
        if (!set_bytes && most >= cells_of_all[g]) {
            if (!of.list || has_rule())
                break;
            continue;
        }
        /* Of all guesses, the answers lie beside the last guess's: the processor has read them. */
        found = of.list ? count_cells(answers + (size_t)g * n_secrets, 1, set, n, most)
                        : count_cells(columns + i, stride, set, n, most);
        most = found > most ? found : most;
    }
    return most;
}

/* The bound (B) of a cell, or what is known of it if (B) is no more. */
static int64_t look_ahead(const uint32_t *cell, uint32_t m, Guesses legal, uint32_t b, int64_t left,
                          int64_t known)
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
    member = add(claim->scale + (left == 1 ? claim->last : 0), fill(m - 1, own, 2, b, left));
    if (member <= known || eligible == 'c')
        return member > known ? member : known;
    other = fill(m, b, 2, b, left); /* no guess has more than b cells: is that enough? */
    if (other < member)
        other = fill(m, survey(cell, m, own, legal, counts), 2, b, left);
    other = other < member ? other : member;
    return other > known ? other : known;
}

/* ---- Cells ---- */

/* Of a guess: the answers that a set has, and of each the size of its cell and where it begins in
 * `cells`. Sizes are 0 between guesses. */
typedef struct { uint32_t *kinds, n_kinds, *sizes, *starts, *cells; } Division;

static Division above, below; /* of the lemma at hand; of a cell that is looked ahead in */

static void count_sizes(Division *of, uint32_t g, const uint32_t *set, uint32_t n)
{
    const uint16_t *row = answers + (size_t)g * n_secrets;
    uint32_t i, a;
    step(n);
    for (i = 0; i < of->n_kinds; i++)
        of->sizes[of->kinds[i]] = 0;
    for (of->n_kinds = i = 0; i < n; i++)
        if (!of->sizes[a = row[set[i]]]++)
            of->kinds[of->n_kinds++] = a;
}

static void scatter(Division *of, uint32_t g, const uint32_t *set, uint32_t n)
{
    const uint16_t *row = answers + (size_t)g * n_secrets;
    uint32_t i, k;
    for (i = k = 0; k < of->n_kinds; i += of->sizes[of->kinds[k++]])
        of->starts[of->kinds[k]] = i;
    for (i = 0; i < n; i++)
        of->cells[of->starts[row[set[i]]]++] = set[i];
    for (k = 0; k < of->n_kinds; k++)
        of->starts[of->kinds[k]] -= of->sizes[of->kinds[k]];
}

/* Whether a guess is of use on the set that was counted. */
static int is_useful(const Division *of)
{
    return of->n_kinds > 1 || of->kinds[0] == win;
}

/* What a guess itself costs a set, with `left` behind it; the set is scattered if it is not plain. */
static int64_t charge(const Division *of, uint32_t g, const uint32_t *set, uint32_t n, int64_t left)
{
    int64_t weight = n;
    uint32_t i;
    if (!is_plain)
        for (weight = i = 0; i < n; i++)
            weight += weights[set[i]];
    weight *= claim->scale * costs[g];
    if (left == 0 && of->sizes[win])
        weight += claim->last * (is_plain ? 1 : weights[of->cells[of->starts[win]]]);
    return weight;
}

/* ---- Bounds (D) and (E) ---- */

static uint32_t most_cells;              /* b, of the lemma at hand */
static int64_t cheapest, *merged;        /* c; scratch */
static uint32_t *capacities, n_capacities; /* K */

/* Find b, c and K of a lemma. */
static void measure(const Lemma *lemma, Guesses legal)
{
    uint32_t i, k, g, most;
    int64_t spent;
    most_cells = 1, cheapest = MAX_COST;
    for (i = 0; i < legal.n; i++) {
        g = legal.list ? legal.list[i] : i;
        count_sizes(&above, g, lemma->set, lemma->n);
        if (!is_useful(&above))
            continue;
        most = above.n_kinds - (!is_identified && above.sizes[win]);
        most_cells = most > most_cells ? most : most_cells;
        cheapest = costs[g] < cheapest ? costs[g] : cheapest;
    }
    if (lemma->left == UNLIMITED)
        return;
    if (n_capacities <= lemma->left) {
        free(capacities);
        n_capacities = (uint32_t)lemma->left + 1;
        capacities = get(n_capacities, sizeof *capacities);
    }
    for (spent = most = 0; spent <= lemma->left; spent++) {
        for (i = 0; i < lemma->n; i++)
            if (ends[lemma->set[i]] <= spent)
                most = most ? most : 1;
        for (i = 0; i < legal.n && most < lemma->n; i++) {
            uint32_t found = 0;
            if (g = legal.list ? legal.list[i] : i, costs[g] > spent)
                continue;
            count_sizes(&above, g, lemma->set, lemma->n);
            if (!is_useful(&above))
                continue;
            for (k = 0; k < above.n_kinds; k++) {
                uint32_t a = above.kinds[k], room = capacities[spent - costs[g]];
                found += a == win ? 1 : above.sizes[a] < room ? above.sizes[a] : room;
            }
            most = found > most ? found : most;
        }
        step(lemma->n + 1);
        capacities[spent] = most;
    }
}

/* The bound (D) of a cell, which has the greatest weights first. */
static int64_t bound_cell(const uint32_t *cell, uint32_t m, int64_t left)
{
    int64_t sum = 0, level, one = ends[*cell];
    uint32_t i, k, from, to, n;
    uint64_t room;
    if (m == 1)
        return one > left ? INFINITE
                          : weights[*cell] * (claim->scale * one + (one == left ? claim->last : 0));
    if (left != UNLIMITED && (left < 0 || m > capacities[left]))
        return INFINITE;
    step(m);
    if (is_identified) {
        /* Huffman's tree: what is merged is never less than what was merged before. */
        if (most_cells < 2)
            return INFINITE;
        i = m, from = to = 0;
        for (n = (m - 2) % (most_cells - 1) + 2; i + (to - from) > 1; n = most_cells) {
            int64_t together = 0;
            for (k = 0; k < n; k++)
                together += i && (from == to || weights[cell[i - 1]] <= merged[from])
                                ? weights[cell[--i]] : merged[from++];
            sum += merged[to++] = together;
        }
    } else
        for (level = 1, room = 1, i = 0; i < m; level++, room = room < m ? room * most_cells : m)
            for (k = 0; k < room && i < m; k++)
                sum += level * weights[cell[i++]];
    sum *= claim->scale * cheapest;
    if (left != UNLIMITED)
        for (i = left ? capacities[left - 1] : 0; i < m; i++)
            sum += claim->last * weights[cell[i]];
    return sum < INFINITE ? sum : INFINITE;
}

/* What a guess costs a set at least by (D). */
static int64_t sum_cells(Division *of, uint32_t g, const uint32_t *set, uint32_t n, int64_t left)
{
    int64_t sum;
    uint32_t k, a;
    scatter(of, g, set, n);
    sum = charge(of, g, set, n, left);
    for (k = 0; k < of->n_kinds; k++)
        if ((a = of->kinds[k]) != win)
            sum = add(sum, bound_cell(of->cells + of->starts[a], of->sizes[a], left));
    return sum;
}

/* The bound (E) of a cell, or what is known of it if (E) is no more. */
static int64_t look_on(const uint32_t *cell, uint32_t m, Guesses legal, int64_t left, int64_t known)
{
    int64_t best = INFINITE, sum;
    uint32_t i, g;
    for (i = 0; i < legal.n; i++) {
        if (g = legal.list ? legal.list[i] : i, costs[g] > left)
            continue;
        count_sizes(&below, g, cell, m);
        if (!is_useful(&below))
            continue;
        sum = sum_cells(&below, g, cell, m, spend(left, g));
        best = sum < best ? sum : best;
        if (best <= known)
            return known;
    }
    return best;
}

/* ---- Lemmas ---- */

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

static int has_all(Guesses of, Guesses parts)
{
    uint32_t i;
    step((uint64_t)of.n + parts.n);
    mark_set(of.list, of.n);
    for (i = 0; i < parts.n; i++)
        if (mark[parts.list[i]] != marked)
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
static void orbits(const Lemma *lemma, int is_root)
{
    uint32_t i, g;
    step((uint64_t)n_codes * (1 + lemma->n_maps));
    for (g = 0; g < n_codes; g++)
        parent_of[g] = g;
    for (i = lemma->maps; i < lemma->maps + lemma->n_maps; i++) {
        fail_if(!is_image(lemma->set, lemma->n, (int32_t)i, lemma),
                "line %" PRIu32 ": a symmetry moves the set of its lemma", lemma->line);
        mark_set(claim->first, is_root ? claim->n_first : 0);
        for (g = 0; is_root && g < claim->n_first; g++)
            fail_if(mark[image_of(maps + i, claim->first[g])] != marked,
                    "line %" PRIu32 ": a symmetry moves the first guesses", lemma->line);
        for (g = 0; g < n_codes; g++) {
            uint32_t a = least_of(g), b = least_of(image_of(maps + i, g));
            if (a < b)
                parent_of[b] = a;
            else
                parent_of[a] = b;
        }
    }
}

static int64_t *bounds, *by_size; /* of the cells of the guess at hand; (A) of so many members */
static uint32_t *room_above, *room_below; /* for guesses */

/* Raise the sum of the bounds of a guess's cells by (C), then by (B) or (E) until it is enough. */
static int64_t improve(const Lemma *lemma, uint32_t g, int64_t left, int64_t sum)
{
    const Use *use = uses + lemma->uses, *last = use + lemma->n_uses;
    uint32_t k, a, b = most_cells;
    step(lemma->n_uses);
    for (; use < last; use++) {
        const Lemma *of = lemmas + use->lemma;
        if (use->guess != g)
            continue;
        a = use->answer;
        if (!above.sizes[a] || !is_image(above.cells + above.starts[a], above.sizes[a], use->map, of))
            fail("line %" PRIu32 ": lemma %" PRIu32 " is about another set", use->line, use->lemma);
        fail_if(of->left < left,
                "line %" PRIu32 ": lemma %" PRIu32 " has fewer guesses left", use->line, use->lemma);
        fail_if(has_rule() && !has_all(of->legal, filter(lemma->legal, g, a, room_below)),
                "line %" PRIu32 ": lemma %" PRIu32 " allows fewer guesses", use->line, use->lemma);
        if (of->bound > bounds[a]) {
            sum = add(sum, of->bound - bounds[a]);
            bounds[a] = of->bound;
        }
    }
    while (sum < lemma->bound) { /* (B) gains most near b + 2 members */
        uint32_t best = win, m, away, least = UINT32_MAX;
        const uint32_t *cell;
        Guesses legal;
        step(above.n_kinds);
        for (k = 0; k < above.n_kinds; k++) {
            a = above.kinds[k], m = above.sizes[a];
            away = m < b + 2 ? b + 2 - m : m - (b + 2);
            if (a != win && m >= (is_plain ? 3 : 2) && bounds[a] < INFINITE && away < least)
                best = a, least = away;
        }
        if (best == win)
            break;
        m = above.sizes[best], cell = above.cells + above.starts[best];
        above.sizes[best] = 0; /* done */
        legal = filter(lemma->legal, g, best, room_below);
        legal = list_legal(cell, m, legal, room_below);
        sum = add(sum - bounds[best], is_plain ? look_ahead(cell, m, legal, b, left, bounds[best])
                                               : look_on(cell, m, legal, left, bounds[best]));
    }
    return sum;
}

/* What a guess costs at least; infinite if it is of no use, or too dear. */
static int64_t cost(const Lemma *lemma, uint32_t g)
{
    int64_t sum, left = spend(lemma->left, g);
    uint32_t i, a;
    count_sizes(&above, g, lemma->set, lemma->n);
    if (!is_useful(&above) || left < 0)
        return INFINITE;
    if (!is_plain)
        scatter(&above, g, lemma->set, lemma->n);
    sum = charge(&above, g, lemma->set, lemma->n, left);
    for (i = 0; i < above.n_kinds; i++) {
        a = above.kinds[i];
        bounds[a] = a == win ? 0
                    : is_plain ? by_size[above.sizes[a]]
                               : bound_cell(above.cells + above.starts[a], above.sizes[a], left);
        sum = add(sum, bounds[a]);
    }
    if (sum >= lemma->bound)
        return sum;
    if (is_plain)
        scatter(&above, g, lemma->set, lemma->n);
    return improve(lemma, g, left, sum);
}

static void name_code(uint32_t code, char *text)
{
    int i;
    if (is_words) {
        strcpy(text, words[code]);
        return;
    }
    if (rule == 't')
        sprintf(text, "%" PRIu32, code + 1);
    for (i = 0; i < n_pegs; i++) {
        text[i] = (char)('a' + letters[(size_t)code * MAX_PEGS + (size_t)i]);
        text[i + 1] = 0;
    }
}

static uint8_t *cells_of, *is_member, *is_left_out; /* of the lemma at hand, for each guess */

static void prove(uint32_t number)
{
    const Lemma *lemma = lemmas + number;
    uint32_t n = lemma->n, i, m;
    int is_first = !number && claim->n_first && !claim->is_except, are_counted;
    int64_t left = lemma->left == UNLIMITED ? UNLIMITED : lemma->left - 1; /* of a plain game */
    Guesses legal = list_legal(lemma->set, n, lemma->legal, room_above), tried = legal;
    orbits(lemma, !number);
    if (lemma->bound <= (is_plain ? fill(n, 1, 1, n_others, lemma->left)
                         : n == 1 ? bound_cell(lemma->set, 1, lemma->left) : 0))
        return;
    fail_if(n < 2, "line %" PRIu32 ": lemma %" PRIu32 " is not true", lemma->line, number);
    are_counted = is_plain && set_bytes && !legal.list;
    if (is_plain) {
        most_cells = survey(lemma->set, n, 0, legal, cells_of);
        for (m = 0; m <= n; m++)
            by_size[m] = fill(m, 1, 1, most_cells, left);
        memset(is_member, 0, n_codes);
        for (i = 0; i < n; i++)
            is_member[lemma->set[i]] = 1;
    } else
        measure(lemma, legal);
    memset(is_left_out, 0, n_codes);
    if (is_first)
        tried.list = claim->first, tried.n = claim->n_first;
    else
        for (i = 0; !number && i < claim->n_first; i++)
            is_left_out[claim->first[i]] = 1;
    for (i = 0; i < tried.n; i++) {
        uint32_t g = tried.list ? tried.list[i] : i;
        char text[sizeof(Word)];
        int64_t sum;
        if (is_left_out[g] || least_of(g) != g)
            continue;
        /* However its members are spread over them, so many cells cost at least this. */
        if (are_counted && add(claim->scale * n, fill(n - is_member[g], cells_of[g], 1, most_cells,
                                                      left)) >= lemma->bound)
            continue;
        sum = cost(lemma, g);
        fail_if(is_first && !is_useful(&above),
                "line %" PRIu32 ": a first guess has one cell", lemma->line);
        if (sum >= lemma->bound)
            continue;
        name_code(g, text);
        fail("line %" PRIu32 ": lemma %" PRIu32 " claims %" PRId64 ", guess %s shows %" PRId64,
             lemma->line, number, lemma->bound, text, sum);
    }
}

/* ---- Reading ---- */

/* Read the next line that counts as words with one blank between; 0 at the end of the file. */
static int next_line(void)
{
    int c, n, at, count = 1;
    do {
        for (n = 0; (c = getc(proof)) != EOF && c != '\n'; line[n++] = (char)c)
            refuse_if(n == MAX_LINE - 1 || !c, "a line is too long, or has a byte 0");
        if (c == EOF && !n && !ferror(proof))
            return 0;
        line_number++;
        refuse_if(c == EOF, ferror(proof) ? "the proof cannot be read" : "the last line has no end");
    } while (line_number > 1 && (!n || *line == '#'));
    words_of[0] = line;
    for (at = 0, line[n] = 0; at < n; at++) {
        refuse_if((uint8_t)line[at] < ' ', "a line has a control character");
        if (line[at] == ' ')
            line[at] = 0, words_of[count++] = line + at + 1;
    }
    for (at = 0; at < count; at++)
        refuse_if(!*words_of[at], "words are separated by one blank");
    return count;
}

static int64_t number_of(const char *text, size_t digits)
{
    size_t n = strlen(text);
    refuse_if(!n || n > digits || strspn(text, "0123456789") != n,
              "%.40s is no number of up to %zu digits", text, digits);
    return strtoll(text, NULL, 10);
}

static int64_t bound_of(const char *text)
{
    return strcmp(text, "none") ? number_of(text, version == 1 ? 12 : 18) : INFINITE;
}

static uint32_t code_of(const char *text)
{
    uint32_t number = 0;
    int i;
    if (is_words) {
        const uint32_t *found = NULL;
        if (strlen(text) < sizeof *words)
            found = find_word((uint32_t)(strcpy(words[n_codes], text), n_codes));
        refuse_if(!found, "%.40s is no word of the lists", text);
        return *found;
    }
    if (rule == 't') {
        int64_t guess = number_of(text, 6);
        refuse_if(*text == '0' || guess > n_codes, "%.40s is no guess of the table", text);
        return (uint32_t)guess - 1;
    }
    for (i = 0; i < n_pegs && text[i] >= 'a' && text[i] < 'a' + n_colors; i++)
        number = number * (uint32_t)n_colors + (uint32_t)(text[i] - 'a');
    refuse_if(i < n_pegs || text[i] || place_of[number] == NONE,
              "%.40s is no code of %s", text, game_name);
    return (uint32_t)place_of[number];
}

static uint16_t parse_answer(const char *text)
{
    uint32_t number = 0;
    int i, length = rule == 'p' ? 2 : rule == 'b' ? 1 : n_pegs, most = rule == 'w' ? 2 : n_pegs;
    if (rule == 't') {
        number = strcmp(text, "*") ? sign_of(text, strlen(text)) : win;
        refuse_if(number >= win && *text != '*', "%.40s is no answer", text);
        return (uint16_t)number;
    }
    refuse_if((int)strlen(text) != length, "%.40s is no answer", text);
    for (i = 0; i < length; i++)
        refuse_if(text[i] < '0' || text[i] > '0' + most, "%.40s is no answer", text);
    if (rule == 'p') {
        uint32_t black = (uint32_t)(text[0] - '0'), white = (uint32_t)(text[1] - '0');
        refuse_if((int)(black + white) > n_pegs || ((int)black == n_pegs - 1 && white == 1),
                  "%s is no answer", text);
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
    refuse_if(has_stakes || has_rule(), "weights, costs and rules of play have no symmetries");
    refuse_if(rule == 't' || is_words || (int)strlen(pegs) != n_pegs || (int)strlen(colors) != n_colors,
              "%.40s %.40s is no symmetry", pegs, colors);
    for (i = 0; i < n_pegs; i++) {
        refuse_if(pegs[i] < '1' || pegs[i] > '0' + n_pegs, "%.40s is no exchange of pegs", pegs);
        seen_pegs |= 1u << (map.peg[i] = (uint8_t)(pegs[i] - '1'));
    }
    for (i = 0; i < n_colors; i++) {
        refuse_if(colors[i] < 'a' || colors[i] >= 'a' + n_colors, "%.40s is no renaming", colors);
        seen_colors |= 1u << (map.color[i] = (uint8_t)(colors[i] - 'a'));
    }
    refuse_if(seen_pegs + 1 != 1u << n_pegs || seen_colors + 1 != 1u << n_colors,
              "%s %s is no symmetry", pegs, colors);
    maps = grow(maps, n_maps, MAX_ITEMS, sizeof *maps);
    maps[n_maps] = map;
    return (int32_t)n_maps++;
}

/* Of a game of codes also its answers; of a table, its sizes. */
static void parse_game(int n, char *const *paths, int n_paths)
{
    const char *at = words_of[1];
    if (!strcmp(at, "table") && version == 2 && (n == 4 || n == 5)) {
        n_secrets = (uint32_t)number_of(words_of[2], 6), n_codes = (uint32_t)number_of(words_of[3], 6);
        refuse_if(!n_secrets || !n_codes || (uint64_t)n_codes * n_secrets > MAX_PAIRS,
                  "the table is empty or too large");
        refuse_if(n_paths != n - 4, "give the file of a table if, and only if, the proof has not it");
        sprintf(game_name, "a table of %" PRIu32 " items", n_secrets);
        rule = 't';
        answers = get((uint64_t)n_codes * n_secrets, sizeof *answers);
        if (n_paths)
            read_table(*paths, words_of[4]);
    } else if (n == 4 && !strcmp(at, "codebook")) {
        const char *name = words_of[2];
        refuse_if(strlen(words_of[3]) != 64 || strspn(words_of[3], "0123456789abcdef") != 64,
                  "%.80s is no sha256", words_of[3]);
        rule = !strcmp(name, "pegs") ? 'p' : !strcmp(name, "black") ? 'b' : 'w';
        refuse_if(rule == 'w' && strcmp(name, "position"), "%.40s is no rule of answers", name);
        sprintf(game_name, "the codebook %.16s…", words_of[3]);
        is_words = 1;
        refuse_if(!n_paths, "the proof is about words: give their lists");
        read_words(paths, n_paths, words_of[3]);
        make_answers();
    } else {
        if (n != 2 || strlen(at) > 8 || at[0] != 'p' || at[1] < '1' || at[1] > '9' || at[2] != 'c')
            refuse("this game is not known");
        strcpy(game_name, at);
        n_pegs = at[1] - '0';
        for (at += 3; *at >= '0' && *at <= '9' && n_colors < 100; at++)
            n_colors = 10 * n_colors + *at - '0';
        if (n_colors < 1 || n_colors > MAX_COLORS || game_name[3] == '0' || (*at != 'r' && *at != 'n'))
            refuse("%s is no game of up to %d colors, r or n", game_name, MAX_COLORS);
        rule = at[1] == 'b' ? 'b' : 'p';
        refuse_if(at[rule == 'b' ? 2 : 1], "%s is no game", game_name);
        refuse_if(n_paths, "the proof is about no words, and lists are given");
        make_codes(*at == 'r');
        make_answers();
    }
}

static void parse_eligible(const char *name)
{
    eligible = !strcmp(name, "consistent") ? 'k' : *name;
    if (strcmp(name, "all") && strcmp(name, "candidates") && strcmp(name, "hints") && eligible != 'k')
        refuse("%.40s is no rule of play", name);
    refuse_if(eligible == 'c' && is_identified && rule == 't',
              "the guesses of this table are no candidates");
    refuse_if((eligible == 'h' && rule != 'w') || (eligible == 'k' && rule == 't'),
              "%s cannot be played by %s", game_name, name);
    if (has_rule()) { /* those with most cells first, where they were counted */
        uint32_t i, *list = get(n_codes, sizeof *list);
        for (i = 0; i < n_codes; i++)
            list[i] = by_cells ? by_cells[i] : i;
        allowed.list = list;
    }
}

/* The members of a set that give an answer. */
static uint32_t *select_cell(uint32_t *n, const uint32_t *set, uint32_t guess, uint32_t answer)
{
    const uint16_t *row = answers + (size_t)guess * n_secrets;
    uint32_t i, size = 0, *cell;
    step(*n);
    for (i = 0; i < *n; i++)
        size += row[set[i]] == answer;
    cell = get(size, sizeof *cell);
    for (i = size = 0; i < *n; i++)
        if (row[set[i]] == answer)
            cell[size++] = set[i];
    *n = size;
    return cell;
}

static Guesses select_legal(Guesses legal, uint32_t guess, uint32_t answer)
{
    return has_rule() ? filter(legal, guess, answer, get(legal.n, sizeof(uint32_t))) : legal;
}

static void add_lemma(uint32_t *set, uint32_t n, int64_t left, Guesses legal, int64_t bound)
{
    Lemma *lemma;
    lemmas = grow(lemmas, n_lemmas, MAX_LEMMAS, sizeof *lemmas);
    lemma = lemmas + n_lemmas++;
    refuse_if(n_in_all++ >= MAX_LEMMAS, "there are too many lemmas");
    memset(lemma, 0, sizeof *lemma);
    lemma->set = set, lemma->n = n, lemma->left = left, lemma->bound = bound, lemma->legal = legal;
    lemma->maps = n_maps, lemma->uses = n_uses, lemma->line = line_number;
    refuse_if((n_members += n + (has_rule() ? legal.n : 0)) > MAX_MEMBERS,
              "the sets have more than %" PRIu64 " members", (uint64_t)MAX_MEMBERS);
}

static void parse_root(int64_t bound)
{
    int64_t most = 1, weight = 0;
    uint32_t i;
    for (i = 0; i < n_secrets; i++)
        refuse_if((weight += weights[i]) >= MAX_COST, "the weights are too large");
    for (i = 0; i < n_codes; i++)
        most = costs[i] > most ? costs[i] : most;
    /* (scale * most * n + last) * weight, which must stay below MAX_COST */
    if (claim->scale > MAX_COST / most / n_secrets || (weight && claim->scale * most * n_secrets +
        claim->last >= (MAX_COST + weight - 1) / weight))
        refuse("the numbers of the claim are too large");
    refuse_if(!n_everyone, "what is given leaves no secret");
    add_lemma(everyone, n_everyone, claim->cap ? claim->cap : UNLIMITED, allowed, bound);
}

static void parse_lemma(int n)
{
    int64_t number = n == 5 ? number_of(words_of[1], 9) : n_lemmas, left;
    const Lemma *parent;
    uint32_t guess, answer, size, *set;
    Guesses legal;
    refuse_if(number >= n_lemmas, "a lemma needs an earlier lemma, a guess, an answer and a bound");
    parent = lemmas + number;
    guess = code_of(words_of[2]), answer = parse_answer(words_of[3]);
    size = parent->n;
    set = select_cell(&size, parent->set, guess, answer);
    refuse_if(!size, "a lemma about no secret");
    refuse_if(answer == win && version == 2, "the answer that wins needs no lemma");
    left = spend(parent->left, guess);
    refuse_if(left < !is_identified, "a lemma without guesses left");
    legal = select_legal(parent->legal, guess, answer);
    add_lemma(set, size, left, legal, bound_of(words_of[4]));
}

static void parse_use(int n)
{
    Use use;
    memset(&use, 0, sizeof use);
    refuse_if(n != 4 && n != 6, "a use has a guess, an answer, a lemma, and may have a symmetry");
    use.guess = code_of(words_of[1]), use.answer = parse_answer(words_of[2]);
    use.lemma = (uint32_t)number_of(words_of[3], 9), use.line = line_number;
    refuse_if(use.answer == win, "the answer that wins needs no lemma");
    use.map = n == 6 ? parse_map(words_of[4], words_of[5]) : NONE;
    uses = grow(uses, n_uses, MAX_ITEMS, sizeof *uses);
    uses[n_uses++] = use;
    lemmas[n_lemmas - 1].n_uses++;
}

/* What the report says of the game besides its name. */
static char also[4096];

static void name_given(const char *guess, const char *answer)
{
    size_t used = strlen(also);
    refuse_if(used + strlen(guess) + strlen(answer) + 16 > sizeof also, "too much is given");
    sprintf(also + used, ", after %s %s", guess, answer);
}

static void begin_claim(void)
{
    uint32_t i;
    for (i = 1; i < n_lemmas; i++) {
        free(lemmas[i].set);
        if (has_rule())
            free((void *)lemmas[i].legal.list);
    }
    claims = grow(claims, n_claims, MAX_LEMMAS, sizeof *claims);
    claim = claims + n_claims++;
    memset(claim, 0, sizeof *claim);
    claim->scale = 1;
    n_lemmas = n_uses = n_maps = 0;
}

/* Prove the claim that was read. */
static void conclude(void)
{
    uint32_t i, line_read = line_number;
    line_number = 0;
    fail_if(claim->total > lemmas[0].bound, "lemma 0 does not say what is claimed");
    for (i = 0; i < n_uses; i++)
        fail_if(uses[i].lemma >= n_lemmas,
                "line %" PRIu32 ": there is no lemma %" PRIu32, uses[i].line, uses[i].lemma);
    for (i = 0; i < n_lemmas; i++)
        prove(i);
    line_number = line_read;
}

static void parse_first(int n, int is_except)
{
    int at;
    uint32_t code, i;
    refuse_if(n < 2 || (is_except && claim->n_first && !claim->is_except),
              "first guesses are missing, or of two kinds");
    claim->is_except = is_except;
    for (at = 1; at < n; at++) {
        code = code_of(words_of[at]);
        for (i = 0; i < claim->n_first; i++)
            refuse_if(claim->first[i] == code, "%.40s stands twice", words_of[at]);
        step(claim->n_first + 1);
        claim->first = grow(claim->first, claim->n_first, MAX_CODES, sizeof *claim->first);
        claim->first[claim->n_first++] = code;
    }
}

/* The lines of a header, in their order: in which versions, whether they are needed, may come again. */
enum { IN_1 = 1, NEEDED = 2, AGAIN = 4 };
static const struct { const char *name; int is; } header[] = {
    {"treegen", IN_1 | NEEDED}, {"game", IN_1 | NEEDED}, {"q", AGAIN}, {"goal", 0}, {"weights", AGAIN},
    {"costs", AGAIN}, {"eligible", 0}, {"given", AGAIN}, {"claim", NEEDED}, {"first", IN_1 | AGAIN},
    {"except", AGAIN}, {"cap", IN_1}, {"price", 0}, {"total", IN_1 | NEEDED}, {"root", IN_1 | NEEDED}};
enum { TREEGEN, GAME, Q, GOAL, WEIGHTS, COSTS, ELIGIBLE, GIVEN, CLAIM, FIRST, EXCEPT, CAP, PRICE, TOTAL,
       ROOT, N_HEADER };

static void parse_header(int kind, int n, char *const *paths, int n_paths)
{
    static int is_finished, has_table;
    const uint32_t *list;
    uint32_t guess, answer, *set;
    if (kind > Q && rule == 't' && !has_table)
        make_table(), has_table = 1;
    if (!is_finished && (kind > COSTS || (version == 1 && kind > GAME))) {
        finish_game(), is_finished = 1;
        if (version == 1)
            begin_claim();
    }
    if (n != 2 && (kind == GOAL || kind == ELIGIBLE || kind == CAP || kind == TOTAL || kind == ROOT))
        refuse("this line has one word after the first");
    if (kind == TREEGEN) {
        version = n == 3 && !strcmp(words_of[1], "proof") ? *words_of[2] - '0' : 0;
        refuse_if((version != 1 && version != 2) || words_of[2][1], "this is no treegen proof 1 or 2");
    } else if (kind == GAME) {
        refuse_if(n < 2, "this game is not known");
        parse_game(n, paths, n_paths);
        allowed.n = n_codes, eligible = 'a';
        mark = get(n_codes > n_secrets ? n_codes : n_secrets, sizeof *mark);
    } else if (kind == Q) {
        refuse_if(rule != 't' || n_paths || n != 2, "no row of a table is expected here");
        add_row(words_of[1]);
    } else if (kind == GOAL) {
        is_identified = !strcmp(words_of[1], "identify");
        refuse_if(!is_identified && strcmp(words_of[1], "win"), "the goal is win or identify");
    } else if (kind == WEIGHTS)
        parse_numbers(n, &weights, &n_weights, n_secrets, 12);
    else if (kind == COSTS)
        parse_numbers(n, &costs, &n_costs, n_codes, 9);
    else if (kind == ELIGIBLE)
        parse_eligible(words_of[1]);
    else if (kind == GIVEN) {
        refuse_if(n != 3, "a guess and its answer are given");
        set = everyone, list = allowed.list;
        guess = code_of(words_of[1]), answer = parse_answer(words_of[2]);
        name_given(words_of[1], words_of[2]);
        everyone = select_cell(&n_everyone, everyone, guess, answer);
        allowed = select_legal(allowed, guess, answer);
        free(set);
        if (has_rule())
            free((void *)list);
    } else if (kind == CLAIM) {
        refuse_if(n != 1, "a claim begins with this word alone");
        begin_claim();
    } else if (kind == FIRST || kind == EXCEPT)
        parse_first(n, kind == EXCEPT);
    else if (kind == CAP && !(claim->cap = number_of(words_of[1], 6)))
        refuse("a cap of 0 guesses");
    else if (kind == PRICE) {
        refuse_if(n != 3, "a price has two numbers");
        claim->scale = number_of(words_of[1], 18), claim->last = number_of(words_of[2], 18);
        refuse_if(!claim->scale || (claim->last && !claim->cap),
                  "a guess costs nothing, or there is no last guess");
    } else if (kind == TOTAL)
        claim->total = bound_of(words_of[1]);
    else if (kind == ROOT)
        parse_root(bound_of(words_of[1]));
}

static void parse_line(int n, char *const *paths, int n_paths)
{
    static int stage = NONE;
    const char *word = words_of[0];
    int kind, at, is_again;
    if (stage == ROOT && !strcmp(word, "l"))
        parse_lemma(n);
    else if (stage == ROOT && n == 3 && !strcmp(word, "s")) {
        refuse_if(lemmas[n_lemmas - 1].n_uses, "symmetries stand before uses");
        parse_map(words_of[1], words_of[2]);
        lemmas[n_lemmas - 1].n_maps++;
    } else if (stage == ROOT && !strcmp(word, "u"))
        parse_use(n);
    else {
        for (kind = 0; kind < N_HEADER && strcmp(word, header[kind].name); kind++)
            ;
        if (kind == CLAIM && stage == ROOT && version == 2)
            conclude(), stage = GIVEN;
        is_again = kind == stage && version == 2 && header[kind].is & AGAIN;
        if (kind == N_HEADER || (kind <= stage && !is_again) || (version == 1 && !(header[kind].is & IN_1)))
            refuse("this line cannot stand here: %.40s", word);
        for (at = stage + 1; at < kind; at++)
            refuse_if(header[at].is & NEEDED && (version != 1 || header[at].is & IN_1),
                      "this line cannot stand here: %.40s", word);
        parse_header(kind, n, paths, n_paths);
        stage = kind;
    }
}

static int compare_counts(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (cells_of_all[x] != cells_of_all[y])
        return cells_of_all[x] > cells_of_all[y] ? -1 : 1;
    return (x > y) - (x < y);
}

/* What every lemma needs. */
static void prepare(void)
{
    uint32_t g, i;
    parent_of = get(n_codes, sizeof *parent_of);
    cells_of = get(stride, sizeof *cells_of);
    is_member = get(n_codes > n_secrets ? n_codes : n_secrets, sizeof *is_member);
    is_left_out = get(n_codes, sizeof *is_left_out);
    room_above = get(n_codes, sizeof *room_above), room_below = get(n_codes, sizeof *room_below);
    for (i = 0; i < 2; i++) {
        Division *of = i ? &above : &below;
        of->kinds = get(n_answers, sizeof *of->kinds), of->sizes = get(n_answers, sizeof *of->sizes);
        of->starts = get(n_answers, sizeof *of->starts), of->cells = get(n_secrets, sizeof *of->cells);
    }
    merged = get(n_secrets, sizeof *merged);
    bounds = get(n_answers, sizeof *bounds), by_size = get(n_secrets, sizeof *by_size);
    if (set_bytes || !is_plain)
        return;
    by_cells = get(n_codes, sizeof *by_cells);
    cells_of_all = get(n_codes, sizeof *cells_of_all);
    step((uint64_t)n_codes * n_secrets);
    for (g = 0; g < n_codes; g++) {
        by_cells[g] = g;
        cells_of_all[g] = count_cells(answers + (size_t)g * n_secrets, 1, everyone, n_secrets, 0);
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
    uint32_t i, at;
    printf("PROVED: for %s", game_name);
    if (is_identified || has_stakes || eligible != 'a' || *also)
        printf(" (goal %s%s%s, eligible %s%s)", is_identified ? "identify" : "win",
               n_weights ? ", weights" : "", n_costs ? ", costs" : "",
               eligible == 'a' ? "all" : eligible == 'c' ? "candidates" : eligible == 'h' ? "hints"
                                                                                          : "consistent",
               also);
    for (at = 0; at < n_claims; at++) {
        const Claim *said = claims + at;
        printf("%s no strategy", at ? ";" : "");
        for (i = 0; i < said->n_first; i++) {
            name_code(said->first[i], text);
            printf("%s %s", i ? " or" : said->is_except ? " whose first guess is useful and not"
                                                        : " that begins with", text);
        }
        if (said->total >= INFINITE)
            printf(" finds every secret");
        else if (said->scale > 1 || said->last)
            printf(" has %" PRId64 " × total + %" PRId64 " × games at that limit below %" PRId64,
                   said->scale, said->last, said->total);
        else
            printf(" has a total below %" PRId64, said->total);
        if (said->cap)
            printf("%s within %s%" PRId64 "%s", said->total < INFINITE ? " where every game ends" : "",
                   n_costs ? "a cost of " : "", said->cap, n_costs ? "" : " guesses");
    }
    printf(" (%" PRIu32 " lemma%s)\n", n_in_all, n_in_all == 1 ? "" : "s");
}

int main(int argc, char **argv)
{
    int n;
    proof = stdin;
    if (argc > 2 && !strcmp(argv[1], "-w")) {
        max_steps = (uint64_t)number_of(argv[2], 18);
        argv += 2, argc -= 2;
    }
    refuse_if(argc > 4 || (argc > 1 && argv[1][0] == '-' && argv[1][1]),
              "usage: check [-w STEPS] [X.proof [HIDDEN [OTHERS] | TABLE]]");
    if (argc > 1 && strcmp(argv[1], "-"))
        proof = open_file(argv[1]);
    while ((n = next_line()))
        parse_line(n, argv + 2, argc > 2 ? argc - 2 : 0);
    line_number = 0;
    refuse_if(!n_lemmas, "the proof has no root");
    conclude();
    report();
    return 0;
}
