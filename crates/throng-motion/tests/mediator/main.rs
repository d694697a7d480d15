mod stage;

use glam::{Quat, Vec3};
use stage::*;
use throng_motion::mediator::PerformerOptions;

fn report(name: &str, seen: &Seen) {
    let mut slips = seen.slips.clone();
    slips.sort_by(f32::total_cmp);
    let q =
        |p: f32| slips.get(((slips.len() - 1) as f32 * p) as usize).copied().unwrap_or(0.0) * 1e3;
    let mut dev = seen.deviations.clone();
    dev.sort_by(f32::total_cmp);
    let d = |p: f32| dev[((dev.len() - 1) as f32 * p) as usize] * 1e3;
    let piv = seen.pivots.iter().copied().fold(0.0, f32::max).to_degrees();
    println!(
        "{name:28} slip mm p50 {:.3} p95 {:.3} p99 {:.3} max {:.3} | dev mm mean {:.2} p95 {:.2} max {:.2} | pivot {piv:.1}° low {:.1} mm",
        q(0.5),
        q(0.95),
        q(0.99),
        q(1.0),
        seen.mean_deviation() * 1e3,
        d(0.95),
        d(1.0),
        seen.lowest * 1e3
    );
}

#[test]
fn explore() {
    for lean in [0.0, 0.06] {
        for feedback in [true, false] {
            println!("lean {lean} feedback {feedback}");
            let options = PerformerOptions { lean, ..Default::default() };
            let make = || Stage { feedback, ..Stage::new(options) };
            for speed in [0.1, 0.3, 0.7, 1.0, 1.3, 1.34, 1.8, 2.5, 3.0] {
                let mut stage = make();
                for _ in 0..500 {
                    stage.step(speed * Vec3::Z, None);
                }
                let way = stage.seen.places.last().unwrap().z - stage.seen.places[250].z;
                report(&format!("straight {speed} -> {:.3}", way / (249.0 * STEP)), &stage.seen);
            }
            for degrees in [20f32, 60.0, 120.0] {
                let mut stage = make();
                for frame in 0..500 {
                    let yaw = degrees.to_radians() * frame as f32 * STEP;
                    stage.step(Quat::from_rotation_y(yaw) * Vec3::Z * 1.3, None);
                }
                report(&format!("circle {degrees}°/s"), &stage.seen);
            }
            let mut stage = make();
            for frame in 0..1000 {
                let yaw = 90f32.to_radians() * (frame / 75) as f32;
                stage.step(Quat::from_rotation_y(yaw) * Vec3::Z * 1.3, None);
            }
            report("corners", &stage.seen);
            let mut stage = make();
            for frame in 0..1000 {
                let go = (frame / 60) % 2 == 0;
                stage.step(if go { Vec3::Z * 1.2 } else { Vec3::ZERO }, None);
            }
            report("stop and go", &stage.seen);
            let mut stage = make();
            for frame in 0..400 {
                let yaw = if frame > 50 { 2.5 } else { 0.0 };
                stage.step(Vec3::ZERO, Some(yaw));
            }
            report(
                &format!("turn on the spot -> {:.2}", stage.seen.played.last().unwrap().facing),
                &stage.seen,
            );
        }
    }
}
