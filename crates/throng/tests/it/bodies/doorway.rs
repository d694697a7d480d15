//! Twenty people through a door.

use super::{STEP, engine};

#[test]
fn people_in_a_doorway_are_where_the_simulation_has_them() {
    let mut engine = engine(&format!(
        r#"
format = 1
name = "Door"
[simulation]
step = {STEP}
duration = 40
[world]
bounds = [[-6, -6], [12, 6]]
[[obstacles]]
wall = {{ points = [[0, -6], [0, -0.6]], thickness = 0.2 }}
[[obstacles]]
wall = {{ points = [[0, 0.6], [0, 6]], thickness = 0.2 }}
[[regions]]
name = "room"
rectangle = [[-5, -3], [-1, 3]]
[[regions]]
name = "outside"
rectangle = [[6, -4], [11, 4]]
[[groups]]
name = "people"
crowds = [{{ count = 20, region = "room" }}]
goals = [{{ seek = "outside" }}]
"#
    ));
    let (mut deviations, mut off) = (Vec::new(), 0.0f32);
    for _ in 0..1000 {
        engine.step();
        let bodies = engine.bodies().expect("everybody has one");
        for member in bodies.members() {
            deviations.push(member.deviation());
            let person = engine.crowd().person(throng::crowd::PersonId(member.id)).expect("there");
            off = off.max(person.position.distance(member.position()));
        }
    }
    deviations.sort_by(f32::total_cmp);
    let at = |part: f32| deviations[((deviations.len() - 1) as f32 * part) as usize];
    let mean = deviations.iter().sum::<f32>() / deviations.len() as f32;
    println!("deviation: mean {:.2} mm, 95 % below {:.2} mm", 1e3 * mean, 1e3 * at(0.95));
    assert!(at(0.95) < 0.010, "{:.1} mm", 1e3 * at(0.95));
    assert!(off < 0.5, "somebody is {off} m beside their body");
    let through = engine.crowd().people().filter(|person| person.position.x > 0.2).count();
    assert_eq!(through, 20, "everybody got through");
}
