//! The first half of a file: joints, where they are, and which numbers move them.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use throng_base::words::nearest;

use super::ReadError;
use super::text::{Scanner, Word};
use crate::files::{Place, Warnings};
use crate::skeleton::MAX_JOINTS;

/// What a number of a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    /// A place along an axis.
    Position(usize),
    /// A rotation about an axis, in degrees.
    Rotation(usize),
}

const CHANNELS: [(&str, Channel); 6] = [
    ("Xposition", Channel::Position(0)),
    ("Yposition", Channel::Position(1)),
    ("Zposition", Channel::Position(2)),
    ("Xrotation", Channel::Rotation(0)),
    ("Yrotation", Channel::Rotation(1)),
    ("Zrotation", Channel::Rotation(2)),
];

/// A joint as the file has it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub name: String,
    pub parent: Option<usize>,
    pub offset: DVec3,
    pub channels: Vec<Channel>,
    /// The first of its numbers in a frame.
    pub first_number: usize,
    /// Where its bone ends, if the file says so.
    pub tip: Option<DVec3>,
    pub place: Place,
}

/// The joints of a file, parents first.
#[derive(Debug, Default)]
pub(super) struct Hierarchy {
    pub nodes: Vec<Node>,
    /// How many numbers a frame has, with those of joints that are not kept.
    pub numbers: usize,
}

/// Reads up to and with the word `MOTION`.
pub(super) fn parse(
    scanner: &mut Scanner,
    warnings: &mut Warnings,
) -> Result<Hierarchy, ReadError> {
    let first = scanner.word();
    if !first.is("HIERARCHY") {
        return Err(first.refuse(format!(
            "a BVH file begins with HIERARCHY; here it begins with {}",
            first.shown()
        )));
    }
    let mut parser = Parser { nodes: Vec::new(), open: Vec::new(), numbers: 0, roots: Vec::new() };
    while parser.item(scanner, warnings)? {}
    let Parser { mut nodes, numbers, roots, .. } = parser;
    if let Some((second, place)) = roots.get(1) {
        warnings.add(
            place.clone(),
            format!("the file has {} roots", roots.len()),
            format!("only the body of the first, {:?}, is read", nodes[0].name),
        );
        nodes.truncate(*second);
    }
    if nodes.is_empty() {
        return Err(scanner.here().refuse("there is no ROOT before MOTION"));
    }
    make_names_differ(&mut nodes, warnings);
    Ok(Hierarchy { nodes, numbers })
}

struct Parser {
    nodes: Vec<Node>,
    /// The joints whose braces are open: their number, and whether there was an OFFSET.
    open: Vec<(usize, bool)>,
    numbers: usize,
    /// The first node of each root, and where it is.
    roots: Vec<(usize, Place)>,
}

impl Parser {
    /// Reads one thing; false after the last.
    fn item(&mut self, scanner: &mut Scanner, warnings: &mut Warnings) -> Result<bool, ReadError> {
        let word = scanner.word();
        let inside = self.open.last().copied();
        match inside {
            None if word.is("ROOT") => {
                self.roots.push((self.nodes.len(), word.place()));
                self.begin(word, scanner, warnings)?;
            }
            None if word.is("MOTION") => return Ok(false),
            None if word.text.is_empty() => {
                return Err(word.refuse("the file ends before MOTION"));
            }
            None => {
                let found = word.shown();
                return Err(word.refuse(format!("expected ROOT or MOTION, found {found}")));
            }
            Some(_) if word.is("JOINT") => self.begin(word, scanner, warnings)?,
            Some((node, _)) if word.is("END") => self.end_site(node, scanner)?,
            Some((node, seen)) if word.is("OFFSET") => {
                if seen {
                    return Err(word.refuse(format!("{} has a second OFFSET", self.shown(node))));
                }
                self.nodes[node].offset = vector(scanner)?;
                if let Some(open) = self.open.last_mut() {
                    open.1 = true;
                }
            }
            Some((node, _)) if word.is("CHANNELS") => self.channels(node, word, scanner)?,
            Some((node, seen)) if word.is("}") => {
                if !seen {
                    let place = self.nodes[node].place.clone();
                    let found = format!("{} has no OFFSET", self.shown(node));
                    warnings.add(place, found, "it is put where its parent is");
                }
                self.open.pop();
            }
            Some((node, _)) => {
                let (found, joint) = (word.shown(), self.shown(node));
                let message = if word.text.is_empty() {
                    format!("the file ends inside {joint}")
                } else if word.is("MOTION") {
                    format!("MOTION begins inside {joint}; a }} is missing before")
                } else {
                    format!(
                        "expected OFFSET, CHANNELS, JOINT, End Site or }} of {joint}, found {found}"
                    )
                };
                return Err(word.refuse(message));
            }
        }
        Ok(true)
    }

    fn begin(
        &mut self,
        word: Word,
        scanner: &mut Scanner,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        if self.nodes.len() == MAX_JOINTS {
            return Err(word.refuse(format!("there are more than {MAX_JOINTS} joints")));
        }
        let name = scanner.rest_of_line();
        let mut text = name.text.to_owned();
        if text.is_empty() {
            text = format!("Joint{}", self.nodes.len() + 1);
            warnings.add(word.place(), "a joint has no name", format!("it is called {text:?}"));
        }
        self.nodes.push(Node {
            name: text,
            parent: self.open.last().map(|(node, _)| *node),
            offset: DVec3::ZERO,
            channels: Vec::new(),
            first_number: self.numbers,
            tip: None,
            place: word.place(),
        });
        let node = self.nodes.len() - 1;
        expect(scanner, "{", || format!("after the name of {}", self.shown(node)))?;
        self.open.push((node, false));
        Ok(())
    }

    fn end_site(&mut self, node: usize, scanner: &mut Scanner) -> Result<(), ReadError> {
        // Usually `Site`; some programs write a name.
        scanner.rest_of_line();
        let of = || format!("of the End Site of {}", self.shown(node));
        expect(scanner, "{", of)?;
        expect(scanner, "OFFSET", of)?;
        let tip = vector(scanner)?;
        expect(scanner, "}", of)?;
        self.nodes[node].tip.get_or_insert(tip);
        Ok(())
    }

    fn channels(
        &mut self,
        node: usize,
        word: Word,
        scanner: &mut Scanner,
    ) -> Result<(), ReadError> {
        if !self.nodes[node].channels.is_empty() {
            return Err(word.refuse(format!("{} has a second CHANNELS", self.shown(node))));
        }
        let count = scanner.word();
        let number = count.text.parse::<usize>().ok().filter(|number| *number <= CHANNELS.len());
        let Some(number) = number else {
            let found = count.shown();
            return Err(
                count.refuse(format!("expected a number of channels up to 6, found {found}"))
            );
        };
        let mut channels = Vec::with_capacity(number);
        for _ in 0..number {
            let word = scanner.word();
            let channel = channel(word)?;
            if channels.contains(&channel) {
                return Err(word.refuse(format!("{} comes twice", word.shown())));
            }
            channels.push(channel);
        }
        if let Some(more) = scanner.clone().word_in_line()
            && channel(more).is_ok()
        {
            let message = format!("CHANNELS says {number}, but goes on with {}", more.shown());
            return Err(more.refuse(message));
        }
        self.nodes[node].first_number = self.numbers;
        self.numbers += number;
        self.nodes[node].channels = channels;
        Ok(())
    }

    fn shown(&self, node: usize) -> String {
        format!("joint {:?}", self.nodes[node].name)
    }
}

fn channel(word: Word) -> Result<Channel, ReadError> {
    if let Some((_, channel)) = CHANNELS.iter().find(|(name, _)| word.is(name)) {
        return Ok(*channel);
    }
    let help = match nearest(word.text, CHANNELS.map(|(name, _)| name)) {
        Some(meant) => format!("did you mean {meant}?"),
        None => {
            "there are Xposition, Yposition, Zposition, Xrotation, Yrotation and Zrotation".into()
        }
    };
    Err(word.refuse(format!("{} is not a channel; {help}", word.shown())))
}

fn vector(scanner: &mut Scanner) -> Result<DVec3, ReadError> {
    let mut number = || scanner.word().number();
    Ok(DVec3::new(number()?, number()?, number()?))
}

fn expect(
    scanner: &mut Scanner,
    keyword: &str,
    wherefore: impl Fn() -> String,
) -> Result<(), ReadError> {
    let word = scanner.word();
    if word.is(keyword) {
        return Ok(());
    }
    Err(word.refuse(format!("expected {keyword} {}, found {}", wherefore(), word.shown())))
}

/// Joints are known by their names, so there cannot be two of one.
fn make_names_differ(nodes: &mut [Node], warnings: &mut Warnings) {
    let mut taken: HashSet<String> = nodes.iter().map(|node| node.name.clone()).collect();
    // How many joints of a name there were: thousands of twins are numbered in one pass.
    let mut seen: HashMap<String, usize> = HashMap::with_capacity(nodes.len());
    for node in nodes {
        let number = seen.entry(node.name.clone()).or_default();
        *number += 1;
        if *number == 1 {
            continue;
        }
        let mut name = format!("{}_{number}", node.name);
        while !taken.insert(name.clone()) {
            *number += 1;
            name = format!("{}_{number}", node.name);
        }
        let found = format!("another joint is called {:?}, too", node.name);
        warnings.add(node.place.clone(), found, format!("this one is called {name:?}"));
        node.name = name;
    }
}
