//! Plays code-breaking games from a `.tgt` table: no allocation, no unsafe code, no dependency.
//!
//! ```ignore
//! let table = Table::open(include_bytes!("table.tgt"))?;  // every byte is checked here
//! let mut memory = [0; 1024];                             // table.memory() bytes are enough
//! let mut game = Game::new(&table, &mut memory)?;
//! game.guess();                                           // the index of a code
//! game.answer(table.response(black, white)?);             // Answer::Next, Won or Impossible
//! ```
//!
//! Of a table of answers `label` writes candidates and questions, `answer_label` what may be answered.
//! A game whose goal is to identify is over when `game.is_known()`: `guess()` is then announced.
//!
//! The profiles `full` (no memory is needed), `lean` and `slim`. To take an answer back, keep a copy
//! of the memory and of `game.place()`. MIT license.
#![no_std]
#![forbid(unsafe_code)]

/// The most pegs of a game whose candidates are kept (`lean` and `slim`).
pub const MAX_PEGS: usize = 64;
const MAX_SECRETS: u32 = 1 << 20;
/// The most answers to a question.
const MAX_ANSWERS: u32 = 65535;

/// Why a table is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// Another magic, or cut off.
    NotATable,
    BadCrc,
    /// A value of a wrong type or out of range.
    BadHeader,
    /// A profile, game or size that this player does not play; or too little memory.
    Unsupported,
    /// A section of a wrong length, or bits set behind its end.
    BadSection,
    /// Guesses or responses out of range, or no finite tree.
    BadTree,
}

/// What an answer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Next,
    Won,
    /// No secret answers so; nothing has changed.
    Impossible,
}

/// How guesses are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Pegs,
    Black,
    Position,
    /// A table of answers: a response is an answer's number.
    Answers,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Profile {
    Full,
    Lean,
    Slim,
}

/// A state that the table stores: its number in level order, and where its ones begin in the shape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    node: u32,
    at: u32,
}

/// Fields of some bits each, the first in the highest bits.
#[derive(Clone, Copy, Default)]
struct Section<'a> {
    data: &'a [u8],
    width: u32,
}

impl Section<'_> {
    fn get(&self, place: u32) -> u32 {
        let begin = u64::from(place) * u64::from(self.width);
        (begin..begin + u64::from(self.width)).fold(0, |value, at| {
            let bit = self.data[(at >> 3) as usize] >> (7 - (at & 7)) & 1;
            value << 1 | u32::from(bit)
        })
    }
}

/// Reads MessagePack values one after another.
#[derive(Clone)]
struct Reader<'a> {
    data: &'a [u8],
}

enum Value<'a> {
    Int(u64),
    Text(&'a [u8]),
    Bytes(&'a [u8]),
    Array(u32),
    Map(u32),
}

impl<'a> Reader<'a> {
    fn take(&mut self, size: usize) -> Result<&'a [u8], Error> {
        if size > self.data.len() {
            return Err(Error::BadHeader);
        }
        let (part, rest) = self.data.split_at(size);
        self.data = rest;
        Ok(part)
    }

    fn number(&mut self, size: usize) -> Result<u64, Error> {
        let bytes = self.take(size)?;
        Ok(bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }

    fn value(&mut self) -> Result<Value<'a>, Error> {
        let tag = self.number(1)? as u8;
        Ok(match tag {
            0x00..=0x7f => Value::Int(u64::from(tag)),
            0x80..=0x8f => Value::Map(u32::from(tag & 15)),
            0x90..=0x9f => Value::Array(u32::from(tag & 15)),
            0xa0..=0xbf => Value::Text(self.take(usize::from(tag & 31))?),
            0xc4..=0xc6 => Value::Bytes(self.part(tag - 0xc4)?),
            0xcc..=0xcf => Value::Int(self.number(1 << (tag - 0xcc))?),
            0xd9..=0xdb => Value::Text(self.part(tag - 0xd9)?),
            0xdc..=0xdd => Value::Array(self.number(2 << (tag - 0xdc))? as u32),
            0xde..=0xdf => Value::Map(self.number(2 << (tag - 0xde))? as u32),
            _ => return Err(Error::BadHeader),
        })
    }

    fn part(&mut self, power: u8) -> Result<&'a [u8], Error> {
        let size = self.number(1 << power)?;
        self.take(size as usize)
    }

    /// A number below 2^32.
    fn int(&mut self) -> Result<u32, Error> {
        match self.value()? {
            Value::Int(value) if value <= u64::from(u32::MAX) => Ok(value as u32),
            _ => Err(Error::BadHeader),
        }
    }

    fn text(&mut self) -> Result<&'a [u8], Error> {
        match self.value()? {
            Value::Text(text) => Ok(text),
            _ => Err(Error::BadHeader),
        }
    }

    fn utf8(&mut self) -> Result<&'a str, Error> {
        core::str::from_utf8(self.text()?).map_err(|_| Error::BadHeader)
    }

    fn array(&mut self) -> Result<u32, Error> {
        match self.value()? {
            Value::Array(size) => Ok(size),
            _ => Err(Error::BadHeader),
        }
    }

    fn section(&mut self, n_fields: u32, width: u32) -> Result<Section<'a>, Error> {
        let n_bits = u64::from(n_fields) * u64::from(width);
        let data = match self.value() {
            Ok(Value::Bytes(data)) => data,
            _ => return Err(Error::BadSection),
        };
        let spare = (8 - n_bits % 8) % 8;
        let is_clean = data.last().map_or(true, |byte| u64::from(*byte) & ((1 << spare) - 1) == 0);
        if data.len() as u64 != (n_bits + 7) / 8 || !is_clean {
            return Err(Error::BadSection);
        }
        Ok(Section { data, width })
    }
}

/// What codes are made of.
#[derive(Clone)]
enum Kind<'a> {
    Colors {
        repetition: bool,
    },
    /// The pegs of each color, as numbers in the table.
    Counts(Reader<'a>),
    Words(&'a str),
    Questions(Labels<'a>),
}

/// The words of a table of answers: candidates, questions, and each question's answers, a line each.
#[derive(Clone, Copy)]
struct Labels<'a> {
    names: &'a str,
    questions: &'a str,
    answers: &'a str,
}

impl<'a> Labels<'a> {
    fn check(&self, n_names: u32, n_questions: u32, most: u32) -> Result<(), Error> {
        let count = |text: &str| if text.is_empty() { 0 } else { text.split('\n').count() as u32 };
        let is_bare = self.names.is_empty() && self.questions.is_empty();
        let is_whole = count(self.names) == n_names && count(self.questions) == n_questions;
        let is_shared = count(self.answers) < 2 || count(self.answers) == n_questions;
        let are_few = self.answers.split('\n').all(|row| row.split('\t').count() as u32 <= most);
        if (is_bare || is_whole) && is_shared && are_few {
            Ok(())
        } else {
            Err(Error::BadHeader)
        }
    }

    fn answer(&self, question: u32, response: u32) -> Option<&'a str> {
        let mut rows = self.answers.split('\n');
        let row = match rows.clone().nth(question as usize) {
            Some(row) => row,
            None => rows.next()?, // one line serves all
        };
        row.split('\t').nth(response as usize).filter(|label| !label.is_empty())
    }
}

/// A checked table.
pub struct Table<'a> {
    profile: Profile,
    kind: Kind<'a>,
    rule: Rule,
    n_pegs: u32,
    n_colors: u32,
    n_codes: u32,
    n_secrets: u32,
    n_responses: u32,
    n_nodes: u32,
    implicit: u32,
    n_before: u32,
    announces: bool,
    start: Reader<'a>,
    guesses: Section<'a>,
    responses: Section<'a>,
    shape: Section<'a>,
}

fn width(highest: u32) -> u32 {
    32 - highest.leading_zeros()
}

fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            crc >> 1 ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

impl<'a> Table<'a> {
    /// Check a table, all of it.
    pub fn open(data: &'a [u8]) -> Result<Table<'a>, Error> {
        if data.len() < 16 || &data[1..6] != b"\xa4TGT1" {
            return Err(Error::NotATable);
        }
        if data.len() >> 28 != 0 {
            return Err(Error::Unsupported);
        }
        let (body, tail) = data.split_at(data.len() - 5);
        if tail[0] != 0xce || tail[1..] != crc32(body).to_be_bytes() {
            return Err(Error::BadCrc);
        }
        let mut reader = Reader { data: body };
        let (mut table, minor) = Self::read_header(&mut reader)?;
        let n_nodes = table.n_nodes;
        table.guesses = reader.section(n_nodes, width(table.n_codes - 1))?;
        if table.profile != Profile::Slim {
            table.responses = reader.section(n_nodes - 1, width(table.n_responses - 2))?;
        }
        table.shape = reader.section(2 * n_nodes - 1, 1)?;
        if minor == 0 && !reader.data.is_empty() {
            return Err(Error::BadSection);
        }
        table.check_tree()?;
        Ok(table)
    }

    fn read_header(r: &mut Reader<'a>) -> Result<(Table<'a>, u32), Error> {
        let n_values = r.array()?;
        r.text()?;
        let minor = r.int()?;
        let (profile, most) = match r.text()? {
            b"full" => (Profile::Full, 14),
            b"lean" => (Profile::Lean, 14),
            b"slim" => (Profile::Slim, 13),
            _ => return Err(Error::Unsupported),
        };
        if n_values < most || (minor == 0 && n_values != most) {
            return Err(Error::BadHeader);
        }
        let mut table = Self::read_game(r)?;
        if matches!(table.kind, Kind::Questions(_)) && profile != Profile::Full {
            return Err(Error::BadHeader);
        }
        table.profile = profile;
        table.n_before = r.array()?;
        table.start = r.clone();
        for _ in 0..table.n_before {
            r.int()?;
        }
        Self::skip_meta(r)?;
        table.n_codes = r.int()?;
        table.n_responses = r.int()?;
        table.n_nodes = r.int()?;
        table.implicit = r.int()?;
        let implicit = if profile == Profile::Full { 0..=0 } else { 1..=2 };
        if table.n_nodes < 1 || table.n_nodes >> 30 != 0 || !implicit.contains(&table.implicit) {
            return Err(Error::BadHeader);
        }
        table.check_counts()?;
        Ok((table, minor))
    }

    fn read_game(r: &mut Reader<'a>) -> Result<Table<'a>, Error> {
        let (n_values, name, announces) = Self::read_terms(r)?;
        let (mut n_pegs, mut n_colors, mut n_secrets) = (0, 1, 0);
        let (kind, rule) = match name {
            b"pegs" => {
                n_pegs = r.int()?;
                n_colors = r.int()?;
                let repetition = r.int()?;
                if repetition > 1 {
                    return Err(Error::BadHeader);
                }
                (Kind::Colors { repetition: repetition == 1 }, Self::read_rule(r, false)?)
            }
            b"codebook" => {
                let rule = Self::read_rule(r, true)?;
                n_pegs = r.int()?;
                n_secrets = r.int()?;
                let words = core::str::from_utf8(r.text()?).map_err(|_| Error::BadHeader)?;
                (Kind::Words(words), rule)
            }
            b"arrangements" => {
                let counts = r.clone();
                n_colors = n_values.wrapping_sub(1);
                for _ in 0..n_colors {
                    let count = r.int()?;
                    if count < 1 || count > 1000 - n_pegs {
                        return Err(Error::BadHeader);
                    }
                    n_pegs += count;
                }
                (Kind::Counts(counts), Rule::Black)
            }
            b"questions" => {
                n_pegs = 1;
                n_secrets = r.int()?;
                n_colors = r.int()?;
                let (names, questions, answers) = (r.utf8()?, r.utf8()?, r.utf8()?);
                r.text()?; // no matrix: the tree knows the answers
                (Kind::Questions(Labels { names, questions, answers }), Rule::Answers)
            }
            _ => return Err(Error::Unsupported),
        };
        if announces {
            r.text()?;
        }
        if rule == Rule::Answers {
            let is_small = n_secrets >> 30 == 0 && n_colors >> 30 == 0;
            if n_values != 7 || n_secrets == 0 || !is_small {
                return Err(Error::BadHeader);
            }
            n_colors += n_secrets;
        }
        let is_long = matches!(kind, Kind::Counts(_)) || n_values == 5;
        let is_small = (1..=1000).contains(&n_pegs) && (1..=1000).contains(&n_colors);
        if rule != Rule::Answers && !(is_long && is_small) {
            return Err(Error::BadHeader);
        }
        let empty = Section::default();
        Ok(Table {
            profile: Profile::Full,
            kind,
            rule,
            n_pegs,
            n_colors,
            n_codes: 0,
            n_secrets,
            n_responses: 0,
            n_nodes: 0,
            implicit: 0,
            n_before: 0,
            announces,
            start: r.clone(),
            guesses: empty,
            responses: empty,
            shape: empty,
        })
    }

    /// Pass over weights and costs: how many values the rest has without the goal, the kind of game,
    /// and whether the goal is to identify.
    fn read_terms(r: &mut Reader<'a>) -> Result<(u32, &'a [u8], bool), Error> {
        let mut n_values = r.array()?;
        let mut kind = r.text()?;
        if kind == b"weighted" && n_values > 3 {
            r.text()?;
            r.text()?;
            kind = r.text()?;
            n_values -= 3;
        }
        let mut ahead = r.clone();
        let mut announces = false;
        for _ in 1..n_values {
            announces = matches!(ahead.value()?, Value::Text(b"goal identify"));
        }
        Ok((n_values - u32::from(announces), kind, announces))
    }

    fn read_rule(r: &mut Reader<'a>, has_words: bool) -> Result<Rule, Error> {
        match r.text()? {
            b"pegs" => Ok(Rule::Pegs),
            b"black" => Ok(Rule::Black),
            b"position" if has_words => Ok(Rule::Position),
            _ => Err(Error::BadHeader),
        }
    }

    fn skip_meta(r: &mut Reader<'a>) -> Result<(), Error> {
        let size = match r.value()? {
            Value::Map(size) => size,
            _ => return Err(Error::BadHeader),
        };
        for _ in 0..2 * u64::from(size) {
            if let Value::Array(_) | Value::Map(_) = r.value()? {
                return Err(Error::BadHeader);
            }
        }
        Ok(())
    }

    /// Check the counts against the game, and that the start has pairs in range.
    fn check_counts(&mut self) -> Result<(), Error> {
        let n = self.n_pegs;
        let n_responses = match self.rule {
            Rule::Pegs => (n + 1) * (n + 2) / 2 - 1,
            Rule::Black => n + 1,
            Rule::Position if n <= 9 => 3_u32.pow(n),
            Rule::Answers if (2..=MAX_ANSWERS + 1).contains(&self.n_responses) => self.n_responses,
            Rule::Position | Rule::Answers => return Err(Error::BadHeader),
        };
        let n_codes = self.count_codes().ok_or(Error::BadHeader)?;
        match self.kind {
            Kind::Words(_) => {}
            Kind::Questions(labels) => {
                labels.check(self.n_secrets, self.n_colors - self.n_secrets, n_responses - 1)?
            }
            _ => self.n_secrets = n_codes,
        }
        let has_secrets = (1..=n_codes).contains(&self.n_secrets);
        if self.n_codes != n_codes || self.n_responses != n_responses || !has_secrets {
            return Err(Error::BadHeader);
        }
        let mut r = self.start.clone();
        for place in 0..self.n_before {
            let most = if place % 2 == 1 { n_responses } else { n_codes };
            if r.int()? >= most {
                return Err(Error::BadHeader);
            }
        }
        if self.n_before % 2 == 1 {
            Err(Error::BadHeader)
        } else {
            Ok(())
        }
    }

    /// The number of codes; None if there are none, or 2^31 or more.
    fn count_codes(&self) -> Option<u32> {
        let mut n = 1_u64;
        match &self.kind {
            Kind::Words(words) => {
                let n_characters = words.chars().count() as u32;
                let is_whole = n_characters > 0 && n_characters % self.n_pegs == 0;
                return if is_whole { Some(n_characters / self.n_pegs) } else { None };
            }
            Kind::Questions(_) => return Some(self.n_colors),
            Kind::Colors { repetition } => {
                for peg in 0..self.n_pegs {
                    let choices =
                        if *repetition { self.n_colors } else { self.n_colors.checked_sub(peg)? };
                    n *= u64::from(choices);
                    if n == 0 || n >> 31 != 0 {
                        return None;
                    }
                }
            }
            Kind::Counts(counts) => {
                let mut r = counts.clone();
                let mut placed = 0;
                for _ in 0..self.n_colors {
                    for rank in 1..=r.int().ok()? {
                        placed += 1;
                        n = n * placed / u64::from(rank);
                        if n >> 31 != 0 {
                            return None;
                        }
                    }
                }
            }
        }
        Some(n as u32)
    }

    fn check_tree(&self) -> Result<(), Error> {
        let n_bits = 2 * self.n_nodes - 1;
        let (mut node, mut ones, mut least) = (0, 0, 0);
        for place in 0..self.n_nodes {
            if self.guesses.get(place) >= self.n_codes {
                return Err(Error::BadTree);
            }
        }
        for at in 0..n_bits {
            if self.shape.get(at) == 1 {
                ones += 1;
                if ones >= self.n_nodes {
                    return Err(Error::BadTree);
                }
                let reply = self.reply(ones, least);
                if reply >= self.n_responses - 1 || reply < least {
                    return Err(Error::BadTree);
                }
                least = reply + 1;
            } else {
                node += 1;
                least = 0;
                if node > ones && at + 1 < n_bits {
                    return Err(Error::BadTree);
                }
            }
        }
        Ok(())
    }

    /// The response that leads to a node; in `slim`, which has none, its place among its siblings.
    fn reply(&self, node: u32, place: u32) -> u32 {
        if self.profile == Profile::Slim {
            place
        } else {
            self.responses.get(node - 1)
        }
    }

    fn child(&self, state: State, response: u32) -> Option<State> {
        let first = state.at - state.node + 1;
        let n_children = (state.at..).take_while(|&at| self.shape.get(at) == 1).count() as u32;
        let place = (0..n_children).find(|&place| self.reply(first + place, place) == response)?;
        let State { mut node, mut at } = state;
        while node < first + place {
            node += 1 - self.shape.get(at);
            at += 1;
        }
        Some(State { node, at })
    }

    /// How many bytes `Game::new` needs: a bit for each secret, and for `slim` two for each response.
    pub fn memory(&self) -> usize {
        let counts = if self.profile == Profile::Slim { (self.n_responses + 3) / 4 } else { 0 };
        let bits = if self.profile == Profile::Full { 0 } else { (self.n_secrets + 7) / 8 };
        (bits + counts) as usize
    }

    pub fn n_pegs(&self) -> u32 {
        self.n_pegs
    }

    pub fn n_codes(&self) -> u32 {
        self.n_codes
    }

    /// How many codes may be the secret: the first ones.
    pub fn n_secrets(&self) -> u32 {
        self.n_secrets
    }

    pub fn n_responses(&self) -> u32 {
        self.n_responses
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// What is added to a color when it is written: 0 where no color comes twice, else 1.
    pub fn first_color(&self) -> u32 {
        u32::from(!matches!(self.kind, Kind::Colors { repetition: false }))
    }

    /// The guess made before the table's root at this place, and how it was answered.
    pub fn before(&self, place: u32) -> Option<(u32, u32)> {
        let mut r = self.start.clone();
        for _ in 0..2 * place {
            r.int().ok()?;
        }
        if place < self.n_before / 2 {
            Some((r.int().ok()?, r.int().ok()?))
        } else {
            None
        }
    }

    /// The word of a code; None in a game without words.
    pub fn word(&self, code: u32) -> Option<&'a str> {
        let words = match self.kind {
            Kind::Words(words) => words,
            _ => return None,
        };
        let (begin, size) = ((code * self.n_pegs) as usize, self.n_pegs as usize);
        if words.len() as u64 == u64::from(self.n_codes) * u64::from(self.n_pegs) {
            return words.get(begin..begin + size);
        }
        let find =
            |text: &str, count| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
        let rest = &words[find(words, begin)..];
        Some(&rest[..find(rest, size)])
    }

    /// A candidate's name or a question of a table of answers; None where it has no labels.
    pub fn label(&self, code: u32) -> Option<&'a str> {
        match self.kind {
            Kind::Questions(labels) if code < self.n_secrets => {
                labels.names.split('\n').nth(code as usize)
            }
            Kind::Questions(labels) => {
                labels.questions.split('\n').nth((code - self.n_secrets) as usize)
            }
            _ => None,
        }
        .filter(|text| !text.is_empty())
    }

    /// Whether a code is a question of a table of answers.
    pub fn is_question(&self, code: u32) -> bool {
        self.rule == Rule::Answers && code >= self.n_secrets
    }

    /// What a response to a question says, or where there are no questions, to a guess; None where
    /// there is no such answer, or no label.
    pub fn answer_label(&self, code: u32, response: u32) -> Option<&'a str> {
        match self.kind {
            Kind::Questions(labels) if self.is_question(code) => {
                labels.answer(code - self.n_secrets, response)
            }
            Kind::Questions(labels) if self.n_codes == self.n_secrets => labels.answer(0, response),
            _ => None,
        }
    }

    /// Write the colors of a code, from 0; of a word its characters. Takes `n_pegs` places.
    pub fn colors(&self, code: u32, colors: &mut [u32]) {
        let n_pegs = self.n_pegs as usize;
        let colors = &mut colors[..n_pegs];
        match &self.kind {
            Kind::Words(_) => {
                let word = self.word(code).unwrap_or("");
                colors
                    .iter_mut()
                    .zip(word.chars())
                    .for_each(|(color, letter)| *color = letter as u32);
            }
            Kind::Questions(_) => colors[0] = code,
            Kind::Counts(counts) => self.arrange(counts, code, colors),
            Kind::Colors { repetition } => {
                let mut left = code;
                for peg in (0..n_pegs).rev() {
                    let base = if *repetition { self.n_colors } else { self.n_colors - peg as u32 };
                    let color = left % base;
                    colors[peg] = color;
                    left /= base;
                    // Among the colors that are free, the one of this rank: those behind move up.
                    for later in colors[peg + 1..].iter_mut().filter(|_| !repetition) {
                        *later += u32::from(*later >= color);
                    }
                }
            }
        }
    }

    fn arrange(&self, counts: &Reader, mut code: u32, colors: &mut [u32]) {
        let mut total = u64::from(self.n_codes);
        for peg in 0..colors.len() {
            let mut r = counts.clone();
            for color in 0..self.n_colors {
                let used = colors[..peg].iter().filter(|&&other| other == color).count() as u32;
                let left = r.int().unwrap_or(0) - used;
                let block = total * u64::from(left) / (colors.len() - peg) as u64;
                if u64::from(code) < block {
                    colors[peg] = color;
                    total = block;
                    break;
                }
                code -= block as u32;
            }
        }
    }

    /// The response of black and white pegs (of black pegs alone, where the game has no white ones).
    pub fn response(&self, black: u32, white: u32) -> Option<u32> {
        let n = self.n_pegs;
        match self.rule {
            Rule::Black if black <= n => Some(black),
            Rule::Pegs if black == n && white == 0 => Some(self.n_responses - 1),
            Rule::Pegs if black < n && white <= n - black && (black + 1, white) != (n, 1) => {
                Some(black * (2 * n + 3 - black) / 2 + white)
            }
            _ => None,
        }
    }

    /// The response of marks such as 01020 (grey 0, yellow 1, green 2).
    pub fn marks(&self, marks: &str) -> Option<u32> {
        if self.rule != Rule::Position || marks.len() != self.n_pegs as usize {
            return None;
        }
        marks.bytes().try_fold(0, |response, mark| match mark {
            b'0'..=b'2' => Some(3 * response + u32::from(mark - b'0')),
            _ => None,
        })
    }

    /// The response of a secret to a guess, by their colors.
    fn score(&self, guess: &[u32], secret: &[u32]) -> u32 {
        let mut marks = [0_u32; MAX_PEGS];
        let mut is_used = [false; MAX_PEGS];
        let n_pegs = guess.len();
        for peg in (0..n_pegs).filter(|&peg| guess[peg] == secret[peg]) {
            marks[peg] = 2;
            is_used[peg] = true;
        }
        let black = is_used[..n_pegs].iter().filter(|&&used| used).count() as u32;
        if self.rule == Rule::Black {
            return black;
        }
        let mut white = 0;
        for peg in 0..n_pegs {
            let found = (0..n_pegs).find(|&at| !is_used[at] && guess[peg] == secret[at]);
            if let (0, Some(at)) = (marks[peg], found) {
                is_used[at] = true;
                marks[peg] = 1;
                white += 1;
            }
        }
        if self.rule == Rule::Position {
            return marks[..n_pegs].iter().fold(0, |index, mark| 3 * index + mark);
        }
        self.response(black, white).unwrap_or(0)
    }

    fn score_code(&self, guess: &[u32; MAX_PEGS], secret: u32) -> u32 {
        let mut colors = [0; MAX_PEGS];
        let n_pegs = self.n_pegs as usize;
        self.colors(secret, &mut colors);
        self.score(&guess[..n_pegs], &colors[..n_pegs])
    }
}

/// A game that is played.
pub struct Game<'t, 'a, 'm> {
    table: &'t Table<'a>,
    /// None where the table says no more: the first candidate is guessed.
    place: Option<State>,
    /// A bit for each secret, the first the highest of its byte; then counts up to 3.
    memory: &'m mut [u8],
}

impl<'t, 'a, 'm> Game<'t, 'a, 'm> {
    /// Begin a game; the memory is `table.memory()` bytes or more.
    pub fn new(table: &'t Table<'a>, memory: &'m mut [u8]) -> Result<Game<'t, 'a, 'm>, Error> {
        if memory.len() < table.memory() {
            return Err(Error::Unsupported);
        }
        let mut game = Game { table, place: Some(State::default()), memory };
        if table.profile != Profile::Full {
            game.find_candidates()?;
        }
        Ok(game)
    }

    /// Begin with the secrets that answer the guesses of the start as it says.
    fn find_candidates(&mut self) -> Result<(), Error> {
        let table = self.table;
        if table.n_pegs as usize > MAX_PEGS || table.n_secrets > MAX_SECRETS {
            return Err(Error::Unsupported);
        }
        if table.n_nodes > table.n_secrets {
            return Err(Error::BadHeader);
        }
        self.memory.fill(0);
        let mut left = ((1_u64 << 22) + (u64::from(table.n_nodes) << 10)) / u64::from(table.n_pegs);
        let mut n = 0_u32;
        for secret in 0..table.n_secrets {
            let mut agrees = true;
            for (code, response) in (0..).map_while(|place| table.before(place)) {
                left = left.checked_sub(1).ok_or(Error::Unsupported)?;
                let mut guess = [0; MAX_PEGS];
                table.colors(code, &mut guess);
                agrees = table.score_code(&guess, secret) == response;
                if !agrees {
                    break;
                }
            }
            if agrees {
                self.memory[secret as usize / 8] |= 0x80 >> (secret & 7);
                n += 1;
            }
        }
        // A stored state wins one secret; each of its other answers leaves a state that is stored
        // too, or `implicit` secrets.
        let most =
            u64::from(1 + table.implicit * (table.n_responses - 1)) * u64::from(table.n_nodes);
        if n == 0 || u64::from(n) > most {
            Err(Error::BadHeader)
        } else {
            Ok(())
        }
    }

    fn has(&self, secret: u32) -> bool {
        self.memory[secret as usize / 8] & 0x80 >> (secret & 7) != 0
    }

    /// What a game consists of besides the memory; None where the first candidate is guessed.
    pub fn place(&self) -> Option<State> {
        self.place
    }

    /// Take answers back: to a place, with the memory as it was there.
    pub fn go_back(&mut self, place: Option<State>, memory: &[u8]) {
        self.place = place;
        self.memory[..memory.len()].copy_from_slice(memory);
    }

    /// The candidates as `go_back` takes them.
    pub fn memory(&self) -> &[u8] {
        self.memory
    }

    /// Whether one candidate is left in a game that ends there: `guess` is announced, not guessed.
    pub fn is_known(&self) -> bool {
        let table = self.table;
        if !table.announces {
            return false;
        }
        if table.profile == Profile::Full {
            return self.place.map_or(false, |state| table.shape.get(state.at) == 0);
        }
        (0..table.n_secrets).filter(|&secret| self.has(secret)).take(2).count() == 1
    }

    /// The code to guess or the question to ask, an index.
    pub fn guess(&self) -> u32 {
        let is_full = self.table.profile == Profile::Full;
        match self.place {
            Some(state) if is_full || !self.is_known() => self.table.guesses.get(state.node),
            _ => (0..self.table.n_secrets).find(|&secret| self.has(secret)).unwrap_or(0),
        }
    }

    /// Take the response to the guess.
    pub fn answer(&mut self, response: u32) -> Answer {
        if self.is_known() {
            return Answer::Impossible;
        }
        if response == self.table.n_responses - 1 {
            return Answer::Won;
        }
        if self.table.profile == Profile::Full {
            return match self.place.and_then(|state| self.table.child(state, response)) {
                None => Answer::Impossible,
                next => {
                    self.place = next;
                    Answer::Next
                }
            };
        }
        let mut guess = [0; MAX_PEGS];
        self.table.colors(self.guess(), &mut guess);
        if !self.count(&guess, response) {
            return Answer::Impossible;
        }
        for secret in 0..self.table.n_secrets {
            if self.has(secret) && self.table.score_code(&guess, secret) != response {
                self.memory[secret as usize / 8] &= !(0x80 >> (secret & 7));
            }
        }
        let key =
            if self.table.profile == Profile::Slim { self.rank(response) } else { Some(response) };
        let next = self.place.zip(key);
        self.place = next.and_then(|(state, key)| self.table.child(state, key));
        Answer::Next
    }

    /// Count the candidates of each response of a slim table; whether this response has any.
    fn count(&mut self, guess: &[u32; MAX_PEGS], response: u32) -> bool {
        let is_slim = self.table.profile == Profile::Slim;
        let begin = (self.table.n_secrets as usize + 7) / 8;
        let mut is_found = false;
        self.memory[begin..].fill(0);
        for secret in 0..self.table.n_secrets {
            if !self.has(secret) || (is_found && !is_slim) {
                continue;
            }
            let reply = self.table.score_code(guess, secret);
            is_found |= reply == response;
            if is_slim && self.size(reply) < 3 {
                self.memory[begin + reply as usize / 4] += 1 << (2 * (reply & 3));
            }
        }
        is_found
    }

    /// How many candidates a response has, 3 for more.
    fn size(&self, response: u32) -> u32 {
        let begin = (self.table.n_secrets as usize + 7) / 8;
        u32::from(self.memory[begin + response as usize / 4] >> (2 * (response & 3)) & 3)
    }

    /// The place among its siblings of the state behind a response, if it is stored.
    fn rank(&self, response: u32) -> Option<u32> {
        let is_stored = |reply: &u32| self.size(*reply) > self.table.implicit;
        if is_stored(&response) {
            Some((0..response).filter(is_stored).count() as u32)
        } else {
            None
        }
    }
}
