import static java.util.stream.Collectors.toList;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * Plays code-breaking games from a .tgt table, with the standard library alone.
 *
 * <pre>
 * TgtPlayer player = new TgtPlayer(Files.readAllBytes(path)); // every byte is checked here
 * player.guess();                                             // "1122", null when the game is won
 * player.answer(black, white);                                // false: no secret fits that answer
 * player.undo();
 * </pre>
 *
 * <p>Of a table of answers guess() is a question, answers() what may be answered to it. A game whose
 * goal is to identify is over when one candidate is left: found() tells it.
 *
 * The profiles full, lean and slim. Java 11 or later. MIT license.
 */
public final class TgtPlayer {
    /** Why a table is refused. */
    public static final class BadTable extends RuntimeException {
        private static final long serialVersionUID = 1;

        BadTable(String problem) {
            super("bad table: " + problem);
        }
    }

    private static final int MAX_SECRETS = 1 << 20;
    private static final long FREE_WORK = 1 << 22;
    private static final long WORK_PER_NODE = 1 << 10;
    private static final int MAX_ANSWERS = 65535; // to a question
    private static final String SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final int WON = -1;
    private static final int IMPLICIT = -2; // the first candidate is guessed

    private final String profile;
    private final int nCodes;
    private final int nResponses;
    private final int nNodes;
    private final int implicit;
    private final Section guesses;
    private final Section responses;
    private final Section shape;
    private final List<int[]> start = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private String rule;
    private int nPegs;
    private int nColors = 1;
    private int repetition;
    private int nSecrets;
    private boolean announces; // a game is over when one candidate is left
    private List<String> texts = List.of(); // of a table of answers: candidates, questions
    private List<List<String>> answers = List.of();
    private int[] counts;
    private int[] words;
    private long work; // pegs that replaying the start may still compare

    /** A state of a game: its node, where its ones begin in the shape, and who may be the secret. */
    private static final class Step {
        final int node;
        final int at;
        final int[] candidates;

        Step(int node, int at, int[] candidates) {
            this.node = node;
            this.at = at;
            this.candidates = candidates;
        }
    }

    /** Fields of some bits each, the first in the highest bits. */
    private static final class Section {
        final byte[] data;
        final int width;

        Section(Object value, long nFields, int highest) {
            demand(value instanceof byte[], "a section is not binary");
            data = (byte[]) value;
            width = 32 - Integer.numberOfLeadingZeros(highest);
            long size = nFields * width;
            demand(data.length == (size + 7) / 8, "a section has a wrong length");
            boolean isClean = size % 8 == 0 || (data[data.length - 1] & (1 << (8 - size % 8)) - 1) == 0;
            demand(isClean, "a section has bits set behind its end");
        }

        int get(int place) {
            int value = 0;
            for (long at = (long) place * width, left = width; left > 0; at++, left--) {
                value = value << 1 | data[(int) (at >> 3)] >> (7 - (at & 7)) & 1;
            }
            return value;
        }
    }

    /** Reads MessagePack values: Long, String, byte[], List, and Map for a map. */
    private static final class Reader {
        final ByteBuffer data;

        Reader(byte[] bytes) {
            data = ByteBuffer.wrap(bytes, 0, bytes.length - 5);
        }

        byte[] take(long size) {
            demand(size >= 0 && size <= data.remaining(), "it ends early");
            byte[] part = new byte[(int) size];
            data.get(part);
            return part;
        }

        /** A number; above 63 bits the largest one stands for it. */
        long number(int size) {
            return new BigInteger(1, take(size)).min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
        }

        String text(long size) {
            try {
                return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(take(size))).toString();
            } catch (CharacterCodingException problem) {
                throw new BadTable("a text is not UTF-8");
            }
        }

        List<Object> list(long count, int depth) {
            demand(count <= data.remaining(), "it has too many values");
            List<Object> values = new ArrayList<>();
            for (; count > 0; count--) {
                values.add(read(depth + 1));
            }
            return values;
        }

        Object read(int depth) {
            demand(depth < 3, "it is nested too deep");
            int tag = (int) number(1);
            if (tag < 0x80) {
                return (long) tag;
            } else if (tag < 0x90) {
                return map(tag & 15, depth);
            } else if (tag < 0xa0) {
                return list(tag & 15, depth);
            } else if (tag < 0xc0) {
                return text(tag & 31);
            } else if (tag >= 0xc4 && tag <= 0xc6) {
                return take(number(1 << (tag - 0xc4)));
            } else if (tag >= 0xcc && tag <= 0xcf) {
                return number(1 << (tag - 0xcc));
            } else if (tag >= 0xd9 && tag <= 0xdb) {
                return text(number(1 << (tag - 0xd9)));
            } else if (tag == 0xdc || tag == 0xdd) {
                return list(number(2 << (tag - 0xdc)), depth);
            } else if (tag == 0xde || tag == 0xdf) {
                return map(number(2 << (tag - 0xde)), depth);
            }
            throw new BadTable("a value of an unknown type");
        }

        /** Nobody needs what is in a map. */
        Object map(long count, int depth) {
            list(2 * count, depth);
            return Map.of();
        }
    }

    /** Check a table, all of it, and begin a game. */
    public TgtPlayer(byte[] data) {
        demand(data.length >= 16, "this is no table");
        String magic = new String(data, 1, 5, StandardCharsets.ISO_8859_1);
        demand(magic.equals("\u00a4TGT1"), "this is no table");
        demand(data.length >> 28 == 0, "it is too large");
        CRC32 crc = new CRC32();
        crc.update(data, 0, data.length - 5);
        int claimed = ByteBuffer.wrap(data, data.length - 4, 4).getInt();
        boolean isWhole = data[data.length - 5] == (byte) 0xce && claimed == (int) crc.getValue();
        demand(isWhole, "the CRC-32 does not fit");
        List<Object> values = unpack(data);
        long minor = number(values.get(1), Long.MAX_VALUE);
        profile = text(values.get(2));
        demand(List.of("full", "lean", "slim").contains(profile), "the profile is unknown");
        int last = isSlim() ? 12 : 13;
        demand(values.size() >= last && (minor > 0 || values.size() == last), "too few or many values");
        readGame(list(values.get(3)));
        demand(values.get(5) instanceof Map, "meta is no map");
        nCodes = number(values.get(6), Integer.MAX_VALUE);
        nResponses = number(values.get(7), Integer.MAX_VALUE);
        nNodes = number(values.get(8), (1 << 30) - 1);
        implicit = number(values.get(9), 2);
        demand(nNodes >= 1 && isFull() == (implicit == 0), "n_nodes or implicit is out of range");
        checkCounts(list(values.get(4)));
        guesses = new Section(values.get(10), nNodes, nCodes - 1);
        responses = isSlim() ? null : new Section(values.get(11), nNodes - 1, nResponses - 2);
        shape = new Section(values.get(last - 1), 2L * nNodes - 1, 1);
        checkTree();
        steps.add(new Step(0, 0, isFull() ? null : findCandidates()));
    }

    private static List<Object> unpack(byte[] data) {
        Reader reader = new Reader(data);
        int head = (int) reader.number(1);
        demand(head >> 4 == 9, "the envelope is no array");
        List<Object> values = reader.list((head & 15) - 1, 0);
        demand(values.size() >= 11 && !reader.data.hasRemaining(), "the envelope ends wrong");
        return values;
    }

    private static void demand(boolean isTrue, String problem) {
        if (!isTrue) {
            throw new BadTable(problem);
        }
    }

    private static int number(Object value, long most) {
        demand(value instanceof Long && (Long) value <= most, "a value is no number in range");
        return (int) Math.min(Integer.MAX_VALUE, (Long) value);
    }

    private static String text(Object value) {
        demand(value instanceof String, "a value is no text");
        return (String) value;
    }

    private static List<?> list(Object value) {
        demand(value instanceof List, "a value is no array");
        return (List<?>) value;
    }

    private boolean isFull() {
        return profile.equals("full");
    }

    private boolean isSlim() {
        return profile.equals("slim");
    }

    /** A description without the goal, weights and costs of its game. */
    private List<?> readTerms(List<?> values) {
        demand(values.size() > 1, "the game is empty");
        if (values.get(0).equals("weighted")) {
            demand(values.size() > 4, "the weights have no game");
            text(values.get(1));
            text(values.get(2));
            values = values.subList(3, values.size());
        }
        int last = values.size() - 1;
        announces = values.get(last).equals("goal identify");
        return announces ? values.subList(0, last) : values;
    }

    /** The candidates and questions of a table of answers, and their words, if there are any. */
    private void readQuestions(List<?> values) {
        nSecrets = number(values.get(1), (1 << 30) - 1);
        int nQuestions = number(values.get(2), (1 << 30) - 1);
        nColors = nSecrets + nQuestions;
        List<String> names = lines(values.get(3));
        List<String> questions = lines(values.get(4));
        texts = new ArrayList<>(names);
        texts.addAll(questions);
        boolean isWhole = names.size() == nSecrets && questions.size() == nQuestions;
        demand(texts.isEmpty() || isWhole, "the names or questions have a wrong number");
        answers = lines(values.get(5)).stream().map(line -> List.of(line.split("\t", -1))).collect(toList());
        demand(answers.size() < 2 || answers.size() == nQuestions, "the answers have a wrong number");
        text(values.get(6)); // no matrix: the tree knows the answers
    }

    private static List<String> lines(Object value) {
        return text(value).isEmpty() ? List.of() : List.of(text(value).split("\n", -1));
    }

    private void readGame(List<?> description) {
        List<?> values = readTerms(description);
        String kind = text(values.get(0));
        if (kind.equals("questions") && values.size() == 7 && isFull()) {
            rule = "answers";
            nPegs = 1;
            readQuestions(values);
            return;
        }
        if (kind.equals("arrangements") && values.size() > 1) {
            rule = "black";
            repetition = 1;
            nColors = values.size() - 1;
            counts = values.stream().skip(1).mapToInt(value -> number(value, 1000)).toArray();
            demand(Arrays.stream(counts).noneMatch(count -> count == 0), "a color has no pegs");
            nPegs = (int) Math.min(1001, Arrays.stream(counts).asLongStream().sum());
        } else if (kind.equals("pegs") && values.size() == 5) {
            nPegs = number(values.get(1), 1000);
            nColors = number(values.get(2), 1000);
            repetition = number(values.get(3), 1);
            rule = text(values.get(4));
        } else if (kind.equals("codebook") && values.size() == 5) {
            rule = text(values.get(1));
            nPegs = number(values.get(2), 1000);
            nSecrets = number(values.get(3), Integer.MAX_VALUE);
            words = text(values.get(4)).codePoints().toArray();
        } else {
            demand(false, "the game is of an unknown kind, or damaged");
        }
        boolean isSmall = nPegs >= 1 && nPegs <= 1000 && nColors >= 1 && nColors <= 1000;
        demand(isSmall, "the game is out of range");
    }

    /** Check the counts against the game, and read the start. */
    private void checkCounts(List<?> values) {
        long expected = -1;
        if (rule.equals("pegs")) {
            expected = (nPegs + 1L) * (nPegs + 2) / 2 - 1;
        } else if (rule.equals("black")) {
            expected = nPegs + 1;
        } else if (rule.equals("answers")) {
            expected = nResponses;
            demand(nResponses > 1 && nResponses <= MAX_ANSWERS + 1, "n_responses is out of range");
            boolean areFew = answers.stream().allMatch(labels -> labels.size() < nResponses);
            demand(areFew, "a question has too many answers");
        } else if (rule.equals("position") && words != null && nPegs <= 9) {
            expected = Math.round(Math.pow(3, nPegs));
        }
        demand(nResponses == expected, "n_responses is not the game's");
        demand(nCodes > 0 && nCodes == countCodes(), "n_codes is not the game's");
        nSecrets = nSecrets == 0 && words == null ? nCodes : nSecrets;
        demand(nSecrets >= 1 && nSecrets <= nCodes, "the secrets are out of range");
        demand(values.size() % 2 == 0, "the start is no pairs");
        for (int at = 0; at < values.size(); at += 2) {
            int code = number(values.get(at), nCodes - 1);
            start.add(new int[] {code, number(values.get(at + 1), nResponses - 1)});
        }
    }

    /** The number of codes; 0 if there are none, or 2^31 or more. */
    private long countCodes() {
        long n = 1;
        if (rule.equals("answers")) {
            return nSecrets > 0 ? nColors : 0;
        }
        if (words != null) {
            return words.length % nPegs == 0 ? words.length / nPegs : 0;
        }
        int peg = 0;
        for (int color = 0; counts != null && color < nColors; color++) {
            for (int rank = 1; rank <= counts[color] && n >> 31 == 0; rank++) {
                n = n * ++peg / rank;
            }
        }
        for (; counts == null && peg < nPegs && n >> 31 == 0; peg++) {
            n *= Math.max(0, repetition == 1 ? nColors : nColors - peg);
        }
        return n >> 31 == 0 ? n : 0;
    }

    private void checkTree() {
        for (int place = 0; place < nNodes; place++) {
            demand(guesses.get(place) < nCodes, "a guess is no code");
        }
        int ones = 0;
        int least = 0;
        for (int at = 0, node = 0; at < 2 * nNodes - 1; at++) {
            if (shape.get(at) == 1) {
                demand(++ones < nNodes, "the shape is no tree");
                int reply = reply(ones, least);
                demand(reply >= least && reply < nResponses - 1, "responses are out of order");
                least = reply + 1;
            } else {
                demand(++node <= ones || at == 2 * nNodes - 2, "the shape is no tree");
                least = 0;
            }
        }
    }

    /** The secrets that answer the guesses of the start as it says. */
    private int[] findCandidates() {
        demand(nSecrets <= MAX_SECRETS && nNodes <= nSecrets, "too many secrets, or states");
        work = FREE_WORK + WORK_PER_NODE * nNodes;
        int[] found = IntStream.range(0, nSecrets).filter(this::agrees).toArray();
        // A stored state wins one secret; each of its other answers leaves a state that is stored
        // too, or `implicit` secrets.
        long most = nNodes * (1 + implicit * (nResponses - 1L));
        demand(found.length > 0 && found.length <= most, "its states cannot tell the secrets apart");
        return found;
    }

    private boolean agrees(int secret) {
        for (int[] pair : start) {
            work -= nPegs;
            demand(work >= 0, "its start takes too much work");
            if (score(colorsOf(pair[0]), colorsOf(secret)) != pair[1]) {
                return false;
            }
        }
        return true;
    }

    /** The response that leads to a node; in slim its place among its siblings. */
    private int reply(int node, int place) {
        return isSlim() ? place : responses.get(node - 1);
    }

    /** The state behind a response (in slim a place) if it is stored, else an implicit one. */
    private Step child(Step step, int response, int[] candidates) {
        int first = step.at - step.node + 1;
        for (int place = 0; step.node >= 0 && shape.get(step.at + place) == 1; place++) {
            if (reply(first + place, place) == response) {
                int at = step.at;
                for (int node = step.node; node < first + place; at++) {
                    node += 1 - shape.get(at);
                }
                return new Step(first + place, at, candidates);
            }
        }
        return new Step(IMPLICIT, 0, candidates);
    }

    private Step last() {
        return steps.get(steps.size() - 1);
    }

    /** The index of the code to guess or question to ask; -1 when the game is over. */
    public int code() {
        return last().node == WON || isKnown() ? -1 : codeOf(last());
    }

    private int codeOf(Step step) {
        boolean isFirst = step.node == IMPLICIT || isKnown(step) && !isFull();
        return isFirst ? step.candidates[0] : guesses.get(step.node);
    }

    /** Whether one candidate is left in a game that ends there. */
    public boolean isKnown() {
        return isKnown(last());
    }

    private boolean isKnown(Step step) {
        boolean isOpen = announces && step.node != WON;
        return isOpen && (isFull() ? shape.get(step.at) == 0 : step.candidates.length == 1);
    }

    /** The index of the secret, once it is guessed or the only one left; -1 before. */
    public int foundCode() {
        if (isKnown()) {
            return codeOf(last());
        }
        return last().node == WON ? codeOf(steps.get(steps.size() - 2)) : -1;
    }

    /** The secret as people write it, once it is guessed or the only one left; null before. */
    public String found() {
        return foundCode() < 0 ? null : format(foundCode());
    }

    /** The answers to the question asked now, or none in games of other rules. */
    public List<String> answers() {
        return code() < 0 ? List.of() : answersTo(code());
    }

    private List<String> answersTo(int code) {
        if (!rule.equals("answers")) {
            return List.of();
        }
        if (code >= nSecrets) {
            return row(code - nSecrets);
        }
        // Where there are no questions, the answers are those to a guess.
        List<String> labels = new ArrayList<>(nColors > nSecrets || nResponses == 2 ? List.of("no") : row(0));
        labels.add("right");
        return labels;
    }

    private List<String> row(int question) {
        if (!answers.isEmpty()) {
            return answers.get(question % answers.size());
        }
        return IntStream.range(0, nResponses - 1).mapToObj(Integer::toString).collect(toList());
    }

    /** The response of an answer in words, in any case where one alone fits; -1 if there is none. */
    private int responseOf(String text) {
        List<String> labels = answers().stream().map(TgtPlayer::clean).collect(toList());
        int place = labels.indexOf(text);
        if (place < 0) {
            String[] folds = {fold(text), foldTurkic(text)};
            int[] alike = IntStream.range(0, labels.size())
                    .filter(i -> fold(labels.get(i)).equals(folds[0]) || foldTurkic(labels.get(i)).equals(folds[1]))
                    .toArray();
            place = alike.length == 1 ? alike[0] : -1;
        }
        boolean isGuess = code() < nSecrets;
        return isGuess && place == labels.size() - 1 ? nResponses - 1 : place;
    }

    /** A text in the form NFC with single spaces within, none at the ends. */
    private static String clean(String text) {
        String spaced = text.replaceAll("(?U)\\s+", " ").trim();
        return Normalizer.normalize(spaced, Normalizer.Form.NFC);
    }

    /** What texts have in common that differ in case alone: a dotless i has a capital of its own. */
    private static String fold(String text) {
        String upper = text.replace('\u0131', '\0').toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT);
        String lower = upper.toLowerCase(Locale.ROOT).replace('\u03c2', '\u03c3').replace('\0', '\u0131');
        return Normalizer.normalize(lower, Normalizer.Form.NFC);
    }

    /** The same by the case of a Turkish i. */
    private static String foldTurkic(String text) {
        return fold(text.replace('I', '\u0131').replace('\u0130', 'i'));
    }

    /** The code to guess, or the question, as people write it; null when the game is over. */
    public String guess() {
        return code() < 0 ? null : format(code());
    }

    /** Take black and white pegs; false where no secret fits that answer, and nothing has changed. */
    public boolean answer(int black, int white) {
        boolean isPossible = black >= 0 && white >= 0 && black + white <= nPegs;
        boolean isPegs = rule.equals("pegs") && (black != nPegs - 1 || white != 1);
        return isPossible && isPegs && respond(number(black, white));
    }

    private int number(int black, int white) {
        return black == nPegs ? nResponses - 1 : black * (2 * nPegs + 3 - black) / 2 + white;
    }

    /** Take an answer as people write it: "0 2" or "02", "3", marks "01020", or words. */
    public boolean answer(String text) {
        String plain = clean(text);
        if (rule.equals("answers")) {
            return respond(responseOf(plain));
        }
        if (rule.equals("position")) {
            return plain.matches("[012]{" + nPegs + "}") && respond(Integer.parseInt(plain, 3));
        }
        boolean isPegs = rule.equals("pegs");
        String[] words = Arrays.stream(plain.split("[ .]+")).filter(word -> !word.isEmpty()).toArray(String[]::new);
        String[] parts = isPegs && words.length == 1 && words[0].length() == 2 ? words[0].split("") : words;
        boolean areNumbers = Arrays.stream(parts).allMatch(part -> part.matches("[0-9]{1,4}"));
        if (!areNumbers || parts.length != (isPegs ? 2 : 1)) {
            return false;
        }
        int black = Integer.parseInt(parts[0]);
        return isPegs ? answer(black, Integer.parseInt(parts[1])) : black <= nPegs && respond(black);
    }

    /** Take the answer as a response number. */
    public boolean respond(int response) {
        Step step = last();
        if (response < 0 || code() < 0) {
            return false;
        }
        if (response == nResponses - 1) {
            return steps.add(new Step(WON, 0, null));
        }
        if (isFull()) {
            Step next = child(step, response, null);
            return next.node >= 0 && steps.add(next);
        }
        int[] guess = colorsOf(code());
        int[] replies = Arrays.stream(step.candidates).map(c -> score(guess, colorsOf(c))).toArray();
        int[] kept = IntStream.range(0, replies.length)
                .filter(i -> replies[i] == response).map(i -> step.candidates[i]).toArray();
        int key = isSlim() ? rank(replies, response) : response;
        return kept.length > 0 && steps.add(child(step, key, kept));
    }

    /** The place of a response among those with more candidates than `implicit`; -1 if it has not. */
    private int rank(int[] replies, int response) {
        int[] sizes = new int[nResponses];
        for (int reply : replies) {
            sizes[reply]++;
        }
        boolean isStored = response < nResponses && sizes[response] > implicit;
        return isStored ? (int) Arrays.stream(sizes, 0, response).filter(n -> n > implicit).count() : -1;
    }

    /** Take the last answer back, if there is one. */
    public void undo() {
        if (steps.size() > 1) {
            steps.remove(steps.size() - 1);
        }
    }

    /** Begin a new game. */
    public void restart() {
        steps.subList(1, steps.size()).clear();
    }

    /** The guesses made before the table's first and their answers, as people write them. */
    public List<String[]> before() {
        List<String[]> pairs = new ArrayList<>();
        for (int[] pair : start) {
            pairs.add(new String[] {format(pair[0]), formatResponse(pair[0], pair[1])});
        }
        return pairs;
    }

    private String formatResponse(int code, int response) {
        if (response < answersTo(code).size()) {
            return answersTo(code).get(response);
        }
        if (rule.equals("position")) {
            String marks = Integer.toString(response, 3);
            return "0".repeat(nPegs - marks.length()) + marks;
        }
        for (int black = 0; rule.equals("pegs") && black <= nPegs; black++) {
            for (int white = 0; white <= nPegs - black; white++) {
                if (number(black, white) == response && (black != nPegs - 1 || white != 1)) {
                    return black + " " + white;
                }
            }
        }
        return Integer.toString(response);
    }

    /** A code as people write it: 1122, a word, a question or a candidate's name. */
    public String format(int code) {
        if (rule.equals("answers")) {
            String plain = code < nSecrets ? "candidate " + (code + 1) : "question " + (code - nSecrets + 1);
            return texts.isEmpty() ? plain : texts.get(code);
        }
        if (words != null) {
            return new String(words, code * nPegs, nPegs);
        }
        StringBuilder text = new StringBuilder();
        for (int color : colorsOf(code)) {
            text.append(nColors > 35 && text.length() > 0 ? "." : "");
            int symbol = color + repetition;
            text.append(nColors > 35 ? Integer.toString(symbol) : SYMBOLS.substring(symbol, symbol + 1));
        }
        return text.toString();
    }

    /** The colors of a code, from 0; of a word its characters. */
    public int[] colorsOf(int code) {
        if (words != null) {
            return Arrays.copyOfRange(words, code * nPegs, (code + 1) * nPegs);
        }
        int[] colors = new int[nPegs];
        if (counts != null) {
            arrange(code, colors);
            return colors;
        }
        for (int peg = nPegs - 1; peg >= 0; peg--) {
            int base = repetition == 1 ? nColors : nColors - peg;
            colors[peg] = code % base;
            code /= base;
            // Among the colors that are free, the one of this rank: those behind it move up.
            for (int later = peg + 1; repetition == 0 && later < nPegs; later++) {
                colors[later] += colors[later] >= colors[peg] ? 1 : 0;
            }
        }
        return colors;
    }

    private void arrange(int code, int[] colors) {
        int[] left = counts.clone();
        long total = nCodes;
        for (int peg = 0; peg < nPegs; peg++) {
            int color = 0;
            long block = total * left[0] / (nPegs - peg);
            while (code >= block) {
                code -= (int) block;
                block = total * left[++color] / (nPegs - peg);
            }
            colors[peg] = color;
            left[color]--;
            total = block;
        }
    }

    /** The response of a secret to a guess, by their colors. */
    private int score(int[] guess, int[] secret) {
        int[] marks = new int[nPegs];
        int[] left = secret.clone();
        int black = 0;
        for (int peg = 0; peg < nPegs; peg++) {
            if (guess[peg] == secret[peg]) {
                marks[peg] = 2;
                left[peg] = -1;
                black++;
            }
        }
        if (rule.equals("black")) {
            return black;
        }
        int white = 0;
        int index = 0;
        for (int peg = 0; peg < nPegs; peg++) {
            for (int at = 0; marks[peg] == 0 && at < nPegs; at++) {
                if (left[at] == guess[peg]) {
                    left[at] = -1;
                    marks[peg] = 1;
                    white++;
                }
            }
            index = 3 * index + marks[peg];
        }
        return rule.equals("position") ? index : number(black, white);
    }
}
