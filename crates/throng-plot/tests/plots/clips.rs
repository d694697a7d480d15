//! Figures of motion clips.

use glam::Vec2;
use throng_motion::gait::{Library, Steady, Style};
use throng_motion::{Clip, Human, Proportions, Side};
use throng_plot::draw::{Item, Page, Path};
use throng_plot::{ClipFigure, Format, draw_clips};

use crate::layout::assert_well_laid_out;
use crate::support::items;

fn adult() -> Human {
    Human::new(Proportions::of_height(1.75)).unwrap()
}

fn walk(speed: f32) -> Clip {
    Steady::ahead(speed).clip(&adult()).unwrap()
}

fn page(clips: &[Clip], figure: ClipFigure) -> Page {
    draw_clips(clips, figure).unwrap().page
}

fn paths<'p>(page: &'p Page, name: &str) -> Vec<&'p Path> {
    let path = |item: &'p Item| match item {
        Item::Path(path) => Some(path),
        _ => None,
    };
    items(page, name).iter().filter_map(path).collect()
}

fn texts(page: &Page) -> String {
    page.texts().iter().map(|text| format!("{}\n", text.content)).collect()
}

#[test]
fn every_clip_of_the_library_is_well_laid_out() {
    let library = Library::new(&adult(), Style::default()).unwrap();
    for clip in library.clips() {
        for figure in ClipFigure::ALL {
            assert_well_laid_out(&page(std::slice::from_ref(clip), figure));
        }
    }
    assert_well_laid_out(&page(library.clips(), ClipFigure::Contacts));
    assert_well_laid_out(&page(&library.clips()[4..8], ClipFigure::Strip));
}

#[test]
fn figures_can_be_pixels_or_svg_and_are_the_same_again() {
    for figure in ClipFigure::ALL {
        let drawn = || draw_clips(&[walk(1.3)], figure).unwrap();
        for (format, begin) in [(Format::Png, &b"\x89PNG"[..]), (Format::Svg, b"<svg ")] {
            let bytes = drawn().encode(format, None).unwrap();
            assert!(bytes.starts_with(begin));
            assert!(bytes == drawn().encode(format, None).unwrap());
        }
    }
}

#[test]
fn stick_figures_do_not_hide_each_other() {
    for clip in [walk(0.6), walk(1.9), walk(3.0)] {
        let page = page(&[clip], ClipFigure::Strip);
        // Ten figures seen from the side come first; each has eleven lines at most.
        let lines: Vec<(f32, f32)> = paths(&page, "bodies")
            .iter()
            .map(|path| {
                let xs = path.lines.iter().flat_map(|line| &line.points).map(|point| point.x);
                xs.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
            })
            .collect();
        assert_eq!(lines.len() % 20, 0, "ten figures in two views");
        let each = lines.len() / 20;
        let reach = |figure: &[(f32, f32)]| {
            let low = figure.iter().map(|line| line.0).fold(f32::INFINITY, f32::min);
            (low, figure.iter().map(|line| line.1).fold(f32::NEG_INFINITY, f32::max))
        };
        let figures: Vec<(f32, f32)> = lines.chunks(each).map(reach).collect();
        for view in figures.chunks(10) {
            for pair in view.windows(2) {
                assert!(pair[0].1 < pair[1].0, "{pair:?}");
            }
        }
    }
}

#[test]
fn bars_are_where_contacts_are() {
    let clip = walk(1.3);
    let page = page(std::slice::from_ref(&clip), ClipFigure::Contacts);
    let bars: Vec<(Vec2, Vec2)> = paths(&page, "contacts")
        .iter()
        .map(|path| (path.lines[0].points[0], path.lines[0].points[2]))
        .collect();
    // The right foot's contact goes on at the beginning of the cycle.
    assert_eq!(bars.len(), 3, "{bars:?}");
    let ground: f32 = bars.iter().map(|(a, b)| (b.x - a.x).abs()).sum();
    let whole = 520.0;
    let duty = clip.contacts().duty(Side::Left) + clip.contacts().duty(Side::Right);
    assert!((ground / whole - duty).abs() < 1e-3, "{ground}");
    let said = texts(&page);
    assert!(said.contains("duty 0.6") && said.contains("both 2"), "{said}");
    let run = texts(&super::clips::page(&[walk(3.0)], ClipFigure::Contacts));
    assert!(run.contains("flight "), "{run}");
}

#[test]
fn people_are_beside_those_who_go_forwards_only() {
    let forwards = page(&[walk(1.3)], ClipFigure::Angles);
    assert!(texts(&forwards).contains("people at this speed"));
    // The band, the typical curve, two lifts and two limbs.
    assert_eq!(paths(&forwards, "knee").len(), 6);
    let backwards = Steady::ahead(0.6).towards(std::f32::consts::PI).clip(&adult()).unwrap();
    let backwards = page(&[backwards], ClipFigure::Angles);
    assert!(!texts(&backwards).contains("people"));
    assert_eq!(paths(&backwards, "knee").len(), 4);
}

#[test]
fn a_generated_walk_runs_along_the_curves_of_people() {
    let page = page(&[walk(1.3)], ClipFigure::Angles);
    let knee = paths(&page, "knee");
    let points = |path: &Path| path.lines[0].points.clone();
    let (typical, left) = (points(knee[1]), points(knee[4]));
    assert_eq!(typical.len(), left.len());
    let off = typical.iter().zip(&left).map(|(a, b)| (a.y - b.y).abs()).fold(0.0, f32::max);
    let swing = typical.iter().map(|point| point.y);
    let (low, high) = swing.fold((f32::INFINITY, 0.0f32), |(a, b), y| (a.min(y), b.max(y)));
    assert!(off < 0.25 * (high - low), "{off} of {}", high - low);
}

#[test]
fn what_does_not_fit_is_refused() {
    let message = |clips: &[Clip], figure| draw_clips(clips, figure).unwrap_err().to_string();
    assert_eq!(message(&[], ClipFigure::Strip), "a figure needs a clip, and there is none");
    let two = [walk(1.0), walk(1.2)];
    let refused = message(&two, ClipFigure::Angles);
    assert_eq!(refused, "angles of 2 clips do not fit into one figure; choose one");
}
