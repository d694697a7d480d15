//! Figures of fields show where arrows lead, what becomes of them, and where people would be stuck.

use throng::Scene;
use throng_plot::draw::{Item, Page};
use throng_plot::{ColourBy, FieldChoice, Figure, Kind, Options, plot_scene};

use crate::layout::assert_well_laid_out;
use crate::support::{draw, items, points, record, scene};

const BOUNDS: [[f32; 2]; 2] = [[-20.0, -15.0], [20.0, 15.0]];

fn fields(rest: &str) -> Scene {
    scene(BOUNDS, rest)
}

fn stream() -> Scene {
    fields(
        r#"
        [[obstacles]]
        polygon = [[4, 6], [8, 6], [8, 10], [4, 10]]
        [[fields]]
        name = "stream"
        anchors = [
            { name = "west", at = [-15, 0], velocity = [1.3, 0] },
            { at = [0, -5], velocity = [1.2, 0.4] },
            { at = [15, 3], velocity = [1.3, 0] },
        ]
        edits = [{ time = 5, change = "west", at = [-16, 8] }, { time = 9, remove = "west" }]
        [[groups]]
        name = "walkers"
        led = { by = ["stream"] }
        people = [{ position = [0, 0] }]
        "#,
    )
}

fn of(name: &str) -> Options {
    Options { kind: Some(Kind::Field), field: Some(name.into()), ..Options::default() }
}

fn figure(scene: Scene, options: &Options) -> Figure {
    let figure = plot_scene(scene, options).unwrap();
    assert_well_laid_out(&figure.page);
    figure
}

fn says(figure: &Figure, what: &str) -> bool {
    figure.page.texts().iter().any(|text| text.content.contains(what))
}

#[test]
fn a_field_has_arrows_streamlines_and_anchors() {
    let figure = figure(stream(), &of("stream"));
    // Two strokes and a dot for each anchor.
    assert_eq!(items(&figure.page, "anchors").len(), 9);
    assert!(points(&figure.page, "arrows").len() > 500);
    assert!(points(&figure.page, "streamlines").len() > 500);
    assert!(says(&figure, "Field \"stream\" at 0 s · leads walkers") && says(&figure, "west"));
    assert!(figure.subject.notes.is_empty(), "{:?}", figure.subject.notes);
}

#[test]
fn nothing_leads_through_obstacles() {
    let figure = figure(stream(), &of("stream"));
    let solid = |point: glam::Vec2| {
        let at = crate::support::on_page(&figure, stream().bounds, [4.0, 10.0]) * figure.page.size;
        let to = crate::support::on_page(&figure, stream().bounds, [8.0, 6.0]) * figure.page.size;
        point.cmpgt(at + 0.5).all() && point.cmplt(to - 0.5).all()
    };
    assert!(!points(&figure.page, "streamlines").into_iter().any(solid));
}

#[test]
fn a_field_is_shown_at_a_moment() {
    let at = |time| figure(stream(), &Options { at: Some(time), ..of("stream") });
    let (before, moved, gone) = (at(4.9), at(5.0), at(60.0));
    assert_eq!(points(&before.page, "anchors"), points(&at(0.0).page, "anchors"));
    assert_ne!(points(&before.page, "anchors"), points(&moved.page, "anchors"));
    assert_eq!(items(&gone.page, "anchors").len(), 6);
    assert!(says(&gone, "at 60 s") && !says(&gone, "west"));
}

#[test]
fn contradictions_are_shown_with_their_residuals() {
    let contradicting = || {
        fields(
            r#"
            [[fields]]
            name = "knot"
            anchors = [
                { at = [-15, -10], velocity = [0, -1.3] }, { at = [-15, 10], velocity = [0, -1.3] },
                { at = [15, -10], velocity = [0, -1.3] }, { at = [15, 10], velocity = [0, -1.3] },
                { at = [8, -6], velocity = [0, -1.3] }, { at = [-8, 6], velocity = [0, -1.3] },
                { at = [-0.05, 0], velocity = [0.8, -0.6] }, { at = [0.05, 0], velocity = [-0.8, -1.4] },
            ]
            "#,
        )
    };
    let figure = figure(contradicting(), &of("knot"));
    assert!(says(&figure, "what comes of it") && says(&figure, " m/s"));
    // Eight anchors, and two that are missed, with a shaft and a tip each.
    assert_eq!(items(&figure.page, "anchors").len(), 8 * 3 + 2 * 2);
}

#[test]
fn traps_are_marked_and_told() {
    let sink = || {
        fields(
            "[[fields]]\nname = \"sink\"\nanchors = [\
             { at = [-10, 0], velocity = [1, 0] }, { at = [10, 0], velocity = [-1, 0] },\
             { at = [0, 8], velocity = [0, -1] }, { at = [0, -8], velocity = [0, -0.1] }]\n",
        )
    };
    let figure = figure(sink(), &of("sink"));
    assert!(says(&figure, "sink: crowds pile up"));
    let [note, ..] = &figure.subject.notes[..] else { panic!("no warning") };
    assert!(note.starts_with("crowds would pile up at ("), "{note}");
    assert!(!items(&figure.page, "critical").is_empty());
}

#[test]
fn sources_and_saddles_are_named_by_what_they_do_and_are_no_warnings() {
    let saddle = || {
        fields(
            "[[fields]]\nname = \"saddle\"\nanchors = [\
             { at = [-10, 0], velocity = [1, 0] }, { at = [10, 0], velocity = [-1, 0] },\
             { at = [0, 8], velocity = [0, 1] }, { at = [0, -8], velocity = [0, -1] }]\n",
        )
    };
    let figure = figure(saddle(), &of("saddle"));
    assert!(says(&figure, "saddle: streams meet and part"));
    assert!(!says(&figure, "circles") && figure.subject.notes.is_empty());
}

#[test]
fn a_limited_field_is_drawn_within_its_reach() {
    let limited = |reach: &str| {
        let text = format!(
            "[[fields]]\nname = \"arrow\"\nanchors = [{{ at = [-8, 2], velocity = [1, 0]{reach} }}]\n"
        );
        figure(fields(&text), &of("arrow"))
    };
    let (everywhere, nearby) = (limited(""), limited(", reach = 5"));
    assert_eq!(items(&everywhere.page, "regions").len(), 0);
    assert_eq!(items(&nearby.page, "regions").len(), 1, "the circle");
    let lines = |page: &Page| match items(page, "arrows") {
        [Item::Path(path)] => path.lines.len(),
        other => panic!("{other:?}"),
    };
    let (all, some) = (lines(&everywhere.page), lines(&nearby.page));
    // The circle is 79 m² of 1200 m².
    assert!(some > 0 && 6 * some < all, "{some} of {all}");
}

#[test]
fn several_fields_have_colours_of_their_own() {
    let both = || {
        fields(
            r#"
            [[regions]]
            name = "left"
            rectangle = [[-18, -12], [-2, 12]]
            [[fields]]
            name = "one"
            region = "left"
            anchors = [{ at = [-5, 0], velocity = [1, 0] }]
            [[fields]]
            name = "turning"
            keys = "joint"
            anchors = [
                { at = [5, 5], keys = [{ time = 0, velocity = [1, 0] }, { time = 9, velocity = [0, 1] }] },
                { at = [8, -5], velocity = [1, 0] }, { at = [15, 0], velocity = [1, 0.2] },
            ]
            "#,
        )
    };
    let all = figure(both(), &of("all"));
    assert_eq!(all, figure(both(), &Options { field: None, ..of("all") }));
    assert!(says(&all, "2 fields") && says(&all, "one") && says(&all, "turning"));
    assert!(items(&all.page, "arrows").is_empty());
    // Alone, the one with a region stays in it.
    let one = figure(both(), &of("one"));
    let right = crate::support::on_page(&one, both().bounds, [-1.9, 0.0]) * one.page.size;
    assert!(points(&one.page, "streamlines").iter().all(|point| point.x < right.x));
    let turning = figure(both(), &Options { at: Some(9.0), ..of("turning") });
    assert!(says(&turning, "at 9 s"));
}

#[test]
fn a_recording_shows_the_fields_of_its_scene() {
    let (_folder, mut recording) = record(&stream(), &[vec![]]);
    let options = Options { at: Some(6.0), ..of("stream") };
    assert_eq!(draw(&mut recording, &options).unwrap(), figure(stream(), &options));
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let refused =
        |scene: Scene, options: &Options| plot_scene(scene, options).unwrap_err().to_string();
    let message = refused(stream(), &of("steam"));
    assert_eq!(message, "there is no field \"steam\"; the fields are stream");
    assert!(refused(fields(""), &of("all")).contains("needs a scene that has some"));
    for (options, expected) in [
        (Options { from: Some(1.0), ..of("stream") }, "is of one moment"),
        (Options { at: Some(f64::NAN), ..of("stream") }, "must be a number"),
        (Options { colour: Some(ColourBy::Group), ..of("stream") }, "colours of its own"),
        (Options { kind: None, ..of("stream") }, "is a figure of its own"),
        (
            Options { field: Some(FieldChoice::All), kind: Some(Kind::Nav), ..Options::default() },
            "is a figure",
        ),
    ] {
        let message = refused(stream(), &options);
        assert!(message.contains(expected), "{message}");
    }
}
