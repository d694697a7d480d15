//! What each trait does in each model, measured.

use glam::Vec2;
use throng_crowd::{Crowd, Effort, PersonId, Status};

use super::models;
use crate::support::{crowd, people_in_the_open, run, state};

/// Two groups of one person each: the first with some traits, the second heeds nobody. Velocities change at once:
/// with the usual limit, the swerve decides how near people come to each other, and not what they want.
fn two(model: &str, traits: &str, first: &str, second: &str) -> Crowd {
    people_in_the_open(&format!(
        "[[groups]]\nname = \"first\"\nspeed = 1.3\nsteering = {{ model = \"{model}\", acceleration_limit = 0 }}\n\
         traits = {{ {traits} }}\npeople = [{{ {first} }}]\n\
         [[groups]]\nname = \"second\"\nspeed = 1.3\nsteering = {{ model = \"none\" }}\n\
         people = [{{ {second} }}]"
    ))
}

#[test]
fn outgoing_people_walk_faster() {
    for model in models() {
        let speed = |extraversion: f32| {
            let text = format!(
                "[[groups]]\nname = \"g\"\nspeed = 1.3\nsteering = {{ model = \"{model}\" }}\n\
                 traits = {{ extraversion = {extraversion} }}\n\
                 people = [{{ position = [-40, 0], goal = {{ seek = [40, 0] }} }}]"
            );
            let mut crowd = people_in_the_open(&text);
            run(&mut crowd, 5.0);
            let from = state(&crowd, 0).position;
            run(&mut crowd, 10.0);
            state(&crowd, 0).position.distance(from) / 10.0
        };
        let (fast, slow) = (speed(1.0), speed(-1.0));
        assert!(
            (fast - 1.5).abs() < 0.05 && (slow - 1.1).abs() < 0.05,
            "{model}: {slow} to {fast}"
        );
    }
}

/// How near somebody comes to one who stands almost in their way, m.
fn nearest(model: &str, traits: &str) -> f32 {
    let mut crowd = two(
        model,
        traits,
        "position = [-6, 0], goal = { seek = [8, 0] }",
        "position = [0, 0.2], goals = []",
    );
    let mut nearest = f32::INFINITY;
    for _ in 0..120 {
        crowd.step();
        nearest = nearest.min(state(&crowd, 0).position.distance(state(&crowd, 1).position));
    }
    assert!(state(&crowd, 0).position.x > 1.0, "{model} with {traits} gets past");
    nearest
}

#[test]
fn anxious_people_keep_their_distance() {
    // These look less far ahead, which makes up for it.
    for model in
        models().filter(|model| !["headway", "predictive", "opensteer", "fuzzy"].contains(model))
    {
        let (anxious, calm) =
            (nearest(model, "neuroticism = 1"), nearest(model, "neuroticism = -1"));
        assert!(anxious > calm + 0.02, "{model}: {anxious} m, calm {calm} m");
    }
}

/// How far apart two who walk towards each other are when the first does something about it, m; 0 if they never
/// do.
fn heeds_from(model: &str, traits: &str, effort: Effort) -> f32 {
    let walk = |from: f32, aside: f32| {
        format!(
            "position = [{from}, {aside}], velocity = [{}, 0], speed = 1.3, radius = 0.25, goal = {{ seek = [{}, {aside}] }}",
            -1.3 * from.signum(),
            -from
        )
    };
    let mut crowd = two(model, traits, &walk(-14.0, 0.0), &walk(14.0, 0.1));
    crowd.straighten();
    crowd.set_effort(PersonId(0), effort);
    for _ in 0..150 {
        crowd.step();
        let (one, other) = (state(&crowd, 0), state(&crowd, 1));
        if other.position.x < one.position.x {
            break;
        }
        if one.velocity.distance(Vec2::new(1.3, 0.0)) > 0.02 {
            return one.position.distance(other.position);
        }
    }
    0.0
}

#[test]
fn careful_people_look_further_ahead_and_anxious_ones_less_far() {
    for model in models().filter(|model| *model != "none") {
        let from = |traits| heeds_from(model, traits, Effort::Full);
        let (careful, careless) = (from("conscientiousness = 1"), from("conscientiousness = -1"));
        assert!(careful > careless + 0.1, "{model}: from {careful} m, careless from {careless} m");
        let (calm, anxious) = (from("neuroticism = -1"), from("neuroticism = 1"));
        // Strides of three quarters of a second differ by less than a step.
        let differs = model == "pedestrian" || calm > anxious + 0.05;
        assert!(differs, "{model}: calm from {calm} m, anxious from {anxious} m");
        assert!(careless > 0.0 && anxious > 0.0, "{model}");
    }
}

#[test]
fn traits_hold_with_less_effort_as_well() {
    for model in ["orca", "predictive", "hidac"] {
        let from = |traits| heeds_from(model, traits, Effort::Simple);
        let (careful, careless) = (from("conscientiousness = 1"), from("conscientiousness = -1"));
        assert!(careful > careless + 0.1, "{model}: from {careful} m, careless from {careless} m");
        assert!(careless > 0.0, "{model}");
    }
}

/// How far two who meet in a passage that is too narrow for both get on together, m: towards where the first
/// wants to go, if it is positive.
fn pushed(model: &str, first: &str, second: &str) -> f32 {
    let text = format!(
        "[simulation]\nnavigation = false\n[world]\nbounds = [[-10, -3], [10, 3]]\n\
         [[obstacles]]\npolygon = [[-10, 0.4], [10, 0.4], [10, 3], [-10, 3]]\n\
         [[obstacles]]\npolygon = [[-10, -3], [10, -3], [10, -0.4], [-10, -0.4]]\n\
         [[groups]]\nname = \"first\"\nspeed = 1.3\nsteering = {{ model = \"{model}\" }}\n\
         traits = {{ {first} }}\npeople = [{{ position = [-1.5, 0], radius = 0.25, goal = {{ seek = [9, 0] }} }}]\n\
         [[groups]]\nname = \"second\"\nspeed = 1.3\nsteering = {{ model = \"{model}\" }}\n\
         traits = {{ {second} }}\npeople = [{{ position = [1.5, 0], radius = 0.25, goal = {{ seek = [-9, 0] }} }}]\n"
    );
    let mut crowd = crowd(&text);
    run(&mut crowd, 12.0);
    0.5 * (state(&crowd, 0).position.x + state(&crowd, 1).position.x)
}

#[test]
fn selfish_people_get_through() {
    for model in models() {
        let (kind, selfish) = ("agreeableness = 1", "agreeableness = -1");
        let (forwards, backwards) = (pushed(model, selfish, kind), pushed(model, kind, selfish));
        assert!(forwards > backwards + 0.05, "{model}: {forwards} m, {backwards} m");
    }
}

/// How many of thirty take the longer of two ways round a block, which is so by an eighth.
fn on_the_longer_way(model: &str, traits: &str) -> usize {
    let text = format!(
        "[simulation]\nseed = 3\n[world]\nbounds = [[-20, -15], [20, 15]]\nclosed = true\n\
         [[obstacles]]\npolygon = [[-5, -8], [5, -8], [5, 10], [-5, 10]]\n\
         [[regions]]\nname = \"start\"\nrectangle = [[-18, -3], [-10, 1]]\n\
         [[groups]]\nname = \"g\"\nspeed = 1.3\nsteering = {{ model = \"{model}\" }}\n\
         traits = {{ {traits} }}\ngoals = [{{ seek = [18, 0] }}]\n\
         crowds = [{{ region = \"start\", count = 30 }}]\n"
    );
    let mut crowd = crowd(&text);
    run(&mut crowd, 2.0);
    let is_north = |id: PersonId| {
        let way = crowd.inspect(id).unwrap().way;
        way.points.iter().any(|point| point.position.y > 9.0)
    };
    crowd.people().filter(|person| is_north(person.id)).count()
}

#[test]
fn open_people_take_ways_of_their_own() {
    for model in models() {
        let (open, set) =
            (on_the_longer_way(model, "openness = 1"), on_the_longer_way(model, "openness = -1"));
        assert!(open >= set + 3, "{model}: {open} of the open, {set} of the others");
    }
}

#[test]
fn open_people_wander() {
    let strays = |openness: f32| {
        let mut crowd = people_in_the_open(&format!(
            "[[fields]]\nname = \"east\"\nanchors = [{{ at = [0, 0], velocity = [1.2, 0] }}]\n\
             [[groups]]\nname = \"g\"\ntraits = {{ openness = {openness} }}\n\
             led = {{ by = [\"east\"], share = 0.3, wander = 0.4 }}\n\
             people = [{{ position = [-20, 0] }}]"
        ));
        let mut strays = 0.0;
        for _ in 0..200 {
            crowd.step();
            strays += state(&crowd, 0).velocity.y.abs() / 200.0;
        }
        strays
    };
    let (set, usual, open) = (strays(-1.0), strays(0.0), strays(1.0));
    assert!(set < 0.01 && usual > 0.03 && open > 1.5 * usual, "{set}, {usual}, {open} m/s");
}

/// How long somebody is blocked behind one who stands in a door before they look for another way, s.
#[test]
fn conscientious_people_keep_to_the_right_at_corners() {
    // A corner on the left; who keeps to the right gives it more room.
    let room = |conscientiousness: f32| {
        let mut sum = 0.0;
        for seed in 0..6 {
            let text = format!(
                "[simulation]\nseed = {seed}\n[world]\nbounds = [[-12, -12], [12, 12]]\nclosed = true\n\
                 [[obstacles]]\npolygon = [[-12, 0], [0, 0], [0, 12], [-12, 12]]\n\
                 [[groups]]\nname = \"g\"\ntraits = {{ conscientiousness = {conscientiousness} }}\n\
                 goals = [{{ seek = [6, 10] }}]\npeople = [{{ position = [-10, -6] }}]"
            );
            let mut crowd = crowd(&text);
            let mut nearest = f32::INFINITY;
            for _ in 0..200 {
                crowd.step();
                nearest = nearest.min(state(&crowd, 0).position.length());
            }
            sum += nearest / 6.0;
        }
        sum
    };
    let (orderly, usual, careless) = (room(1.0), room(0.0), room(-1.0));
    assert!(orderly > usual + 0.1 && usual > careless + 0.1, "{orderly}, {usual}, {careless} m");
}

#[test]
fn anxious_people_lose_their_heads_sooner() {
    let panics = |neuroticism: f32| {
        let mut crowd = people_in_the_open(&format!(
            "[[groups]]\nname = \"g\"\nsteering = {{ model = \"hidac\", panic = 0.4 }}\n\
             traits = {{ neuroticism = {neuroticism} }}\n\
             people = [{{ position = [0, 0], goal = {{ seek = [20, 0] }} }}]"
        ));
        run(&mut crowd, 0.5);
        state(&crowd, 0).status == Status::Panicking
    };
    assert_eq!([1.0, 0.0, -1.0].map(panics), [true, false, false]);
}
