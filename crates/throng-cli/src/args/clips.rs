//! Arguments of `throng clips`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use throng_motion::catalogue::MotionFormat;
use throng_plot::ClipFigure;

use super::{Format, explained, named, picture_width};

/// List, check and draw motion clips
///
/// Without files, these are the clips that Throng makes for a body of the given height. Of files, each
/// motion is analysed: when feet are on the ground, which cycle is the steadiest, how fast it goes. If a
/// clip can be made of it, it is listed with its numbers, otherwise with the reason why not.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng clips                                   Throng's own clips
  throng clips --animal dog                      those of a dog
  throng clips walk.bvh dance.glb                can these drive people?
  throng clips walk.bvh --check                  its gait beside that of people
  throng clips --clip \"walk 1.30\" --draw strip -o walk.png
  throng clips walk.bvh --draw angles -o angles.svg
  throng clips walk.bvh --to glb -o walk.glb     for other programs
  throng clips walk.bvh --height 1.6 --to glb -o small.glb
                                                 on Throng's body, which has a surface
  throng clips rig.bvh --landmarks rig.toml      for rigs whose joints have odd names

docs/clips.md says what clips are and how to bring one's own.")]
pub struct ClipsArguments {
    /// Motion files: .bvh, .glb, .gltf or .fbx [default: Throng's own clips]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The clips of an animal instead of a person; --height is that of its withers
    #[arg(long, value_name = "ANIMAL", conflicts_with = "files")]
    pub animal: Option<Animal>,
    /// Only the clips of these names
    #[arg(long = "clip", value_name = "NAME")]
    pub clips: Vec<String>,
    /// How tall Throng's body is, m [default: 1.75]; motions of files are carried over to it
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub height: Option<f32>,
    /// Which joints are which landmarks, where names do not tell
    #[arg(long, value_name = "FILE.toml", requires = "files")]
    pub landmarks: Option<PathBuf>,
    /// Hold gaits against those of people; exit code 1 if a motion cannot be a clip
    #[arg(long)]
    pub check: bool,
    /// Draw the clips
    #[arg(long, value_name = "FIGURE", value_parser = explained(&ClipFigure::ALL, ClipFigure::name, ClipFigure::summary), requires = "out")]
    pub draw: Option<ClipFigure>,
    /// Write the motions in another format
    #[arg(long, value_name = "FORMAT", value_parser = named(&MotionFormat::ALL, MotionFormat::name), requires = "out",
        conflicts_with = "draw")]
    pub to: Option<MotionFormat>,
    /// With --to: only the cycle that makes the clip, instead of the whole motion
    #[arg(long, requires = "to")]
    pub cycle: bool,
    /// With --to: only the bones of Throng's body, without its surface
    #[arg(long, requires = "to")]
    pub bones: bool,
    /// The file to draw or to write to
    #[arg(long, short, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Width of the picture in pixels, 200 to 6000
    #[arg(long, value_name = "PIXELS", value_parser = picture_width(), requires = "draw")]
    pub width: Option<u32>,
    #[command(flatten)]
    pub format: Format,
}

/// Animals that have clips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Animal {
    Dog,
    Horse,
}
