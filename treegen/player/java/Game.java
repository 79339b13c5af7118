import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A game on the terminal with a table: java Game table.tgt
 *
 * <p>Answer each guess as the game is answered: with black and white pegs, 0 2; with black pegs
 * alone, 3; with marks (grey 0, yellow 1, green 2), 01020; or a question with one of its answers.
 */
public final class Game {
    private Game() {}

    /** At most 12 of the answers to a question. */
    private static String list(List<String> answers) {
        String more = answers.size() > 12 ? "/..." : "";
        String few = String.join("/", answers.subList(0, Math.min(12, answers.size())));
        return answers.isEmpty() ? "" : " (" + few + more + ")";
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        TgtPlayer player = new TgtPlayer(Files.readAllBytes(Path.of(args.length > 0 ? args[0] : "table.tgt")));
        for (String[] pair : player.before()) {
            out.println("guessed before: " + pair[0] + ", answered " + pair[1]);
        }
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (player.guess() != null) {
            out.print(player.guess() + list(player.answers()) + " ? ");
            String line = lines.readLine();
            if (line == null) {
                return;
            }
            if (!player.answer(line)) {
                out.println("no secret fits that answer; please check it");
            }
        }
        out.println(player.isKnown() ? "it is " + player.found() : "found");
    }
}
