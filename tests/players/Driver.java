import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** As driver.c, for the Java player. */
public final class Driver {
    /** The code that is guessed now; -1 when the game is won; -3 and less for what is announced. */
    static String show(TgtPlayer player) {
        return Integer.toString(player.isKnown() ? -3 - player.foundCode() : player.code());
    }

    static void play(TgtPlayer player, List<String> games) {
        List<String> results = new ArrayList<>(List.of(show(player)));
        List<String> answers = List.of();
        for (String line : games) {
            List<String> wanted = new ArrayList<>(List.of(line.trim().split(" +")));
            wanted.remove("");
            int same = 0;
            while (same < Math.min(answers.size(), wanted.size())
                    && answers.get(same).equals(wanted.get(same))) {
                same++;
            }
            for (String result : results.subList(same + 1, results.size())) {
                if (!result.equals("-2")) {
                    player.undo();
                }
            }
            results = new ArrayList<>(results.subList(0, same + 1));
            for (String answer : wanted.subList(same, wanted.size())) {
                boolean isTaken = player.respond(Integer.parseInt(answer));
                results.add(isTaken ? show(player) : "-2");
            }
            answers = wanted;
            System.out.println(String.join(" ", results));
        }
    }

    public static void main(String[] paths) throws Exception {
        for (String path : paths) {
            List<String> games = Files.readAllLines(Path.of(path + ".games"));
            TgtPlayer player = null;
            try {
                player = new TgtPlayer(Files.readAllBytes(Path.of(path)));
            } catch (TgtPlayer.BadTable problem) {
                System.out.println("bad");
            }
            if (player != null) {
                play(player, games);
            }
            System.out.println(".");
        }
    }
}
