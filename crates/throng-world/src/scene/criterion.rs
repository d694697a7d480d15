//! Reading criteria: `time <= 1.5 * ideal_time`.
//!
//! ```text
//! criterion = sum ("<" | "<=" | ">" | ">=" | "==" | "!=") sum
//! sum       = product { ("+" | "-") product }
//! product   = factor { ("*" | "/") factor }
//! factor    = "-" factor | "(" sum ")" | number | name
//! ```
//!
//! A parser by recursive descent. It writes a formula down in postfix notation, operands before their
//! operator, so that the only recursion is that of parentheses and signs, which has a limit: however
//! long a formula is, nothing overflows. Names are looked up while it is read.

use std::ops::Range;

use thiserror::Error;

use super::evaluation::{Comparison, RunQuantity};
use super::names::{list, nearest};

/// Parentheses and signs may be nested so deep.
const DEEPEST: usize = 32;

/// What is wrong with a criterion.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}; {help}")]
pub struct CriterionError {
    /// Where in its text.
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// The way out.
    pub help: String,
}

/// One side of a criterion, in postfix notation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Formula {
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Number(f64),
    Quantity(RunQuantity),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Formula {
    /// Its value, with these quantities.
    pub fn value(&self, value: &impl Fn(RunQuantity) -> Option<f64>) -> f64 {
        let mut stack: Vec<f64> = Vec::new();
        for part in &self.parts {
            // The parser puts operands before operators; nothing is missing.
            let mut operand = || stack.pop().unwrap_or(f64::NAN);
            let value = match *part {
                Part::Number(number) => number,
                Part::Quantity(quantity) => value(quantity).unwrap_or(f64::NAN),
                Part::Negate => -operand(),
                operator => {
                    let (right, left) = (operand(), operand());
                    match operator {
                        Part::Add => left + right,
                        Part::Subtract => left - right,
                        Part::Multiply => left * right,
                        _ => left / right,
                    }
                }
            };
            stack.push(value);
        }
        stack.pop().unwrap_or(f64::NAN)
    }

    /// The quantities in it.
    pub fn quantities(&self) -> impl Iterator<Item = RunQuantity> {
        self.parts.iter().filter_map(|part| match part {
            Part::Quantity(quantity) => Some(*quantity),
            _ => None,
        })
    }
}

/// Reads a criterion.
pub(super) fn parse(text: &str) -> Result<(Formula, Comparison, Formula), CriterionError> {
    let mut parser = Parser { text, at: 0, depth: 0, parts: Vec::new() };
    let left = parser.side()?;
    let comparison = parser.comparison()?;
    let right = parser.side()?;
    parser.end()?;
    if left.quantities().chain(right.quantities()).next().is_none() {
        let message = "the criterion is about no quantity";
        return Err(parser.error(0..text.len(), message, names_help()));
    }
    Ok((left, comparison, right))
}

struct Parser<'t> {
    text: &'t str,
    /// How much has been read, bytes.
    at: usize,
    depth: usize,
    parts: Vec<Part>,
}

impl Parser<'_> {
    fn side(&mut self) -> Result<Formula, CriterionError> {
        self.sum()?;
        Ok(Formula { parts: std::mem::take(&mut self.parts) })
    }

    fn sum(&mut self) -> Result<(), CriterionError> {
        self.chain(Self::product, [('+', Part::Add), ('-', Part::Subtract)])
    }

    fn product(&mut self) -> Result<(), CriterionError> {
        self.chain(Self::factor, [('*', Part::Multiply), ('/', Part::Divide)])
    }

    /// Operands with operators between them, which are worked out from left to right.
    fn chain(
        &mut self,
        operand: fn(&mut Self) -> Result<(), CriterionError>,
        operators: [(char, Part); 2],
    ) -> Result<(), CriterionError> {
        operand(self)?;
        loop {
            let next = self.peek();
            let Some((_, part)) = operators.iter().find(|(sign, _)| next == Some(*sign)) else {
                return Ok(());
            };
            self.at += 1;
            operand(self)?;
            self.parts.push(*part);
        }
    }

    fn factor(&mut self) -> Result<(), CriterionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("the criterion is nested more than {DEEPEST} deep");
            return Err(self.error(self.next(), message, "write it with fewer parentheses"));
        }
        match self.peek() {
            Some('-') => {
                self.at += 1;
                self.factor()?;
                self.parts.push(Part::Negate);
            }
            Some('(') => {
                let open = self.at;
                self.at += 1;
                self.sum()?;
                if self.peek() != Some(')') {
                    let message = "the parenthesis is not closed";
                    return Err(self.error(open..open + 1, message, "write the `)` that ends it"));
                }
                self.at += 1;
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number()?,
            Some(c) if c.is_alphabetic() || c == '_' => self.name()?,
            _ => {
                let message = format!("expected a number or a quantity, found {}", self.found());
                return Err(self.error(self.next(), message, names_help()));
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn number(&mut self) -> Result<(), CriterionError> {
        let word = self.word(|c| c.is_ascii_alphanumeric() || c == '.' || c == '_');
        let number = self.text[word.clone()].parse::<f64>().ok().filter(|n| n.is_finite());
        let Some(number) = number else {
            let message = format!("`{}` is no number", &self.text[word.clone()]);
            return Err(self.error(word, message, "write it with digits, e.g. 1.5"));
        };
        self.parts.push(Part::Number(number));
        Ok(())
    }

    fn name(&mut self) -> Result<(), CriterionError> {
        let word = self.word(|c| c.is_alphanumeric() || c == '_');
        let written = &self.text[word.clone()];
        let known = RunQuantity::from_name(written);
        let Some(quantity) = known else {
            let meant = nearest(written, RunQuantity::ALL.map(RunQuantity::name));
            let help = match meant {
                _ if matches!(written, "and" | "or" | "not") => {
                    "write each condition as a criterion of its own; all of them must be met".into()
                }
                Some(meant) => format!("did you mean `{meant}`?"),
                None => names_help(),
            };
            return Err(self.error(
                word,
                format!("there is no quantity `{}`", shortened(written)),
                help,
            ));
        };
        self.parts.push(Part::Quantity(quantity));
        Ok(())
    }

    fn comparison(&mut self) -> Result<Comparison, CriterionError> {
        const SIGNS: [(&str, Comparison); 6] = [
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("==", Comparison::Equal),
            ("!=", Comparison::Unequal),
            ("<", Comparison::Below),
            (">", Comparison::Above),
        ];
        let next = self.peek();
        let rest = &self.text[self.at..];
        if let Some((sign, comparison)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            self.at += sign.len();
            return Ok(*comparison);
        }
        let help = match next {
            Some('=') => "did you mean `==`?",
            _ => "write <, <=, >, >=, == or != between two formulas, e.g. collisions == 0",
        };
        let message = format!("expected a comparison, found {}", self.found());
        Err(self.error(self.next(), message, help))
    }

    fn end(&mut self) -> Result<(), CriterionError> {
        let help = match self.peek() {
            None => return Ok(()),
            Some('<' | '>' | '=' | '!' | '&' | '|') => {
                "write each condition as a criterion of its own; all of them must be met"
            }
            Some(')') => "remove it, or open a parenthesis before",
            _ => "remove it, or write an operator (+, -, * or /) before",
        };
        let message = format!("expected the end of the criterion, found {}", self.found());
        Err(self.error(self.next(), message, help))
    }

    /// The next character that is not a blank, which is then the next to be read.
    fn peek(&mut self) -> Option<char> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest.chars().next()
    }

    /// Reads on as long as characters belong to a word.
    fn word(&mut self, belongs: impl Fn(char) -> bool) -> Range<usize> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        let word = self.at..self.at + length;
        self.at = word.end;
        word
    }

    /// Where the next character is; the end of the text is nowhere.
    fn next(&self) -> Range<usize> {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        self.at..self.at + length
    }

    fn found(&self) -> String {
        match self.text[self.at..].chars().next() {
            Some(c) => format!("`{}`", c.escape_debug()),
            None => "its end".into(),
        }
    }

    fn error(
        &self,
        at: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> CriterionError {
        CriterionError { at, message: message.into(), help: help.into() }
    }
}

fn names_help() -> String {
    let names = RunQuantity::ALL.map(|quantity| quantity.name().to_owned());
    format!("the quantities are {}", list(names, "and"))
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
