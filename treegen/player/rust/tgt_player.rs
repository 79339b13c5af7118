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

fn ensure(is_true: bool, error: Error) -> Result<(), Error> {
    if is_true {
        Ok(())
    } else {
        Err(error)
    }
}

/// What an answer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Next,
    Won,
    /// No secret fits that answer; nothing has changed.
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
        ensure(size <= self.data.len(), Error::BadHeader)?;
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
        ensure(data.len() as u64 == (n_bits + 7) / 8 && is_clean, Error::BadSection)?;
        Ok(Section { data, width })
    }
}

/// What codes are made of.
#[derive(Clone)]
enum Kind<'a> {
    /// Colors that may come twice.
    Repeated,
    /// Colors that do not.
    Distinct,
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
        ensure((is_bare || is_whole) && is_shared && are_few, Error::BadHeader)
    }

    fn answers(&self, question: u32) -> impl Iterator<Item = &'a str> {
        let mut rows = self.answers.split('\n');
        let row = rows.clone().nth(question as usize).or_else(|| rows.next()); // one serves all
        row.unwrap_or("").split('\t').filter(|label| !label.is_empty())
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
        ensure(data.len() >= 16 && &data[1..6] == b"\xa4TGT1", Error::NotATable)?;
        ensure(data.len() >> 28 == 0, Error::Unsupported)?;
        let (body, tail) = data.split_at(data.len() - 5);
        ensure(tail[0] == 0xce && tail[1..] == crc32(body).to_be_bytes(), Error::BadCrc)?;
        let mut reader = Reader { data: body };
        let mut table = Self::new(&reader);
        let minor = table.read_header(&mut reader)?;
        let n_nodes = table.n_nodes;
        table.guesses = reader.section(n_nodes, width(table.n_codes - 1))?;
        if table.profile != Profile::Slim {
            table.responses = reader.section(n_nodes - 1, width(table.n_responses - 2))?;
        }
        table.shape = reader.section(2 * n_nodes - 1, 1)?;
        ensure(minor > 0 || reader.data.is_empty(), Error::BadSection)?;
        table.check_tree()?;
        Ok(table)
    }

    /// A table of which nothing is read yet.
    fn new(reader: &Reader<'a>) -> Table<'a> {
        Table {
            profile: Profile::Full,
            kind: Kind::Repeated,
            rule: Rule::Pegs,
            n_pegs: 0,
            n_colors: 1,
            n_codes: 0,
            n_secrets: 0,
            n_responses: 0,
            n_nodes: 0,
            implicit: 0,
            n_before: 0,
            announces: false,
            start: reader.clone(),
            guesses: Section::default(),
            responses: Section::default(),
            shape: Section::default(),
        }
    }

    /// Read the values before the sections; return the minor version.
    fn read_header(&mut self, r: &mut Reader<'a>) -> Result<u64, Error> {
        let n_values = r.array()?;
        r.text()?;
        let minor = match r.value()? {
            Value::Int(minor) => minor,
            _ => return Err(Error::BadHeader),
        };
        let (profile, most) = match r.text()? {
            b"full" => (Profile::Full, 14),
            b"lean" => (Profile::Lean, 14),
            b"slim" => (Profile::Slim, 13),
            _ => return Err(Error::Unsupported),
        };
        self.profile = profile;
        ensure(n_values == most || (minor > 0 && n_values > most), Error::BadHeader)?;
        self.read_game(r)?;
        ensure(self.rule != Rule::Answers || profile == Profile::Full, Error::BadHeader)?;
        self.n_before = r.array()?;
        self.start = r.clone();
        for _ in 0..self.n_before {
            r.int()?;
        }
        Self::skip_meta(r)?;
        self.n_codes = r.int()?;
        self.n_responses = r.int()?;
        self.n_nodes = r.int()?;
        self.implicit = r.int()?;
        let implicit = if profile == Profile::Full { 0..=0 } else { 1..=2 };
        ensure(self.n_nodes >= 1 && self.n_nodes >> 30 == 0, Error::BadHeader)?;
        ensure(implicit.contains(&self.implicit), Error::BadHeader)?;
        self.check_counts()?;
        Ok(minor)
    }

    fn read_game(&mut self, r: &mut Reader<'a>) -> Result<(), Error> {
        let (n_values, kind) = self.read_terms(r)?;
        match kind {
            b"pegs" => {
                self.n_pegs = r.int()?;
                self.n_colors = r.int()?;
                self.kind = match r.int()? {
                    0 => Kind::Distinct,
                    1 => Kind::Repeated,
                    _ => return Err(Error::BadHeader),
                };
                self.rule = Self::read_rule(r)?;
                ensure(self.rule != Rule::Position, Error::BadHeader)?;
            }
            b"codebook" => {
                self.rule = Self::read_rule(r)?;
                self.n_pegs = r.int()?;
                self.n_secrets = r.int()?;
                self.kind = Kind::Words(r.utf8()?);
            }
            b"arrangements" => {
                self.kind = Kind::Counts(r.clone());
                self.rule = Rule::Black;
                self.n_colors = n_values.wrapping_sub(1);
                for _ in 0..self.n_colors {
                    let count = r.int()?;
                    ensure((1..=1000 - self.n_pegs).contains(&count), Error::BadHeader)?;
                    self.n_pegs += count;
                }
            }
            b"questions" => {
                self.rule = Rule::Answers;
                self.n_pegs = 1;
                self.n_secrets = r.int()?;
                let n_questions = r.int()?;
                let is_small = self.n_secrets >> 30 == 0 && n_questions >> 30 == 0;
                ensure(n_values == 7 && self.n_secrets > 0 && is_small, Error::BadHeader)?;
                self.n_colors = self.n_secrets + n_questions;
                let (names, questions, answers) = (r.utf8()?, r.utf8()?, r.utf8()?);
                r.text()?; // no matrix: the tree knows the answers
                self.kind = Kind::Questions(Labels { names, questions, answers });
            }
            _ => return Err(Error::Unsupported),
        }
        if self.announces {
            r.text()?;
        }
        let is_long = matches!(self.kind, Kind::Counts(_)) || n_values == 5;
        let is_small = (1..=1000).contains(&self.n_pegs) && (1..=1000).contains(&self.n_colors);
        ensure(self.rule == Rule::Answers || (is_long && is_small), Error::BadHeader)
    }

    /// Pass over weights and costs, and see whether the goal, at the end, is to identify; return how
    /// many values the game has without them, and its kind.
    fn read_terms(&mut self, r: &mut Reader<'a>) -> Result<(u32, &'a [u8]), Error> {
        let mut n_values = r.array()?;
        let mut kind = r.text()?;
        if kind == b"weighted" && n_values > 3 {
            r.text()?;
            r.text()?;
            kind = r.text()?;
            n_values -= 3;
        }
        let mut ahead = r.clone();
        for _ in 1..n_values {
            self.announces = matches!(ahead.value()?, Value::Text(b"goal identify"));
        }
        Ok((n_values - u32::from(self.announces), kind))
    }

    fn read_rule(r: &mut Reader<'a>) -> Result<Rule, Error> {
        match r.text()? {
            b"pegs" => Ok(Rule::Pegs),
            b"black" => Ok(Rule::Black),
            b"position" => Ok(Rule::Position),
            _ => Err(Error::BadHeader),
        }
    }

    fn skip_meta(r: &mut Reader<'a>) -> Result<(), Error> {
        let size = match r.value()? {
            Value::Map(size) => size,
            _ => return Err(Error::BadHeader),
        };
        for _ in 0..2 * u64::from(size) {
            let is_flat = !matches!(r.value()?, Value::Array(_) | Value::Map(_));
            ensure(is_flat, Error::BadHeader)?;
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
                labels.check(self.n_secrets, n_codes - self.n_secrets, n_responses - 1)?
            }
            _ => self.n_secrets = n_codes,
        }
        ensure(self.n_codes == n_codes && self.n_responses == n_responses, Error::BadHeader)?;
        ensure((1..=n_codes).contains(&self.n_secrets), Error::BadHeader)?;
        ensure(self.n_before % 2 == 0, Error::BadHeader)?;
        let mut pairs = (0..self.n_before / 2).map_while(|place| self.before(place));
        let is_fit = pairs.all(|(code, response)| code < n_codes && response < n_responses);
        ensure(is_fit, Error::BadHeader)
    }

    /// The number of codes; None if there are none, or 2^31 or more.
    fn count_codes(&self) -> Option<u32> {
        let mut n = 1_u64;
        match &self.kind {
            Kind::Words(words) => {
                let n_characters = words.chars().count() as u32;
                let is_whole = n_characters > 0 && n_characters % self.n_pegs == 0;
                return is_whole.then(|| n_characters / self.n_pegs);
            }
            Kind::Questions(_) => return Some(self.n_colors),
            Kind::Repeated | Kind::Distinct => {
                for peg in 0..self.n_pegs {
                    n *= u64::from(self.base(peg)?);
                    if n >> 31 != 0 {
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

    /// How many colors a peg may have behind those before it; None if there are none.
    fn base(&self, peg: u32) -> Option<u32> {
        let used = if matches!(self.kind, Kind::Distinct) { peg } else { 0 };
        self.n_colors.checked_sub(used).filter(|&base| base > 0)
    }

    fn check_tree(&self) -> Result<(), Error> {
        let is_code = |place| self.guesses.get(place) < self.n_codes;
        ensure((0..self.n_nodes).all(is_code), Error::BadTree)?;
        let n_bits = 2 * self.n_nodes - 1;
        let (mut node, mut ones, mut least) = (0, 0, 0);
        for at in 0..n_bits {
            if self.shape.get(at) == 1 {
                ones += 1;
                ensure(ones < self.n_nodes, Error::BadTree)?;
                let reply = self.reply(ones, least);
                ensure((least..self.n_responses - 1).contains(&reply), Error::BadTree)?;
                least = reply + 1;
            } else {
                node += 1;
                least = 0;
                ensure(node <= ones || at + 1 == n_bits, Error::BadTree)?;
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
        u32::from(!matches!(self.kind, Kind::Distinct))
    }

    /// The guess made before the table's root at this place, and how it was answered.
    pub fn before(&self, place: u32) -> Option<(u32, u32)> {
        let mut values = self.start.clone();
        let mut numbers = (0..self.n_before)
            .map_while(|_| values.int().ok())
            .skip((place as usize).saturating_mul(2));
        Some((numbers.next()?, numbers.next()?))
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
        let labels = match self.kind {
            Kind::Questions(labels) => labels,
            _ => return None,
        };
        let (lines, place) = match code.checked_sub(self.n_secrets) {
            None => (labels.names, code),
            Some(question) => (labels.questions, question),
        };
        lines.split('\n').nth(place as usize).filter(|text| !text.is_empty())
    }

    /// Whether a code is a question of a table of answers.
    pub fn is_question(&self, code: u32) -> bool {
        self.rule == Rule::Answers && code >= self.n_secrets
    }

    /// What a response to a question says, or where there are no questions, to a guess; None where
    /// there is no such answer, or no label.
    pub fn answer_label(&self, code: u32, response: u32) -> Option<&'a str> {
        self.answer_labels(code).nth(response as usize)
    }

    /// What may be said to a question, or where there are no questions, to a guess; in the order of
    /// the responses.
    pub fn answer_labels(&self, code: u32) -> impl Iterator<Item = &'a str> {
        let found = match self.kind {
            Kind::Questions(labels) if self.is_question(code) => {
                Some(labels.answers(code - self.n_secrets))
            }
            Kind::Questions(labels) if self.n_codes == self.n_secrets => Some(labels.answers(0)),
            _ => None,
        };
        found.into_iter().flatten()
    }

    /// Whether a table of answers says what its answers are.
    pub fn has_labels(&self) -> bool {
        matches!(self.kind, Kind::Questions(labels) if !labels.answers.is_empty())
    }

    /// Write the colors of a code, from 0; of a word its characters. Takes `n_pegs` places.
    pub fn colors(&self, code: u32, colors: &mut [u32]) {
        let n_pegs = self.n_pegs as usize;
        let colors = &mut colors[..n_pegs];
        match &self.kind {
            Kind::Words(_) => {
                let word = self.word(code).unwrap_or("");
                colors.iter_mut().zip(word.chars()).for_each(|(color, c)| *color = c as u32);
            }
            Kind::Questions(_) => colors[0] = code,
            Kind::Counts(counts) => self.arrange(counts, code, colors),
            Kind::Repeated | Kind::Distinct => {
                let mut left = code;
                for peg in (0..n_pegs).rev() {
                    let base = self.base(peg as u32).unwrap_or(1);
                    let color = left % base;
                    colors[peg] = color;
                    left /= base;
                    if let Kind::Distinct = self.kind {
                        // The color of this rank among the free ones: those behind move up.
                        colors[peg + 1..].iter_mut().for_each(|c| *c += u32::from(*c >= color));
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

    /// Whether a secret answers the guesses of the start as it says; `left` limits the work.
    fn agrees(&self, secret: u32, left: &mut u64) -> Result<bool, Error> {
        for (code, response) in (0..).map_while(|place| self.before(place)) {
            *left = left.checked_sub(1).ok_or(Error::Unsupported)?;
            let mut guess = [0; MAX_PEGS];
            self.colors(code, &mut guess);
            if self.score_code(&guess, secret) != response {
                return Ok(false);
            }
        }
        Ok(true)
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
        ensure(memory.len() >= table.memory(), Error::Unsupported)?;
        let mut game = Game { table, place: Some(State::default()), memory };
        if table.profile != Profile::Full {
            game.find_candidates()?;
        }
        Ok(game)
    }

    /// Begin with the secrets that answer the guesses of the start as it says.
    fn find_candidates(&mut self) -> Result<(), Error> {
        let table = self.table;
        ensure(table.n_pegs as usize <= MAX_PEGS, Error::Unsupported)?;
        ensure(table.n_secrets <= MAX_SECRETS, Error::Unsupported)?;
        ensure(table.n_nodes <= table.n_secrets, Error::BadHeader)?;
        self.memory.fill(0);
        let mut left = ((1_u64 << 22) + (u64::from(table.n_nodes) << 10)) / u64::from(table.n_pegs);
        let mut n = 0;
        for secret in 0..table.n_secrets {
            if table.agrees(secret, &mut left)? {
                self.memory[secret as usize / 8] |= 0x80 >> (secret & 7);
                n += 1;
            }
        }
        // A stored state wins one secret; each of its other answers leaves a state that is stored
        // too, or `implicit` secrets.
        let most =
            u64::from(1 + table.implicit * (table.n_responses - 1)) * u64::from(table.n_nodes);
        ensure((1..=most).contains(&n), Error::BadHeader)
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
        let table = self.table;
        if self.is_known() {
            return Answer::Impossible;
        }
        if response == table.n_responses - 1 {
            return Answer::Won;
        }
        if table.profile == Profile::Full {
            return match self.place.and_then(|state| table.child(state, response)) {
                None => Answer::Impossible,
                next => {
                    self.place = next;
                    Answer::Next
                }
            };
        }
        let mut guess = [0; MAX_PEGS];
        table.colors(self.guess(), &mut guess);
        if !self.count(&guess, response) {
            return Answer::Impossible;
        }
        for secret in 0..table.n_secrets {
            if self.has(secret) && table.score_code(&guess, secret) != response {
                self.memory[secret as usize / 8] &= !(0x80 >> (secret & 7));
            }
        }
        let key = if table.profile == Profile::Slim { self.rank(response) } else { Some(response) };
        self.place = self.place.zip(key).and_then(|(state, key)| table.child(state, key));
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
        is_stored(&response).then(|| (0..response).filter(is_stored).count() as u32)
    }
}
