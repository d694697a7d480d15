//! The example of a steering model of one's own compiles and does what it says.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../examples/custom_model.rs"]
mod example;

#[test]
fn a_model_of_another_program_steers_people_of_a_scene_and_remembers_them() {
    let queued = example::run(5.0).unwrap();
    assert!(queued > 5, "{queued} of 30 people who all seek one point");
}
