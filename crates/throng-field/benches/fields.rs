//! How long fields take: `cargo bench -p throng-field --bench fields`.
//!
//! Solving beside the times that Jin et al. (2008) published for theirs, editing, and evaluation by
//! each method with its error. Prints the tables of `docs/benchmarks.md`. All on one thread.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use glam::{DVec2, Vec2};
use throng_field::{
    Anchor, AnchorId, Field, FieldEditor, FieldError, FieldOptions, Method, Metric, Regularisation,
    Sampler,
};

/// Half the side of the square that anchors and people are in, m.
const HALF_SIDE: f64 = 100.0;
const PEOPLE: usize = 100_000;
const REPEATS: usize = 21;

/// Anchors, and the milliseconds of the paper, on a Core 2 Duo of 2.66 GHz.
const PUBLISHED: [(usize, &str); 6] =
    [(50, "< 1"), (100, "2"), (150, "5"), (200, "10"), (300, "28"), (500, "96")];

fn main() -> Result<(), FieldError> {
    solving()?;
    editing()?;
    evaluating()
}

fn solving() -> Result<(), FieldError> {
    println!("| anchors | published, ms | interpolant, ms | with ladder, ms | other vectors, ms |");
    println!("|---|---|---|---|---|");
    for (count, published) in PUBLISHED {
        let anchors = anchors(count, Kind::Smooth);
        let field = Field::with_options(&anchors, &FieldOptions::bare())?;
        let vectors: Vec<DVec2> = anchors.iter().map(|anchor| -anchor.vector).collect();
        let bare = time(|| Field::with_options(&anchors, &FieldOptions::bare()));
        let ladder = time(|| Field::new(&anchors));
        let turned = time(|| field.with_vectors(&vectors));
        println!("| {count} | {published} | {bare} | {ladder} | {turned} |");
    }
    Ok(())
}

fn editing() -> Result<(), FieldError> {
    println!("\n| edit, with its field | 100 anchors, ms | 500 anchors, ms |");
    println!("|---|---|---|");
    let mut editors = Vec::new();
    for count in [100, 500] {
        editors.push(FieldEditor::new(&anchors(count, Kind::Smooth), &FieldOptions::default())?);
    }
    let id = AnchorId(7);
    let mut sign = 1.0;
    let mut row = |name: &str, edit: &dyn Fn(&mut FieldEditor, f64) -> Result<(), FieldError>| {
        let times: Vec<String> = editors
            .iter_mut()
            .map(|editor| {
                let time = time(|| {
                    sign = -sign;
                    edit(editor, sign)
                });
                time.to_string()
            })
            .collect();
        println!("| {name} | {} |", times.join(" | "));
    };
    row("move one", &|editor, sign| {
        let position = editor.get(id)?.position;
        editor.move_to(id, position + DVec2::splat(sign))
    });
    row("turn one", &|editor, sign| editor.turn(id, 0.1 * sign));
    row("add one and remove it", &|editor, _| {
        let added = editor.add(Anchor::new((0.3, 0.4), (1.0, 0.0)))?;
        editor.remove(added)
    });
    Ok(())
}

fn evaluating() -> Result<(), FieldError> {
    println!(
        "\n| anchors | arrows | method | ns per person | ns per pair | error, m/s | made in, ms |"
    );
    println!("|---|---|---|---|---|---|---|");
    let options = FieldOptions {
        regularisation: Regularisation::Fixed(Metric::Isotropic),
        ..FieldOptions::default()
    };
    for count in [10, 100, 300] {
        for kind in [Kind::Smooth, Kind::Rough] {
            let field = Arc::new(Field::with_options(&anchors(count, kind), &options)?);
            let nodes = |side| Method::Nodes { columns: side, rows: side };
            for method in [Method::Single, Method::Double, nodes(256), nodes(512), nodes(1024)] {
                evaluate(&field, kind, method)?;
            }
        }
    }
    Ok(())
}

/// Prints how long a method takes for people in the order of a grid, and how exact it is.
fn evaluate(field: &Arc<Field>, kind: Kind, method: Method) -> Result<(), FieldError> {
    let area = [DVec2::splat(-HALF_SIDE), DVec2::splat(HALF_SIDE)];
    let begin = Instant::now();
    let sampler = Sampler::with_method(field.clone(), method, area)?;
    let made = begin.elapsed().as_secs_f64() * 1e3;
    let mut places: Vec<Vec2> =
        points().take(PEOPLE).map(|p| (p * (HALF_SIDE * 0.99)).as_vec2()).collect();
    places.sort_by_key(|p| ((p.y * 0.4).floor() as i32, (p.x * 2.0).floor() as i32));
    let mut velocities = vec![Vec2::ZERO; places.len()];
    let times = times(|| sampler.sample(&places, &mut velocities));
    let [median, fastest] = [REPEATS / 2, 0].map(|i| times[i] / PEOPLE as f64 * 1e9);
    let error = (0..places.len())
        .step_by(37)
        .map(|i| field.velocity(places[i].as_dvec2()).distance(velocities[i].as_dvec2()));
    let error = error.fold(sampler.error(), f64::max);
    let anchors = field.anchors().len();
    let (name, per_pair) = match method {
        Method::Single => ("single".to_owned(), format!("{:.2}", fastest / anchors as f64)),
        Method::Double => ("double".to_owned(), format!("{:.2}", fastest / anchors as f64)),
        Method::Nodes { columns, .. } => (format!("{columns}² nodes"), String::new()),
    };
    println!(
        "| {anchors} | {} | {name} | {median:.1} ({fastest:.1}) | {per_pair} | {error:.1e} | {made:.1} |",
        kind.name()
    );
    Ok(())
}

#[derive(Clone, Copy)]
enum Kind {
    /// Neighbours are alike.
    Smooth,
    /// Each leads where it likes.
    Rough,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Smooth => "alike",
            Self::Rough => "at odds",
        }
    }
}

fn anchors(count: usize, kind: Kind) -> Vec<Anchor> {
    let anchor = |(i, p): (usize, DVec2)| {
        let vector = match kind {
            Kind::Smooth => DVec2::new((3.0 * p.y).cos(), (2.0 * p.x + p.y).sin()),
            Kind::Rough => DVec2::from_angle((i * i) as f64),
        };
        Anchor::new(p * HALF_SIDE, vector)
    };
    points().take(count).enumerate().map(anchor).collect()
}

/// Points that fill the square from -1 to 1 evenly.
fn points() -> impl Iterator<Item = DVec2> {
    let step = DVec2::new(0.754_877_666_246_692_8, 0.569_840_290_998_053_3);
    (1..).map(move |i| (step * f64::from(i)).fract() * 2.0 - 1.0)
}

/// The median and the fastest of some runs, ms.
fn time<T>(mut work: impl FnMut() -> Result<T, FieldError>) -> String {
    let times = times(|| {
        let _ = black_box(work());
    });
    format!("{:.3} ({:.3})", times[REPEATS / 2] * 1e3, times[0] * 1e3)
}

/// The times of some runs, the fastest first, s.
fn times(mut work: impl FnMut()) -> Vec<f64> {
    let mut times: Vec<f64> = (0..REPEATS)
        .map(|_| {
            let begin = Instant::now();
            work();
            begin.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times
}
