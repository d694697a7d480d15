//! Nothing is cut off and no text lies over another, whatever is drawn.

use glam::Vec2;
use proptest::prelude::*;
use throng::base::Bounds;
use throng_eval::fundamental::Point;
use throng_eval::line::Passages;
use throng_plot::draw::{Item, Page};
use throng_plot::{
    ColourBy, FlowCurve, Format, FundamentalSeries, Kind, Options, draw_flow, draw_fundamental,
    plot_scene,
};

use crate::support::{draw, draw_scene, person, record, scene};

/// Checks a page, and that it can be written in both formats.
#[track_caller]
pub fn assert_well_laid_out(page: &Page) {
    assert!(page.size.min_element() > 100.0 && page.size.max_element() < 1500.0, "{}", page.size);
    let canvas = Bounds { min: Vec2::ZERO, max: page.size };
    let texts: Vec<_> = page.texts().into_iter().map(|text| (text, text.bounds())).collect();
    for (i, (text, bounds)) in texts.iter().enumerate() {
        assert!(!text.content.is_empty());
        let inside = canvas.contains(bounds.min) && canvas.contains(bounds.max);
        assert!(inside, "{:?} at {bounds:?} is not on the page of {}", text.content, page.size);
        for (other, others) in &texts[..i] {
            let apart = bounds.max.cmple(others.min).any() || bounds.min.cmpge(others.max).any();
            assert!(apart, "{:?} is over {:?}", text.content, other.content);
        }
    }
    for item in &page.items {
        let Item::Group(group) = item else { panic!("everything is in a group") };
        assert_on_page(&group.items, group.clip.is_some(), canvas);
    }
}

/// What is not cut to an area must lie on the page, and no number may be lost.
fn assert_on_page(items: &[Item], clipped: bool, canvas: Bounds) {
    let check = |point: Vec2| {
        assert!(point.is_finite());
        assert!(clipped || canvas.contains(point), "{point} is not on the page");
    };
    for item in items {
        match item {
            Item::Path(path) => path.lines.iter().flat_map(|l| &l.points).for_each(|&p| check(p)),
            Item::Circle(circle) => {
                check(circle.center - circle.radius);
                check(circle.center + circle.radius);
            }
            Item::Image(image) => {
                check(image.place.min);
                check(image.place.max);
                assert_eq!(image.rgba.len(), (image.width * image.height * 4) as usize);
            }
            Item::Group(group) => assert_on_page(&group.items, true, canvas),
            Item::Text(_) => {}
        }
    }
}

/// Some text that authors may come up with.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z ]{1,12}", "[A-Za-zäß&<>'/]{1,80}", Just("W".repeat(300))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 8))]

    #[test]
    fn maps_of_any_world_are_well_laid_out(
        corner in (-9e4f32..9e4, -9e4f32..9e4),
        exponents in (-1.5f32..4.3, -1.5f32..4.3),
        walk in prop::collection::vec((0f32..1.0, 0f32..1.0), 0..6),
        frames in 1usize..4,
        kind in prop::sample::select(vec![
            Kind::Trajectories, Kind::Density, Kind::Speed, Kind::Positions, Kind::Nav, Kind::Field,
        ]),
        velocity in (-20f32..20.0, -20f32..20.0),
        by_speed in any::<bool>(),
        title in prop::option::of(name()),
        names in (name(), name()),
    ) {
        // Far from the origin, coordinates are about a centimetre apart.
        let min = Vec2::from(corner);
        let size = Vec2::new(10f32.powf(exponents.0), 10f32.powf(exponents.1));
        let max = (min + size.max(Vec2::splat(0.05))).min(Vec2::splat(1e5));
        let extent = max - min;
        let (a, b) = (min + extent * 0.25, min + extent * 0.75);
        let rest = format!(
            "[[regions]]\nname = \"r\"\nrectangle = [[{:?}, {:?}], [{:?}, {:?}]]\n\
             [[fields]]\nname = {:?}\nregion = \"r\"\nanchors = [{{ name = {:?}, at = [{:?}, {:?}], velocity = [{:?}, {:?}] }}]\n\
             [[groups]]\nname = {:?}\nsources = [{{ region = \"r\", rate = 1 }}]\n\
             [[groups]]\nname = {:?}\nsources = [{{ region = \"r\", rate = 1 }}]\n",
            a.x, a.y, b.x, b.y, names.0, names.1, a.x, b.y, velocity.0 / 1.5, velocity.1 / 1.5,
            format!("{} 1", names.0), format!("{} 2", names.1),
        );
        let text = format!(
            "format = 1\nworld.bounds = [[{:?}, {:?}], [{:?}, {:?}]]\n{rest}",
            min.x, min.y, max.x, max.y,
        );
        let Ok(scene) = throng::Scene::parse("s.toml", &text, ".".as_ref()) else {
            // A region can be too small to have an area.
            return Ok(());
        };
        let people: Vec<_> = (0..frames)
            .map(|frame| {
                let at = |&(x, y): &(f32, f32)| min + extent * Vec2::new(x, (y + frame as f32) % 1.0);
                (0..).zip(&walk).map(|(id, place)| person(id, at(place))).collect()
            })
            .collect();
        let (_folder, mut recording) = record(&scene, &people);
        let colour = by_speed.then_some(ColourBy::Speed);
        let colour = colour.filter(|_| matches!(kind, Kind::Trajectories | Kind::Positions));
        let options = Options { kind: Some(kind), colour, title, ..Options::default() };
        let figure = draw(&mut recording, &options).unwrap();
        assert_well_laid_out(&figure.page);
        let people = if matches!(kind, Kind::Nav | Kind::Field) { 0 } else { walk.len() as u64 };
        prop_assert_eq!(figure.subject.people, people);
        let svg = figure.encode(Format::Svg, None).unwrap();
        roxmltree::Document::parse(std::str::from_utf8(&svg).unwrap()).unwrap();
    }

    #[test]
    fn charts_of_any_numbers_are_well_laid_out(
        points in prop::collection::vec((0f64..12.0, -1f64..30.0), 0..40),
        exponent in -3f64..3.0,
        names in prop::collection::vec(name(), 1..9),
        text in (name(), name()),
    ) {
        let scale = 10f64.powf(exponent);
        let point = |&(density, speed): &(f64, f64)| Point { time: 0.0, density: density * scale, speed };
        let series: Vec<_> = names.iter().map(|name| FundamentalSeries {
            name: name.clone(),
            points: points.iter().map(point).chain([Point {
                time: 0.0, density: f64::NAN,
                speed: f64::INFINITY,
            }]).collect(),
        }).collect();
        assert_well_laid_out(&draw_fundamental(&text.0, &text.1, "Measured.", &series));

        let times: Vec<f64> = points.iter().map(|point| point.0 * scale).collect();
        let curves: Vec<_> = names.iter().map(|name| FlowCurve {
            name: name.clone(), passages: Passages::new(times.clone()),
        }).collect();
        assert_well_laid_out(&draw_flow(&text.0, &text.1, "Counted.", &curves, [0.0, 12.0 * scale]));
    }
}

#[test]
fn scenes_that_ship_are_well_laid_out() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    for name in ["bottleneck", "circle", "corridor", "crossing", "office", "plaza", "two-floors"] {
        let load = || throng::Scene::load(folder.join(name).with_extension("toml")).unwrap();
        assert_well_laid_out(&draw_scene(load()).page);
        for way in [None, Some("-3,1,4,2".parse().unwrap())] {
            let options = Options { kind: Some(Kind::Nav), way, ..Options::default() };
            assert_well_laid_out(&plot_scene(load(), &options).unwrap().page);
        }
    }
}

#[test]
fn fields_that_ship_are_well_laid_out() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    for name in ["arrows", "crossing-arrows", "siege", "stream-500k"] {
        let load = || throng::Scene::load(folder.join(name).with_extension("toml")).unwrap();
        let names = load().fields.into_iter().map(|field| field.name);
        for field in names.chain(["all".to_owned()]) {
            for at in [None, Some(90.0)] {
                let field = Some(field.as_str().into());
                let options = Options { kind: Some(Kind::Field), field, at, ..Options::default() };
                assert_well_laid_out(&plot_scene(load(), &options).unwrap().page);
            }
        }
    }
}

#[test]
fn regions_on_top_of_each_other_have_readable_names() {
    let region = |i: i32| {
        format!(
            "[[regions]]\nname = \"place number {i}\"\nrectangle = [[2, 2], [8, {}]]\n",
            4 + i % 3
        )
    };
    let rest: String = (0..30).map(region).collect();
    let figure = draw_scene(scene([[0.0, 0.0], [10.0, 8.0]], &rest));
    assert_well_laid_out(&figure.page);
    let names = figure.page.texts().iter().filter(|t| t.content.contains("number")).count();
    assert!(names >= 5, "only {names} names are shown");
}

#[test]
fn a_legend_of_many_groups_says_how_many_are_missing() {
    let group = |i: i32| {
        format!(
            "[[groups]]\nname = \"a group called {i}\"\npeople = [{{ position = [{}, 5] }}]\n",
            i + 1
        )
    };
    let rest: String = (0..80).map(group).collect();
    let figure = draw_scene(scene([[0.0, 0.0], [100.0, 10.0]], &rest));
    assert_well_laid_out(&figure.page);
    let texts = figure.page.texts();
    let shown = texts.iter().filter(|text| text.content.starts_with("a group")).count();
    let more = format!("and {} more", 80 - shown);
    assert!(texts.iter().any(|text| text.content == more), "{shown} shown, no {more:?}");
}
