//! What is where on the ground is there in the picture, in the right colour.

use glam::Vec2;
use throng::recording::Person;
use throng::world::scene::GroupId;
use throng_plot::{Area, ColourBy, Kind, Options};

use crate::support::{GROUPS, Pixels, darkness, draw, draw_scene, on_page, person, record, scene};

const BOUNDS: [[f32; 2]; 2] = [[0.0, 0.0], [10.0, 8.0]];
const WHITE: [u8; 3] = [255; 3];
const OBSTACLE: [u8; 3] = [0x9a, 0xa1, 0xab];

fn hall() -> throng::Scene {
    let wall = "[[obstacles]]\npolygon = [[4, 2], [6, 2], [6, 6], [4, 6]]\n";
    scene(BOUNDS, &format!("{GROUPS}{wall}"))
}

#[test]
fn obstacles_are_where_they_are() {
    let figure = draw_scene(hall());
    let (pixels, bounds) = (Pixels::of(&figure, 1000), hall().bounds);
    for (point, expected) in [
        ([5.0, 4.0], OBSTACLE),
        ([4.1, 2.1], OBSTACLE),
        ([5.9, 5.9], OBSTACLE),
        ([3.8, 4.0], WHITE),
        ([6.2, 4.0], WHITE),
        ([5.0, 1.8], WHITE),
        ([5.0, 6.2], WHITE),
    ] {
        assert_eq!(pixels.at(on_page(&figure, bounds, point)), expected, "{point:?}");
    }
}

#[test]
fn where_more_people_are_it_is_darker_and_where_nobody_is_it_is_white() {
    let frames: Vec<Vec<Person>> = (0..20)
        .map(|frame| {
            let mut people = vec![person(1, [2.0, 2.0]), person(2, [2.3, 2.0])];
            if frame < 5 {
                people.push(person(3, [8.0, 6.0]));
            }
            people
        })
        .collect();
    let (_folder, mut recording) = record(&hall(), &frames);
    let options = Options { kind: Some(Kind::Density), ..Options::default() };
    let figure = draw(&mut recording, &options).unwrap();
    let (pixels, bounds) = (Pixels::of(&figure, 1400), hall().bounds);
    let at = |point: [f32; 2]| darkness(pixels.at(on_page(&figure, bounds, point)));
    assert!(at([2.15, 2.0]) > 2 * at([8.0, 6.0]), "{} and {}", at([2.15, 2.0]), at([8.0, 6.0]));
    assert!(at([8.0, 6.0]) > at([8.0, 5.2]) && at([8.0, 6.0]) > 30);
    assert_eq!(at([8.5, 2.0]), 0);
    // The obstacle lies over the map.
    assert_eq!(pixels.at(on_page(&figure, bounds, [5.0, 4.0])), OBSTACLE);
    let caption =
        figure.page.texts().iter().any(|text| {
            text.content.contains("σ = 0.3 m") && text.content.contains("cells of 0.05 m")
        });
    assert!(caption, "the method is not told");
}

#[test]
fn slow_places_are_dark_and_fast_ones_bright() {
    let frames: Vec<Vec<Person>> = (0..20u8)
        .map(|frame| {
            let x = 0.5 + f32::from(frame) * 0.1;
            let walker =
                |id, y, speed| Person { velocity: Vec2::new(speed, 0.0), ..person(id, [x, y]) };
            vec![walker(1, 1.0, 0.2), walker(2, 7.0, 1.5)]
        })
        .collect();
    let (_folder, mut recording) = record(&hall(), &frames);
    for options in [
        Options { kind: Some(Kind::Speed), ..Options::default() },
        Options { colour: Some(ColourBy::Speed), ..Options::default() },
    ] {
        let figure = draw(&mut recording, &options).unwrap();
        let (pixels, bounds) = (Pixels::of(&figure, 1400), hall().bounds);
        let at = |point: [f32; 2]| pixels.at(on_page(&figure, bounds, point));
        let (slow, fast) = (at([1.5, 1.0]), at([1.5, 7.0]));
        assert!(darkness(slow) > darkness(fast) + 60, "{slow:?} and {fast:?}");
        assert!(fast[1] > fast[2] && slow[2] > slow[1], "{slow:?} and {fast:?}");
        assert_eq!(at([8.0, 7.0]), WHITE);
    }
}

#[test]
fn people_have_the_colours_of_their_groups() {
    let staff = Person { group: GroupId(1), ..person(2, [8.0, 2.0]) };
    let (_folder, mut recording) = record(&hall(), &[vec![person(1, [2.0, 6.0]), staff]]);
    let options = Options { kind: Some(Kind::Positions), ..Options::default() };
    let figure = draw(&mut recording, &options).unwrap();
    let (pixels, bounds) = (Pixels::of(&figure, 1400), hall().bounds);
    // Beside the tick that shows the heading.
    let [r, _, b] = pixels.at(on_page(&figure, bounds, [2.0, 6.12]));
    assert!(b > r + 60, "visitors are blue");
    let [r, _, b] = pixels.at(on_page(&figure, bounds, [8.0, 2.12]));
    assert!(r > b + 60, "staff is orange");
    assert_eq!(pixels.at(on_page(&figure, bounds, [2.0, 6.5])), WHITE);
}

#[test]
fn a_path_is_drawn_along_its_points_and_not_across_an_absence() {
    let frames: Vec<Vec<Person>> = (0..9u8)
        .map(|frame| match frame {
            0..=2 => vec![person(1, [f32::from(frame) + 0.5, 1.0])],
            6..=8 => vec![person(1, [f32::from(frame) + 0.5, 1.0])],
            _ => vec![],
        })
        .collect();
    let (_folder, mut recording) = record(&hall(), &frames);
    let figure = draw(&mut recording, &Options::default()).unwrap();
    let (pixels, bounds) = (Pixels::of(&figure, 2000), hall().bounds);
    let at = |x: f32| darkness(pixels.at(on_page(&figure, bounds, [x, 1.0])));
    assert!(at(1.3) > 100 && at(7.3) > 100);
    assert_eq!(at(4.5), 0);
}

#[test]
fn measuring_areas_are_shown_on_maps() {
    let (_folder, mut recording) = record(&hall(), &[vec![person(1, [1.0, 1.0])]]);
    let area: Area = "7,1,9,3".parse().unwrap();
    let line = Some("1,5,3,5".parse().unwrap());
    let options = Options { areas: vec![area], line, ..Options::default() };
    let figure = draw(&mut recording, &options).unwrap();
    let (pixels, bounds) = (Pixels::of(&figure, 1400), hall().bounds);
    let [r, g, b] = pixels.at(on_page(&figure, bounds, [8.0, 2.0]));
    assert!(r > g && g >= b.saturating_sub(8) && (r, g) != (255, 255), "a tint of red");
    let [r, g, _] = pixels.at(on_page(&figure, bounds, [2.0, 5.0]));
    assert!(r > g + 100, "a red line");
}
