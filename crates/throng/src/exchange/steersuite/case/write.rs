//! A settled test case as a scene file.

use std::fmt::Write;

use glam::DVec2;
use throng_world::scene::{FORMAT_VERSION, Span, quoted};

use super::notes::Extent;
use super::parse::{Solid, SolidShape};
use super::settle::{Settled, SettledAgent, SettledAim, SettledGoal};
use crate::exchange::{cameras, tidied};

/// The rate at which SteerSuite's own modules run, as a step, s.
const STEP: f64 = 0.05;
/// The longest anybody idles, s: longer than any simulation of a test case.
const LONGEST_IDLE: f64 = 1e5;
/// The region that goals at random places are drawn from.
const ANYWHERE: &str = "anywhere";

/// A scene file, and which of its stretches come from where in the test case.
pub(super) struct Written {
    pub text: String,
    pub marks: Vec<(Span, Span)>,
}

pub(super) fn write(settled: &Settled, file: &str, seed: u64) -> Written {
    let mut written = Written { text: String::new(), marks: Vec::new() };
    written.head(settled, file, seed);
    for solid in &settled.obstacles {
        written.marked(&solid.span, |text| obstacle(text, solid));
    }
    written.regions(settled);
    if !settled.agents.is_empty() {
        written.text.push_str("\n[[groups]]\nname = \"agents\"\nthen = \"leave\"\n");
    }
    for agent in &settled.agents {
        let begin = written.text.len();
        written.agent(agent, settled);
        written.marks.insert(0, (begin..written.text.len(), agent.span.clone()));
    }
    for (index, crowd) in settled.crowds.iter().enumerate() {
        let (begin, name) = (written.text.len(), crowd_name(index));
        let _ = write!(written.text, "\n[[groups]]\nname = {name}\nradius = {}\n", crowd.radius);
        written.speed(&crowd.goals);
        written.goals(&crowd.goals, settled);
        let count = crowd.count;
        let _ = write!(
            written.text,
            "then = \"leave\"\ncrowds = [{{ count = {count}, region = {name} }}]\n"
        );
        written.marks.insert(0, (begin..written.text.len(), crowd.span.clone()));
    }
    written
}

impl Written {
    fn head(&mut self, settled: &Settled, file: &str, seed: u64) {
        self.comment(&format!("Made of SteerSuite's test case {file}."));
        if !settled.criteria.is_empty() {
            self.comment(&format!("Passing criteria: {}", settled.criteria));
        }
        let Settled { name, description, duration, .. } = settled;
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "format = {FORMAT_VERSION}");
        if !name.is_empty() {
            let _ = writeln!(self.text, "name = {}", quoted(name));
        }
        if !description.is_empty() {
            let _ = writeln!(self.text, "description = {}", quoted(description));
        }
        let _ = write!(
            self.text,
            "\n[simulation]\nstep = {STEP}\nduration = {duration}\nseed = {seed}\n"
        );
        self.marked(&settled.bounds_span, |text| {
            let _ = write!(text, "\n[world]\nbounds = {}\n", corners(&settled.bounds));
        });
        self.text.push_str(&cameras::table(&settled.cameras));
    }

    fn comment(&mut self, words: &str) {
        let _ = writeln!(self.text, "# {}", words.replace(char::is_control, " "));
    }

    fn marked(&mut self, span: &Span, write: impl FnOnce(&mut String)) {
        let begin = self.text.len();
        write(&mut self.text);
        self.marks.push((begin..self.text.len(), span.clone()));
    }

    fn regions(&mut self, settled: &Settled) {
        let everyone = || {
            let agents = settled.agents.iter().flat_map(|agent| &agent.goals);
            agents.chain(settled.crowds.iter().flat_map(|crowd| &crowd.goals))
        };
        if everyone().any(|goal| matches!(goal.aim, SettledAim::SeekAnywhere)) {
            self.marked(&settled.bounds_span, |text| {
                region(text, &quoted(ANYWHERE), &settled.bounds);
            });
        }
        for goal in everyone() {
            if let SettledAim::SeekBox(bounds) = &goal.aim {
                self.marked(&goal.span, |text| region(text, &box_name(&goal.span), bounds));
            }
        }
        for (index, crowd) in settled.crowds.iter().enumerate() {
            self.marked(&crowd.span, |text| region(text, &crowd_name(index), &crowd.bounds));
        }
    }

    fn agent(&mut self, agent: &SettledAgent, settled: &Settled) {
        let SettledAgent { position, direction, radius, speed, .. } = agent;
        let _ = writeln!(self.text, "\n[[groups.people]]");
        if let Some(name) = &agent.name {
            let _ = writeln!(self.text, "name = {}", quoted(name));
        }
        let heading = number(direction.to_angle().to_degrees());
        let _ = writeln!(self.text, "position = {}", point(*position));
        let _ = writeln!(self.text, "heading = {heading}\nradius = {radius}");
        if *speed > 0.0 {
            let _ = writeln!(self.text, "velocity = {}", point(*direction * *speed));
        }
        self.speed(&agent.goals);
        self.goals(&agent.goals, settled);
    }

    /// The speed that people prefer: that of the first goal that has one.
    fn speed(&mut self, goals: &[SettledGoal]) {
        let moving = goals.iter().filter(|goal| !matches!(goal.aim, SettledAim::Idle));
        if let Some(speed) = moving.filter_map(|goal| goal.speed).next() {
            let _ = writeln!(self.text, "speed = {speed}");
        }
    }

    fn goals(&mut self, goals: &[SettledGoal], settled: &Settled) {
        self.text.push_str("goals = [\n");
        for goal in goals {
            let line = goal_text(goal, settled);
            self.marked(&goal.span, |text| {
                let _ = writeln!(text, "    {{ {line} }},");
            });
        }
        self.text.push_str("]\n");
    }
}

fn goal_text(goal: &SettledGoal, settled: &Settled) -> String {
    let person = |agent: usize| {
        let name = settled.agents[agent].name.as_deref().unwrap_or_default();
        format!("{{ person = {} }}", quoted(name))
    };
    let group = |crowd: usize| format!("{{ group = {} }}", crowd_name(crowd));
    let mut text = match &goal.aim {
        SettledAim::Seek(place) => format!("seek = {}", point(*place)),
        SettledAim::SeekAnywhere => format!("seek = {{ random = {} }}", quoted(ANYWHERE)),
        SettledAim::SeekBox(_) => format!("seek = {}", box_name(&goal.span)),
        SettledAim::Flee(place) => format!("flee = {}", point(*place)),
        SettledAim::SeekAgent(agent) => format!("seek = {}", person(*agent)),
        SettledAim::FleeAgent(agent) => format!("flee = {}", person(*agent)),
        SettledAim::SeekCrowd(crowd) => format!("seek = {}", group(*crowd)),
        SettledAim::FleeCrowd(crowd) => format!("flee = {}", group(*crowd)),
        SettledAim::Flow(way) => format!("flow = {}", point(*way)),
        SettledAim::FollowCrowd => "flow = \"crowd\"".into(),
        SettledAim::Idle => {
            return format!("idle = {}", goal.duration.unwrap_or(LONGEST_IDLE));
        }
    };
    if let Some(speed) = goal.speed {
        let _ = write!(text, ", speed = {speed}");
    }
    if let Some(duration) = goal.duration {
        let _ = write!(text, ", duration = {duration}");
    }
    text
}

fn obstacle(text: &mut String, solid: &Solid) {
    let shape = match &solid.shape {
        SolidShape::Box(Extent { min, max, .. }) => {
            let (center, size) = (point(0.5 * (*min + *max)), point(*max - *min));
            format!("box = {{ center = {center}, size = {size} }}")
        }
        SolidShape::Circle { center, radius } => {
            format!("circle = {{ center = {}, radius = {radius} }}", point(*center))
        }
        SolidShape::Oriented { center, size, angle } => {
            let (center, size) = (point(*center), point(*size));
            format!("box = {{ center = {center}, size = {size}, angle = {angle} }}")
        }
        SolidShape::Polygon(points) => {
            let points: Vec<String> = points.iter().map(|at| point(*at)).collect();
            format!("polygon = [{}]", points.join(", "))
        }
    };
    let _ = write!(text, "\n[[obstacles]]\n{shape}\n");
    if solid.height > 0.0 {
        let _ = writeln!(text, "height = {}", number(solid.height));
    }
}

fn region(text: &mut String, name: &str, bounds: &Extent) {
    let _ = write!(text, "\n[[regions]]\nname = {name}\nrectangle = {}\n", corners(bounds));
}

fn crowd_name(index: usize) -> String {
    quoted(&format!("region {}", index + 1))
}

/// The name of the region of a goal, which is where it stands in the file.
fn box_name(span: &Span) -> String {
    quoted(&format!("goal {}", span.start))
}

fn corners(bounds: &Extent) -> String {
    format!("[{}, {}]", point(bounds.min), point(bounds.max))
}

fn point(at: DVec2) -> String {
    format!("[{}, {}]", number(at.x), number(at.y))
}

/// A number without the digits that calculating with it has left.
fn number(value: f64) -> f64 {
    // Adding zero makes -0 a 0.
    tidied(value, 1e-9) + 0.0
}
