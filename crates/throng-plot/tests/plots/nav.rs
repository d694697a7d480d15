//! Maps of ways show where one can go, how wide it is there, and the way that is asked for.

use throng::Scene;
use throng_plot::draw::Page;
use throng_plot::{ColourBy, Figure, Format, Kind, Options, plot_scene};

use crate::support::{Pixels, draw, items, on_page, points, record, scene};

const BOUNDS: [[f32; 2]; 2] = [[0.0, 0.0], [12.0, 8.0]];

/// Two rooms with a door in between, as wide as is asked for.
fn rooms(door: f32) -> Scene {
    let (low, high) = (4.0 - 0.5 * door, 4.0 + 0.5 * door);
    let walls = format!(
        "world.closed = true\n\
         [[obstacles]]\npolygon = [[5.5, 0], [6.5, 0], [6.5, {low}], [5.5, {low}]]\n\
         [[obstacles]]\npolygon = [[5.5, {high}], [6.5, {high}], [6.5, 8], [5.5, 8]]\n"
    );
    scene(BOUNDS, &walls)
}

/// A pillar in the middle of a room.
fn pillar() -> Scene {
    scene(
        BOUNDS,
        "world.closed = true\n\
         [[obstacles]]\npolygon = [[5, 3], [7, 3], [7, 5], [5, 5]]\n",
    )
}

fn two_floors() -> Scene {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    Scene::load(folder.join("two-floors.toml")).unwrap()
}

fn nav() -> Options {
    Options { kind: Some(Kind::Nav), ..Options::default() }
}

fn along(way: &str) -> Options {
    Options { way: Some(way.parse().unwrap()), ..nav() }
}

fn says(figure: &Figure, what: &str) -> bool {
    figure.page.texts().iter().any(|text| text.content == what)
}

fn count(page: &Page, name: &str) -> usize {
    items(page, name).len()
}

/// How far to the right, on the page, lines of the group called `name` reach.
fn rightmost(page: &Page, name: &str) -> f32 {
    points(page, name).iter().map(|point| point.x).fold(0.0, f32::max)
}

/// The number of metres in the legend after `what`.
fn length(figure: &Figure, what: &str) -> f64 {
    let texts = figure.page.texts();
    let entry = texts.iter().find_map(|text| text.content.strip_prefix(what)).unwrap();
    entry.strip_suffix(" m").unwrap().trim_start_matches(", ").parse().unwrap()
}

#[test]
fn the_door_between_two_rooms_is_the_only_narrow_place() {
    let figure = plot_scene(rooms(1.2), &nav()).unwrap();
    assert_eq!(count(&figure.page, "gates"), 1);
    assert!(says(&figure, "1.2 m") && says(&figure, "narrow place"));
    assert!(count(&figure.page, "discs") > 10);
    // A wide opening is none, and one for thin people is told to the centimetre.
    assert_eq!(count(&plot_scene(rooms(4.0), &nav()).unwrap().page, "gates"), 0);
    assert!(says(&plot_scene(rooms(0.75), &nav()).unwrap(), "0.75 m"));
}

#[test]
fn the_axis_is_drawn_in_the_colour_of_its_clearance() {
    let figure = plot_scene(rooms(1.2), &nav()).unwrap();
    let (pixels, bounds) = (Pixels::of(&figure, 2000), rooms(1.2).bounds);
    let at = |x: f32, y: f32| pixels.at(on_page(&figure, bounds, [x, y]));
    let [r, g, b] = at(5.7, 4.0);
    assert!(b > g && r < 100, "narrow is violet, not {:?}", [r, g, b]);
    let [r, g, b] = at(2.75, 4.3);
    assert!(g > r + 60 && g > b, "wide is green, not {:?}", [r, g, b]);
    assert_eq!(at(2.6, 2.9), [255; 3], "beside it is paper");
}

#[test]
fn a_way_is_shown_with_its_length() {
    let figure = plot_scene(rooms(1.2), &along("2,4,10,4")).unwrap();
    assert_eq!(figure.subject.no_way, None);
    assert!(figure.subject.notes.is_empty(), "{:?}", figure.subject.notes);
    assert_eq!(length(&figure, "shortest path"), 8.0);
    assert_eq!(count(&figure.page, "corridor"), 1);
    let bent = plot_scene(rooms(1.2), &along("2,7,10,7")).unwrap();
    let (shortest, middle) = (length(&bent, "shortest path"), length(&bent, "middle path"));
    // Straight to the door and on would be 9.5 m and a bit for the body.
    assert!(shortest > 9.5 && shortest < 10.4 && middle > shortest, "{shortest} and {middle}");
}

#[test]
fn without_a_way_the_map_is_drawn_and_the_reason_told() {
    let figure = plot_scene(rooms(0.4), &along("2,4,10,4")).unwrap();
    let reason = figure.subject.no_way.as_deref().unwrap();
    assert!(reason.starts_with("there is no way from (2, 4) to (10, 4): "), "{reason}");
    assert!(reason.contains("too narrow") && reason.contains("0.40 m wide"), "{reason}");
    assert_eq!(count(&figure.page, "ways"), 0);
    assert!(count(&figure.page, "axis") > 0 && figure.encode(Format::Png, None).is_ok());
}

#[test]
fn a_sketch_of_several_points_is_followed_by_the_door() {
    // By the upper left corner of the first room, and through the wall to the other one.
    let figure = plot_scene(rooms(1.2), &along("2,4,2,7,10,7")).unwrap();
    assert_eq!((figure.subject.no_way.as_deref(), count(&figure.page, "corridor")), (None, 0));
    // The sketch and the way, with halos, and both ends.
    assert_eq!(count(&figure.page, "ways"), 6);
    let (sketch, way) = (length(&figure, "sketch"), length(&figure, "way along it"));
    assert!((sketch - 11.0).abs() < 0.06 && way > sketch + 2.0 && way < 18.0, "{sketch} {way}");
    let figure = plot_scene(rooms(0.4), &along("2,4,2,7,10,7")).unwrap();
    let reason = figure.subject.no_way.as_deref().unwrap();
    assert!(reason.starts_with("this cannot be walked: from point 2 of the sketch"), "{reason}");
}

#[test]
fn who_starts_in_a_wall_starts_beside_it() {
    let figure = plot_scene(rooms(1.2), &along("6,1,10,4")).unwrap();
    let [note] = &figure.subject.notes[..] else { panic!("{:?}", figure.subject.notes) };
    assert!(note.contains("there is no room at (6, 1)"), "{note}");
}

#[test]
fn a_way_over_the_stairs_is_shown_on_both_floors() {
    let on = |layer: &str, to_layer: &str, way: &str| {
        let options =
            Options { layer: Some(layer.into()), to_layer: Some(to_layer.into()), ..along(way) };
        plot_scene(two_floors(), &options).unwrap()
    };
    let (up, down) = (on("hall", "gallery", "-12,0,0,0"), on("gallery", "hall", "0,0,-12,0"));
    assert_eq!(length(&up, "shortest path"), length(&down, "shortest path"));
    assert!(length(&up, "shortest path") > 15.0, "not through the ceiling");
    for figure in [&up, &down] {
        assert!(says(figure, "to another floor"));
        assert_eq!(count(&figure.page, "passages"), 2);
        // Two paths with halos, and the end that is on this floor.
        assert_eq!(count(&figure.page, "ways"), 5);
    }
    // On each floor as far as it is there: half way up the stairs, at x = -5, it changes.
    let x = |x: f32| (on_page(&up, two_floors().bounds, [x, 0.0]) * up.page.size).x;
    assert!((rightmost(&up.page, "ways") - x(-5.0)).abs() < 1.0);
    assert!((rightmost(&up.page, "corridor") - x(-5.0)).abs() < 1.0);
    assert!(rightmost(&down.page, "ways") > x(0.0) - 1.0);
    assert!(items(&up.page, "axis") != items(&down.page, "axis"), "each floor has its own");
    let unknown = Options { to_layer: Some("attic".into()), ..along("0,0,1,1") };
    let refused = plot_scene(two_floors(), &unknown).unwrap_err().to_string();
    assert!(refused.contains("there is no floor \"attic\""), "{refused}");
}

#[test]
fn alternatives_are_shown_beside_the_way() {
    let ways = |count: usize| {
        plot_scene(pillar(), &Options { ways: Some(count), ..along("1,4,11,4.1") }).unwrap()
    };
    let others = |figure: &Figure| {
        let texts = figure.page.texts().into_iter();
        texts.filter(|text| text.content.starts_with("another way, ")).count()
    };
    let [one, two, many] = [1, 2, 5].map(ways);
    assert_eq!([&one, &two, &many].map(others), [0, 1, 1]);
    assert_eq!(one, plot_scene(pillar(), &along("1,4,11,4.1")).unwrap());
    assert!(two.subject.notes.is_empty(), "{:?}", two.subject.notes);
    assert_eq!(many.subject.notes, ["there are only 2 ways that really differ"]);
}

#[test]
fn groups_show_the_ways_to_their_first_goals() {
    let figure = plot_scene(two_floors(), &nav()).unwrap();
    let climbers = figure.page.texts().iter().any(|text| text.content.ends_with(" m, climbers"));
    assert!(climbers);
}

#[test]
fn a_recording_shows_the_ways_of_its_scene() {
    let (_folder, mut recording) = record(&rooms(1.2), &[vec![]]);
    let of_recording = draw(&mut recording, &along("2,7,10,7")).unwrap();
    assert_eq!(of_recording, plot_scene(rooms(1.2), &along("2,7,10,7")).unwrap());
}

#[test]
fn options_that_have_nothing_to_do_with_ways_are_refused() {
    for (options, expected) in [
        (Options { from: Some(1.0), ..nav() }, "the same at all times"),
        (Options { at: Some(1.0), ..nav() }, "the same at all times"),
        (Options { colour: Some(ColourBy::Group), ..nav() }, "colours of its own"),
        (Options { to_layer: Some("ground".into()), ..nav() }, "give it with --way"),
        (Options { ways: Some(2), ..nav() }, "give them with --way"),
        (Options { ways: Some(2), ..along("0,0,1,1,2,2") }, "leave out the others"),
        (Options { kind: None, ..along("0,0,1,1") }, "add --nav"),
        (Options { kind: Some(Kind::Density), ..along("0,0,1,1") }, "add --nav"),
    ] {
        let refused = plot_scene(rooms(1.2), &options).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }
}
