//! A game on the terminal with the table beside this file: `cargo run --release`.
//!
//! Answer each guess as the game is answered: with black and white pegs, 0 2; with black pegs
//! alone, 3; with marks (grey 0, yellow 1, green 2), 01020; or a question with one of its answers.
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

/// The answers to a question, or to a guess, by their responses.
fn list_answers(table: &Table, code: u32) -> Vec<String> {
    if table.rule() != Rule::Answers {
        return Vec::new();
    }
    let (is_guess, win) = (!table.is_question(code), table.n_responses() - 1);
    if is_guess && (table.n_codes() > table.n_secrets() || win == 1) {
        return vec!["no".to_string(), "right".to_string()];
    }
    let mut answers: Vec<String> = if table.has_labels() {
        table.answer_labels(code).map(str::to_string).collect()
    } else {
        (0..win).map(|response| response.to_string()).collect()
    };
    if is_guess {
        answers.push("right".to_string());
    }
    answers
}

/// The code to guess, or the question with at most 12 of its answers.
fn format_question(table: &Table, code: u32) -> String {
    let mut answers = list_answers(table, code);
    if answers.len() > 12 {
        answers.truncate(12);
        answers.push("...".to_string());
    }
    let list = if answers.is_empty() { String::new() } else { format!(" ({})", answers.join("/")) };
    format_code(table, code) + &list
}

/// A response as people type it: 0 2, or 3, or 01020, or an answer.
fn format_response(table: &Table, code: u32, response: u32) -> String {
    if let Some(answer) = list_answers(table, code).get(response as usize) {
        return answer.clone();
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

/// What texts have in common that differ in case alone. The letters are not composed: type é as one.
fn fold(text: &str, is_turkic: bool) -> String {
    let mut folded = String::new();
    for letter in text.chars() {
        match letter {
            'I' if is_turkic => folded.push('ı'),
            'İ' if is_turkic => folded.push('i'),
            'ı' => folded.push('ı'),
            _ => {
                let upper = letter.to_lowercase().flat_map(char::to_uppercase);
                folded.extend(upper.flat_map(char::to_lowercase));
            }
        }
    }
    folded
}

/// The response of an answer in a question's words, in any case where one alone fits.
fn read_answer(table: &Table, code: u32, line: &str) -> Option<u32> {
    let answers = list_answers(table, code);
    let text = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_alike = |answer: &String| [false, true].iter().any(|&by| fold(answer, by) == fold(&text, by));
    let place = match answers.iter().position(|answer| *answer == text) {
        Some(place) => place,
        None => {
            let mut alike = (0..answers.len()).filter(|&place| is_alike(&answers[place]));
            alike.next().filter(|_| alike.next().is_none())?
        }
    };
    if !table.is_question(code) && place + 1 == answers.len() {
        return Some(table.n_responses() - 1);
    }
    Some(place as u32)
}

/// Numbers of at most four digits, separated by spaces or dots; two digits alone may be two numbers.
fn read_numbers(line: &str, may_join: bool) -> Option<Vec<u32>> {
    let is_mark = |c: char| c.is_whitespace() || c == '.';
    let mut words: Vec<&str> = line.split(is_mark).filter(|word| !word.is_empty()).collect();
    if may_join && words.len() == 1 && words[0].len() == 2 && words[0].is_ascii() {
        words = vec![&words[0][..1], &words[0][1..]];
    }
    let is_number = |word: &&str| word.len() < 5 && word.bytes().all(|byte| byte.is_ascii_digit());
    words.iter().map(|word| Some(word).filter(|word| is_number(word))?.parse().ok()).collect()
}

fn read_response(table: &Table, code: u32, line: &str) -> Option<u32> {
    match table.rule() {
        Rule::Answers => return read_answer(table, code, line),
        Rule::Position => return table.marks(line.trim()),
        _ => {}
    }
    match (table.rule(), read_numbers(line, table.rule() == Rule::Pegs)?.as_slice()) {
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
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while !game.is_known() {
        print!("{} ? ", format_question(&table, game.guess()));
        io::stdout().flush()?;
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line); // what is no text is no answer
        match read_response(&table, game.guess(), &text).map(|response| game.answer(response)) {
            Some(Answer::Next) => {}
            Some(Answer::Won) => {
                println!("found");
                return Ok(());
            }
            _ => println!("no secret fits that answer; please check it"),
        }
    }
    println!("it is {}", format_code(&table, game.guess()));
    Ok(())
}
