//! A game on the terminal with the table beside this file: `cargo run --release`.
//!
//! Answer each guess as the game is answered: with black and white pegs, 0 2; with black pegs
//! alone, 3; with marks (grey 0, yellow 1, green 2), 01020; or a question with one of its answers, or
//! the number of one.
use std::io::{self, BufRead, Write};
use tgt_player::{Answer, Game, Rule, Table};

static TABLE: &[u8] = include_bytes!("table.tgt");

fn format_code(table: &Table, code: u32) -> String {
    if let Some(text) = table.word(code).or_else(|| table.label(code)) {
        return text.to_string();
    }
    if table.rule() == Rule::Answers {
        return match code.checked_sub(table.n_secrets()) {
            Some(place) => format!("question {}", place + 1),
            None => format!("candidate {}", code + 1),
        };
    }
    let mut colors = vec![0; table.n_pegs() as usize];
    table.colors(code, &mut colors);
    let texts: Vec<String> = colors.iter().map(|c| (c + table.first_color()).to_string()).collect();
    texts.join(" ")
}

/// The labels of the answers to a question, by their responses.
fn list_answers<'a>(table: &Table<'a>, code: u32) -> Vec<&'a str> {
    let labels = (0..).map_while(|response| table.answer_label(code, response));
    if table.rule() != Rule::Answers || table.is_question(code) {
        return labels.collect();
    }
    let is_plain = table.n_codes() > table.n_secrets() || table.n_responses() == 2;
    labels.chain(is_plain.then_some("no")).chain(Some("right")).collect()
}

/// The code to guess, or the question with at most 12 of its answers.
fn format_question(table: &Table, code: u32) -> String {
    let mut answers = list_answers(table, code);
    if answers.len() > 12 {
        answers.truncate(12);
        answers.push("...");
    }
    let list = if answers.is_empty() { String::new() } else { format!(" ({})", answers.join("/")) };
    format_code(table, code) + &list
}

/// A response as people type it: 0 2, or 3, or 01020, or an answer.
fn format_response(table: &Table, code: u32, response: u32) -> String {
    if let Some(label) = table.answer_label(code, response) {
        return label.to_string();
    }
    let n = table.n_pegs();
    match table.rule() {
        Rule::Black | Rule::Answers => response.to_string(),
        Rule::Position => {
            (0..n).rev().map(|peg| (response / 3_u32.pow(peg) % 3).to_string()).collect()
        }
        Rule::Pegs => (0..=n)
            .flat_map(|black| (0..=n - black).map(move |white| (black, white)))
            .find(|&(black, white)| table.response(black, white) == Some(response))
            .map_or(String::new(), |(black, white)| format!("{} {}", black, white)),
    }
}

/// The response of an answer in a question's words (in any case, where one alone fits) or by number.
fn read_answer(table: &Table, code: u32, line: &str) -> Option<u32> {
    let answers = list_answers(table, code);
    let alike = |label: &&str| label.to_lowercase() == line.to_lowercase();
    let place = match answers.iter().position(|label| *label == line) {
        None if answers.iter().filter(|label| alike(label)).count() == 1 => {
            answers.iter().position(alike)
        }
        place => place,
    };
    match place {
        Some(place) if !table.is_question(code) && place + 1 == answers.len() => {
            Some(table.n_responses() - 1)
        }
        Some(place) => Some(place as u32),
        None => line.parse().ok(),
    }
}

fn read_response(table: &Table, code: u32, line: &str) -> Option<u32> {
    if table.rule() == Rule::Answers {
        return read_answer(table, code, line.trim());
    }
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
        let (guess, answer) = (format_code(&table, code), format_response(&table, code, response));
        println!("guessed before: {}, answered {}", guess, answer);
    }
    let mut lines = io::stdin().lock().lines();
    while !game.is_known() {
        print!("{} ? ", format_question(&table, game.guess()));
        io::stdout().flush()?;
        let line = match lines.next() {
            Some(line) => line?,
            None => return Ok(()),
        };
        match read_response(&table, game.guess(), &line).map(|response| game.answer(response)) {
            Some(Answer::Next) => {}
            Some(Answer::Won) => {
                println!("found");
                return Ok(());
            }
            _ => println!("no secret answers so"),
        }
    }
    println!("it is {}", format_code(&table, game.guess()));
    Ok(())
}
