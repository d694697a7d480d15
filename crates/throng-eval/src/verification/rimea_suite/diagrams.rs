//! Test 4: speed against density in a corridor.
//!
//! The guideline's corridor is 1000 m by 10 m so that it never empties; a loop of 26 m by 2 m is accepted
//! practice. Worlds of scenes have no loops, so 270 m of people walk in a corridor 2 m wide with open ends.
//! They are looked at for a minute after the first 10 s, and until then neither end of the crowd is felt in
//! the middle: the fastest, at 1.9 m/s, come 133 m in 70 s, and news of the free way ahead runs back
//! through a crowd at 1.7 m/s at most (seen with `pedestrian` at 6 people/m²).

use glam::{DVec2, Vec2};
use throng_base::Bounds;
use throng_world::scene::file::{Goal, Layer, SceneFile, Varied, at, list};

use crate::experiments::ExperimentError;
use crate::statistics::mean;
use crate::verification::bench::{Bench, Verdict, each};
use crate::verification::grade::{at_most, rising, worst};
use crate::verification::record::{Estimate, listed, record};
use crate::verification::report::{Outcome, Plot};
use crate::verification::scenes::{group, placed, scene};

/// Densities at the start, people/m².
const DENSITIES: [f64; 7] = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// From where to where there are people, m.
const CROWD: [f64; 2] = [-140.0, 130.0];
/// When it is looked at, s.
const BEGIN: f64 = 10.0;
const END: f64 = 70.0;
/// A crowd that is slower than this, m/s, goes back, which no crowd does that wants to go on.
const BACKWARDS: f64 = -0.05;
/// Lower left corners of the areas of 2 m by 1 m: in the middle, at the wall, and upstream.
const AREAS: [[f32; 2]; 3] = [[-1.0, -0.5], [-1.0, -1.0], [-11.0, -0.5]];

record! {
    /// A density at the start: speeds in the three areas, and density in the first.
    pub struct CorridorPoint {
        middle: V = ("m/s", 2),
        wall: V = ("m/s", 2),
        upstream: V = ("m/s", 2),
        density: V = ("people/m²", 2),
    }
}

record! {
    /// A point of the diagram for each of [`DENSITIES`].
    pub struct CorridorDiagram: "fundamental-diagram" effort 700 by measure_corridor_diagram {
        points: [CorridorPoint<V>; DENSITIES.len()],
    }
}

fn measure_corridor_diagram(bench: &Bench) -> Result<CorridorDiagram, ExperimentError> {
    Ok(CorridorDiagram { points: each(DENSITIES, |density| at_density(bench, density))? })
}

fn at_density(bench: &Bench, density: f64) -> Result<CorridorPoint, ExperimentError> {
    let areas = AREAS.map(|low| {
        let min = Vec2::from(low);
        Bounds { min, max: min + Vec2::new(2.0, 1.0) }
    });
    let mut speeds = [const { Vec::new() }; AREAS.len()];
    let mut densities = Vec::new();
    bench.look_at(corridor_of(density), &areas, [BEGIN, END], |meters, centered| {
        for (nth, (meter, speeds)) in meters.iter().zip(&mut speeds).enumerate() {
            let reading = meter.read(centered.frame(), |i| centered.speed_along(i, DVec2::X));
            speeds.extend(reading.speed);
            if nth == 0 {
                densities.push(reading.density);
            }
        }
    })?;
    let mean = |values: Vec<f64>| mean(values).unwrap_or(f64::NAN);
    let [middle, wall, upstream] = speeds.map(mean);
    Ok(CorridorPoint { middle, wall, upstream, density: mean(densities) })
}

/// The corridor with so many people per m². Above four per m² only rows of five fit.
fn corridor_of(density: f64) -> SceneFile {
    const ACROSS: f64 = 5.0;
    let [begin, end] = CROWD;
    let count = density * 2.0 * (end - begin);
    let row = ACROSS / (2.0 * density);
    let place = |nth: u32| {
        let (x, y) = (f64::from(nth) / ACROSS, f64::from(nth) % ACROSS);
        [begin + x.floor() * row, 0.4 * (y - 0.5 * (ACROSS - 1.0))]
    };
    let speed = Varied::normal(1.34, 0.2, [0.8, 1.9]);
    let people = group("people", speed, Goal::flow([1.0, 0.0]));
    let people = match density < 4.5 {
        true => placed(people, count, "start", density),
        false => people.people_at((0..count as u32).map(place)),
    };
    let walls =
        [[[begin - 4.0, 1.0], [end + 145.0, 1.3]], [[begin - 4.0, -1.3], [end + 145.0, -1.0]]];
    let regions = [("start", [[begin, -0.81], [end, 0.81]])];
    let mut file =
        scene(END, [[begin - 5.0, -3.0], [end + 150.0, 3.0]], &walls, &regions, [people]);
    file.layers = list([Layer { name: at("corridor"), ..Layer::default() }]);
    file
}

pub fn judge_diagram(CorridorDiagram { points }: &CorridorDiagram<Estimate>) -> Verdict {
    let falls = rising(points.iter().rev().map(|point| point.middle.mean()));
    let backwards = DENSITIES.iter().zip(points).find(|(_, point)| point.middle.mean() < BACKWARDS);
    let forwards = points.iter().map(|point| at_most(BACKWARDS, point.middle.mean()));
    let agrees = |point: &CorridorPoint<Estimate>| {
        let middle = point.middle.mean();
        let allowed = (0.15 * middle).max(0.1);
        worst(
            [point.wall, point.upstream]
                .map(|speed| at_most((speed.mean() - middle).abs(), allowed)),
        )
    };
    let differing = points.iter().filter(|point| !agrees(point).is_pass()).count();
    let course = worst(forwards.chain([falls]));
    let outcome = match (course.is_pass(), differing) {
        (true, 0) => Outcome::Pass,
        (true, _) => Outcome::Warn,
        (false, _) => Outcome::Fail,
    };
    let grade = worst(points.iter().map(agrees).chain([course])).told(outcome);
    let flow = |point: &CorridorPoint<Estimate>| point.middle.mean() * point.density.mean();
    let largest = points.iter().map(flow).fold(0.0, f64::max);
    let weidmann = |rho: f64| 1.34 * (1.0 - (-1.913 * (1.0 / rho - 1.0 / 5.4)).exp()).max(0.0);
    let told: Vec<String> = DENSITIES.iter().map(|&rho| format!("{:.2}", weidmann(rho))).collect();
    let curve = |area: fn(&CorridorPoint<Estimate>) -> &Estimate| {
        DENSITIES.into_iter().zip(points.iter().map(area))
    };
    let plot = Plot::new("density at the start, people/m²", "speed, m/s")
        .curve("middle", curve(|point| &point.middle))
        .curve("wall", curve(|point| &point.wall))
        .curve("upstream", curve(|point| &point.upstream))
        .expecting("Weidmann 1993", DENSITIES.map(|rho| (rho, [weidmann(rho); 2])));
    let back = backwards.map(|(rho, _)| format!("from {rho} people/m² on they go back; "));
    Verdict::new(grade, listed(points.iter().map(|point| &point.middle))).with(format!(
        "{}Weidmann {} m/s; largest flow {largest:.2} /(m s); the other areas differ by more than \
         0.1 m/s and 15 % at {differing} of {} densities",
        back.unwrap_or_default(),
        told.join(", "),
        DENSITIES.len()
    ))
    .drawn(plot)
}
