//! Words, lines and places in the text of a file.

use super::ReadError;
use crate::files::Place;

/// Walks through a text word by word and knows where it is.
#[derive(Clone)]
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    line_start: usize,
}

/// A stretch of the text and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub text: &'t str,
    pub line: usize,
    /// The line up to the word: columns are only counted when somebody wants to know them.
    before: &'t str,
    /// Characters between that and the word.
    skipped: usize,
}

impl<'t> Word<'t> {
    pub fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword)
    }

    fn column(&self) -> usize {
        self.before.chars().count() + self.skipped + 1
    }

    pub fn place(&self) -> Place {
        Place::Line { line: self.line, column: self.column() }
    }

    /// An error at this word.
    pub fn refuse(&self, message: impl Into<String>) -> ReadError {
        ReadError::Text { line: self.line, column: self.column(), message: message.into() }
    }

    /// What is left of the word from byte `at` on; a single line's column is all that changes.
    pub fn after(&self, at: usize) -> Self {
        let at = self.text.ceil_char_boundary(at);
        Self {
            text: &self.text[at..],
            skipped: self.skipped + self.text[..at].chars().count(),
            ..*self
        }
    }

    /// The word for messages, cut if it is long.
    pub fn shown(&self) -> String {
        const LONGEST: usize = 40;
        if self.text.is_empty() {
            return "the end of the file".into();
        }
        let shown: String = self.text.chars().take(LONGEST).collect();
        let cut = if shown.len() < self.text.len() { "…" } else { "" };
        format!("{:?}", shown + cut)
    }

    /// A number that can be calculated with.
    pub fn number(&self) -> Result<f64, ReadError> {
        /// Beyond this nothing is a length or an angle, and squares of sums could overflow.
        const LARGEST: f64 = 1e9;
        match self.text.parse::<f64>() {
            Ok(number) if number.abs() <= LARGEST => Ok(number),
            Ok(number) if number.is_finite() => {
                Err(self.refuse(format!("{} is too large", self.shown())))
            }
            Ok(_) => Err(self.refuse(format!("{} is not a finite number", self.shown()))),
            Err(_) if self.text.is_empty() => {
                Err(self.refuse("a number is missing: the file ends here"))
            }
            Err(_) => {
                let point = self.text.replacen(',', ".", 1);
                let help = match point.parse::<f64>() {
                    Ok(_) => format!("; write {point}, with a point"),
                    Err(_) => String::new(),
                };
                Err(self.refuse(format!("{} is not a number{help}", self.shown())))
            }
        }
    }
}

impl<'t> Scanner<'t> {
    pub fn new(text: &'t str) -> Self {
        // A byte order mark is no word.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { text, at: 0, line: 1, line_start: 0 }
    }

    /// The next word; an empty one at the end of the text. Braces are words of their own.
    pub fn word(&mut self) -> Word<'t> {
        while self.skip_blanks() {
            self.next_line();
        }
        self.take(|byte| byte.is_ascii_whitespace())
    }

    /// The next word of this line, if there is one.
    pub fn word_in_line(&mut self) -> Option<Word<'t>> {
        let line_ends = self.skip_blanks();
        (!line_ends && self.at < self.text.len())
            .then(|| self.take(|byte| byte.is_ascii_whitespace()))
    }

    /// The rest of the line up to a brace, without blanks around it.
    pub fn rest_of_line(&mut self) -> Word<'t> {
        self.skip_blanks();
        let mut word = self.take_line();
        word.text = word.text.trim_end();
        word
    }

    /// Goes on to the next line; false if there is none.
    pub fn next_line(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() && !matches!(bytes[self.at], b'\n' | b'\r') {
            self.at += 1;
        }
        if self.at == bytes.len() {
            return false;
        }
        let windows = bytes[self.at] == b'\r' && bytes.get(self.at + 1) == Some(&b'\n');
        self.at += if windows { 2 } else { 1 };
        self.line += 1;
        self.line_start = self.at;
        true
    }

    /// The place where the scanner is, as an empty word.
    pub fn here(&self) -> Word<'t> {
        Word {
            text: &self.text[self.at..self.at],
            line: self.line,
            before: &self.text[self.line_start..self.at],
            skipped: 0,
        }
    }

    /// Skips blanks in the line; true if the line ends there and another follows.
    fn skip_blanks(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'\n' | b'\r' => return true,
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => return false,
            }
        }
        false
    }

    fn take_line(&mut self) -> Word<'t> {
        if matches!(self.text.as_bytes().get(self.at), Some(b'{' | b'}')) {
            return self.here();
        }
        self.take(|byte| matches!(byte, b'\n' | b'\r'))
    }

    /// Takes bytes until one that ends the word, or a brace.
    fn take(&mut self, ends: impl Fn(u8) -> bool) -> Word<'t> {
        let bytes = self.text.as_bytes();
        let (start, here) = (self.at, self.here());
        while let Some(&byte) = bytes.get(self.at) {
            let brace = matches!(byte, b'{' | b'}');
            if ends(byte) || brace && self.at > start {
                break;
            }
            self.at += 1;
            if brace {
                break;
            }
        }
        Word { text: &self.text[start..self.at], ..here }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_places_whatever_ends_the_lines() {
        for text in ["a  bä{\n\tc }", "a  bä{\r\n\tc }", "\u{feff}a  bä{\r\tc }"] {
            let mut scanner = Scanner::new(text);
            let words: Vec<(String, usize, usize)> = std::iter::from_fn(|| {
                let word = scanner.word();
                (!word.text.is_empty()).then(|| (word.text.into(), word.line, word.column()))
            })
            .collect();
            let expected = [("a", 1, 1), ("bä", 1, 4), ("{", 1, 6), ("c", 2, 2), ("}", 2, 4)];
            assert_eq!(words, expected.map(|(text, line, column)| (text.into(), line, column)));
        }
    }

    #[test]
    fn names_are_the_rest_of_their_lines() {
        let mut scanner = Scanner::new("JOINT Bip01 L Thigh \n{");
        scanner.word();
        assert_eq!(scanner.rest_of_line().text, "Bip01 L Thigh");
        assert_eq!(scanner.rest_of_line().text, "");
        assert_eq!(scanner.word().text, "{");
        let mut scanner = Scanner::new("a { b");
        assert_eq!(scanner.rest_of_line().text, "a");
        assert_eq!(scanner.word().text, "{");
        assert_eq!(scanner.word_in_line().unwrap().text, "b");
        assert!(scanner.word_in_line().is_none() && !scanner.next_line());
    }

    #[test]
    fn what_is_no_number_is_told_with_its_place() {
        let error = |text| Scanner::new(text).word().number().unwrap_err().to_string();
        assert_eq!(error(" 1.5e"), "1:2: \"1.5e\" is not a number");
        assert_eq!(error("1,5"), "1:1: \"1,5\" is not a number; write 1.5, with a point");
        assert_eq!(error("nan"), "1:1: \"nan\" is not a finite number");
        assert_eq!(error("-inf"), "1:1: \"-inf\" is not a finite number");
        assert_eq!(error("1e30"), "1:1: \"1e30\" is too large");
        assert_eq!(error(""), "1:1: a number is missing: the file ends here");
    }
}
