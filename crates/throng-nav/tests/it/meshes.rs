//! Navigation meshes: that they are read as they are, and that ways across them are as short as
//! the scenarios beside them say.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support::mesh::{Mesh, MeshError, Scenario};
use crate::support::sight::Sight;
use glam::DVec2;
use proptest::prelude::*;
use throng_nav::{CorridorMap, Extras, Footprint, MapRules, Search, Walker};
use throng_world::walkable::{Area, difference};

use crate::support::{Dice, GROUND, point, scattered};

/// The scenarios of meshes know no bodies: nearly a point.
const WALKER: Walker = Walker { radius: 0.005, margin: 0.0 };

/// A square with a triangle on top of it.
const SMALL: &str = "
mesh
2
5 2
0 0 2 0 -1
2 0 2 0 -1
0 2 3 0 1 -1
2 2 3 0 1 -1
1 4 2 1 -1
4 0 1 3 2 -1 -1 -1 1
3 2 3 4 -1 0 -1
";

/// Some ground as a mesh: triangulated, then written and read.
fn meshed(area: &Area) -> Mesh {
    let ring = |ring: &[DVec2]| ring.iter().map(|p| p.as_vec2()).collect::<Vec<_>>();
    let mut triangulation = polyanya::Triangulation::from_outer_edges(&ring(area.outline()));
    triangulation.add_obstacles(area.holes().iter().map(|hole| ring(hole)));
    let layer = &triangulation.as_navmesh().layers[0];
    let vertices = layer.vertices.iter().map(|vertex| vertex.coords.as_dvec2());
    let corners = |vertices: &[u32]| vertices.iter().map(|&vertex| vertex as usize).collect();
    let rings: Vec<Vec<usize>> = layer.polygons.iter().map(|p| corners(&p.vertices)).collect();
    let mesh = Mesh::new(vertices.collect(), &rings);
    let read = Mesh::parse(&mesh.text()).unwrap();
    assert_eq!(read, mesh);
    read
}

/// Scenarios between random places of some ground, with the lengths of the exact shortest paths.
fn scenarios(name: &str, area: &Area, count: u32, seed: u64) -> Vec<Scenario> {
    let sight = Sight::new(vec![area.clone()]);
    let mut dice = Dice::new(seed);
    let (min, max) = area.extent();
    let mut place = || loop {
        let at = point(dice.between(min.x, max.x), dice.between(min.y, max.y));
        if area.contains(at) {
            return at;
        }
    };
    let size = (max - min).ceil().to_array().map(|side| side as u32);
    let scenario = |_| {
        let (from, to) = (place(), place());
        let length = sight.length(from, to)?;
        Some(Scenario { bucket: (length / 4.0) as u32, map: name.into(), size, from, to, length })
    };
    let made: Vec<Scenario> = (0..count).filter_map(scenario).collect();
    let read = Scenario::parse(&Scenario::text(&made)).unwrap();
    assert_eq!(read, made);
    read
}

fn map(mesh: &Mesh) -> CorridorMap {
    let footprint = Footprint::new(&mesh.areas()).unwrap();
    CorridorMap::new(&[footprint], &MapRules { smallest_body: WALKER.radius }).unwrap()
}

fn length(map: &CorridorMap, scenario: &Scenario) -> Option<f64> {
    let (from, to) = ((GROUND, scenario.from), (GROUND, scenario.to));
    let way = map.corridor(&mut Search::new(usize::MAX), from, to, &WALKER, Extras::default());
    way.ok().map(|corridor| corridor.shortest_path(0.0).length())
}

#[test]
fn ways_across_meshes_are_as_long_as_their_scenarios_say() {
    let (mut worst, mut count) = (0.0f64, 0);
    for seed in 0..6 {
        let (ground, solids) = scattered(14, seed + 300);
        // Some worlds fall into parts; the largest is the mesh.
        let parts = difference(&ground, &solids);
        let area = parts.iter().max_by(|a, b| a.size().total_cmp(&b.size())).unwrap();
        let map = map(&meshed(area));
        for scenario in scenarios(&format!("scattered-{seed}.mesh"), area, 80, seed) {
            let length = length(&map, &scenario).unwrap_or_else(|| panic!("{scenario:?}"));
            // Corners are moved by half a millimetre to the lattice.
            let off = (length - scenario.length).abs();
            assert!(off < 0.004 + 1e-4 * scenario.length, "{length} {scenario:?}");
            (worst, count) = (worst.max(off), count + 1);
        }
    }
    println!("{count} scenarios, off by {worst:.6} m at most");
    assert!(count > 400, "{count}");
}

#[test]
fn a_mesh_is_read_whatever_its_white_space() {
    let mesh = Mesh::parse(SMALL).unwrap();
    assert_eq!((mesh.vertices.len(), mesh.polygons.len()), (5, 2));
    assert_eq!(mesh.vertices[4], point(1.0, 4.0));
    assert_eq!(mesh.polygons[1].corners, [2, 3, 4]);
    assert_eq!(mesh.polygons[1].beyond, [None, Some(0), None]);
    let one_line = SMALL.split_whitespace().collect::<Vec<_>>().join("\n\n");
    assert_eq!(Mesh::parse(&one_line).unwrap(), mesh);
    let area: f64 = difference(&mesh.areas(), &[]).iter().map(Area::size).sum();
    assert!((area - 6.0).abs() < 1e-9, "{area}");
}

#[test]
fn what_is_wrong_with_a_mesh_is_said_with_its_line() {
    let errors = [
        ("mash 2", "line 1: \"mash\" is not the word mesh"),
        ("mesh\n1", "line 2: \"1\" is not a version that is known, which is 2"),
        ("mesh\n2\n5", "line 3: the file ends where the number of polygons should be"),
        ("mesh\n2\n1 0\n0 inf 0", "line 4: \"inf\" is not a finite number"),
        ("mesh\n2\n1 0\n0 0 1 0", "line 4: polygon 0 does not exist: there are 0, numbered from 0"),
        ("mesh\n2\n0 1\n2 0 1", "line 4: a polygon has 2 corners; it needs at least 3"),
        ("mesh\n2\n0 0\n7", "line 4: there is \"7\" after the last polygon; remove it"),
        ("mesh 2 9999999999999999 1", "line 1: the file ends where a coordinate should be"),
    ];
    for (text, message) in errors {
        assert_eq!(Mesh::parse(text).unwrap_err().to_string(), message);
    }
    let stranger = SMALL.replace("3 2 3 4 -1 0 -1", "3 2 3 4 0 -1 -1");
    let error = MeshError::NotShared { polygon: 1, other: 0 };
    assert_eq!(Mesh::parse(&stranger).unwrap_err(), error);
}

#[test]
fn what_is_wrong_with_a_scenario_is_said_with_its_line() {
    let line = "3\tmy maps/arena.mesh\t49\t49\t1\t11\t1.5\t12\t2.25";
    let [scenario] = &Scenario::parse(&format!("version 1\n{line}\n\n")).unwrap()[..] else {
        panic!("one line is one scenario")
    };
    assert_eq!((scenario.bucket, scenario.map.as_str()), (3, "my maps/arena.mesh"));
    assert_eq!((scenario.to, scenario.length), (point(1.5, 12.0), 2.25));
    let errors = [
        ("", "line 1: \"\" is not a version that is known: write version 1"),
        (
            "version 1\n1 2 3",
            "line 2: a scenario has 3 fields; write 9: bucket map width height x y x y length",
        ),
        ("version 1\n\n0 a 4 4 0 0 x 1 1", "line 3: \"x\" is not a number"),
        ("version 1\n0 a 4 4 0 0 1 1 nan", "line 2: \"nan\" is not a finite number"),
        ("version 1\n-1 a 4 4 0 0 1 1 1", "line 2: \"-1\" is not a whole number"),
    ];
    for (text, message) in errors {
        assert_eq!(Scenario::parse(text).unwrap_err().to_string(), message);
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,200}") {
        let _ = (Mesh::parse(&text), Scenario::parse(&text));
    }

    #[test]
    fn meshes_with_changed_words_are_read_or_refused(
        at in 0usize..60,
        word in prop_oneof![
            Just("-1"), Just("0"), Just("1e9"), Just("nan"), Just("18446744073709551615"), Just("x"), Just(""),
        ],
    ) {
        let mut words: Vec<&str> = SMALL.split_whitespace().collect();
        let at = at % words.len();
        words[at] = word;
        // What is read is a mesh that can be written, read again, and walked on.
        if let Ok(mesh) = Mesh::parse(&words.join(" ")) {
            prop_assert_eq!(Mesh::parse(&mesh.text()), Ok(mesh.clone()));
            let _ = Footprint::new(&mesh.areas());
        }
    }

    #[test]
    fn meshes_that_are_cut_off_are_refused(share in 0.0f64..1.0) {
        let words: Vec<&str> = SMALL.split_whitespace().collect();
        let kept = (share * words.len() as f64) as usize;
        let error = Mesh::parse(&words[..kept].join(" ")).unwrap_err();
        let is_end = matches!(error, MeshError::Ends { .. });
        prop_assert!(is_end, "{}", error);
    }
}
