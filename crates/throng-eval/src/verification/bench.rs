//! What tests are made with: scenes of a model and a seed, measures, and verdicts on them.

use throng::Scene;
use throng::recording::Frame;
use throng_base::{Bounds, Polygon};
use throng_world::scene::file::SceneFile;
use throng_world::scene::{DensityMethod, LayerId};

use super::grade::{Grade, pass_if};
use super::record::{Quantity, Record, values};
use super::report::{Check, Plot};
use super::walk::Walk;
use crate::area::AreaMeter;
use crate::experiments::runs::Runs;
use crate::experiments::{ExperimentError, Steering, varied};
use crate::speed::{Centered, HALF_WINDOW, Window};
use crate::statistics::Spread;

/// A [`Record`] that is measured for each model and seed. Several tests may judge it.
pub(super) trait Measure: Record + Sized {
    /// What tells it from all others, of other suites as well.
    const NAME: &'static str;
    /// About how much work it is: what a crowd of `pedestrian` takes, in tenths of a second.
    const EFFORT: u64;

    /// The values of one seed.
    fn measure(bench: &Bench) -> Result<Self, ExperimentError>;
}

/// A [`Measure`] of any type.
#[derive(Clone, Copy)]
pub(super) struct AnyMeasure {
    pub name: &'static str,
    pub effort: u64,
    /// How many values there are.
    pub count: usize,
    /// The values of one seed as a list.
    pub of: fn(&Bench) -> Result<Vec<f64>, ExperimentError>,
    /// The path and the quantity of each value.
    pub quantities: fn() -> Vec<(String, Quantity)>,
}

impl AnyMeasure {
    fn new<M: Measure>() -> Self {
        Self {
            name: M::NAME,
            effort: M::EFFORT,
            count: M::COUNT,
            of: |bench| Ok(values(&M::measure(bench)?)),
            quantities: || {
                let mut list = Vec::new();
                M::describe("", Quantity::default(), &mut list);
                list
            },
        }
    }
}

/// How the means over the seeds of one or two measures are judged.
pub(super) trait Judge: Sync {
    fn measures(&self) -> Vec<AnyMeasure>;

    /// The verdict on the values of all measures, one after the other.
    fn verdict(&self, spreads: &mut dyn Iterator<Item = Spread>) -> Verdict;
}

/// Judges a measure.
pub(super) struct Of<M: Measure>(pub fn(&M::Judged) -> Verdict);

/// Judges two measures together.
pub(super) struct OfBoth<A: Measure, B: Measure>(pub fn(&A::Judged, &B::Judged) -> Verdict);

impl<M: Measure> Judge for Of<M> {
    fn measures(&self) -> Vec<AnyMeasure> {
        vec![AnyMeasure::new::<M>()]
    }

    fn verdict(&self, spreads: &mut dyn Iterator<Item = Spread>) -> Verdict {
        (self.0)(&M::read(Quantity::default(), spreads))
    }
}

impl<A: Measure, B: Measure> Judge for OfBoth<A, B> {
    fn measures(&self) -> Vec<AnyMeasure> {
        vec![AnyMeasure::new::<A>(), AnyMeasure::new::<B>()]
    }

    fn verdict(&self, spreads: &mut dyn Iterator<Item = Spread>) -> Verdict {
        let first = A::read(Quantity::default(), spreads);
        (self.0)(&first, &B::read(Quantity::default(), spreads))
    }
}

/// A test: what is measured for each seed, and how the means over the seeds are judged.
#[derive(Clone, Copy)]
pub(super) struct Test {
    pub id: &'static str,
    pub title: &'static str,
    pub source: &'static str,
    pub expected: &'static str,
    pub judge: &'static dyn Judge,
}

/// A table of [`Test`]s: number, title and source of each, what is expected, and how it is judged.
macro_rules! tests {
    ($($id:literal $title:literal, $source:expr => $expected:literal, $judge:expr;)*) => {
        &[$($crate::verification::bench::Test {
            id: $id,
            title: $title,
            source: $source,
            expected: $expected,
            judge: &$judge,
        }),*]
    };
}
pub(super) use tests;

/// What a test says of its measures.
pub(super) struct Verdict {
    pub grade: Grade,
    pub value: String,
    pub detail: String,
    pub plot: Option<Plot>,
}

impl Test {
    /// The check of the values of its measures, one after the other.
    pub fn judged(&self, spreads: Vec<Spread>) -> Check {
        self.check(self.judge.verdict(&mut spreads.into_iter()))
    }

    /// A verdict on it, as a check.
    pub fn check(&self, Verdict { grade, value, detail, plot }: Verdict) -> Check {
        Check {
            id: self.id,
            title: self.title,
            source: self.source,
            outcome: grade.outcome,
            misfit: grade.misfit(),
            value,
            expected: self.expected,
            detail,
            plot,
        }
    }
}

impl Verdict {
    pub fn new(grade: Grade, value: String) -> Self {
        Self { grade, value, detail: String::new(), plot: None }
    }

    /// Passed if so.
    pub fn of(passed: bool, value: String) -> Self {
        Self::new(pass_if(passed), value)
    }

    pub fn with(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    pub fn drawn(mut self, plot: Plot) -> Self {
        self.plot = Some(plot);
        self
    }
}

/// One model and seed, and where its scenes are simulated.
pub(super) struct Bench<'a> {
    pub steering: &'a Steering,
    pub seed: u32,
    pub step: f64,
    pub runs: &'a Runs<'a>,
}

impl Bench<'_> {
    /// The scene of a file with this bench's model, seed and step.
    pub fn scene(&self, file: SceneFile) -> Result<Scene, ExperimentError> {
        varied("verification", file, self.steering, self.seed, self.step)
    }

    /// Simulates a scene until everybody has left or its time is up, and keeps where all were.
    pub fn walk(&self, file: SceneFile) -> Result<Walk, ExperimentError> {
        let scene = self.scene(file)?;
        let mut walk = Walk::new(&scene, self.step);
        self.runs.simulate(scene, |frame| {
            walk.push(frame);
            !frame.people.is_empty()
        })?;
        Ok(walk)
    }

    /// Simulates a scene and looks at rectangles of its first floor, by Voronoi cells, twice a second from one moment to
    /// another, s.
    pub fn look_at(
        &self,
        file: SceneFile,
        rectangles: &[Bounds],
        [begin, end]: [f64; 2],
        mut look: impl FnMut(&[AreaMeter], Centered),
    ) -> Result<(), ExperimentError> {
        let scene = self.scene(file)?;
        let voronoi = DensityMethod::Voronoi { cut_off: 1.0 };
        let meters: Vec<AreaMeter> = (rectangles.iter())
            .filter_map(|rectangle| Polygon::new(rectangle.corners()).ok())
            .map(|area| AreaMeter::new(&scene, LayerId(0), &area, voronoi))
            .collect();
        let mut window = Window::new((HALF_WINDOW / self.step).round() as usize);
        let mut due = begin;
        self.runs.simulate(scene, |frame| {
            window.push(frame.into(), |centered| {
                if centered.frame().time > due - 1e-6 {
                    due += 0.5;
                    look(&meters, centered);
                }
            });
            frame.time < end
        })
    }

    /// Simulates a scene as long as `look` wants to see more, and keeps nothing.
    pub fn watch(
        &self,
        file: SceneFile,
        look: impl FnMut(&Frame) -> bool,
    ) -> Result<(), ExperimentError> {
        self.runs.simulate(self.scene(file)?, look)
    }
}

/// A value for each of some conditions.
pub(super) fn each<C: Copy, V: Copy + Default, const N: usize>(
    conditions: [C; N],
    mut value: impl FnMut(C) -> Result<V, ExperimentError>,
) -> Result<[V; N], ExperimentError> {
    let mut values = [V::default(); N];
    for (place, condition) in values.iter_mut().zip(conditions) {
        *place = value(condition)?;
    }
    Ok(values)
}
