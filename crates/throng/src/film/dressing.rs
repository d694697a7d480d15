//! How the people of a recording look, whoever shows them and from when on.

use std::sync::Arc;

use throng_world::Scene;
use throng_world::scene::{Dispositions, GroupId, Species};

use super::playback::window;
use super::{FilmError, PlayOptions};
use crate::bodies::Cast;
use crate::bodies::variety::{Present, Wardrobe};
use crate::recording::{Frame, People, Recording, RecordingError};

/// Goes through `recording` from its beginning to where `options` end, and dresses everybody when they appear, so that
/// they look the same in every film of it, whichever part and whoever it shows, and in a studio.
///
/// # Errors
///
/// If the recording is damaged, or nothing is to be seen.
pub fn dressed(
    recording: &mut Recording,
    scene: Option<&Scene>,
    options: &PlayOptions,
) -> Result<Wardrobe, FilmError> {
    let last = recording.frame_count().saturating_sub(1);
    let span = (recording.time_of(0), recording.time_of(last));
    let (_, end) = window(span, options)?;
    let library = Cast::scene_library(options.looks, scene)?;
    let mut wardrobe = Wardrobe::new(Arc::new(library), options.seed).remembering_all();
    dress(recording, scene, end, &mut wardrobe)?;
    Ok(wardrobe)
}

/// Goes through `recording` from its beginning to the first frame after `end`, s, and dresses everybody when they appear
/// with what is in `wardrobe`.
///
/// # Errors
///
/// If the recording is damaged; whoever came before that is dressed.
pub fn dress(
    recording: &mut Recording,
    scene: Option<&Scene>,
    end: f64,
    wardrobe: &mut Wardrobe,
) -> Result<(), RecordingError> {
    let mut frame = Frame::default();
    for index in 0..recording.frame_count() {
        if recording.time_of(index) > end + recording.info().interval() {
            break;
        }
        recording.read_frame(index, &mut frame)?;
        wardrobe.dress(&present(&frame.people, scene));
    }
    Ok(())
}

/// Who is in a recorded frame, and what they are in `scene`.
pub fn present(people: &People, scene: Option<&Scene>) -> Vec<Present> {
    let kind = |group: GroupId| {
        let group = scene.and_then(|scene| scene.groups.get(usize::from(group.0)));
        group.map_or(Species::Person, |group| group.species)
    };
    let dispositions = scene.and_then(Dispositions::of);
    let temperament =
        |index: usize| dispositions.as_ref()?.temperament(people.ids[index], people.groups[index]);
    let one = |index: usize| Present {
        id: people.ids[index],
        species: kind(people.groups[index]),
        place: people.positions[index].extend(people.heights[index]),
        temperament: temperament(index).unwrap_or_default(),
    };
    (0..people.len()).map(one).collect()
}
