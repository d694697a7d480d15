//! Generates `studio/src/protocol.ts`, the tables of `docs/protocol.md` and the binary messages that the page's tests decode.
//!
//! The tests fail when a file is not what the declarations say; with `UPDATE_PROTOCOL=1` they write it. JSON Schema is the
//! form in which declarations are read: `schemars` is a dependency anyway, and unlike generators of TypeScript it gives names,
//! types, defaults and doc comments as data, so that documentation can be made of them as well.

mod fixture;
mod markdown;
mod schema;
mod typescript;

use std::path::{Path, PathBuf};

use self::schema::Declarations;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Checks that a file has this text, or writes it.
fn check(name: &str, text: &str) {
    if std::env::var_os("UPDATE_PROTOCOL").is_some() {
        std::fs::write(path(name), text).unwrap();
    }
    let found = std::fs::read_to_string(path(name)).unwrap_or_default();
    if found != text {
        let line = found.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
        panic!(
            "{name} is not what the declarations say, from line {}:\n  found    {}\n  declared {}\nrun `make protocol`",
            line + 1,
            found.lines().nth(line).unwrap_or("nothing"),
            text.lines().nth(line).unwrap_or("nothing"),
        );
    }
}

#[test]
fn the_page_has_the_declared_types() {
    check("studio/src/protocol.ts", &typescript::file(&Declarations::read()));
}

#[test]
fn the_documentation_has_the_declared_tables() {
    let page = std::fs::read_to_string(path("docs/protocol.md")).unwrap();
    check("docs/protocol.md", &markdown::page(&page, &Declarations::read()));
}

#[test]
fn the_page_tests_have_the_binary_messages_of_the_server() {
    check("studio/tests/unit/binary-messages.json", &fixture::file());
}

#[test]
fn every_request_has_a_reply() {
    let declared = Declarations::read();
    let names =
        |list: &[schema::Variant]| list.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&declared.requests), names(&declared.replies));
}
