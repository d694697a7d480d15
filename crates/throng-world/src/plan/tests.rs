use std::fs;

use proptest::prelude::*;

use super::*;

/// What a file with this name and text is as a plan, or the message.
fn read(name: &str, text: &str) -> Result<Plan, String> {
    Plan::parse(Path::new(name), text).map_err(|error| error.to_string())
}

fn size(plan: &Plan) -> f64 {
    plan.areas().iter().map(Area::size).sum()
}

/// A room of 10 by 8 with a pillar of 2 by 1.
const ROOM: &str = "POLYGON ((0 0, 10 0, 10 8, 0 8, 0 0), (4 4, 4 5, 6 5, 6 4, 4 4))";
const GEOJSON: &str = r#"{ "type": "FeatureCollection", "features": [
    { "type": "Feature", "properties": { "name": "a" }, "geometry": {
        "type": "Polygon", "coordinates": [
            [[0, 0], [10, 0], [10, 8], [0, 8], [0, 0]],
            [[4, 4], [4, 5], [6, 5], [6, 4], [4, 4]]] } },
    { "type": "Feature", "properties": null, "geometry": null }
] }"#;

#[test]
fn a_room_with_a_pillar_is_the_same_in_both_formats() {
    for plan in [read("a.wkt", ROOM), read("a.geojson", GEOJSON), read("a.json", GEOJSON)] {
        let plan = plan.unwrap();
        assert_eq!((plan.outlines().len(), plan.holes().len()), (1, 1));
        assert!((size(&plan) - 78.0).abs() < 1e-4, "{}", size(&plan));
        assert!(plan.contains(Vec2::ONE) && !plan.contains(Vec2::new(5.0, 4.5)));
        assert!(!plan.contains(Vec2::new(-1.0, 4.0)) && !plan.contains(Vec2::new(11.0, 4.0)));
        assert_eq!(plan.bounds(), Some(Bounds { min: Vec2::ZERO, max: Vec2::new(10.0, 8.0) }));
    }
}

#[test]
fn rooms_that_share_an_edge_or_overlap_are_one() {
    // As JuPedSim writes geometries: a collection whose union is meant.
    let plan = read(
        "a.wkt",
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 5 0, 5 4, 0 4, 0 0)),\n\
         polygon z ((5 0 1, 5 4 1, 9 4 1, 9 0 1, 5 0 1)), POLYGON EMPTY,\n\
         MULTIPOLYGON (((8 3, 12 3, 12 6, 8 6)), ((20 0, 22 0, 22 2))))",
    )
    .unwrap();
    assert_eq!((plan.outlines().len(), plan.holes().len()), (2, 0), "{plan:?}");
    assert!((size(&plan) - (36.0 + 12.0 - 1.0 + 2.0)).abs() < 1e-4, "{}", size(&plan));
    assert!(plan.contains(Vec2::new(5.0, 2.0)), "no wall where the rooms meet");
}

#[test]
fn an_island_in_a_hole_can_be_walked_on_and_a_hole_in_another_room_cannot() {
    let plan = read(
        "a.wkt",
        "MULTIPOLYGON (((0 0, 20 0, 20 20, 0 20), (5 5, 15 5, 15 15, 5 15)),\n\
         ((8 8, 12 8, 12 12, 8 12), (9 9, 10 9, 10 10, 9 10)))",
    )
    .unwrap();
    let walkable = |x: f32| plan.contains(Vec2::new(x, x));
    assert_eq!([1.0, 6.0, 8.5, 9.5, 11.0].map(walkable), [true, false, true, false, true]);
    assert!((size(&plan) - (400.0 - 100.0 + 16.0 - 1.0)).abs() < 1e-3);
}

#[test]
fn rings_are_cleaned_up() {
    let untidy = "POLYGON ((0 8, 10 8, 10 8, 10 0, 5 0, 0 0, 0 0, 0 8), (1 1, 2 1, 1 1), \
                  (30 30, 31 30, 31 31), (3 3, 3.0000001 3, 3 3.0000001))";
    let plan = read("a.wkt", untidy).unwrap();
    assert_eq!((plan.outlines()[0].points().len(), plan.holes().len()), (4, 0), "{plan:?}");
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_the_place() {
    let degrees = "POLYGON ((8.5412 47.3763, 8.5419 47.3763, 8.5419 47.3768, 8.5412 47.3768))";
    let in_geojson = |geometry: &str| format!(r#"{{ "type": "Feature", "geometry": {geometry} }}"#);
    for (name, text, expected) in [
        (
            "a.wkt",
            "POLYGON ((0 0, 1 0, 1 1",
            "a.wkt:1:24: expected , or ), and not the end of the file",
        ),
        ("a.wkt", "\n  POLYGON (0 0, 1 0)", "a.wkt:2:12: expected ("),
        ("a.wkt", "POLYGON ((0 0, 4 x, 4 4))", "a.wkt:1:18: expected a number, and not \"x\""),
        ("a.wkt", "POLYGON ((0 0, 4, 4 4))", "a.wkt:1:17: expected a number"),
        ("a.wkt", "POLYGON ((0 0, 4 nan, 4 4))", "a.wkt:1:18: expected a number, and not \"nan\""),
        (
            "a.wkt",
            "LINESTRING (0 0, 4 4)",
            "a.wkt:1:1: a plan is made of polygons, and not of LINESTRING",
        ),
        ("a.wkt", "CURVEPOLYGON ((0 0))", "a.wkt:1:1: expected POLYGON, MULTIPOLYGON or"),
        ("a.wkt", "POLYGON ((0 0, 4 0, 4 4)) 7", "a.wkt:1:27: expected POLYGON"),
        ("a.wkt", "", "a.wkt: there is no polygon with an area in it"),
        ("a.wkt", "POLYGON EMPTY", "a.wkt: there is no polygon with an area in it"),
        ("a.wkt", "SRID=4326;POLYGON ((0 0, 9 0, 9 9))", "a.wkt:1:1: SRID 4326 is in degrees"),
        ("a.wkt", degrees, "these look like degrees, and coordinates must be metres"),
        (
            "a.wkt",
            "POLYGON ((0 0, 9 0, 9 9),\n (1 1, 5 5, 5 1, 1 4))",
            "a.wkt: line 2, column 2: the ring crosses itself: the edges from [1, 1] to [5, 5] and \
             from [5, 1] to [1, 4] meet",
        ),
        (
            "a.wkt",
            "POLYGON ((0 0, 9 9, 9 0, 0 9))",
            "the ring crosses itself: the edges from [0, 0]",
        ),
        ("a.wkt", "POLYGON ((0 0, 9 0))", "a.wkt: line 1, column 10: a ring needs at least three"),
        (
            "a.wkt",
            "POLYGON ((500000 5e6, 500010 5e6, 500010 5000010))",
            "[500000, 5000000] is more than 100 km from the origin; move the plan close to it",
        ),
        ("a.geojson", "{ \"type\": \n", "a.geojson:2:1: it is not JSON: EOF"),
        ("a.geojson", "[]", "a.geojson: $: expected a GeoJSON object with a \"type\""),
        (
            "a.geojson",
            "{\"type\": \"Shape\"}",
            "a.geojson: $: there is no type \"Shape\" in GeoJSON",
        ),
        (
            "a.geojson",
            &in_geojson(r#"{ "type": "Polygon", "coordinates": [[[0, 0], [4, "1"], [4, 4]]] }"#),
            "a.geojson: $.geometry.coordinates[0][1]: expected a point [x, y]",
        ),
        (
            "a.geojson",
            &in_geojson(r#"{ "type": "Polygon", "coordinates": 7 }"#),
            "a.geojson: $.geometry.coordinates: expected a list",
        ),
        (
            "a.geojson",
            &in_geojson(r#"{ "type": "LineString", "coordinates": [] }"#),
            "a.geojson: $.geometry: a plan is made of polygons, and not of a LineString",
        ),
        (
            "a.geojson",
            r#"{ "type": "FeatureCollection", "features": [], "crs": { "type": "name",
               "properties": { "name": "urn:ogc:def:crs:OGC:1.3:CRS84" } } }"#,
            "a.geojson: $.crs: \"urn:ogc:def:crs:OGC:1.3:CRS84\" is in degrees",
        ),
        ("a.dxf", "", "a.dxf: cannot tell the format from the name"),
    ] {
        let message = read(name, text).unwrap_err();
        assert!(message.contains(expected), "expected {expected}\ngot      {message}");
    }
}

#[test]
fn bombs_are_defused() {
    let nested = "GEOMETRYCOLLECTION (".repeat(100_000);
    assert!(read("a.wkt", &nested).unwrap_err().contains("nested too deeply"));
    let lists = format!("{{\"type\": \"Polygon\", \"coordinates\": {}", "[".repeat(100_000));
    assert!(read("a.json", &lists).unwrap_err().contains("recursion limit"));
    let long = format!("POLYGON (({}0 0))", "1 1, ".repeat(100_001));
    assert!(read("a.wkt", &long).unwrap_err().contains("at most 100000 points"));
    let folder = tempfile::tempdir().unwrap();
    assert!(read_text(&folder.path().join("no.wkt")).is_err());
    fs::write(folder.path().join("b.wkt"), [0xff, 0x00, 0xfe]).unwrap();
    let error = read_text(&folder.path().join("b.wkt")).unwrap_err().to_string();
    assert!(error.ends_with("it is not UTF-8 text"), "{error}");
    fs::rename(folder.path().join("b.wkt"), folder.path().join("b.dwg")).unwrap();
    let error = read_text(&folder.path().join("b.dwg")).unwrap_err();
    assert!(matches!(error, PlanError::UnknownFormat { .. }), "{error}");
}

#[test]
fn obstacles_with_holes_are_free_inside() {
    let solids = parse_obstacles(Path::new("a.wkt"), ROOM).unwrap();
    let solid = |x: f32, y: f32| solids.iter().any(|polygon| polygon.contains(Vec2::new(x, y)));
    assert!(solid(1.0, 1.0) && solid(9.0, 4.5) && !solid(5.1, 4.5) && !solid(11.0, 1.0));
}

#[test]
fn areas_are_written_and_read_back() {
    let text = "POLYGON ((0 0, 4 0, 4 3.5, 0 0), (1 0.5, 2 1, 2 0.5, 1 0.5))";
    let area = from_wkt(text).unwrap();
    assert_eq!((area.len(), area[0].holes().len()), (1, 1));
    assert_eq!(to_wkt(&area), text);
    let several = [area[0].clone(), area[0].clone()];
    assert!(to_wkt(&several).starts_with("MULTIPOLYGON (((0 0, 4 0"));
    assert_eq!(from_wkt(&to_wkt(&several)).unwrap(), several);
    assert!(from_wkt(&to_wkt(&[])).unwrap().is_empty());
}

#[test]
fn what_is_no_area_is_refused_with_the_reason() {
    for (text, reason) in [
        ("", "no geometry"),
        ("POINT (1 2)", "1:1: a plan is made of polygons"),
        ("POLYGON ((0 0, 1 1))", "fewer than three"),
        ("POLYGON ((0 0, 1 0, 1 1)", "expected , or ), and not the end"),
        ("POLYGON ((0 0, 1 0, 1 1)) 7", "1:27: expected POLYGON"),
    ] {
        let error = from_wkt(text).unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
    let nested = "GEOMETRYCOLLECTION (".repeat(100_000);
    assert!(from_wkt(&nested).unwrap_err().contains("nested"));
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(
        text in "\\PC*|(MULTI|GEOMETRYCOLLECTION|POLYGON|EMPTY|[(), 0-9.eé-]){0,40}",
    ) {
        let _ = (from_wkt(&text), geojson::parse(&text));
    }

    #[test]
    fn changed_files_give_a_plan_or_a_message(
        geojson in any::<bool>(),
        changes in prop::collection::vec(
            (
                any::<prop::sample::Index>(),
                0usize..6,
                prop::sample::select(vec![
                    "", "(", ")", ",", " ", "0", "-1", "1e400", "1e38", "NaN", "é", "POLYGON", "[", "]", "{", "null",
                ]),
            ),
            1..4,
        ),
    ) {
        let mut text = if geojson { GEOJSON } else { ROOM }.to_owned();
        for (place, length, token) in changes {
            let start = text.floor_char_boundary(place.index(text.len().max(1)));
            let end = text.floor_char_boundary(start + length);
            text.replace_range(start..end, token);
        }
        let parse = if geojson { geojson::parse } else { wkt::parse };
        if let Ok(polygons) = parse(&text)
            && let Ok(areas) = covered(&polygons)
        {
            prop_assert!(areas.iter().all(|area| area.size() > 0.0));
            let _ = Plan::new(&areas);
        }
    }

    #[test]
    fn a_plan_contains_what_its_polygons_cover(
        boxes in prop::collection::vec((0..12u8, 0..12u8, 1..6u8, 1..6u8), 1..6),
        hole in (0..12u8, 0..12u8, 1..4u8),
    ) {
        // On a lattice, boxes often touch, share edges or lie in each other.
        let ring = |(x, y, width, depth): (u8, u8, u8, u8)| {
            let (right, top) = (x + width, y + depth);
            format!("({x} {y}, {right} {y}, {right} {top}, {x} {top}, {x} {y})")
        };
        let inside = |(x, y, width, depth): (u8, u8, u8, u8), p: Vec2| {
            p.x > x.into() && p.x < (x + width).into() && p.y > y.into() && p.y < (y + depth).into()
        };
        let hole = (hole.0, hole.1, hole.2, hole.2);
        let outlines = boxes.iter().map(|&b| ring(b));
        let polygons: Vec<String> = outlines.map(|o| format!("({o}, {})", ring(hole))).collect();
        let text = format!("MULTIPOLYGON ({})", polygons.join(", "));
        let areas = covered(&wkt::parse(&text).unwrap());
        let plan = areas.and_then(|areas| Plan::new(&areas));
        for point in (0..400).map(|i| Vec2::new((i % 20) as f32, (i / 20) as f32) + 0.5) {
            let expected = boxes.iter().any(|&b| inside(b, point)) && !inside(hole, point);
            prop_assert_eq!(plan.as_ref().is_ok_and(|plan| plan.contains(point)), expected);
        }
    }
}
