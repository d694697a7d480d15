//! Diagrams of what is measured in a recording.

use throng::recording::Person;
use throng_plot::draw::{Item, Page};
use throng_plot::{Kind, Options};

use crate::support::{GROUPS, draw, person, record, scene};

const BOUNDS: [[f32; 2]; 2] = [[0.0, 0.0], [10.0, 8.0]];
const PLACES: &str = "
[[measurements]]
name = \"gate\"
line = [[5, 0], [5, 8]]
[[measurements]]
name = \"middle\"
area = [[4, 2], [6, 2], [6, 6], [4, 6]]
";

/// Four people, one behind the other, walk to the right at 1 m/s; a fifth walks to the left.
fn walk() -> Vec<Vec<Person>> {
    let at = |frame: u8| {
        let time = f32::from(frame) * 0.1;
        let mut people: Vec<Person> =
            (0..4u8).map(|i| person(i.into(), [4.2 - f32::from(i) + time, 4.0])).collect();
        people.push(person(9, [8.05 - time, 3.0]));
        people
    };
    (0..40).map(at).collect()
}

fn texts(page: &Page) -> String {
    page.texts().iter().map(|text| text.content.as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn everyone_who_passes_a_line_is_in_the_curve_of_their_direction() {
    let (_folder, mut recording) = record(&scene(BOUNDS, &format!("{GROUPS}{PLACES}")), &walk());
    let line = Some("5,0,5,8".parse().unwrap());
    for (line, names) in
        [(line, ["towards +x", "towards −x"]), (None, ["gate, towards +x", "gate, towards −x"])]
    {
        let options = Options { kind: Some(Kind::Flow), line, ..Options::default() };
        let figure = draw(&mut recording, &options).unwrap();
        let shown = texts(&figure.page);
        assert!(names.iter().all(|name| shown.lines().any(|line| line == *name)), "{shown}");
        // Four people a second apart.
        assert!(shown.contains("1 people/s ("), "{shown}");
        // The curve rises once for everyone: two points each, and one at either end.
        let counts: Vec<usize> = lines_of(&figure.page, "count");
        assert_eq!(counts, [2 * 4 + 2, 2 + 2]);
    }
}

#[test]
fn points_of_a_fundamental_diagram_are_what_is_measured() {
    let (_folder, mut recording) = record(&scene(BOUNDS, &format!("{GROUPS}{PLACES}")), &walk());
    let area = "4,2,6,6".parse().unwrap();
    for areas in [vec![area], vec![]] {
        let options = Options { kind: Some(Kind::Fundamental), areas, ..Options::default() };
        let figure = draw(&mut recording, &options).unwrap();
        let shown = texts(&figure.page);
        assert!(shown.contains("Voronoi density in the area from (4, 2) to (6, 6) m"), "{shown}");
        assert!(shown.contains("Speed (m/s)") && shown.contains("Weidmann (1993)"), "{shown}");
        let clouds = circles_of(&figure.page, "speed");
        assert!(clouds >= 4, "{clouds} points");
    }
}

fn group<'p>(page: &'p Page, name: &str) -> &'p [Item] {
    let find = |item: &'p Item| match item {
        Item::Group(group) if group.name == name => Some(&group.items[..]),
        _ => None,
    };
    page.items.iter().find_map(find).unwrap()
}

fn lines_of(page: &Page, name: &str) -> Vec<usize> {
    let points = |item: &Item| match item {
        Item::Path(path) => path.lines[0].points.len(),
        _ => 0,
    };
    group(page, name).iter().map(points).collect()
}

fn circles_of(page: &Page, name: &str) -> usize {
    group(page, name).iter().filter(|item| matches!(item, Item::Circle(_))).count()
}
