//! Smoothed walks against those that they really are.

use crate::support::*;

#[test]
fn explore() {
    for (name, walk) in [
        ("straight", straight as Walk),
        ("circle", circle),
        ("corner", corner),
        ("stop", stop_and_go),
    ] {
        for rate in [1.0, 2.5, 5.0, 25.0] {
            for (noise, sway) in [(0.0, 0.0), (0.03, 0.0), (0.1, 0.0), (0.005, 0.03), (0.02, 0.05)]
            {
                let samples = seen(walk, Camera { rate, noise, sway }, 8);
                let (tracks, report) = smooth(&samples);
                let e = errors(walk, &samples, &tracks);
                let n = report.noise.unwrap();
                println!(
                    "{name:9} {rate:4} {noise:.3} {sway:.3}: raw {:.4} pos {:.4} worst {:.3} vel {:.3} acc {:.2} | jit {:.4} sway {:.4} q {:.3} loose {:.5} | res rms {:.3} max {:.3} stand {:.1} stretches {}",
                    e.samples,
                    e.positions,
                    e.worst,
                    e.velocities,
                    e.acceleration,
                    n.jitter,
                    n.sway,
                    n.restlessness,
                    n.looseness,
                    report.residuals.rms,
                    report.residuals.max,
                    report.standing / 8.0,
                    report.stretches
                );
            }
        }
    }
}
