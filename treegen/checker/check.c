/* check.c: checks a proof that no strategy for a code-breaking game needs fewer guesses.
 *
 * Usage: check [-w STEPS] [X.proof [HIDDEN [OTHERS]]]   or, of a table in a file: X.proof TABLE
 *
 * docs/notes/certificate-format.md of treegen specifies a proof; without a file, or where it is -, it comes
 * on the standard input. Of a proof about words HIDDEN has the secrets, OTHERS more words that may be
 * guessed. Exit 0 and PROVED: the claims hold. Exit 1: something was not shown. Exit 2: the proof cannot
 * be read, or takes more than a limit allows. Any C99 compiler will do: cc -O3 -o check check.c
 *
 * WHY THIS SUFFICES
 *
 * Let S be a set of secrets, G the guesses that may be made, r what they may cost. A guess g splits S
 * into cells: the members that give one answer. The answer that says "this is the secret" wins. Guess
 * g has a cost c(g), secret x a weight w(x): plain games have 1 for both. Let V(S, r, G) be the least
 * cost of any strategy that finds all members of S: for each of them its weight times what its guesses
 * cost, all times `scale`; and its weight times `last` more if they cost exactly r ("none", here
 * infinite, if some member cannot be found for r). A strategy begins with a guess and continues in each
 * cell apart, where perhaps less may be guessed:
 *
 *     V(S, r, G) = min over g in G, c(g) <= r, of
 *                  scale c(g) w(S) + (last w(winner) if c(g) = r) + sum of V(cell, r - c(g), G')
 *
 * summed over the cells that do not win. If a single secret need only be known ("identify"), it costs
 * nothing but w(x) last if r = 0; else it must be guessed, too. A guess with all of S in one cell that
 * does not win costs something and leaves S as it was, with less to spend and no more guesses, so a
 * least strategy never makes it. All others are of use: they leave cells smaller than S. (*)
 *
 * Uncertain answers. An item of a table may give any answer of a set. Its weight is then divided evenly
 * among them: it is a member of each of these cells, with a share of its weight, and S is a set of
 * members with their shares, which stand for w above. Shares are rounded down here; V can only grow as
 * shares grow, so the bounds of the lesser ones hold. Asked again, an item answers as before, so no
 * guess is made twice: G_i has not those made on the path. A guess tells nothing, and is of no use, if all
 * members have the same set; then V(S) is what its cells add up to. To identify, two items are apart if a
 * guess has no answer that both may give and, where there are classes, theirs differ. Nothing else is to be
 * told apart: it is over, and costs w(x) last if r = 0, when no two members are apart.
 *
 * A proof is a list of lemmas "V(S_i, r_i, G_i) >= L_i". S_0 has the secrets that agree with what is
 * given; every other S_i is a cell of the set of an earlier lemma, found here by comparing all its
 * members' answers; r_i is what that guess leaves, and G_i what the rule of play then allows: all
 * guesses; those that win a member of S_i ("candidates"); or those codes that agree with all answers
 * on the path from S_0 on, or use their hints. The sets, the answers, and all bounds are computed
 * here; nothing of them is taken from the file. The function prove() accepts a lemma if every guess of
 * G_i that is of use costs at least L_i, where a cell counts with the greatest of the bounds below. In
 * them b is the most cells of a guess of G_i on S_i: on a part of S_i no guess has more, and below
 * there are no other guesses. In plain games, and in all with a win, b leaves the winning cell out.
 *
 * Bound 1: size, in plain games. In a tree for a cell of m members, one node asks the first guess, at
 * most b the second, at most b * b the third and so on, and each ends one game at most. So the lengths
 * of the m games add up to fill(m, 1, 1) or more: one game of length 1, b of length 2, b * b of length
 * 3, until there are m; what does not fit into the guesses left makes it infinite.
 *
 * Bound 2: one guess ahead, in plain games, for m >= 3. Let `own` be the most cells that do not win of
 * a member of the cell as a guess on the cell, and `most` the same of all guesses that the cell allows.
 * If the next guess is a member, it ends one game, and at most `own` nodes ask the second guess: the
 * total is 1 + fill(m - 1, own, 2) or more, where fill starts with `own` games of length 2. If it is
 * none, no game ends at once: fill(m, most, 2) or more. The lesser of the two bounds V. As most <= b,
 * it is not counted where b in its place makes no difference.
 *
 * Bound 3: weights and sizes, in all other games. Let c be the least cost of a guess of G_i that is of
 * use on S_i. To be identified, the members of a cell are leaves of a tree with at most b branches a
 * node, and the cost is at least c times the sum of weight times depth: at least c times that of
 * Huffman's tree. Where some are not apart, those that are apart from the same others are one group, with
 * the sum of their shares, and groups that are apart have no leaf in common. (A group at several leaves
 * costs no less than all of it at the one of least depth.) Parted into sets of such groups, a cell costs
 * at least what the sets cost one by one, since leaving members out never costs more. To be guessed, one
 * member at most is found by the first guess, b by the second, b * b by the third; the heaviest come
 * first in the least sum of weight times level, times c. A single member costs its own cheapest guess. To
 * be identified, guesses of different costs count apart. Let the "layers" line say x_1 < x_2 < ... and
 * x_0 be c. A guess of cost c(g) costs c and, for each k with x_k <= c(g), what x_k exceeds x_(k-1) and
 * c, or less than c(g). In the k-th layer let what is cheaper than x_k be free. It parts the members into
 * blocks, of those alike on all cheaper guesses; the members of a block are still leaves of a tree whose
 * branches are made by guesses that cost x_k or more, at most b_k of them a node, where b_k is the most
 * cells of such a guess of G_i on S_i. So the cell costs c times Huffman's sum, and for each layer
 * Huffman's sums of its blocks times what x_k exceeds. With r left, no more than K(r) members can be
 * found: K(x) is at least 1 as soon as a single one can be found, and the most over the guesses of cost y
 * <= x of 1 for a member that wins, and for each cell the lesser of its size and K(x - y). More make the
 * bound infinite, and at least m - K(r - 1) of m members, the lightest at best, pay `last`. With groups
 * the same holds of each set of groups, which K bounds as it does members.
 *
 * Bound 4: one guess ahead, in these games, where it is not over: the least over the guesses of the cell
 * of what the guess costs and bound 3 of its cells.
 *
 * Bound 5: the L_j of a lemma that a "u" line names for this cell, where S_j is the cell, with its
 * shares, or its image under a symmetry that the line gives, compared member by member. Exchanging pegs
 * and renaming colors changes no answer and maps the codes onto themselves, so the image of a strategy is
 * a strategy of the same costs, if all weights and costs are 1 and no guess is forbidden by the answers
 * before. The lemma must have at least as much left as the cell, and at least the guesses that the cell
 * has, one by one, since V can only grow as r falls or as guesses are taken away.
 *
 * Each of these is a lower bound of V(cell), if the lemmas of bound 5 are true. They are: say that all
 * lemmas were accepted and some are false, and take a false one of the fewest members. Every lemma that
 * was used for it is about a set as large as a cell of a guess of use, so smaller than S, so true. Then
 * all its bounds hold, and by (*) so does the lemma: a contradiction. Hence no order of lemmas matters,
 * and a circle of lemmas proves nothing. That is why *every* lemma must be accepted. Where answers are
 * uncertain a cell may have all members of S; there a lemma may only use later ones, and the last false
 * one leads to the contradiction.
 *
 * Symmetries of a lemma ("s" lines). If a symmetry maps S onto itself (checked member by member), guess
 * g costs on S what its image costs. So of the guesses that such symmetries turn into each other only
 * the least is looked at; a symmetry that is left out only means that more guesses must be refuted.
 *
 * "first": lemma 0 then speaks of strategies that begin with one of these guesses, so these are all that
 * is refuted for it; its symmetries must keep their list. None of them may leave all secrets in one cell
 * that does not win: it is of no use, but such a strategy may begin with it. "except": it speaks of
 * strategies that begin with any other guess that is of use. Other lemmas are about all guesses; no lemma may
 * use lemma 0, as no cell is as large as its set.
 *
 * At sight. With a win and A other answers, every guess has at most A cells that do not win, so in a
 * plain game V is at least fill(n, 1, 1) with A in place of b. A lemma that says no more needs no look.
 * In other games only what is over is known at sight: the only way there, but to win with "first".
 *
 * What has to be believed: that this file does what it says, the compiler, the machine, and that the game
 * is the one that is meant: make_codes(), answer_of(), allows() and the table of the proof are its rules.
 * Numbers: a bound has at most 18 digits, infinity is 2^60 and sums stop there. A least strategy makes
 * fewer guesses for each secret than there are secrets, or at most all; a claim is refused if that many of
 * the dearest guess would come to 2^59, so 64 bits never overflow, and what costs 2^60 is impossible.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PEGS = 9, MAX_COLORS = 26, MAX_LINE = 1 << 16, BLOCK = 256, N_SLOTS = 1 << 21 };
enum { PEGS, BLACK, POSITION, TABLE };
enum { ALL, CANDIDATES, HINTS, CONSISTENT };
#define NONE UINT32_MAX

#define MAX_PLACES ((uint32_t)1 << 20) /* colors to the power of pegs */
#define MAX_CODES 1000000u
#define MAX_PAIRS ((uint64_t)1 << 30) /* of guess and secret: 2 GiB of answers, up to 8 of sets */
#define MAX_MEMBERS ((uint64_t)1 << 28) /* of all sets: 1 GiB */
#define MAX_LEMMAS (1u << 22)
#define MAX_ITEMS (1u << 24) /* symmetries, and uses: 1 GiB each */
#define MAX_ANSWER 60000u /* of a table */
#define MAX_SETS 5000u      /* of answers */
#define MAX_LAYERS 64u
#define INFINITE ((int64_t)1 << 60)
#define MAX_COST ((int64_t)1 << 59)
#define UNLIMITED ((int64_t)1 << 40) /* as what may be spent */

typedef char Text[4 * MAX_PEGS + 1]; /* a letter has up to four bytes */
typedef struct { uint8_t peg[MAX_PEGS], color[MAX_COLORS]; } Map;
typedef struct { uint32_t *list, n; int64_t *shares; } Codes; /* guesses, or members with shares */
typedef struct { uint32_t guess, answer, lemma, map, line; } Use;
typedef struct {
    int64_t bound, left; /* left: what may be spent */
    Codes set;           /* those of the greatest weight first */
    Codes legal;         /* guesses, by a rule of play that depends on the answers */
    uint32_t line, maps, n_maps, uses, n_uses;
} Lemma;
typedef struct {
    Codes first;    /* guesses; if is_except, all but these */
    int is_except;
    int64_t cap, scale, last, total; /* cap: 0: none */
    int64_t price[2]; /* scale and last as the proof says them */
    uint32_t lemma; /* where its lemmas begin */
} Claim;

/* The game. The secrets are the first codes, or the items of a table. */
static char game_name[256], *given; /* given: as the report says it, or NULL */
static size_t given_length, given_room;
static const char *const rules[] = {"pegs", "black", "position"}; /* of answers */
static const char *const rules_of_play[] = {"all", "candidates", "hints", "consistent"};
static int rule, eligible, is_identified, is_plain; /* rule, eligible: of these */
static uint32_t n_pegs, n_colors, n_codes, n_secrets;
static uint32_t n_answers, n_others, win; /* others: those that do not win */
static uint32_t *letters;   /* [code][peg] */
static Text *texts;         /* of codes */
static uint32_t slots[N_SLOTS]; /* where their texts are: code + 1, or 0 */
static uint32_t *place_of;  /* the code whose colors are the digits of a number, or NONE */
static uint16_t *answers;   /* [guess][secret] */
static void *sets;          /* [secret][guess]: the set of this one answer, if it does not win */
static int set_bytes;       /* of such a set: 2, 4 or 8; 0: there are too many answers for that */
static uint32_t stride;     /* items of a row of sets: the guesses, and empty sets at the end */
static int64_t *all_cells;  /* then: the cells of each guess on all secrets */
static Codes by_cells;      /* and all guesses, those with most of them first */
static uint32_t *ranks;     /* the place of each guess in this order */
static uint16_t *columns;   /* [secret][guess in this order]: the answer */
static int64_t *weights, *costs, *classes, *ends; /* ends: of a secret that alone is left */
static uint32_t n_weights, n_costs, n_classes, n_rows; /* that were read; rows: of a table */
static uint32_t *set_starts, n_sets, n_listed; /* where sets of answers begin in set_answers */
static uint16_t *set_answers;
static uint32_t most_choices = 1; /* the most answers of a set */
static uint32_t *groups;    /* of items: the first one that is told apart from the same others, or NULL */
static uint8_t *apart;      /* [item][item]: whether they are told apart for certain */
static uint8_t *is_given;   /* of guesses */
static uint32_t *owners;    /* the secret that a guess wins, or NONE */
static int64_t *layers;     /* ascending; guesses that cost less are free in one */
static uint32_t n_layers;
static uint32_t *blocks;    /* [layer][secret]: equal where all cheaper guesses are answered alike */
static Codes every_guess, everyone; /* everyone: the secrets that agree with what is given */
static Codes allowed;       /* the guesses that the rule of play then allows */

/* The proof. */
static int version, minor;      /* 2.2: version 2, minor 2 */
static int stage = -1;          /* the last line of the header that was read */
static Claim *claims, *claim;   /* all, and the one at hand */
static Lemma *lemmas;         /* of all claims */
static Map *maps;
static Use *uses;
static uint32_t n_claims, n_lemmas, n_maps, n_uses;
static uint32_t *listed;      /* for each guess: the last claim that lists it */
static uint64_t n_members, steps, max_steps = 4000000000000u;

/* ---- Verdicts, memory, work ---- */

static uint32_t line_number;

/* End with a verdict: 1, something was not shown; 2, the proof is malformed or beyond a limit. */
static void end(int code, uint32_t at, const char *text, ...)
{
    va_list list;
    va_start(list, text);
    printf("%s", code == 1 ? "NOT PROVED: " : "");
    if (at)
        printf("line %" PRIu32 ": ", at);
    printf("%s", code == 2 ? "UNREADABLE: " : "");
    vprintf(text, list);
    printf("\n");
    exit(code);
}

#define fail_if(condition, at, ...) do { if (condition) end(1, at, __VA_ARGS__); } while (0)
#define refuse_if(condition, ...) do { if (condition) end(2, line_number, __VA_ARGS__); } while (0)

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
    if (steps > max_steps)
        end(2, 0, "the check takes more than %" PRIu64 " steps (-w)", max_steps);
}

/* ---- Lines, words, numbers ---- */

static char line[MAX_LINE], *words_of[MAX_LINE], **paths; /* paths: of lists or of a table */
static int n_paths;

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    refuse_if(!file, "%s cannot be opened", path);
    return file;
}

/* Read the next line that counts as words with one blank between; 0 at the end of the file. */
static int next_line(FILE *file)
{
    int c, n, at, count = 1;
    do {
        for (n = 0; (c = getc(file)) != EOF && c != '\n'; line[n++] = (char)c)
            refuse_if(n == MAX_LINE - 1 || !c, "a line is too long, or has a byte 0");
        if (c == EOF && !n && !ferror(file))
            return 0;
        line_number++;
        refuse_if(c == EOF, ferror(file) ? "the proof cannot be read" : "the last line has no end");
    } while (line_number > 1 && (!n || *line == '#'));
    words_of[0] = line;
    for (at = 0, line[n] = 0; at < n; at++) {
        refuse_if((uint8_t)line[at] < ' ', "a line has a control character");
        if (line[at] != ' ')
            continue;
        refuse_if(words_of[count - 1] == line + at || at == n - 1, "words are separated by one blank");
        line[at] = 0;
        words_of[count++] = line + at + 1;
    }
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

/* ---- Digests (SHA-256: FIPS 180-4) ---- */

static uint32_t hash[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
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
    static uint32_t w[64];
    uint32_t v[8], i = n_hashed++ % 64 / 4;
    w[i] = w[i] << 8 | byte;
    if (n_hashed % 64)
        return;
    for (i = 16; i < 64; i++)
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

/* Refuse lists or a table whose digest is another one than the proof names. */
static void end_hash(const char *digest, const char *fault)
{
    uint64_t bits = 8 * n_hashed;
    char hex[65];
    int i;
    for (hash_byte(0x80); n_hashed % 64 != 56;)
        hash_byte(0);
    for (i = 56; i >= 0; i -= 8)
        hash_byte((uint8_t)(bits >> i));
    for (i = 0; i < 8; i++)
        sprintf(hex + 8 * i, "%08" PRIx32, hash[i]);
    refuse_if(strcmp(hex, digest), "%s %s", fault, hex);
}

/* ---- Codes: of a peg game, or words from lists ---- */

/* Where a text is kept, or would be. */
static uint32_t *slot_of(const char *text)
{
    uint32_t at = 0, i;
    for (i = 0; text[i]; i++)
        at = 31 * at + (uint8_t)text[i];
    for (at %= N_SLOTS; slots[at] && strcmp(texts[slots[at] - 1], text); at = (at + 1) % N_SLOTS)
        step(1);
    return slots + at;
}

static uint32_t code_of(const char *text)
{
    uint32_t found = *slot_of(text);
    refuse_if(!found, "%.40s is no code of %s", text, game_name);
    return found - 1;
}

static void make_codes(int is_repeated)
{
    uint32_t places = 1, number, rest, i, j;
    for (i = 0; i < n_pegs; i++)
        refuse_if((places *= n_colors) > MAX_PLACES, "%s has too many codes", game_name);
    place_of = get(places, sizeof *place_of);
    letters = get((uint64_t)places * MAX_PEGS, sizeof *letters);
    texts = get(places, sizeof *texts);
    for (number = 0; number < places; number++) { /* in lexicographic order */
        uint32_t *code = letters + (size_t)n_codes * MAX_PEGS;
        int repeats = 0;
        for (rest = number, i = n_pegs; i-- > 0; rest /= n_colors) {
            code[i] = rest % n_colors;
            texts[n_codes][i] = (char)('a' + code[i]);
            for (j = i + 1; j < n_pegs; j++)
                repeats |= code[i] == code[j];
        }
        place_of[number] = NONE;
        if (repeats && !is_repeated)
            continue;
        place_of[number] = n_codes++;
        *slot_of(texts[n_codes - 1]) = n_codes;
    }
    refuse_if(!n_codes, "%s has no codes", game_name);
    n_secrets = n_codes;
}

/* Letters are the code points of UTF-8. */
static uint32_t split_word(const char *word, uint32_t *code)
{
    const uint8_t *at = (const uint8_t *)word;
    uint32_t n;
    for (n = 0; *at; n++) {
        uint32_t letter = *at++;
        int more = (letter >= 0xc0) + (letter >= 0xe0) + (letter >= 0xf0);
        refuse_if(letter >> 6 == 2 || letter >= 0xf8, "%.40s is not UTF-8", word);
        for (letter &= more ? 0x3fu >> more : 0x7fu; more && *at >> 6 == 2; more--)
            letter = letter << 6 | (*at++ & 0x3fu);
        refuse_if(more || n == MAX_PEGS,
                  "%.40s is no word of up to %d letters in UTF-8", word, MAX_PEGS);
        code[n] = letter;
    }
    return n;
}

/* Read the lists; of OTHERS those that are secrets count as such. */
static void read_words(const char *digest)
{
    char text[32];
    uint32_t i, n;
    int p;
    refuse_if(!n_paths, "the proof is about words: give their lists");
    for (p = 0; p < n_paths; p++) {
        FILE *file = open_file(paths[p]);
        texts = grow(texts, n_codes, MAX_CODES, sizeof *texts);
        while (fscanf(file, "%36s", texts[n_codes]) == 1) { /* what is cut has another digest */
            uint32_t *slot = slot_of(texts[n_codes]);
            refuse_if(*slot > n_secrets, "%.40s stands twice in a list", texts[n_codes]);
            if (*slot)
                continue;
            *slot = ++n_codes;
            texts = grow(texts, n_codes, MAX_CODES, sizeof *texts);
        }
        fclose(file);
        n_secrets = p ? n_secrets : n_codes;
    }
    refuse_if(!n_secrets, "the list of secrets is empty");
    letters = get((uint64_t)n_codes * MAX_PEGS, sizeof *letters);
    sprintf(text, "%s %" PRIu32, rules[rule], n_secrets);
    hash_text(text);
    for (i = 0; i < n_codes; i++) {
        n = split_word(texts[i], letters + (size_t)i * MAX_PEGS);
        refuse_if(i && n != n_pegs, "%.40s is not as long as other words", texts[i]);
        n_pegs = n;
        hash_byte('\n');
        hash_text(texts[i]);
    }
    end_hash(digest, "these are not the lists of the proof: their digest is");
}

/* ---- Answers ---- */

/* Answers of pegs are numbered by black, then white: b black leave 0 to n - b white. */
static uint32_t number_pegs(uint32_t black, uint32_t white)
{
    return black * (n_pegs + 1) - black * (black - 1) / 2 + white;
}

/* Each letter of the secret is paired once: with the same letter at its place, which gives 2; else,
 * from the left, with one that is misplaced, which gives 1. */
static uint32_t answer_of(const uint32_t *guess, const uint32_t *secret)
{
    uint32_t black = 0, white = 0, number = 0, used = 0, i, j;
    for (i = 0; i < n_pegs; i++) {
        uint32_t digit = guess[i] == secret[i] ? 2 : 0;
        for (j = 0; !digit && j < n_pegs; j++)
            if (secret[j] == guess[i] && guess[j] != secret[j] && !(used >> j & 1)) {
                used |= 1u << j;
                digit = 1;
            }
        black += digit == 2;
        white += digit == 1;
        number = 3 * number + digit;
    }
    return rule == POSITION ? number : rule == BLACK ? black : number_pegs(black, white);
}

static void make_answers(void)
{
    uint64_t pairs = (uint64_t)n_codes * n_secrets;
    uint32_t g, s, a;
    n_answers = rule == PEGS ? number_pegs(n_pegs, 0) + 1 : rule == BLACK ? n_pegs + 1 : 1;
    for (a = 0; rule == POSITION && a < n_pegs; a++)
        n_answers *= 3;
    win = n_answers - 1;
    n_others = rule == PEGS ? win - 1 : win; /* n - 1 black and 1 white is never given */
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
            size_t at = ((size_t)s * stride + g) * (size_t)set_bytes;
            a = answer_of(letters + (size_t)g * MAX_PEGS, letters + (size_t)s * MAX_PEGS);
            refuse_if((a == win) != (g == s), "%s has a code twice", game_name);
            answers[(size_t)g * n_secrets + s] = (uint16_t)a;
            if (set_bytes && a != win)
                ((uint8_t *)sets)[at + a / 8] = (uint8_t)(1u << a % 8);
        }
}

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

static uint32_t parse_answer(const char *text)
{
    uint32_t length = rule == PEGS ? 2 : rule == BLACK ? 1 : n_pegs;
    uint32_t most = rule == POSITION ? 2 : n_pegs, number = 0, black, white, i;
    if (rule == TABLE) {
        number = strcmp(text, "*") ? sign_of(text, strlen(text)) : win;
        refuse_if(number >= win && *text != '*', "%.40s is no answer", text);
        return number;
    }
    refuse_if(strlen(text) != length, "%.40s is no answer", text);
    for (i = 0; i < length; i++) {
        refuse_if(text[i] < '0' || (uint32_t)(text[i] - '0') > most, "%.40s is no answer", text);
        number = (rule == POSITION ? 3 : 10) * number + (uint32_t)(text[i] - '0');
    }
    if (rule != PEGS)
        return number;
    black = number / 10, white = number % 10;
    refuse_if(black + white > n_pegs || (black == n_pegs - 1 && white == 1),
              "%s is no answer", text);
    return number_pegs(black, white);
}

/* The number of a set of answers, such as 0/2/3: they stand behind MAX_ANSWER + 1. */
static uint16_t set_of(const char *text, size_t length)
{
    uint32_t begin = n_listed, number, n;
    const char *stop = text + length;
    for (;; text += length + 1) {
        length = strcspn(text, "/,");
        set_answers = grow(set_answers, n_listed, 1u << 28, sizeof *set_answers);
        set_answers[n_listed++] = sign_of(text, length);
        refuse_if(n_listed > begin + 1 && set_answers[n_listed - 2] >= set_answers[n_listed - 1],
                  "the answers of a set do not ascend");
        if (text + length == stop)
            break;
    }
    set_starts = set_starts ? set_starts : get(MAX_SETS + 1, sizeof *set_starts);
    n = n_listed - begin, step((uint64_t)n_sets + n);
    for (number = 0; number < n_sets; number++)
        if (set_starts[number + 1] - set_starts[number] == n &&
            !memcmp(set_answers + set_starts[number], set_answers + begin, n * sizeof *set_answers))
            break;
    if (number < n_sets)
        n_listed = begin; /* it is known */
    else {
        refuse_if(n_sets == MAX_SETS, "there are more than %u sets of answers", MAX_SETS);
        set_starts[++n_sets] = n_listed;
        most_choices = n > most_choices ? n : most_choices;
    }
    return (uint16_t)(MAX_ANSWER + 2 + number);
}

/* The answers that an item may give, by its number in a row; return how many they are. */
static uint32_t choices_of(const uint16_t *number, const uint16_t **choices)
{
    uint32_t set;
    *choices = number;
    if (*number <= MAX_ANSWER + 1)
        return 1;
    set = *number - (MAX_ANSWER + 2);
    *choices = set_answers + set_starts[set];
    return set_starts[set + 1] - set_starts[set];
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
        if (length == 1 && *text == '*')
            row[i] = MAX_ANSWER + 1;
        else
            row[i] = (minor > 1 && memchr(text, '/', length) ? set_of : sign_of)(text, length);
        text += length;
        refuse_if(*text == ',' && (!*++text || !is_list), "an answer is missing");
    }
    refuse_if(i != n_secrets || *text, "a guess has not as many answers as there are items");
}

/* Take a table from a file; the line at hand is lost. */
static void read_table(const char *digest)
{
    FILE *file = open_file(*paths);
    uint32_t number = line_number;
    int n;
    for (; (n = getc(file)) != EOF; hash_byte((uint8_t)n))
        step(1);
    end_hash(digest, "this is not the table of the proof: its digest is");
    for (rewind(file), line_number = 0; (n = next_line(file)); add_row(words_of[1]))
        refuse_if(n != 2 || strcmp(words_of[0], "q"), "each line of a table begins with q");
    refuse_if(line_number != n_rows, "a file of a table has its rows and nothing else");
    fclose(file);
    line_number = number;
}

static int64_t free_below; /* guesses that cost less are looked at */

static int compare_items(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b, g;
    for (g = 0; g < n_codes; g++) {
        const uint16_t *row = answers + (size_t)g * n_secrets;
        if (row[x] != row[y] && costs[g] < free_below)
            return row[x] < row[y] ? -1 : 1;
    }
    return 0;
}

/* ---- The game ---- */

static void parse_game(int n)
{
    const char *at = words_of[1], *digest = words_of[3];
    if (!strcmp(at, "table") && version == 2 && (n == 4 || n == 5)) {
        uint32_t i;
        rule = TABLE;
        n_secrets = (uint32_t)number_of(words_of[2], 6);
        n_codes = stride = (uint32_t)number_of(words_of[3], 6);
        refuse_if(!n_secrets || !n_codes || (uint64_t)n_codes * n_secrets > MAX_PAIRS,
                  "the table is empty or too large");
        refuse_if(n_paths != n - 4, "give the file of a table if, and only if, the proof has not it");
        sprintf(game_name, "a table of %" PRIu32 " items", n_secrets);
        answers = get((uint64_t)n_codes * n_secrets, sizeof *answers);
        texts = get(n_codes, sizeof *texts);
        for (i = 0; i < n_codes; i++) {
            sprintf(texts[i], "%" PRIu32, i + 1);
            *slot_of(texts[i]) = i + 1;
        }
        if (n_paths)
            read_table(words_of[4]);
    } else if (n == 4 && !strcmp(at, "codebook")) {
        for (rule = POSITION; rule >= 0 && strcmp(words_of[2], rules[rule]); rule--)
            ;
        refuse_if(rule < 0, "%.40s is no rule of answers", words_of[2]);
        refuse_if(strlen(digest) != 64 || strspn(digest, "0123456789abcdef") != 64,
                  "%.80s is no sha256", digest);
        sprintf(game_name, "the codebook %.16s…", digest);
        read_words(digest);
    } else {
        char kind[3];
        refuse_if(n != 2 || sscanf(at, "p%1" SCNu32 "c%2" SCNu32 "%2[rnb]", &n_pegs, &n_colors, kind) != 3,
                  "this game is not known");
        sprintf(game_name, "p%" PRIu32 "c%" PRIu32 "%s", n_pegs, n_colors, kind);
        refuse_if(strcmp(game_name, at) || !n_pegs || !n_colors || n_colors > MAX_COLORS ||
                  *kind == 'b' || (kind[1] && kind[1] != 'b'),
                  "%.40s is no game of up to %d colors, r or n", at, MAX_COLORS);
        rule = kind[1] ? BLACK : PEGS;
        refuse_if(n_paths, "the proof is about no words, and lists are given");
        make_codes(*kind == 'r');
    }
    if (rule != TABLE)
        make_answers();
}

static void parse_numbers(int n, int64_t **numbers, uint32_t *known, uint32_t most, size_t digits)
{
    int at;
    for (at = 1; at < n; at++) {
        *numbers = grow(*numbers, *known, most, sizeof **numbers);
        (*numbers)[(*known)++] = number_of(words_of[at], digits);
    }
}

/* ---- The rule of play ---- */

/* Whether what may be guessed depends on the answers before. Where they are uncertain, a guess may be
 * made once. */
static int has_rule(void)
{
    return eligible == HINTS || eligible == CONSISTENT || (eligible == ALL && n_sets);
}

/* Whether a guess tells something of a set: an answer excludes a member, or one wins. */
static int tells(uint32_t g, Codes set)
{
    const uint16_t *row = answers + (size_t)g * n_secrets;
    uint32_t i;
    step(set.n);
    for (i = 0; i < set.n; i++)
        if (row[set.list[i]] != row[*set.list] || row[set.list[i]] == win)
            return 1;
    return 0;
}

/* Whether a code may be guessed after an answer: it would have been answered so ("consistent"), or
 * keeps each right letter and uses each other one as often as it was not missing ("hints"). */
static int allows(const uint32_t *asked, uint32_t answer, const uint32_t *digits, const uint32_t *held)
{
    uint32_t i, j;
    int needed; /* of a letter that is not missing, more than the code has */
    if (eligible == CONSISTENT)
        return answer_of(asked, held) == answer;
    for (i = 0; i < n_pegs; i++) {
        needed = digits[i] == 2 && held[i] != asked[i];
        for (j = 0; digits[i] == 1 && j < n_pegs; j++)
            needed += (digits[j] && asked[j] == asked[i]) - (held[j] == asked[i]);
        if (needed > 0)
            return 0;
    }
    return 1;
}

/* What may still be guessed, of some guesses, after an answer that a cell gives; it is written into
 * `room`. Of a table guesses that tell nothing of the cell are left out. */
static Codes filter(Codes legal, uint32_t guess, uint32_t answer, Codes cell, uint32_t *room)
{
    const uint32_t *asked = letters + (size_t)guess * MAX_PEGS;
    Codes kept = {room, 0, NULL};
    uint32_t digits[MAX_PEGS], rest = answer, i; /* of an answer for each place, if it has them */
    if (!has_rule())
        return legal;
    step(legal.n);
    for (i = n_pegs; i-- > 0; rest /= 3)
        digits[i] = rest % 3;
    for (i = 0; i < legal.n; i++)
        if (rule == TABLE ? legal.list[i] != guess && tells(legal.list[i], cell)
                          : allows(asked, answer, digits, letters + (size_t)legal.list[i] * MAX_PEGS))
            room[kept.n++] = legal.list[i];
    return kept;
}

/* The members of a set that may give an answer, with their shares there, which are rounded down; they
 * are written into `room` and `shares`. */
static Codes select_cell(Codes set, uint32_t guess, uint32_t answer, uint32_t *room, int64_t *shares)
{
    const uint16_t *row = answers + (size_t)guess * n_secrets, *choices;
    Codes cell = {room, 0, set.shares ? shares : NULL};
    uint32_t i, k, n;
    step(set.n);
    for (i = 0; i < set.n; i++) {
        n = choices_of(row + set.list[i], &choices);
        for (k = 0; k < n && choices[k] != answer; k++)
            ;
        if (k == n)
            continue;
        if (set.shares)
            shares[cell.n] = set.shares[i] / n;
        room[cell.n++] = set.list[i];
    }
    return cell;
}

static Codes copy(Codes of)
{
    Codes copied = {get(of.n, sizeof *of.list), of.n, NULL};
    memcpy(copied.list, of.list, of.n * sizeof *of.list);
    if (of.shares) {
        copied.shares = get(of.n, sizeof *of.shares);
        memcpy(copied.shares, of.shares, of.n * sizeof *of.shares);
    }
    return copied;
}

static uint64_t *mark, marked; /* members of a set have the mark of the day */

static void mark_set(Codes set)
{
    uint32_t i;
    step(set.n);
    for (i = 0, marked++; i < set.n; i++)
        mark[set.list[i]] = marked;
}

static uint32_t image_of(uint32_t map, uint32_t code)
{
    const Map *by = maps + map;
    const uint32_t *from = letters + (size_t)code * MAX_PEGS;
    uint32_t to[MAX_PEGS] = {0}, number = 0, i;
    for (i = 0; i < n_pegs; i++)
        to[by->peg[i]] = by->color[from[i]];
    for (i = 0; i < n_pegs; i++)
        number = number * n_colors + to[i];
    return place_of[number]; /* a code: colors that differ stay different */
}

/* Whether a set has all members of another one, or their images. */
static int has_all(Codes set, Codes part, uint32_t map)
{
    uint32_t i;
    step(part.n);
    mark_set(set);
    for (i = 0; i < part.n; i++)
        if (mark[map == NONE ? part.list[i] : image_of(map, part.list[i])] != marked)
            return 0;
    return 1;
}

/* Whether two sets of as many of the same members, which may stand in another order, have the same
 * shares. */
static int has_shares(Codes set, Codes other)
{
    static int64_t *share_of;
    uint32_t i;
    step(2 * (uint64_t)set.n);
    share_of = share_of ? share_of : get(n_secrets, sizeof *share_of);
    for (i = 0; i < set.n; i++)
        share_of[set.list[i]] = set.shares[i];
    for (i = 0; i < other.n; i++)
        if (share_of[other.list[i]] != other.shares[i])
            return 0;
    return 1;
}

/* The guesses of a state; those of a table are written into `room`. */
static Codes list_legal(Codes set, Codes legal, uint32_t *room)
{
    Codes own = {room, 0, NULL};
    uint32_t g;
    if (eligible != CANDIDATES || rule != TABLE)
        return eligible == CANDIDATES ? set : legal;
    step(n_codes);
    mark_set(set);
    for (g = 0; g < n_codes; g++)
        if (owners[g] != NONE && mark[owners[g]] == marked)
            room[own.n++] = g;
    return own;
}

static int64_t spend(int64_t left, uint32_t guess)
{
    return left == UNLIMITED ? left : left - costs[guess];
}

static int64_t add(int64_t a, int64_t b)
{
    return a + b < INFINITE ? a + b : INFINITE;
}

/* ---- Cells ---- */

/* What is known of a set: of one guess the answers, and of each the size of its cell, where it begins
 * in `cells`, and its bound; of all guesses how many cells that do not win. Of answers that the
 * guess does not get the size is 0. */
typedef struct {
    uint32_t *kinds, n_kinds, *sizes, *starts, *cells, *room; /* room: for guesses */
    int64_t *bounds, *shares; /* shares: of the members in `cells`, but in plain games */
    uint8_t *counts;
} Division;

static Division above, below; /* of the lemma at hand; of a cell that is looked ahead in */

/* Divide a set by a guess; return whether the guess is of use. */
static int divide(Division *of, uint32_t g, Codes set)
{
    const uint16_t *row = answers + (size_t)g * n_secrets, *choices;
    uint32_t i, k, n, a, is_mixed = 0;
    step(set.n);
    for (i = 0; i < of->n_kinds; i++)
        of->sizes[of->kinds[i]] = 0;
    for (of->n_kinds = i = 0; i < set.n; i++) {
        n = choices_of(row + set.list[i], &choices);
        is_mixed |= row[set.list[i]] != row[*set.list];
        for (k = 0; k < n; k++)
            if (!of->sizes[a = choices[k]]++)
                of->kinds[of->n_kinds++] = a;
    }
    return is_mixed || of->kinds[0] == win;
}

/* Sort the members of the set that was divided into their cells. To win, those of the greatest shares
 * come first in each; else the order of the set is kept. */
static void scatter(Division *of, uint32_t g, Codes set)
{
    const uint16_t *row = answers + (size_t)g * n_secrets, *choices;
    uint32_t i, k, n, at;
    for (i = k = 0; k < of->n_kinds; i += of->sizes[of->kinds[k++]])
        of->starts[of->kinds[k]] = i;
    for (i = 0; i < set.n; i++) {
        n = choices_of(row + set.list[i], &choices);
        for (k = 0; k < n; k++) {
            at = of->starts[choices[k]]++;
            of->cells[at] = set.list[i];
            if (set.shares)
                of->shares[at] = set.shares[i] / n;
        }
    }
    for (k = 0; k < of->n_kinds; k++) {
        uint32_t begin = of->starts[of->kinds[k]] -= of->sizes[of->kinds[k]];
        for (i = begin + 1; n_sets && !is_identified && i < begin + of->sizes[of->kinds[k]]; i++) {
            uint32_t item = of->cells[i];
            int64_t share = of->shares[i];
            for (at = i; at > begin && of->shares[at - 1] < share; at--)
                of->cells[at] = of->cells[at - 1], of->shares[at] = of->shares[at - 1];
            of->cells[at] = item, of->shares[at] = share;
        }
    }
}

static Codes cell_of(const Division *of, uint32_t answer)
{
    uint32_t at = of->starts[answer];
    return (Codes){of->cells + at, of->sizes[answer], of->shares ? of->shares + at : NULL};
}

/* Count the cells of each guess that do not win: the sets of answers of the members are united;
 * then the bits are counted, in ever wider fields. */
#define DEFINE_SURVEY(NAME, TYPE)                                                                  \
    static void NAME(Codes set, uint8_t *counts)                                                   \
    {                                                                                              \
        const TYPE all = (TYPE)~(TYPE)0, ones = all / 255;                                         \
        TYPE found[BLOCK], x;                                                                      \
        uint32_t start, i, g;                                                                      \
        for (start = 0; start < stride; start += BLOCK) {                                          \
            memset(found, 0, sizeof found);                                                        \
            for (i = 0; i < set.n; i++) {                                                          \
                const TYPE *row = (const TYPE *)sets + (size_t)set.list[i] * stride + start;       \
                for (g = 0; g < BLOCK; g++)                                                        \
                    found[g] = (TYPE)(found[g] | row[g]);                                          \
            }                                                                                      \
            for (g = 0; g < BLOCK; g++) {                                                          \
                x = found[g];                                                                      \
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

static uint64_t *seen, now; /* an answer that was seen has the number of the count */

/* The same of one guess, as long as it may have more than `most`: row[s * apart] answers secret s. */
static uint32_t count_cells(const uint16_t *row, size_t apart, Codes set, uint32_t most)
{
    uint32_t i, found = 0;
    seen[win] = ++now; /* 64 bits: it never comes again */
    for (i = 0; i < set.n && found + (set.n - i) > most; i++) {
        uint64_t *at = seen + row[set.list[i] * apart];
        found += *at != now;
        *at = now;
    }
    return found;
}

/* The most cells that do not win of some guesses, which are known to be `most` or more. Where answers
 * are few, and the guesses are all, `counts` is written, too. */
static uint32_t survey(Codes set, uint32_t most, Codes guesses, uint8_t *counts)
{
    int is_every = guesses.list == every_guess.list;
    uint32_t i, g, found;
    step((uint64_t)set.n * guesses.n);
    if (set_bytes && is_every) {
        (set_bytes == 2 ? survey_16 : set_bytes == 4 ? survey_32 : survey_64)(set, counts);
        for (i = 0; i < n_codes; i++)
            most = counts[i] > most ? counts[i] : most;
        return most;
    }
    for (i = 0; i < guesses.n && most < set.n; i++) {
        g = is_every ? by_cells.list[i] : guesses.list[i];
        /* No guess has more cells on a part than on all secrets; those with most come first. */
        if (!set_bytes && eligible != CANDIDATES && most >= all_cells[g])
            break;
        /* In columns the answers lie beside the last guess's: the processor has read them. */
        found = set_bytes ? count_cells(answers + (size_t)g * n_secrets, 1, set, most)
                          : count_cells(columns + ranks[g], stride, set, most);
        most = found > most ? found : most;
    }
    return most;
}

/* ---- Bounds 1 and 2, of plain games ---- */

static uint32_t most_cells; /* b, of the lemma at hand */
static int64_t *by_size;    /* bound 1 by the number of members */

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

/* Bound 2 of a cell, or what is known of it if that is no less. */
static int64_t bound_ahead(Codes cell, Codes legal, int64_t left, int64_t known)
{
    uint32_t own = 0, b = most_cells, i, found;
    int64_t member, other;
    step((uint64_t)cell.n * cell.n);
    for (i = 0; i < cell.n; i++) {
        found = count_cells(answers + (size_t)cell.list[i] * n_secrets, 1, cell, own);
        own = found > own ? found : own;
    }
    member = add(claim->scale + (left == 1 ? claim->last : 0), fill(cell.n - 1, own, 2, b, left));
    if (member <= known || eligible == CANDIDATES)
        return member > known ? member : known;
    other = fill(cell.n, b, 2, b, left); /* no guess has more than b cells: is that enough? */
    if (other < member)
        other = fill(cell.n, survey(cell, own, legal, below.counts), 2, b, left);
    other = other < member ? other : member;
    return other > known ? other : known;
}

/* ---- Bounds 3 and 4, of all other games ---- */

static int64_t cheapest, *merged; /* c; scratch */
static uint32_t branches[MAX_LAYERS]; /* b_k */
static Codes inside;                  /* scratch: members by blocks */
static uint32_t *begins, *counted;    /* scratch: of blocks; counted: zeros */
static Codes found, chosen;           /* scratch: groups with their shares; those told apart */
static uint32_t *place_in;            /* scratch: of groups in `found`, from 1 on; zeros */
static uint32_t capacities[1000000];  /* K; a cap has up to 6 digits */

/* Find b, c and K of a lemma. */
static void measure(const Lemma *lemma, Codes legal)
{
    uint32_t i, k, g, most;
    int64_t spent;
    most_cells = 1, cheapest = MAX_COST;
    for (k = 0; k < n_layers; k++)
        branches[k] = 1;
    for (i = 0; i < legal.n; i++) {
        g = legal.list[i];
        if (!divide(&above, g, lemma->set))
            continue;
        most = above.n_kinds - (!is_identified && above.sizes[win]);
        most_cells = most > most_cells ? most : most_cells;
        cheapest = costs[g] < cheapest ? costs[g] : cheapest;
        for (k = 0; k < n_layers && layers[k] <= costs[g]; k++)
            branches[k] = most > branches[k] ? most : branches[k];
    }
    if (lemma->left == UNLIMITED)
        return;
    for (spent = most = 0; spent <= lemma->left; spent++) {
        step(lemma->set.n + 1);
        for (i = 0; i < lemma->set.n; i++)
            if (ends[lemma->set.list[i]] <= spent)
                most = most ? most : 1;
        for (i = 0; i < legal.n && most < lemma->set.n; i++) {
            uint32_t found = 0;
            g = legal.list[i];
            if (costs[g] > spent || !divide(&above, g, lemma->set))
                continue;
            for (k = 0; k < above.n_kinds; k++) {
                uint32_t a = above.kinds[k], room = capacities[spent - costs[g]];
                found += a == win ? 1 : above.sizes[a] < room ? above.sizes[a] : room;
            }
            most = found > most ? found : most;
        }
        capacities[spent] = most;
    }
}

/* List the groups of a set with their shares, by their first members. */
static void find_groups(Codes set)
{
    uint32_t i, own;
    step(set.n);
    for (found.n = i = 0; i < set.n; i++) {
        own = groups[set.list[i]];
        if (!place_in[own]) {
            found.list[found.n] = own, found.shares[found.n++] = 0;
            place_in[own] = found.n;
        }
        found.shares[place_in[own] - 1] += set.shares[i];
    }
    for (i = 0; i < found.n; i++)
        place_in[found.list[i]] = 0;
}

static int is_apart(uint32_t one, uint32_t other)
{
    return apart[(size_t)one * n_secrets + other];
}

/* Whether no two members are told apart for certain, or only one is left. */
static int is_over(Codes set)
{
    uint32_t i, k;
    if (set.n < 2 || !groups)
        return set.n < 2;
    find_groups(set);
    step((uint64_t)found.n * found.n);
    for (i = 0; i < found.n; i++)
        for (k = 0; k < i; k++)
            if (is_apart(found.list[i], found.list[k]))
                return 0;
    return 1;
}

/* Huffman's sum for some shares, the greatest first, with up to b branches. */
static int64_t merge(const int64_t *shares, uint32_t m, uint32_t b)
{
    uint32_t from = 0, to = 0, i = m, k, n;
    int64_t sum = 0;
    if (m > 1 && b < 2)
        return INFINITE;
    /* What is merged is never less than what was merged before. */
    for (n = m > 1 ? (m - 2) % (b - 1) + 2 : 0; i + (to - from) > 1; n = b) {
        int64_t together = 0;
        for (k = 0; k < n; k++)
            together += i && (from == to || shares[i - 1] <= merged[from]) ? shares[--i] : merged[from++];
        sum += merged[to++] = together;
    }
    return sum;
}

/* Add up the shares of those of a set that are found when all that is left is spent, no more being found
 * before than K allows; all are told apart for certain. Return whether K allows that many at all. */
static int count_late(Codes set, int64_t left, int64_t *late)
{
    uint32_t i;
    for (i = left == UNLIMITED ? set.n : left ? capacities[left - 1] : 0; i < set.n; i++)
        *late += set.shares[i];
    return left == UNLIMITED || set.n <= capacities[left];
}

/* Huffman's sums for a cell or a block. Its groups are parted into sets in which all are told apart for
 * certain: the heaviest group, and each next one that is told apart from those taken. */
static int64_t merge_apart(Codes cell, uint32_t b, int64_t left, int64_t *late)
{
    uint32_t i, k, n;
    int64_t sum = 0;
    if (!groups)
        return count_late(cell, left, late) ? merge(cell.shares, cell.n, b) : INFINITE;
    find_groups(cell);
    for (i = 1; i < found.n; i++) {
        uint32_t own = found.list[i];
        int64_t share = found.shares[i];
        for (k = i; k && found.shares[k - 1] < share; k--)
            found.list[k] = found.list[k - 1], found.shares[k] = found.shares[k - 1];
        found.list[k] = own, found.shares[k] = share;
    }
    while (found.n) {
        step((uint64_t)found.n * found.n);
        for (chosen.n = n = i = 0; i < found.n; i++) {
            for (k = 0; k < chosen.n && is_apart(found.list[i], chosen.list[k]); k++)
                ;
            if (k == chosen.n)
                chosen.list[k] = found.list[i], chosen.shares[chosen.n++] = found.shares[i];
            else
                found.list[n] = found.list[i], found.shares[n++] = found.shares[i];
        }
        found.n = n;
        sum = count_late(chosen, left, late) ? add(sum, merge(chosen.shares, chosen.n, b)) : INFINITE;
        if (sum >= INFINITE)
            return INFINITE;
    }
    return sum;
}

/* What the layers of a cell cost above its cheapest guesses. */
static int64_t bound_layers(Codes cell)
{
    int64_t sum = 0, rise, part, late = 0;
    uint32_t i, k, at;
    for (k = 0; k < n_layers; k++) {
        const uint32_t *block = blocks + (size_t)k * n_secrets;
        rise = layers[k] - (k && layers[k - 1] > cheapest ? layers[k - 1] : cheapest);
        if (rise <= 0)
            continue;
        step(cell.n);
        for (i = 0; i < cell.n; i++)
            counted[block[cell.list[i]]]++;
        for (i = at = 0; i < cell.n; i++) {
            uint32_t own = block[cell.list[i]];
            if (counted[own])
                begins[own] = at, at += counted[own], counted[own] = 0;
            inside.shares[begins[own]] = cell.shares[i];
            inside.list[begins[own]++] = cell.list[i];
        }
        for (i = 0; i < cell.n; i = at) {
            at = begins[block[inside.list[i]]];
            part = merge_apart((Codes){inside.list + i, at - i, inside.shares + i}, branches[k],
                               UNLIMITED, &late);
            if (part >= INFINITE)
                return INFINITE;
            sum += rise * part;
        }
    }
    return sum;
}

/* What is spent where nothing is to be chosen: a single member is announced or guessed. */
static int64_t cost_end(Codes set, int64_t left)
{
    int64_t one = ends[*set.list], sum = 0;
    uint32_t i;
    for (i = 0; i < set.n; i++)
        sum += set.shares[i];
    return one > left ? INFINITE : sum * (claim->scale * one + (one == left ? claim->last : 0));
}

/* Bound 3 of a cell; to win, the greatest shares come first. */
static int64_t bound_cell(Codes cell, int64_t left)
{
    int64_t sum = 0, late = 0, level;
    uint32_t m = cell.n, i, k;
    uint64_t room;
    if (m == 1)
        return cost_end(cell, left);
    if (left < 0)
        return INFINITE;
    step(m);
    if (is_identified) {
        sum = merge_apart(cell, most_cells, left, &late);
        sum = sum < INFINITE ? add(cheapest * sum, bound_layers(cell)) : sum;
    } else {
        for (level = 1, room = 1, i = 0; i < m; level++, room = room < m ? room * most_cells : m)
            for (k = 0; k < room && i < m; k++)
                sum += cheapest * level * cell.shares[i++];
        sum = count_late(cell, left, &late) ? sum : INFINITE;
    }
    return sum < INFINITE ? add(claim->scale * sum, claim->last * late) : sum;
}

/* What a guess costs a set at least by bound 1 or 3 of its cells; infinite if it is of no use, or too
 * dear. `left` is what may be spent with it. */
static int64_t cost(Division *of, uint32_t g, Codes set, int64_t left)
{
    int64_t sum, weight = set.n;
    uint32_t i, a;
    left = spend(left, g);
    if (!divide(of, g, set) || left < 0)
        return INFINITE;
    if (!is_plain) {
        scatter(of, g, set);
        for (weight = i = 0; i < set.n; i++)
            weight += set.shares[i];
    }
    sum = claim->scale * costs[g] * weight;
    if (left == 0 && of->sizes[win])
        sum += claim->last * (is_plain ? 1 : *cell_of(of, win).shares);
    for (i = 0; i < of->n_kinds; i++) {
        a = of->kinds[i];
        of->bounds[a] = a == win ? 0
                        : is_plain ? by_size[of->sizes[a]] : bound_cell(cell_of(of, a), left);
        sum = add(sum, of->bounds[a]);
    }
    return sum;
}

/* Bound 4 of a cell, or what is known of it if that is no less. */
static int64_t cost_ahead(Codes cell, Codes legal, int64_t left, int64_t known)
{
    int64_t best = INFINITE, sum;
    uint32_t i;
    if (is_over(cell))
        return known;
    for (i = 0; i < legal.n && best > known; i++) {
        sum = cost(&below, legal.list[i], cell, left);
        best = sum < best ? sum : best;
    }
    return best > known ? best : known;
}

/* ---- Lemmas ---- */

static uint32_t *parent_of; /* of a guess among those that are turned into each other; a root: itself */

static uint32_t least_of(uint32_t g)
{
    while (parent_of[g] != g)
        g = parent_of[g] = parent_of[parent_of[g]];
    return g;
}

/* Check the symmetries of a lemma, and join the guesses that they turn into each other. */
static void join_guesses(const Lemma *lemma, int is_root)
{
    uint32_t i, g;
    step((uint64_t)n_codes * (1 + lemma->n_maps));
    for (g = 0; g < n_codes; g++)
        parent_of[g] = g;
    for (i = lemma->maps; i < lemma->maps + lemma->n_maps; i++) {
        fail_if(!has_all(lemma->set, lemma->set, i), lemma->line, "a symmetry moves the set of its lemma");
        fail_if(is_root && !has_all(claim->first, claim->first, i),
                lemma->line, "a symmetry moves the first guesses");
        for (g = 0; g < n_codes; g++) {
            uint32_t a = least_of(g), b = least_of(image_of(i, g));
            parent_of[a < b ? b : a] = a < b ? a : b;
        }
    }
}

/* Raise what a guess costs by bound 5 of its cells, then by bound 2 or 4 until it is enough; `left` is
 * what may be spent after it. */
static int64_t improve(const Lemma *lemma, uint32_t g, int64_t left, int64_t sum)
{
    uint32_t i, k, a, b = most_cells;
    if (is_plain)
        scatter(&above, g, lemma->set);
    step(lemma->n_uses);
    for (i = lemma->uses; i < lemma->uses + lemma->n_uses; i++) {
        const Use *use = uses + i;
        const Lemma *other = lemmas + use->lemma;
        Codes cell = cell_of(&above, a = use->answer);
        if (use->guess != g)
            continue;
        fail_if(!cell.n || cell.n != other->set.n || !has_all(other->set, cell, use->map), use->line,
                "lemma %" PRIu32 " is about another set", use->lemma - claim->lemma);
        fail_if(cell.shares && !has_shares(cell, other->set), use->line,
                "lemma %" PRIu32 " has other shares", use->lemma - claim->lemma);
        fail_if(n_sets && other <= lemma, use->line,
                "lemma %" PRIu32 " does not come later", use->lemma - claim->lemma);
        fail_if(other->left < left, use->line,
                "lemma %" PRIu32 " has fewer guesses left", use->lemma - claim->lemma);
        fail_if(has_rule() && !has_all(other->legal, filter(lemma->legal, g, a, cell, below.room), NONE),
                use->line, "lemma %" PRIu32 " allows fewer guesses", use->lemma - claim->lemma);
        if (other->bound > above.bounds[a]) {
            sum = add(sum, other->bound - above.bounds[a]);
            above.bounds[a] = other->bound;
        }
    }
    while (sum < lemma->bound) { /* looking ahead gains most near b + 2 members */
        uint32_t best = win, m, away, least = UINT32_MAX;
        int64_t known;
        Codes cell, legal;
        step(above.n_kinds);
        for (k = 0; k < above.n_kinds; k++) {
            a = above.kinds[k], m = above.sizes[a];
            away = m < b + 2 ? b + 2 - m : m - (b + 2);
            if (a != win && m >= (is_plain ? 3 : 2) && above.bounds[a] < INFINITE && away < least)
                best = a, least = away;
        }
        if (best == win)
            break;
        cell = cell_of(&above, best), known = above.bounds[best];
        above.sizes[best] = 0; /* done */
        legal = list_legal(cell, filter(lemma->legal, g, best, cell, below.room), below.room);
        sum = add(sum - known, (is_plain ? bound_ahead : cost_ahead)(cell, legal, left, known));
    }
    return sum;
}

static void prove(uint32_t number)
{
    const Lemma *lemma = lemmas + number;
    int is_root = number == claim->lemma, is_first = is_root && claim->first.n && !claim->is_except;
    int64_t left = lemma->left == UNLIMITED ? UNLIMITED : lemma->left - 1; /* of a plain game */
    Codes legal = list_legal(lemma->set, lemma->legal, above.room);
    Codes tried = is_first ? claim->first : legal;
    uint32_t n = lemma->set.n, few = 0, i, m;
    number -= claim->lemma;
    join_guesses(lemma, is_root);
    for (i = 0; is_first && i < tried.n; i++)
        fail_if(!divide(&above, tried.list[i], lemma->set) || (n_sets && is_given[tried.list[i]]),
                lemma->line, "a first guess has one cell");
    if (lemma->bound <= (is_plain ? fill(n, 1, 1, n_others, lemma->left)
                         : is_over(lemma->set) ? cost_end(lemma->set, lemma->left) : 0))
        return;
    fail_if(is_over(lemma->set) && (is_identified || !is_first), lemma->line,
            "lemma %" PRIu32 " is not true", number);
    if (!is_plain)
        measure(lemma, legal);
    else {
        most_cells = survey(lemma->set, 0, legal, above.counts);
        for (m = 0; m <= n; m++)
            by_size[m] = fill(m, 1, 1, most_cells, left);
        /* However its members are spread over them, up to this many cells cost enough. */
        if (set_bytes && legal.list == every_guess.list)
            for (few = most_cells; few && add(claim->scale * n, fill(n - 1, few, 1, most_cells, left)) <
                                              lemma->bound;)
                few--;
    }
    for (i = 0; i < tried.n; i++) {
        uint32_t g = tried.list[i];
        int64_t sum;
        if (least_of(g) != g || (is_root && claim->is_except && listed[g] == n_claims) ||
            (few && above.counts[g] <= few))
            continue;
        sum = cost(&above, g, lemma->set, lemma->left);
        if (sum < lemma->bound)
            sum = improve(lemma, g, spend(lemma->left, g), sum);
        fail_if(sum < lemma->bound && lemma->bound == INFINITE, lemma->line,
                "lemma %" PRIu32 " claims that no strategy finds every secret, guess %s shows %" PRId64,
                number, texts[g], sum);
        fail_if(sum < lemma->bound, lemma->line,
                "lemma %" PRIu32 " claims %" PRId64 ", guess %s shows %" PRId64,
                number, lemma->bound, texts[g], sum);
    }
}

/* ---- The lines of a proof ---- */

static const int64_t *keys; /* those of the greatest key are to be first */

static int compare_keys(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (keys[x] != keys[y])
        return keys[x] > keys[y] ? -1 : 1;
    return (x > y) - (x < y);
}

static Codes list_all(uint32_t n)
{
    Codes all = {get(n, sizeof *all.list), n, NULL};
    uint32_t i;
    for (i = 0; i < n; i++)
        all.list[i] = i;
    return all;
}

/* Number the blocks of each layer; the list of everyone is in any order. */
static void find_blocks(void)
{
    uint32_t i, k;
    blocks = get((uint64_t)n_layers * n_secrets, sizeof *blocks);
    for (k = 0; k < n_layers; k++) {
        uint32_t *block = blocks + (size_t)k * n_secrets;
        refuse_if(!is_identified, "layers are for the goal to identify");
        refuse_if(layers[k] <= (k ? layers[k - 1] : 0), "layers ascend from 1 on");
        free_below = layers[k];
        step(16 * (uint64_t)n_codes * n_secrets);
        qsort(everyone.list, n_secrets, sizeof *everyone.list, compare_items);
        for (i = 1; i < n_secrets; i++)
            block[everyone.list[i]] = block[everyone.list[i - 1]] +
                                      (compare_items(everyone.list + i - 1, everyone.list + i) != 0);
    }
    inside = (Codes){get(n_secrets, sizeof *inside.list), 0, get(n_secrets, sizeof *inside.shares)};
    begins = get(n_secrets, sizeof *begins), counted = get(n_secrets, sizeof *counted);
}

static int compare_rows(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = memcmp(apart + (size_t)x * n_secrets, apart + (size_t)y * n_secrets, n_secrets);
    return order ? order : (x > y) - (x < y);
}

/* Find out which items are told apart for certain: by a guess without an answer that both may give, and
 * where there are classes, of two of them. Items that are told apart from the same others are a group. */
static void find_apart(void)
{
    uint64_t pairs = (uint64_t)n_secrets * n_secrets;
    Codes all = list_all(n_secrets);
    uint32_t g, i, j, k, m, n, one;
    const uint16_t *row, *own, *its;
    refuse_if(pairs > MAX_PAIRS, "the table has too many pairs of items: %" PRIu64, pairs);
    apart = get(pairs, sizeof *apart), groups = get(n_secrets, sizeof *groups);
    step(n_codes * pairs / 2);
    for (g = 0; g < n_codes; g++)
        for (row = answers + (size_t)g * n_secrets, i = 0; i < n_secrets; i++)
            for (j = 0; j < i; j++) {
                if (row[i] == row[j] || (n_classes && classes[i] == classes[j]))
                    continue;
                n = choices_of(row + i, &own), m = choices_of(row + j, &its);
                for (one = k = 0; one < n && k < m && own[one] != its[k];)
                    *(own[one] < its[k] ? &one : &k) += 1;
                if (one == n || k == m)
                    apart[(size_t)i * n_secrets + j] = apart[(size_t)j * n_secrets + i] = 1;
            }
    qsort(all.list, n_secrets, sizeof *all.list, compare_rows);
    for (i = 0; i < n_secrets; i++) {
        g = all.list[i];
        groups[g] = i && !memcmp(apart + (size_t)g * n_secrets,
                                 apart + (size_t)all.list[i - 1] * n_secrets, n_secrets)
                        ? groups[all.list[i - 1]] : g;
    }
    found = (Codes){all.list, 0, get(n_secrets, sizeof *found.shares)};
    chosen = (Codes){get(n_secrets, sizeof *found.list), 0, get(n_secrets, sizeof *found.shares)};
    place_in = get(n_secrets, sizeof *place_in);
}

/* When all lines about the game are read: complete what they leave out, and find room for the lemmas. */
static void finish_game(void)
{
    uint32_t i, g;
    refuse_if((n_weights && n_weights != n_secrets) || (n_costs && n_costs != n_codes) ||
                  (n_classes && n_classes != n_secrets),
              "there are %" PRIu32 " classes, %" PRIu32 " weights, %" PRIu32 " costs", n_classes,
              n_weights, n_costs);
    refuse_if(n_classes && (rule != TABLE || !is_identified), "classes are for tables, to identify");
    is_plain = rule != TABLE && !is_identified && !n_weights && !n_costs;
    everyone = list_all(n_secrets), every_guess = allowed = list_all(n_codes);
    weights = n_weights ? weights : get(n_secrets, sizeof *weights);
    costs = n_costs ? costs : get(n_codes, sizeof *costs);
    for (i = 0; i < n_secrets && !n_weights; i++)
        weights[i] = 1;
    for (g = 0; g < n_codes; g++)
        refuse_if((costs[g] = n_costs ? costs[g] : 1) < 1, "a guess costs nothing");
    if (rule == TABLE) { /* number the answer that wins, and look for items that are alike */
        uint64_t at, pairs = (uint64_t)n_codes * n_secrets;
        refuse_if(n_rows != n_codes, "the table has %" PRIu32 " guesses, not %" PRIu32, n_rows, n_codes);
        for (at = 0; at < pairs; at++)
            if (answers[at] <= MAX_ANSWER && answers[at] >= win)
                win = answers[at] + 1u;
        for (i = 0; i < n_listed; i++)
            win = set_answers[i] >= win ? set_answers[i] + 1u : win;
        n_answers = win + 1, n_others = win;
        for (at = 0; at < pairs; at++)
            answers[at] = answers[at] == MAX_ANSWER + 1 ? (uint16_t)win : answers[at];
        free_below = INFINITE;
        step(16 * pairs);
        qsort(everyone.list, n_secrets, sizeof *everyone.list, compare_items);
        for (i = 1; i < n_secrets; i++)
            refuse_if(!compare_items(everyone.list + i - 1, everyone.list + i),
                      "two items of the table are alike");
    }
    find_blocks();
    if (is_identified && (n_sets || n_classes))
        find_apart();
    if (n_sets)
        allowed = copy(every_guess);
    is_given = get(n_codes, sizeof *is_given);
    ends = get(n_secrets, sizeof *ends), owners = get(n_codes, sizeof *owners);
    for (i = 0; i < n_secrets; i++)
        ends[i] = is_identified ? 0 : INFINITE;
    for (g = 0; g < n_codes; g++) {
        const uint16_t *row = answers + (size_t)g * n_secrets;
        for (owners[g] = NONE, i = 0; i < n_secrets; i++)
            if (row[i] == win) {
                refuse_if(owners[g] != NONE, "a guess of the table wins two items");
                owners[g] = i;
                ends[i] = costs[g] < ends[i] ? costs[g] : ends[i];
            }
    }
    for (i = 0; i < n_secrets; i++)
        refuse_if(ends[i] == INFINITE, "an item of the table cannot be guessed");
    keys = weights;
    qsort(everyone.list, n_secrets, sizeof *everyone.list, compare_keys);
    if (!is_plain)
        everyone.shares = get(n_secrets, sizeof *everyone.shares);
    for (i = 0; everyone.shares && i < n_secrets; i++)
        everyone.shares[i] = weights[everyone.list[i]];

    listed = get(n_codes, sizeof *listed), parent_of = get(n_codes, sizeof *parent_of);
    mark = get(n_codes + n_secrets, sizeof *mark), seen = get(n_answers, sizeof *seen);
    merged = get(n_secrets, sizeof *merged), by_size = get(n_secrets, sizeof *by_size);
    for (i = 0; i < 2; i++) {
        Division *of = i ? &above : &below;
        of->kinds = get(n_answers, sizeof *of->kinds), of->sizes = get(n_answers, sizeof *of->sizes);
        of->starts = get(n_answers, sizeof *of->starts);
        of->cells = get((uint64_t)n_secrets * most_choices, sizeof *of->cells);
        if (!is_plain)
            of->shares = get((uint64_t)n_secrets * most_choices, sizeof *of->shares);
        of->bounds = get(n_answers, sizeof *of->bounds);
        of->room = get(n_codes, sizeof *of->room), of->counts = get(stride, sizeof *of->counts);
    }
    by_cells = list_all(n_codes);
    if (set_bytes || !is_plain)
        return;
    all_cells = get(n_codes, sizeof *all_cells);
    columns = get((uint64_t)stride * n_secrets, sizeof *columns);
    step((uint64_t)n_codes * n_secrets);
    for (g = 0; g < n_codes; g++)
        all_cells[g] = count_cells(answers + (size_t)g * n_secrets, 1, everyone, 0);
    keys = all_cells;
    qsort(by_cells.list, n_codes, sizeof *by_cells.list, compare_keys);
    ranks = get(n_codes, sizeof *ranks);
    for (g = 0; g < n_codes; g++)
        ranks[by_cells.list[g]] = g;
    for (i = 0; i < n_secrets; i++)
        for (g = 0; g < n_codes; g++)
            columns[(size_t)i * stride + g] = answers[(size_t)by_cells.list[g] * n_secrets + i];
}

static void parse_eligible(const char *name)
{
    for (eligible = CONSISTENT; eligible >= 0 && strcmp(name, rules_of_play[eligible]); eligible--)
        ;
    refuse_if(eligible < 0, "%.40s is no rule of play", name);
    refuse_if(eligible == CANDIDATES && is_identified && rule == TABLE,
              "the guesses of this table are no candidates");
    refuse_if((eligible == HINTS && rule != POSITION) || (eligible == CONSISTENT && rule == TABLE),
              "%s cannot be played by %s", game_name, name);
    if (has_rule()) /* those with most cells first, where they were counted */
        allowed = copy(by_cells);
}

static void parse_given(void)
{
    uint32_t guess = code_of(words_of[1]), answer = parse_answer(words_of[2]);
    size_t needed = given_length + strlen(words_of[1]) + strlen(words_of[2]) + 16;
    if (needed > given_room) {
        given = realloc(given, given_room = 2 * needed);
        refuse_if(!given, "there is no memory for what is given");
    }
    given_length += (size_t)sprintf(given + given_length, ", after %s %s", words_of[1], words_of[2]);
    is_given[guess] = 1;
    everyone = select_cell(everyone, guess, answer, everyone.list, everyone.shares);
    allowed = filter(allowed, guess, answer, everyone, allowed.list);
}

static void begin_claim(void)
{
    claims = grow(claims, n_claims, MAX_LEMMAS, sizeof *claims);
    claim = claims + n_claims++;
    *claim = (Claim){.scale = 1, .price = {1, 0}, .lemma = n_lemmas};
}

static void parse_first(int n, int is_except)
{
    int at;
    refuse_if(is_except && claim->first.n && !claim->is_except, "first guesses are of two kinds");
    claim->is_except = is_except;
    for (at = 1; at < n; at++) {
        uint32_t code = code_of(words_of[at]);
        refuse_if(listed[code] == n_claims, "%.40s stands twice", words_of[at]);
        listed[code] = n_claims;
        claim->first.list = grow(claim->first.list, claim->first.n, MAX_CODES, sizeof code);
        claim->first.list[claim->first.n++] = code;
    }
}

static void add_lemma(Codes set, int64_t left, Codes legal, int64_t bound)
{
    lemmas = grow(lemmas, n_lemmas, MAX_LEMMAS, sizeof *lemmas);
    lemmas[n_lemmas++] = (Lemma){bound, left, set, legal, line_number, n_maps, 0, n_uses, 0};
    refuse_if((n_members += set.n + (has_rule() ? legal.n : 0)) > MAX_MEMBERS,
              "the sets have more than %" PRIu64 " members", MAX_MEMBERS);
}

static int64_t times(int64_t a, int64_t b)
{
    return a > MAX_COST / b ? MAX_COST : a * b;
}

static void parse_root(int64_t bound)
{
    int64_t most = 1, weight = 0;
    uint32_t i;
    for (i = 0; i < n_secrets; i++)
        weight += weights[i];
    for (i = 0; i < n_codes; i++)
        most = costs[i] > most ? costs[i] : most;
    most = times(times(claim->scale, most), n_sets && n_codes > n_secrets ? n_codes : n_secrets);
    most += claim->last;
    refuse_if(weight && times(most, weight) >= MAX_COST, "the numbers of the claim are too large");
    if (!weight) /* all costs are 0 or infinite, whatever the price */
        claim->scale = 1, claim->last = 0;
    refuse_if(!everyone.n, "what is given leaves no secret");
    add_lemma(everyone, claim->cap ? claim->cap : UNLIMITED, allowed, bound);
}

static void parse_lemma(void)
{
    int64_t number = number_of(words_of[1], 9), left;
    uint32_t guess, answer;
    const Lemma *parent;
    Codes set, legal;
    refuse_if(number >= n_lemmas - claim->lemma, "there is no earlier lemma %s", words_of[1]);
    parent = lemmas + claim->lemma + number;
    guess = code_of(words_of[2]), answer = parse_answer(words_of[3]);
    set = copy(select_cell(parent->set, guess, answer, above.cells, above.shares));
    refuse_if(!set.n, "a lemma about no secret");
    refuse_if(answer == win && version == 2, "the answer that wins needs no lemma");
    left = spend(parent->left, guess);
    refuse_if(left < !is_identified, "a lemma without guesses left");
    legal = filter(parent->legal, guess, answer, set, above.room);
    add_lemma(set, left, has_rule() ? copy(legal) : legal, bound_of(words_of[4]));
}

static void parse_order(const char *text, char first, uint32_t n, uint8_t *order)
{
    uint32_t found = 0, i;
    for (i = 0; i < n && text[i] >= first && (uint32_t)(text[i] - first) < n; i++)
        found |= 1u << (order[i] = (uint8_t)(text[i] - first));
    refuse_if(!n || text[i] || found + 1 != 1u << n, "%.40s is part of no symmetry", text);
}

static uint32_t parse_map(const char *pegs, const char *colors)
{
    Map map;
    refuse_if(n_weights || n_costs || has_rule(),
              "weights, costs and rules of play have no symmetries");
    parse_order(colors, 'a', n_colors, map.color);
    parse_order(pegs, '1', n_pegs, map.peg);
    maps = grow(maps, n_maps, MAX_ITEMS, sizeof *maps);
    maps[n_maps] = map;
    return n_maps++;
}

static void parse_use(int n)
{
    Use use = {0, 0, 0, NONE, line_number};
    refuse_if(n != 4 && n != 6, "a use has a guess, an answer, a lemma, and may have a symmetry");
    use.guess = code_of(words_of[1]), use.answer = parse_answer(words_of[2]);
    use.lemma = claim->lemma + (uint32_t)number_of(words_of[3], 9);
    refuse_if(use.answer == win, "the answer that wins needs no lemma");
    if (n == 6)
        use.map = parse_map(words_of[4], words_of[5]);
    uses = grow(uses, n_uses, MAX_ITEMS, sizeof *uses);
    uses[n_uses++] = use;
    lemmas[n_lemmas - 1].n_uses++;
}

/* Prove the claim that was read. */
static void conclude(void)
{
    uint32_t i;
    fail_if(claim->total > lemmas[claim->lemma].bound, 0, "lemma 0 does not say what is claimed");
    for (i = lemmas[claim->lemma].uses; i < n_uses; i++)
        fail_if(uses[i].lemma >= n_lemmas, uses[i].line, "there is no lemma %" PRIu32,
                uses[i].lemma - claim->lemma);
    for (i = claim->lemma; i < n_lemmas; i++)
        prove(i);
}

/* The kinds of lines, those of a header in their order: in which versions, whether they are needed and
 * may come again; how many words they have, if that is always the same. */
enum { IN_1 = 1, NEEDED = 2, AGAIN = 4 };
static const struct { const char *name; int is, n; } kinds[] = {
    {"treegen", IN_1 | NEEDED, 0}, {"game", IN_1 | NEEDED, 0}, {"q", AGAIN, 2}, {"goal", 0, 2},
    {"classes", AGAIN, 0},
    {"weights", AGAIN, 0}, {"costs", AGAIN, 0}, {"layers", 0, 0}, {"eligible", 0, 2}, {"given", AGAIN, 3},
    {"claim", NEEDED, 1}, {"first", IN_1 | AGAIN, 0}, {"except", AGAIN, 0}, {"cap", IN_1, 2},
    {"price", 0, 3}, {"total", IN_1 | NEEDED, 2}, {"root", IN_1 | NEEDED, 2}, {"l", IN_1, 5},
    {"s", IN_1, 3}, {"u", IN_1, 0}};
enum { TREEGEN, GAME, Q, GOAL, CLASSES, WEIGHTS, COSTS, LAYERS, ELIGIBLE, GIVEN, CLAIM, FIRST, EXCEPT, CAP,
       PRICE, TOTAL, ROOT, L, S, U, N_KINDS };

/* Take a line of a kind that may stand here. */
static void parse_line(int kind, int n)
{
    const char *word = words_of[1];
    if (kind == TREEGEN) {
        version = n == 3 && !strcmp(word, "proof") ? *words_of[2] - '0' : 0;
        minor = version != 2 ? 0 : !strcmp(words_of[2], "2.1") ? 1 : !strcmp(words_of[2], "2.2") ? 2 : 0;
        refuse_if((version != 1 && version != 2) || (words_of[2][1] && !minor),
                  "this is no treegen proof 1, 2, 2.1 or 2.2");
    } else if (kind == GAME)
        parse_game(n);
    else if (kind == Q) {
        refuse_if(rule != TABLE || n_paths, "no row of a table is expected here");
        add_row(word);
    } else if (kind == GOAL) {
        is_identified = !strcmp(word, "identify");
        refuse_if(!is_identified && strcmp(word, "win"), "the goal is win or identify");
    } else if (kind == CLASSES) {
        refuse_if(minor < 2, "classes stand in treegen proof 2.2");
        parse_numbers(n, &classes, &n_classes, n_secrets, 6);
    } else if (kind == WEIGHTS)
        parse_numbers(n, &weights, &n_weights, n_secrets, minor > 1 ? 15 : 12);
    else if (kind == COSTS)
        parse_numbers(n, &costs, &n_costs, n_codes, 9);
    else if (kind == LAYERS) {
        refuse_if(!minor, "layers stand in treegen proof 2.1");
        parse_numbers(n, &layers, &n_layers, MAX_LAYERS, 9);
    }
    else if (kind == ELIGIBLE)
        parse_eligible(word);
    else if (kind == GIVEN)
        parse_given();
    else if (kind == CLAIM)
        begin_claim();
    else if (kind == FIRST || kind == EXCEPT)
        parse_first(n, kind == EXCEPT);
    else if (kind == CAP) {
        claim->cap = number_of(word, 6);
        refuse_if(!claim->cap, "a cap of 0 guesses");
    } else if (kind == PRICE) {
        claim->scale = claim->price[0] = number_of(word, 18);
        claim->last = claim->price[1] = number_of(words_of[2], 18);
        refuse_if(!claim->scale || (claim->last && !claim->cap),
                  "a guess costs nothing, or there is no last guess");
    } else if (kind == TOTAL)
        claim->total = bound_of(word);
    else if (kind == ROOT)
        parse_root(bound_of(word));
    else if (kind == L)
        parse_lemma();
    else if (kind == S) {
        refuse_if(lemmas[n_lemmas - 1].n_uses, "symmetries stand before uses");
        parse_map(word, words_of[2]);
        lemmas[n_lemmas - 1].n_maps++;
    } else
        parse_use(n);
}

/* See that a line may stand here, and finish what ends with it. */
static void read_line(int n)
{
    int kind, at, is_out_of_place;
    for (kind = 0; kind < N_KINDS && strcmp(words_of[0], kinds[kind].name); kind++)
        ;
    if (kind == CLAIM && stage == ROOT && version == 2) {
        conclude();
        stage = GIVEN;
    }
    is_out_of_place = kind == N_KINDS || (version == 1 && !(kinds[kind].is & IN_1)) ||
                      (kind > ROOT ? stage != ROOT : kind < stage) ||
                      (kind == stage && (version == 1 || !(kinds[kind].is & AGAIN)));
    for (at = stage + 1; at < kind && !is_out_of_place; at++)
        is_out_of_place = kinds[at].is & NEEDED && (version != 1 || kinds[at].is & IN_1);
    refuse_if(is_out_of_place, "this line cannot stand here: %.40s", words_of[0]);
    refuse_if(kinds[kind].n ? n != kinds[kind].n : n < 2, "a line of %s has not %d words after it",
              words_of[0], n - 1);
    if (stage <= LAYERS && kind > LAYERS)
        finish_game();
    if (version == 1 && stage < CLAIM && kind > CLAIM)
        begin_claim();
    stage = kind < ROOT ? kind : ROOT;
    parse_line(kind, n);
}

static void report(void)
{
    uint32_t i, at;
    printf("PROVED: for %s", game_name);
    if (is_identified || n_weights || n_costs || eligible || given)
        printf(" (goal %s%s%s%s, eligible %s%s)", is_identified ? "identify" : "win",
               n_classes ? ", classes" : "", n_weights ? ", weights" : "", n_costs ? ", costs" : "",
               rules_of_play[eligible], given ? given : "");
    for (at = 0; at < n_claims; at++) {
        const Claim *said = claims + at;
        printf("%s no strategy", at ? ";" : "");
        for (i = 0; i < said->first.n; i++)
            printf("%s %s", i ? " or" : said->is_except ? " whose first guess is useful and not"
                                                        : " that begins with",
                   texts[said->first.list[i]]);
        if (said->total >= INFINITE)
            printf(" finds every secret");
        else if (said->price[0] > 1 || said->price[1])
            printf(" has %" PRId64 " × total + %" PRId64 " × games at that limit below %" PRId64,
                   said->price[0], said->price[1], said->total);
        else
            printf(" has a total below %" PRId64, said->total);
        if (said->cap)
            printf("%s within %s%" PRId64 "%s", said->total < INFINITE ? " where every game ends" : "",
                   n_costs ? "a cost of " : "", said->cap, n_costs ? "" : " guesses");
    }
    printf(" (%" PRIu32 " lemma%s)\n", n_lemmas, n_lemmas == 1 ? "" : "s");
}

int main(int argc, char **argv)
{
    FILE *proof = stdin;
    int n;
    if (argc > 2 && !strcmp(argv[1], "-w")) {
        max_steps = (uint64_t)number_of(argv[2], 18);
        argv += 2, argc -= 2;
    }
    refuse_if(argc > 4 || (argc > 1 && argv[1][0] == '-' && argv[1][1]),
              "usage: check [-w STEPS] [X.proof [HIDDEN [OTHERS] | TABLE]]");
    if (argc > 1 && strcmp(argv[1], "-"))
        proof = open_file(argv[1]);
    paths = argv + 2, n_paths = argc > 2 ? argc - 2 : 0;
    while ((n = next_line(proof)))
        read_line(n);
    line_number = 0;
    refuse_if(stage != ROOT, "the proof has no root");
    conclude();
    report();
    return 0;
}
