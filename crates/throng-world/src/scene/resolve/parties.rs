//! Whether parties of listed people are what their names say.

use std::collections::BTreeMap;

use super::super::file;
use super::super::report::Report;
use super::super::value::At;
use super::groups::called_person;
use crate::MAX_PARTY;

/// Reports parties of one person, and those that are too large.
pub fn check(file: &file::SceneFile, report: &mut Report) {
    let mut parties: BTreeMap<&str, Vec<(String, &At<String>)>> = BTreeMap::new();
    for group in &file.groups {
        for (index, person) in group.people.iter().enumerate() {
            if let Some(party) = &person.party {
                let member = (called_person(group, index), party);
                parties.entry(party.as_str()).or_default().push(member);
            }
        }
    }
    for (name, members) in parties {
        match members.as_slice() {
            [(who, typed)] => {
                let message = format!("{who} is the only one of party {name:?}");
                let help = "give those who walk together the same `party`, or leave the key out";
                report.error(typed.span(), message).help(help);
            }
            members => {
                if let Some((_, typed)) = members.get(MAX_PARTY) {
                    let message = format!("party {name:?} has {} people", members.len());
                    let help = format!("{MAX_PARTY} is the most; make several parties of them");
                    report.error(typed.span(), message).help(help);
                }
            }
        }
    }
}
