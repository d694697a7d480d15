//! Test 4: speed against density in a corridor.
//!
//! The guideline's corridor is 1000 m by 10 m so that it never empties; a loop of 26 m by 2 m is accepted
//! practice. Worlds of scenes have no loops, so 270 m of people walk in a corridor 2 m wide with open ends.
//! They are looked at for a minute after the first 10 s, and until then neither end of the crowd is felt in
//! the middle: the fastest, at 1.9 m/s, come 133 m in 70 s, and news of the free way ahead runs back
//! through a crowd at 1.7 m/s at most (seen with `pedestrian` at 6 people/m²).

use glam::{DVec2, Vec2};
use throng_base::Polygon;
use throng_world::scene::file::{Goal, Layer, SceneFile, Varied, at, list};
use throng_world::scene::{DensityMethod, LayerId};

use crate::area::AreaMeter;
use crate::experiments::ExperimentError;
use crate::speed::{HALF_WINDOW, Window};
use crate::statistics::Spread;
use crate::verification::bench::{Bench, Verdict, listed};
use crate::verification::report::{Outcome, Plot};
use crate::verification::scenes::{group, placed, scene};

/// Densities at the start, people/m².
const DENSITIES: [f64; 7] = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// From where to where there are people, m.
const CROWD: [f64; 2] = [-140.0, 130.0];
/// When it is looked at, s, and how often.
const BEGIN: f64 = 10.0;
const END: f64 = 70.0;
const INTERVAL: f64 = 0.5;
/// A crowd that is slower than this, m/s, goes back, which no crowd does that wants to go on.
const BACKWARDS: f64 = -0.05;
/// Lower left corners of the areas of 2 m by 1 m: in the middle, at the wall, and upstream.
const AREAS: [[f32; 2]; 3] = [[-1.0, -0.5], [-1.0, -1.0], [-11.0, -0.5]];

/// For each density the speeds in the three areas, m/s, and the density in the first, people/m².
pub fn corridor(bench: &Bench) -> Result<Vec<f64>, ExperimentError> {
    let mut numbers = Vec::new();
    for density in DENSITIES {
        numbers.extend(at_density(bench, density)?);
    }
    Ok(numbers)
}

fn at_density(bench: &Bench, density: f64) -> Result<[f64; 4], ExperimentError> {
    let scene = bench.scene(corridor_of(density))?;
    let meters: Vec<AreaMeter> = (AREAS.iter())
        .filter_map(|&low| {
            let low = Vec2::from(low);
            let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)];
            Polygon::new(corners.map(|c| low + Vec2::from(c))).ok()
        })
        .map(|area| {
            let voronoi = DensityMethod::Voronoi { cut_off: 1.0 };
            AreaMeter::new(&scene, LayerId(0), &area, voronoi)
        })
        .collect();
    let mut speeds = vec![Vec::new(); meters.len()];
    let (mut densities, mut due) = (Vec::new(), BEGIN);
    let mut window = Window::new((HALF_WINDOW / bench.step).round() as usize);
    bench.runs.simulate(scene, |frame| {
        window.push(frame.into(), |centered| {
            if centered.frame().time < due - 1e-6 {
                return;
            }
            due += INTERVAL;
            for (nth, (meter, speeds)) in meters.iter().zip(&mut speeds).enumerate() {
                let reading = meter.read(centered.frame(), |i| centered.speed_along(i, DVec2::X));
                speeds.extend(reading.speed);
                if nth == 0 {
                    densities.push(reading.density);
                }
            }
        });
        true
    })?;
    let mean = |values: &[f64]| match values.len() {
        0 => f64::NAN,
        _ => Spread::of(values).mean,
    };
    Ok([mean(&speeds[0]), mean(&speeds[1]), mean(&speeds[2]), mean(&densities)])
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

pub fn judge_corridor(numbers: &[Spread]) -> Verdict {
    let middle: Vec<Spread> = numbers.chunks(4).map(|density| density[0]).collect();
    let falls = middle.windows(2).all(|pair| pair[1].mean < pair[0].mean);
    let known = middle.iter().all(|speed| speed.count > 0);
    let backwards = DENSITIES.iter().zip(&middle).find(|(_, speed)| speed.mean < BACKWARDS);
    let agrees = |density: &[Spread]| {
        let allowed = (0.15 * density[0].mean).max(0.1);
        density[1..3].iter().all(|speed| (speed.mean - density[0].mean).abs() <= allowed)
    };
    let differing = numbers.chunks(4).filter(|density| !agrees(density)).count();
    let outcome = match (falls && known && backwards.is_none(), differing) {
        (true, 0) => Outcome::Pass,
        (true, _) => Outcome::Warn,
        (false, _) => Outcome::Fail,
    };
    let largest =
        (numbers.chunks(4).map(|density| density[0].mean * density[3].mean)).fold(0.0, f64::max);
    let weidmann = |rho: f64| 1.34 * (1.0 - (-1.913 * (1.0 / rho - 1.0 / 5.4)).exp()).max(0.0);
    let told: Vec<String> = DENSITIES.iter().map(|&rho| format!("{:.2}", weidmann(rho))).collect();
    let curve = |area: usize| DENSITIES.into_iter().zip(numbers.chunks(4).map(move |d| &d[area]));
    let plot = Plot::new("density at the start, people/m²", "speed, m/s")
        .curve("middle", curve(0))
        .curve("wall", curve(1))
        .curve("upstream", curve(2))
        .expecting("Weidmann 1993", DENSITIES.map(|rho| (rho, [weidmann(rho); 2])));
    let back = backwards.map(|(rho, _)| format!("from {rho} people/m² on they go back; "));
    Verdict::new(outcome, format!("{} m/s", listed(&middle, 2))).with(format!(
        "{}Weidmann {} m/s; largest flow {largest:.2} /(m s); the other areas differ by more than \
         0.1 m/s and 15 % at {differing} of {} densities",
        back.unwrap_or_default(),
        told.join(", "),
        DENSITIES.len()
    ))
    .drawn(plot)
}
