//! What an inspection says is what the next step does, to the last bit, before bodies are pushed apart.

use std::path::Path;

use glam::Vec2;
use throng_world::Scene;

use crate::steering::{Constraints, MODELS};
use crate::{Crowd, Inspection, PersonId};

fn crowd(text: &str) -> Crowd {
    let text = format!("format = 1\n{text}");
    let scene = Scene::parse("scene.toml", &text, Path::new("")).unwrap_or_else(|e| panic!("{e}"));
    Crowd::from_scene(&scene).unwrap_or_else(|e| panic!("{e}"))
}

/// Groups of every model who cross two rooms and a door, some of them led by arrows.
fn rooms(count: usize) -> Crowd {
    let groups = MODELS.iter().enumerate().map(|(i, model)| {
        let (from, to) = if i % 2 == 0 { ("west", "east") } else { ("east", "west") };
        let name = model.name;
        let led =
            if i % 3 == 0 { "led = { by = [\"arrows\"], share = 0.4, goals = 0.5 }" } else { "" };
        let variant = match name {
            "orca" => ", least_effort = 1, max_acceleration = 3",
            "predictive" => ", iterative = 0, conflicts = 5",
            _ => "",
        };
        let then = ["stay", "leave", "repeat"][i % 3];
        format!(
            r#"
            [[groups]]
            name = "{name}"
            steering = {{ model = "{name}" }}
            crowds = [{{ count = {count}, region = "{from}" }}]
            goals = [{{ seek = {{ random = "{to}" }}, within = 0.4 }}, {{ seek = "{from}" }}]
            then = "{then}"
            {led}
            [[groups]]
            name = "{name} with a gap"
            steering = {{ model = "{name}", time_gap = 0.5{variant} }}
            crowds = [{{ count = {count}, region = "{to}" }}]
            goals = [{{ idle = 1 }}, {{ seek = "{from}" }}]
            then = "{then}"
            "#
        )
    });
    crowd(&format!(
        r#"
        [world]
        bounds = [[0, 0], [24, 12]]
        closed = true
        [[obstacles]]
        wall = {{ points = [[12, 0], [12, 5]], thickness = 0.2 }}
        [[obstacles]]
        wall = {{ points = [[12, 7], [12, 12]], thickness = 0.2 }}
        [[regions]]
        name = "west"
        rectangle = [[1, 1], [10, 11]]
        [[regions]]
        name = "east"
        rectangle = [[14, 1], [23, 11]]
        [[fields]]
        name = "arrows"
        anchors = [
            {{ at = [4, 4], velocity = [1.2, 0.3] }},
            {{ at = [12, 6], velocity = [1.3, 0] }},
            {{ at = [20, 9], velocity = [0.8, 0.5] }},
        ]
        {}
        "#,
        groups.collect::<String>()
    ))
}

/// People of every model on two floors and the stairs between them.
fn stairs() -> Crowd {
    let groups = MODELS.iter().enumerate().map(|(i, model)| {
        let (from, to) = if i % 2 == 0 { ("below", "above") } else { ("above", "below") };
        format!(
            r#"
            [[groups]]
            name = "{0}"
            steering = {{ model = "{0}" }}
            crowds = [{{ count = 10, region = "{from}" }}]
            goals = [{{ seek = "{to}" }}]
            then = "stay"
            "#,
            model.name
        )
    });
    crowd(&format!(
        r#"
        [world]
        bounds = [[-8, -4], [14, 4]]
        closed = true
        [[layers]]
        name = "lower"
        [[layers]]
        name = "upper"
        elevation = 3
        [[connectors]]
        name = "stairs"
        kind = "stairs"
        polygon = [[0, -1], [6, -1], [6, 1], [0, 1]]
        lower = {{ layer = "lower", edge = [[0, -1], [0, 1]] }}
        upper = {{ layer = "upper", edge = [[6, -1], [6, 1]] }}
        [[regions]]
        name = "below"
        rectangle = [[-7, -3], [-1, 3]]
        layer = "lower"
        [[regions]]
        name = "above"
        rectangle = [[7, -3], [13, 3]]
        layer = "upper"
        {}
        "#,
        groups.collect::<String>()
    ))
}

/// What steering has chosen in the last step, before contacts.
fn chosen(crowd: &Crowd, id: PersonId) -> Option<Vec2> {
    let is_theirs = |entry: &crate::grid::GridEntry| entry.id() == id.0 && !entry.is_echo();
    let at = crowd.last.grid.entries.iter().position(is_theirs)?;
    Some(crowd.last.outcomes.all[at].velocity)
}

fn bits(velocity: Vec2) -> [u32; 2] {
    velocity.to_array().map(f32::to_bits)
}

/// What the constraints come down to.
fn implied(inspection: &Inspection, step: f32) -> Option<Vec2> {
    let current = inspection.state.velocity;
    match &inspection.constraints {
        Constraints::None => None,
        Constraints::HalfPlanes(demands) => Some(demands.best),
        Constraints::Forces(forces) => Some(forces.velocity(current, step)),
        Constraints::Urges(urges) => Some(urges.velocity()),
        Constraints::Rules(rules) => Some(rules.velocity()),
    }
}

/// How many people of each model were compared.
type Compared = Vec<usize>;

/// Steps, inspecting everybody before every `every`-th step, and compares what was said with what was done.
#[track_caller]
fn assert_foreseen(mut crowd: Crowd, steps: usize, every: usize) -> Compared {
    let mut compared = vec![0; MODELS.len()];
    for step in 0..steps {
        if step % every != 0 {
            crowd.step();
            continue;
        }
        let ids: Vec<PersonId> = crowd.people().map(|person| person.id).collect();
        let said = ids.iter().map(|&id| crowd.inspect(id).expect("they are there"));
        let said: Vec<Inspection> = said.collect();
        let waits = |said: &Inspection| said.way.waits.then_some(said.state.id);
        let waiting: Vec<PersonId> = said.iter().filter_map(waits).collect();
        crowd.step();
        for inspection in said {
            let id = inspection.state.id;
            let Some(done) = chosen(&crowd, id) else {
                assert!(inspection.leaves, "{id:?} has left unforeseen");
                continue;
            };
            assert!(!inspection.leaves, "{id:?} has not left");
            // Those who are told a way do what nobody could foresee, and so do those who follow them.
            let follows = inspection.decision.follows;
            if inspection.way.waits || follows.is_some_and(|ahead| waiting.contains(&ahead)) {
                continue;
            }
            let row = crowd.people.row(id).expect("they have not left");
            let model = crowd.people.profile(row).model as usize;
            let decision = inspection.decision;
            let preferred = crowd.intents.preferred_velocities[row];
            assert_eq!(bits(decision.preferred_velocity), bits(preferred), "{inspection:#?}");
            assert_eq!(bits(decision.chosen_velocity), bits(done), "{inspection:#?}");
            if let Some(implied) = implied(&inspection, crowd.world.step()) {
                let off = implied.distance(decision.steered_velocity);
                let same = matches!(inspection.constraints, Constraints::HalfPlanes(_));
                assert!(off <= if same { 0.0 } else { 1e-4 }, "{off}: {inspection:#?}");
            }
            compared[model] += 1;
        }
    }
    compared
}

#[test]
fn what_is_said_of_mixed_crowds_is_what_the_next_step_does() {
    for simd in [true, false] {
        let mut crowd = rooms(5);
        crowd.set_simd(simd);
        let compared = assert_foreseen(crowd, 120, 3);
        assert!(compared.iter().all(|&count| count > 200), "{compared:?}");
    }
}

#[test]
fn what_is_said_of_people_on_stairs_is_what_the_next_step_does() {
    let compared = assert_foreseen(stairs(), 150, 3);
    assert!(compared.iter().all(|&count| count > 100), "{compared:?}");
}

#[test]
fn rows_that_move_change_nothing() {
    let mut crowd = rooms(4);
    (0..40).for_each(|_| crowd.step());
    let ids: Vec<PersonId> = crowd.people().map(|person| person.id).step_by(5).collect();
    ids.into_iter().for_each(|id| assert!(crowd.remove(id)));
    assert_foreseen(crowd, 40, 1);
}
