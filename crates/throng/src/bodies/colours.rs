//! Colours of people: skin, hair and clothes.

use throng_motion::Region;
use throng_motion::files::gltf::Palette;
use throng_world::random::Stream;

/// Skin, from light to dark, as linear colours.
const SKIN: [[f32; 3]; 6] = [
    [0.672, 0.423, 0.309],
    [0.591, 0.351, 0.242],
    [0.484, 0.262, 0.165],
    [0.342, 0.171, 0.098],
    [0.188, 0.088, 0.049],
    [0.096, 0.045, 0.027],
];

/// Hair of the young.
const HAIR: [[f32; 3]; 6] = [
    [0.012, 0.009, 0.008],
    [0.027, 0.016, 0.011],
    [0.058, 0.031, 0.018],
    [0.128, 0.068, 0.033],
    [0.314, 0.195, 0.089],
    [0.165, 0.051, 0.020],
];

const GREY: [f32; 3] = [0.342, 0.337, 0.330];

/// Tops.
const TOPS: [[f32; 3]; 10] = [
    [0.502, 0.054, 0.046],
    [0.042, 0.124, 0.309],
    [0.651, 0.630, 0.584],
    [0.028, 0.030, 0.036],
    [0.077, 0.202, 0.128],
    [0.584, 0.342, 0.048],
    [0.209, 0.212, 0.223],
    [0.130, 0.061, 0.165],
    [0.356, 0.491, 0.571],
    [0.381, 0.150, 0.093],
];

/// Trousers and skirts.
const BOTTOMS: [[f32; 3]; 6] = [
    [0.032, 0.048, 0.093],
    [0.018, 0.019, 0.022],
    [0.147, 0.121, 0.084],
    [0.090, 0.093, 0.098],
    [0.051, 0.061, 0.045],
    [0.287, 0.242, 0.171],
];

/// Shoes.
const SHOES: [[f32; 3]; 4] =
    [[0.014, 0.013, 0.012], [0.065, 0.033, 0.016], [0.604, 0.597, 0.584], [0.039, 0.042, 0.051]];

/// Colours of somebody of this age.
pub(super) fn colours_of_person(draw: &mut Stream, age: f32) -> Palette {
    let of = |draw: &mut Stream, colours: &[[f32; 3]]| {
        colours[(draw.bits() % colours.len() as u64) as usize]
    };
    let skin = of(draw, &SKIN);
    // The darker the skin, the fewer are fair.
    let fair = if skin[0] > 0.4 { HAIR.len() } else { 3 };
    let hair = of(draw, &HAIR[..fair]);
    let grey = ((age - 45.0) / 30.0).clamp(0.0, 1.0) * draw.unit().sqrt();
    let hair =
        std::array::from_fn(|channel| hair[channel] + grey * (GREY[channel] - hair[channel]));
    Palette::default()
        .with(Region::Skin, skin)
        .with(Region::Hair, hair)
        .with(Region::Top, of(draw, &TOPS))
        .with(Region::Bottom, of(draw, &BOTTOMS))
        .with(Region::Shoes, of(draw, &SHOES))
}
