//! Speeds on stairs and ramps that are said of groups, of people and of connectors.

use std::collections::BTreeMap;

use throng_crowd::Crowd;

use crate::support::{self, bits};

/// Stairs 6 m long and 100 m wide, with people who walk up, or down, side by side.
struct Stairs<'a> {
    kind: &'a str,
    group: &'a str,
    people: Vec<&'a str>,
    connector: &'a str,
    goes_up: bool,
}

impl Default for Stairs<'_> {
    fn default() -> Self {
        Self { kind: "stairs", group: "", people: vec![""], connector: "", goes_up: true }
    }
}

impl Stairs<'_> {
    fn crowd(&self) -> Crowd {
        let (x, layer, flow) = if self.goes_up { (-2, "lower", 1) } else { (8, "upper", -1) };
        let person = |(number, extra): (usize, &&str)| {
            let y = 0.45 * number as f64 - 48.0;
            format!("{{ position = [{x}, {y}], layer = \"{layer}\"{extra} }}")
        };
        let people: Vec<String> = self.people.iter().enumerate().map(person).collect();
        support::crowd(&format!(
            r#"
            simulation = {{ step = 0.05, seed = 5 }}
            world.bounds = [[-60, -60], [60, 60]]
            layers = [{{ name = "lower" }}, {{ name = "upper", elevation = 3 }}]
            [[connectors]]
            name = "way up"
            kind = "{}"
            polygon = [[0, -50], [6, -50], [6, 50], [0, 50]]
            lower = {{ layer = "lower", edge = [[0, -50], [0, 50]] }}
            upper = {{ layer = "upper", edge = [[6, -50], [6, 50]] }}
            {}
            [[groups]]
            name = "climbers"
            radius = 0.2
            max_speed = 5
            steering = {{ model = "none" }}
            goals = [{{ flow = [{flow}, 0], duration = 100 }}]
            {}
            people = [{}]
            "#,
            self.kind,
            self.connector,
            self.group,
            people.join(",\n")
        ))
    }

    /// Mean speeds over the middle four metres as seen from above, m/s, by number.
    fn speeds(&self) -> Vec<f32> {
        let mut crowd = self.crowd();
        let mut passed: BTreeMap<u32, [Option<(f64, f32)>; 2]> = BTreeMap::new();
        let is_done = |passed: &BTreeMap<u32, [Option<(f64, f32)>; 2]>| {
            passed.len() == self.people.len() && passed.values().all(|moments| moments[1].is_some())
        };
        while !is_done(&passed) {
            crowd.step();
            assert!(crowd.time() < 300.0);
            for person in crowd.people() {
                let along = if self.goes_up { person.position.x } else { 6.0 - person.position.x };
                let moments = passed.entry(person.id.0).or_default();
                for (moment, line) in moments.iter_mut().zip([1.0, 5.0]) {
                    if along >= line && moment.is_none() {
                        *moment = Some((crowd.time(), along));
                    }
                }
            }
        }
        let speed = |moments: &[Option<(f64, f32)>; 2]| {
            let [begin, end] = moments.map(Option::unwrap);
            (end.1 - begin.1) / (end.0 - begin.0) as f32
        };
        passed.values().map(speed).collect()
    }
}

fn assert_near(speeds: &[f32], expected: &[f32]) {
    assert_eq!(speeds.len(), expected.len());
    for (speed, expected) in speeds.iter().zip(expected) {
        assert!((speed / expected - 1.0).abs() < 0.02, "{speeds:?} instead of {expected:?}");
    }
}

#[test]
fn people_climb_as_fast_as_is_said_of_their_group_or_of_them() {
    let group = "speed = 1.2\nstairs = { up = 0.5, down = 0.65 }";
    let people = vec!["", ", stairs = { up = 0.3 }", ", stairs = { down = 0.4 }"];
    let up = Stairs { group, people: people.clone(), ..Stairs::default() };
    assert_near(&up.speeds(), &[0.5, 0.3, 0.5]);
    let down = Stairs { group, people, goes_up: false, ..Stairs::default() };
    assert_near(&down.speeds(), &[0.65, 0.65, 0.4]);
    // What is said of stairs is not said of ramps, and the other way round.
    let ramp = Stairs { kind: "ramp", group, ..Stairs::default() };
    assert_near(&ramp.speeds(), &[1.2 * (1.0 - 0.02 * (26.565 - 5.0))]);
    let group = "speed = 1.2\nramps = { up = 0.7 }";
    assert_near(&Stairs { kind: "ramp", group, ..Stairs::default() }.speeds(), &[0.7]);
    assert_near(&Stairs { group, ..Stairs::default() }.speeds(), &[1.2 * 0.61 / 1.34]);
}

#[test]
fn a_connector_that_is_steeper_slows_everybody_on_it() {
    let connector = "speed_factor = { up = 0.8 }";
    let group = "speed = 1.2";
    let people = vec!["", ", stairs = { up = 0.5, down = 0.5 }"];
    let up = Stairs { connector, group, people: people.clone(), ..Stairs::default() };
    assert_near(&up.speeds(), &[0.8 * 1.2 * 0.61 / 1.34, 0.4]);
    let down = Stairs { connector, group, people, goes_up: false, ..Stairs::default() };
    assert_near(&down.speeds(), &[1.2 * 0.69 / 1.34, 0.5]);
}

#[test]
fn speeds_on_stairs_are_spread_as_their_distribution_says_and_in_the_order_of_those_on_the_level() {
    let group = "speed = { min = 1.0, max = 1.6 }\nstairs = { up = { min = 0.3, max = 0.7 } }";
    let stairs = Stairs { group, people: vec![""; 200], ..Stairs::default() };
    let speeds = stairs.speeds();
    let mut sorted = speeds.clone();
    sorted.sort_by(f32::total_cmp);
    let off = |(i, speed): (usize, &f32)| ((speed - 0.3) / 0.4 - (i as f32 + 0.5) / 200.0).abs();
    let largest = sorted.iter().enumerate().map(off).fold(0.0, f32::max);
    assert!(largest < 1.95 / 200.0_f32.sqrt(), "{largest}");
    // What they want on the level, before the stairs.
    let mut crowd = stairs.crowd();
    (0..10).for_each(|_| crowd.step());
    let level: Vec<f32> = crowd.people().map(|person| person.preferred_velocity.length()).collect();
    for (level, climbed) in level.iter().zip(&speeds) {
        let [on_level, on_stairs] = [(level - 1.0) / 0.6, (climbed - 0.3) / 0.4];
        assert!((on_level - on_stairs).abs() < 0.06, "{level} m/s and {climbed} m/s");
    }
}

#[test]
fn threads_change_nothing_about_who_climbs_how_fast() {
    let group = "stairs = { up = { mean = 0.5, sd = 0.1, min = 0.3, max = 0.7 } }\n\
        crowds = [{ region = \"before\", count = 3200, arrangement = \"grid\" }]";
    let regions = "[[regions]]\nname = \"before\"\nrectangle = [[-20, -50], [-0.5, 50]]";
    let stairs = Stairs { group, connector: regions, people: Vec::new(), ..Stairs::default() };
    support::same_on_any_threads(
        &[3],
        || stairs.crowd(),
        |crowd| {
            support::steps(crowd, 100);
            let climbing = crowd.people().filter(|person| person.height > 0.1).count();
            assert!(climbing > 500, "{climbing}");
            bits(crowd)
        },
    );
}
