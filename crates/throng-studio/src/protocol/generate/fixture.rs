//! Binary messages as the server encodes them, with what they hold, for the tests of the page's decoder.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glam::Vec2;
use serde_json::{Value as Json, json};
use throng::bodies::HeadTurn;
use throng::scaler::BodyLevel;
use throng_base::{Bounds, Heading};
use throng_crowd::{Appearance, PersonId, Status};
use throng_world::scene::{GroupId, LayerId};

use crate::bodies::samples;
use crate::frame::{Lattice, Moment, Standing};

pub(super) fn file() -> String {
    let mut all = vec![narrow(), wide()];
    all.extend(samples());
    let message = |(name, bytes, expected): (&str, Vec<u8>, Json)| json!({ "name": name, "bytes": STANDARD.encode(bytes), "expected": expected });
    let messages: Vec<Json> = all.into_iter().map(message).collect();
    let lines: Vec<String> = messages.iter().map(Json::to_string).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// One person of each status.
fn people() -> Vec<Appearance> {
    let person = |(i, status): (usize, Status)| Appearance {
        id: PersonId(if i == 0 { 3 } else { 100 * i as u32 }),
        group: GroupId(i as u16),
        layer: LayerId(i as u8 % 2),
        position: Vec2::new(i as f32, -0.5 * i as f32),
        height: 0.25 * i as f32,
        facing: Heading::from_radians(i as f32 * std::f32::consts::FRAC_PI_4).direction(),
        status,
        temperament: None,
    };
    Status::ALL.into_iter().enumerate().map(person).collect()
}

const MOMENT: Moment = Moment { epoch: 7, revision: 12, step: 413, time: 41.25 };

fn expected(people: &[Appearance]) -> Json {
    let row = |(i, person): (usize, &Appearance)| {
        json!({
            "id": person.id.0,
            "position": person.position.to_array(),
            "heading": i as f32 * std::f32::consts::FRAC_PI_4,
            "status": person.status.as_str(),
            "group": person.group.0,
        })
    };
    let Moment { epoch, revision, step, time } = MOMENT;
    json!({
        "epoch": epoch, "revision": revision, "step": step, "time": time,
        "people": people.iter().enumerate().map(row).collect::<Vec<_>>(),
    })
}

/// A frame without any flag.
fn narrow() -> (&'static str, Vec<u8>, Json) {
    let bounds = Bounds { min: Vec2::splat(-40.0), max: Vec2::splat(40.0) };
    let people = people();
    let bytes = Lattice::new(bounds, [0.0; 2], true, 1, 8).frame(&MOMENT, &people, None);
    ("frame", bytes.to_vec(), expected(&people))
}

/// A frame with all flags.
fn wide() -> (&'static str, Vec<u8>, Json) {
    let bounds = Bounds { min: Vec2::splat(-4000.0), max: Vec2::splat(4000.0) };
    let people = people();
    let standing = |i: usize| Standing {
        level: BodyLevel::ALL[i % 4],
        head: HeadTurn::ALL[i % 3],
        take: 2 * i as u8,
        phase: 32 * i as u8,
        yaw: 16 * i as u8,
    };
    let standings: Vec<Standing> = (0..people.len()).map(standing).collect();
    let lattice = Lattice::new(bounds, [0.0, 10.0], false, 2, 40);
    let bytes = lattice.frame(&MOMENT, &people, Some(&standings));
    let mut expected = expected(&people);
    for (i, row) in expected["people"].as_array_mut().into_iter().flatten().enumerate() {
        row["layer"] = json!(people[i].layer.0);
        row["height"] = json!(people[i].height);
        let Standing { level, head, take, phase, yaw } = standings[i];
        row["standing"] = json!([level.as_str(), head as u8, take, phase, yaw]);
    }
    ("wide frame", bytes.to_vec(), expected)
}
