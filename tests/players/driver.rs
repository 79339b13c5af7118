// As driver.c, for the Rust player.
use std::fs;
use tgt_player::{Answer, Game, Table};

/// The code that is guessed now; -3 and less for one that is announced.
fn show(game: &Game) -> i64 {
    let code = i64::from(game.guess());
    if game.is_known() {
        -3 - code
    } else {
        code
    }
}

fn play(table: &Table, games: &str) -> Option<Vec<String>> {
    let mut memory = vec![0; table.memory()];
    let mut game = Game::new(table, &mut memory).ok()?;
    // The steps of the game before, taken back to where the next one differs.
    let mut steps = vec![(game.place(), game.memory().to_vec(), show(&game))];
    let mut answers: Vec<u64> = Vec::new();
    let mut lines = Vec::new();
    for line in games.lines() {
        let wanted: Vec<u64> =
            line.split(' ').filter(|w| !w.is_empty()).map(|w| w.parse().unwrap()).collect();
        let same = answers.iter().zip(&wanted).take_while(|(a, b)| a == b).count();
        steps.truncate(same + 1);
        game.go_back(steps[same].0, &steps[same].1);
        for answer in &wanted[same..] {
            let result = match game.answer(u32::try_from(*answer).unwrap_or(u32::MAX)) {
                Answer::Next => show(&game),
                Answer::Won => -1,
                Answer::Impossible => -2,
            };
            steps.push((game.place(), game.memory().to_vec(), result));
        }
        answers = wanted;
        let words: Vec<String> = steps.iter().map(|step| step.2.to_string()).collect();
        lines.push(words.join(" "));
    }
    Some(lines)
}

fn main() {
    for path in std::env::args().skip(1) {
        let data = fs::read(&path).unwrap();
        let games = fs::read_to_string(path + ".games").unwrap();
        let lines = Table::open(&data).ok().and_then(|table| play(&table, &games));
        for line in lines.unwrap_or_else(|| vec!["bad".to_string()]) {
            println!("{}", line);
        }
        println!(".");
    }
}
