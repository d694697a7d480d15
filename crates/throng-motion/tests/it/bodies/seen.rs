//! What is seen of a face from a few metres away.

use glam::{Quat, Vec2, Vec3};
use throng_motion::files::gltf::Palette;
use throng_motion::{Detail, Landmark, ModelPose, Physique, Pose, Region};

use super::support::*;

/// Pixels per metre 4 m away: the studio's lens of 38° and a window 900 pixels high.
const SCALE: f32 = 327.0;
/// What is drawn: 100 mm × 36 mm about both eyes.
const WINDOW: [usize; 2] = [33, 12];
/// Samples along each side of a pixel.
const SAMPLES: usize = 4;

/// Lightness of each pixel about the eyes, from 0 to 1 as screens take it, and where the irises are on
/// average, in pixels to the right.
fn seen(physique: &Physique, turn: Quat) -> (Vec<f32>, f32) {
    let (human, mesh) = body(physique, &bald(), Detail::Full);
    let mut pose = Pose::rest(human.skeleton());
    for eye in [Landmark::LeftEye, Landmark::RightEye] {
        pose.rotations[human.joint(eye).index()] = turn;
    }
    let (positions, _) = mesh.skinned(&ModelPose::of(human.skeleton(), &pose));
    let middle = human.skeleton().rest_position(human.joint(Landmark::LeftEye)).y;
    let [wide, high] = WINDOW.map(|side| side * SAMPLES);
    let mut samples = vec![(f32::MIN, Region::Skin); wide * high];
    let fine = SCALE * SAMPLES as f32;
    for part in &mesh.parts {
        for corners in &part.triangles {
            let corners = corners.map(|vertex| positions[vertex as usize]);
            let [a, b, c] = corners.map(|at| {
                Vec2::new(at.x, at.y - middle) * fine + 0.5 * Vec2::new(wide as f32, high as f32)
            });
            let area = (b - a).perp_dot(c - a);
            let (low, top) = (a.min(b).min(c), a.max(b).max(c));
            let rows = low.y.max(0.0) as usize..(top.y.ceil().max(0.0) as usize).min(high);
            for y in rows {
                for x in low.x.max(0.0) as usize..(top.x.ceil().max(0.0) as usize).min(wide) {
                    let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                    let weights =
                        [(b, c), (c, a), (a, b)].map(|(p, q)| (q - p).perp_dot(at - p) / area);
                    let depth: f32 = (0..3).map(|k| weights[k] * corners[k].z).sum();
                    let sample = &mut samples[y * wide + x];
                    if weights.iter().all(|weight| *weight >= 0.0) && depth > sample.0 {
                        *sample = (depth, part.region);
                    }
                }
            }
        }
    }
    let light = |region: Region| Vec3::from(Palette::default().colour(region)).element_sum() / 3.0;
    let mut pixels = vec![0.0; WINDOW[0] * WINDOW[1]];
    let (mut irises, mut count) = (0.0, 0.0);
    for (index, (_, region)) in samples.iter().enumerate() {
        let (x, y) = (index % wide / SAMPLES, index / wide / SAMPLES);
        pixels[y * WINDOW[0] + x] += light(*region) / (SAMPLES * SAMPLES) as f32;
        if matches!(region, Region::Iris | Region::Pupil) {
            irises += (index % wide) as f32 / SAMPLES as f32;
            count += 1.0;
        }
    }
    (pixels.into_iter().map(|light: f32| light.powf(1.0 / 2.2)).collect(), irises / count)
}

#[test]
fn from_four_metres_away_it_is_seen_where_somebody_looks() {
    for physique in [Physique::default(), Physique::typical(8.0, 0.0), Physique::typical(30.0, 1.0)]
    {
        let (ahead, middle) = seen(&physique, Quat::IDENTITY);
        for yaw in [-30.0, 30.0] {
            let (aside, moved) = seen(&physique, Quat::from_rotation_y(f32::to_radians(yaw)));
            let steps = ahead.iter().zip(&aside).map(|(a, b)| (a - b).abs());
            let changed = steps.filter(|step| *step > 0.1).count();
            assert!(changed >= 8, "{physique:?} {yaw}°: {changed} pixels change");
            let moved = (moved - middle) * yaw.signum();
            assert!(moved > 1.2, "{physique:?} {yaw}°: irises move by {moved} pixels");
        }
    }
}
