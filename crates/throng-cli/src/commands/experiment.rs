//! `throng experiment`.

use std::sync::atomic::Ordering;

use throng_eval::experiments::{CounterFlow, Doors, Fundamental, Hallway, Progress, Setup};

use crate::args::{Experiment, ExperimentArguments, SetupArguments};
use crate::failure::Failure;
use crate::interruption::watch_for_interruption;
use crate::report;

/// Makes an experiment and prints what came of it.
pub fn run(arguments: &ExperimentArguments) -> Result<(), Failure> {
    let interrupted = watch_for_interruption()?;
    let bar = report::progress_bar(0, "{wide_bar} {pos} of {len} simulations, {eta} left");
    let progress = |progress: Progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        !interrupted.load(Ordering::Relaxed)
    };
    match &arguments.experiment {
        Experiment::Doors { widths, setup } => {
            let mut doors = Doors::default();
            override_list(&mut doors.widths, widths);
            override_setup(&mut doors.setup, setup);
            setup.format.print(&doors.run(&progress)?)
        }
        Experiment::CounterFlow { against, setup } => {
            let mut counter_flow = CounterFlow::default();
            override_list(&mut counter_flow.against, against);
            override_setup(&mut counter_flow.setup, setup);
            setup.format.print(&counter_flow.run(&progress)?)
        }
        Experiment::Fundamental { densities, setup } => {
            let mut fundamental = Fundamental::default();
            override_list(&mut fundamental.densities, densities);
            override_setup(&mut fundamental.setup, setup);
            setup.format.print(&fundamental.run(&progress)?)
        }
        Experiment::Hallway { setup } => {
            let mut hallway = Hallway::default();
            override_setup(&mut hallway.setup, setup);
            setup.format.print(&hallway.run(&progress)?)
        }
    }
}

/// What the user gave, in place of the defaults.
fn override_setup(setup: &mut Setup, given: &SetupArguments) {
    override_list(&mut setup.models, &given.models);
    setup.seeds = given.seeds.unwrap_or(setup.seeds);
    setup.step = given.step.unwrap_or(setup.step);
}

fn override_list<T: Clone>(list: &mut Vec<T>, given: &[T]) {
    if !given.is_empty() {
        *list = given.to_vec();
    }
}
