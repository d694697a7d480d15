//! What can be typed after `throng plot`.

use std::path::PathBuf;

use clap::Args;
use throng_plot::{Area, ColourBy, Kind, MeasuringLine, Way};

use super::{Format, explained, named, picture_width};

/// Draw a recording or a scene as a figure
///
/// Of a recording, everyone's path is drawn, or what --kind asks for. Of a scene, what is there, who
/// starts where, and where they want to go.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng plot plaza.toml -o scene.png                      the scene before it runs
  throng plot plaza.parquet -o paths.svg --colour speed    everyone's path, by speed
  throng plot plaza.parquet -o map.png --density           mean density
  throng plot plaza.parquet -o now.png --kind positions --at 60
  throng plot plaza.parquet -o flow.png --kind flow --line 0,-30,0,30
  throng plot plaza.parquet -o fd.png --kind fundamental --area -5,5,5,15
  throng plot plaza.toml -o ways.png --nav                 the ways there are, and how wide
  throng plot plaza.toml -o way.png --nav --way -20,-20,15,20 --ways 3
  throng plot arrows.toml -o field.png --field stream --at 30

The same input and options give the same file. SVG files keep their text as text.")]
pub struct PlotArguments {
    /// The recording, or the scene file
    #[arg(value_name = "REC.parquet|SCENE.toml")]
    pub input: PathBuf,
    /// The figure to write; its ending is its format
    #[arg(long, short, value_name = "OUT.png|OUT.svg")]
    pub out: PathBuf,
    /// What to draw of a recording [default: trajectories]
    #[arg(long, value_name = "KIND", value_parser = explained(&Kind::ALL, Kind::name, Kind::summary))]
    pub kind: Option<Kind>,
    /// Short for --kind density
    #[arg(long, conflicts_with = "kind")]
    pub density: bool,
    /// Short for --kind nav, which can be drawn of a scene as well
    #[arg(long, conflicts_with_all = ["kind", "density"])]
    pub nav: bool,
    /// Short for --kind field, which can be drawn of a scene as well: where the arrows of this field
    /// lead, or those of all fields
    #[arg(long, value_name = "NAME|all", conflicts_with_all = ["density", "nav"])]
    pub field: Option<String>,
    /// What the colours of trajectories and positions tell [default: group]
    #[arg(long, alias = "color", value_name = "WHAT", value_parser = named(&ColourBy::ALL, ColourBy::name))]
    pub colour: Option<ColourBy>,
    /// Where to count for --kind flow [default: the scene's lines]; maps show it
    #[arg(long, value_name = "X1,Y1,X2,Y2", allow_hyphen_values = true)]
    pub line: Option<MeasuringLine>,
    /// Where to measure for --kind fundamental [default: the scene's areas]; maps show it. Can be
    /// given several times
    #[arg(long = "area", value_name = "X1,Y1,X2,Y2", allow_hyphen_values = true)]
    pub areas: Vec<Area>,
    /// A way to show with --nav, from one point to another, or along a sketch of several [default:
    /// those of groups to their first goals]
    #[arg(long, value_name = "X1,Y1,X2,Y2…", allow_hyphen_values = true)]
    pub way: Option<Way>,
    /// Show up to so many ways from that point to the other, 1 to 8: those beside the shortest one that
    /// really differ [default: 1]
    #[arg(long, value_name = "COUNT", requires = "way", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub ways: Option<u8>,
    /// The floor on which that way ends, by name [default: the one shown]
    #[arg(long, value_name = "NAME", requires = "way")]
    pub to_layer: Option<String>,
    /// Begin of the time to look at [default: the recording's]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub from: Option<f64>,
    /// End of the time to look at [default: the recording's]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub to: Option<f64>,
    /// The moment to show positions or fields at [default: when most people are there; of fields,
    /// the beginning]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// The floor, by name [default: the first]
    #[arg(long, value_name = "NAME")]
    pub layer: Option<String>,
    /// Width in pixels, 200 to 6000; text grows with it [default: what fits, about 1450]
    #[arg(long, value_name = "PX", value_parser = picture_width())]
    pub width: Option<u32>,
    /// The title, instead of the scene's name; "" for none
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Replace a figure that is there already
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub format: Format,
}
