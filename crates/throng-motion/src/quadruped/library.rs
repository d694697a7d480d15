//! The clips of an animal, for whoever wants clips.

use super::body::Quadruped;
use super::law::Gait;
use super::stand::Stand;
use super::steady::{GaitError, Steady};
use crate::clip::Clip;

/// How far each clip is from the slowest to the fastest of its gait. The very ends are for nobody's eyes.
const SHARES: [f32; 3] = [0.1, 0.45, 0.8];

/// Clips of an animal that stands, walks and trots, from slow to fast.
///
/// # Errors
///
/// If its legs are too short or too stiff for some of them.
pub fn library(animal: &Quadruped) -> Result<Vec<Clip>, GaitError> {
    let mut clips = vec![Stand::default().clip(animal)?];
    for gait in [Gait::Walk, Gait::Trot] {
        let [least, most] = Steady::speeds(animal, gait);
        for share in SHARES {
            // A speed that can be said in a name.
            let speed = (20.0 * (least + share * (most - least))).round() / 20.0;
            clips.push(Steady { speed, gait: Some(gait) }.clip(animal)?);
        }
    }
    Ok(clips)
}
