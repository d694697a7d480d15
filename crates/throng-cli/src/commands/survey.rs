//! `throng survey`.

use std::fmt;

use serde::Serialize;
use throng::survey::{SurveyOptions, Surveyed, survey_file};
use throng::world::survey::{Joint, Rules};

use crate::args::SurveyArguments;
use crate::failure::Failure;
use crate::report;

/// Makes a scene of a model.
pub fn run(arguments: &SurveyArguments) -> Result<(), Failure> {
    let options = SurveyOptions {
        rules: Rules {
            cell: arguments.cell,
            max_slope: arguments.max_slope.to_radians(),
            max_step: arguments.max_step,
            headroom: arguments.headroom,
            min_area: arguments.min_area,
            start: arguments.start.map(Into::into),
        },
        unit: arguments.unit,
        up: arguments.up,
        overwrite: arguments.force.into(),
    };
    let surveyed = survey_file(&arguments.model, &arguments.out, &options)?;
    let summary = Summary::new(arguments.model.display().to_string(), &surveyed);
    summary.warnings.iter().for_each(|warning| report::warning(warning));
    arguments.format.print(&summary)
}

/// What was found.
#[derive(Serialize)]
struct Summary {
    model: String,
    triangles: usize,
    skipped_triangles: usize,
    floors: Vec<Floor>,
    joints: Vec<Connection>,
    pieces: usize,
    narrowest_passage: Option<f64>,
    left_out: LeftOut,
    files: Vec<String>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Floor {
    name: String,
    elevation: f32,
    area: f64,
}

#[derive(Serialize)]
struct Connection {
    kind: &'static str,
    lower: String,
    upper: String,
    width: f64,
    length: f64,
    rise: f32,
}

#[derive(Serialize)]
struct LeftOut {
    places: usize,
    area: f64,
}

impl Summary {
    fn new(model: String, surveyed: &Surveyed) -> Self {
        let plan = &surveyed.plan;
        let name = |floor: usize| format!("floor {floor}");
        let floor = |number: usize| Floor {
            name: name(number),
            elevation: plan.floors[number].elevation,
            area: plan.floors[number].area,
        };
        let connection = |joint: &Joint| Connection {
            kind: joint.kind.name(),
            lower: name(joint.lower),
            upper: name(joint.upper),
            width: joint.width(),
            length: joint.length(),
            rise: joint.heights[1] - joint.heights[0],
        };
        let lost = plan.lost_joints.iter().map(|width| {
            format!("a way between two floors is only {width:.1} m wide, and left out")
        });
        Self {
            model,
            triangles: surveyed.triangles,
            skipped_triangles: plan.skipped_triangles,
            floors: (0..plan.floors.len()).map(floor).collect(),
            joints: plan.joints.iter().map(connection).collect(),
            pieces: plan.components,
            narrowest_passage: plan.narrowest_passage,
            left_out: LeftOut { places: plan.dropped.len(), area: plan.dropped.iter().sum() },
            files: surveyed.files.iter().map(|file| file.display().to_string()).collect(),
            warnings: lost.collect(),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let triangles = report::counted(self.triangles as u64, "triangle", "triangles");
        write!(f, "{}: {triangles}", self.model)?;
        if self.skipped_triangles > 0 {
            write!(f, ", {} of them without an area or a place", self.skipped_triangles)?;
        }
        for floor in &self.floors {
            let Floor { name, elevation, area } = floor;
            write!(f, "\n  {name}: {area:.0} m² at {elevation:.2} m")?;
        }
        for joint in &self.joints {
            let Connection { kind, lower, upper, width, length, rise } = joint;
            write!(f, "\n  {kind} from {lower} to {upper}: {width:.1} m wide, ")?;
            write!(f, "{length:.1} m long, {rise:.1} m up")?;
        }
        let pieces = report::counted(self.pieces as u64, "piece", "pieces");
        write!(f, "\n  {pieces} of connected ground")?;
        if let Some(width) = self.narrowest_passage {
            write!(f, "; the narrowest way that cannot be avoided is about {width:.1} m wide")?;
        }
        let LeftOut { places, area } = self.left_out;
        if places > 0 {
            let places = report::counted(places as u64, "place", "places");
            write!(f, "\n  left out: {places} of {area:.1} m² in all")?;
        }
        let others = report::counted(self.files.len() as u64 - 1, "file", "files");
        write!(f, "\n  {} and {others} beside it", self.files[0])
    }
}
