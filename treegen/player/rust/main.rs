//! A game on the terminal with the table beside this file: `cargo run --release`.
//!
//! Answer each guess as the game is answered: with black and white pegs, 0 2; with black pegs
//! alone, 3; or with marks (grey 0, yellow 1, green 2), 01020.
use std::io::{self, BufRead, Write};
use tgt_player::{Answer, Game, Rule, Table};

static TABLE: &[u8] = include_bytes!("table.tgt");

fn format_code(table: &Table, code: u32) -> String {
    if let Some(word) = table.word(code) {
        return word.to_string();
    }
    let mut colors = vec![0; table.n_pegs() as usize];
    table.colors(code, &mut colors);
    let texts: Vec<String> = colors.iter().map(|c| (c + table.first_color()).to_string()).collect();
    texts.join(" ")
}

/// A response as people type it: 0 2, or 3, or 01020.
fn format_response(table: &Table, response: u32) -> String {
    let n = table.n_pegs();
    match table.rule() {
        Rule::Black => response.to_string(),
        Rule::Position => {
            (0..n).rev().map(|peg| (response / 3_u32.pow(peg) % 3).to_string()).collect()
        }
        Rule::Pegs => (0..=n)
            .flat_map(|black| (0..=n - black).map(move |white| (black, white)))
            .find(|&(black, white)| table.response(black, white) == Some(response))
            .map_or(String::new(), |(black, white)| format!("{} {}", black, white)),
    }
}

fn read_response(table: &Table, line: &str) -> Option<u32> {
    if table.rule() == Rule::Position {
        return table.marks(line.trim());
    }
    let numbers: Vec<u32> =
        line.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    match (table.rule(), numbers.as_slice()) {
        (Rule::Black, &[black]) => table.response(black, 0),
        (Rule::Pegs, &[black, white]) => table.response(black, white),
        _ => None,
    }
}

fn main() -> io::Result<()> {
    let table = Table::open(TABLE).expect("a sound table");
    let mut memory = vec![0; table.memory()];
    let mut game = Game::new(&table, &mut memory).expect("a table that can be played");
    for (code, response) in (0..).map_while(|place| table.before(place)) {
        let (guess, answer) = (format_code(&table, code), format_response(&table, response));
        println!("guessed before: {}, answered {}", guess, answer);
    }
    let mut lines = io::stdin().lock().lines();
    loop {
        print!("{} ? ", format_code(&table, game.guess()));
        io::stdout().flush()?;
        let line = match lines.next() {
            Some(line) => line?,
            None => return Ok(()),
        };
        match read_response(&table, &line).map(|response| game.answer(response)) {
            Some(Answer::Next) => {}
            Some(Answer::Won) => break,
            _ => println!("no secret answers so"),
        }
    }
    println!("found");
    Ok(())
}
