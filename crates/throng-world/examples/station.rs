//! Writes the model of a small station: a hall with two storeys, two platforms and a bridge.
//!
//! ```sh
//! cargo run --package throng-world --example station > scenes/station.obj
//! throng survey scenes/station.obj -o station.toml
//! ```

#[path = "../tests/it/survey/model.rs"]
mod model;

use glam::Vec3;
use model::Model;

/// Height of the bridge and of the upper storey above platforms and hall, m.
const STOREY: f32 = 5.0;

fn main() {
    let mut station = Model::default();
    tracks_and_platforms(&mut station);
    hall(&mut station);
    upper_storey(&mut station);
    bridge(&mut station);
    print!("{}", station.to_obj());
}

fn tracks_and_platforms(station: &mut Model) {
    station.sheet([-40.0, -3.2], [40.0, 3.2], -0.9);
    station.solid([-40.0, 3.2, -1.2], [40.0, 9.0, 0.0]);
    station.solid([-40.0, -9.0, -1.2], [40.0, -3.2, 0.0]);
    // Where the ramp begins.
    station.solid([40.0, -12.0, -1.2], [47.0, -3.2, 0.0]);
    for x in [-30.0, -20.0, 20.0, 30.0] {
        for y in [7.0, -7.5] {
            station.solid([x, y, 0.0], [x + 2.0, y + 0.5, 0.45]);
        }
    }
}

fn hall(station: &mut Model) {
    station.sheet([-15.0, 9.0], [15.0, 30.0], 0.0);
    // Walls with doors to the platform and to the street.
    for (y, doors) in [(9.0, [1.0, 8.0]), (19.0, [-2.0, 9.0])] {
        let mut from = -15.0;
        for door in doors.into_iter().chain([15.0]) {
            station.solid([from, y, 0.0], [door, y + 0.3, STOREY - 0.4]);
            from = door + 2.4;
        }
    }
    for x in [-15.0, 14.7] {
        station.solid([x, 9.3, 0.0], [x + 0.3, 19.0, STOREY - 0.4]);
    }
    // A kiosk and pillars.
    station.solid([-12.0, 15.0, 0.0], [-9.0, 18.0, 2.6]);
    for x in [-4.0, 0.0, 4.0] {
        station.solid([x, 12.0, 0.0], [x + 0.5, 12.5, STOREY - 0.4]);
    }
    station.stairs([2.0, 15.5, 0.0], 2.4, 30, 0.3, STOREY / 30.0, 0.0);
}

/// A slab over the hall with an opening for the stairs, and parapets around it.
fn upper_storey(station: &mut Model) {
    let slab = STOREY - 0.4;
    station.solid([-15.0, 9.0, slab], [15.0, 15.5, STOREY]);
    station.solid([-15.0, 17.9, slab], [15.0, 19.3, STOREY]);
    station.solid([-15.0, 15.5, slab], [4.4, 17.9, STOREY]);
    station.solid([11.0, 15.5, slab], [15.0, 17.9, STOREY]);
    let parapet = STOREY + 1.1;
    station.solid([-15.0, 19.0, STOREY], [15.0, 19.3, parapet]);
    station.solid([-15.0, 9.0, STOREY], [-3.0, 9.2, parapet]);
    station.solid([3.0, 9.0, STOREY], [15.0, 9.2, parapet]);
    for x in [-15.0, 14.8] {
        station.solid([x, 9.2, STOREY], [x + 0.2, 19.0, parapet]);
    }
    // Round the opening, except at the head of the stairs.
    station.solid([4.2, 15.3, STOREY], [4.4, 18.1, parapet]);
    station.solid([4.4, 15.3, STOREY], [11.0, 15.5, parapet]);
    station.solid([4.4, 17.9, STOREY], [11.0, 18.1, parapet]);
}

fn bridge(station: &mut Model) {
    let (slab, parapet) = (STOREY - 0.4, STOREY + 1.1);
    station.solid([-3.0, -12.0, slab], [3.0, 9.0, STOREY]);
    // Gaps for the stairs of both platforms, at -3 and 3, and for the ramp at the south end.
    station.solid([-3.0, -12.0, STOREY], [3.0, -11.8, parapet]);
    station.solid([-3.0, -11.8, STOREY], [-2.8, 6.0, parapet]);
    station.solid([-3.0, 8.4, STOREY], [-2.8, 9.0, parapet]);
    station.solid([2.8, -6.0, STOREY], [3.0, 9.0, parapet]);
    station.solid([2.8, -9.3, STOREY], [3.0, -8.4, parapet]);
    for (x, y) in [(-2.5, 4.5), (2.0, 4.5), (-2.5, -5.0), (2.0, -5.0)] {
        station.solid([x, y, 0.0], [x + 0.5, y + 0.5, slab]);
    }
    station.stairs([-12.0, 6.0, 0.0], 2.4, 30, 0.3, STOREY / 30.0, 0.0);
    let mut south = Model::default();
    south.stairs([-12.0, 6.0, 0.0], 2.4, 30, 0.3, STOREY / 30.0, 0.0);
    station.add(south.moved(180.0, Vec3::ZERO));
    // The ramp: a wedge along the platform.
    let rise = |[x, _]: [f32; 2]| (STOREY * (43.0 - x) / 40.0).max(0.01);
    let outline = [[3.0, -11.8], [43.0, -11.8], [43.0, -9.3], [3.0, -9.3]];
    station.prism(&outline, -0.2, rise);
    let rail = |[x, _]: [f32; 2]| STOREY * (43.0 - x) / 40.0 + 1.1;
    station.prism(&[[3.0, -12.0], [42.0, -12.0], [42.0, -11.8], [3.0, -11.8]], -0.2, rail);
    station.prism(&[[3.0, -9.3], [42.0, -9.3], [42.0, -9.1], [3.0, -9.1]], -0.2, rail);
}
