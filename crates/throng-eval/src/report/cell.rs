//! A scenario with a model: its picture, and what is folded away below it.

use std::fmt::Write;

use super::links::{Moment, link};
use super::svg::{self, Frame};
use super::{counted, escaped, shown, why};
use crate::batch::{Cell, Measured, Results, Run};
use crate::score::Technique;

/// The most people in a table: the page stays small, and all are in `agents.csv`.
const MOST_PEOPLE: usize = 30;
/// The most patterns in a table.
const MOST_EVENTS: usize = 30;

/// The figure of a cell. The first one of a scenario also `defines` its walls, for all others.
pub(super) fn figure(results: &Results, cell: &Cell, frame: &Frame, defines: bool) -> String {
    let id = format!("{}-{}", cell.scenario, cell.model);
    let scenario = &results.matrix.scenarios[cell.scenario];
    let model = escaped(&results.matrix.models[cell.model]);
    let Some(run) = cell.worst() else {
        return format!(
            "<figure id=\"c-{id}\"><figcaption>{model}: not run</figcaption></figure>\n"
        );
    };
    let walls = |floor: u8| match defines {
        true => {
            let walls = svg::walls(&scenario.ground, floor, frame);
            format!("<g id=\"w-{}\">{walls}</g>", cell.scenario)
        }
        false => format!("<use href=\"#w-{}\"/>", cell.scenario),
    };
    let picture = match run.measured() {
        Some(Measured { tracks, metrics, .. }) => {
            let floor = svg::main_floor(tracks);
            format!(
                "<svg viewBox=\"{}\" role=\"img\">{}<g id=\"t-{id}\">{}</g></svg>",
                frame.view_box(),
                walls(floor),
                svg::ways(tracks, floor, &metrics.events, frame)
            )
        }
        None => format!("<svg viewBox=\"{}\" role=\"img\">{}</svg>", frame.view_box(), walls(0)),
    };
    let mark = match cell.passed() == cell.runs.len() {
        true => "<b class=\"pass\">✓</b>",
        false => "<b class=\"fail\">✗</b>",
    };
    let facts = match run.measured() {
        Some(_) => format!(
            "{} · {:.0} % at the end · seed {}",
            counted(run.collisions() as usize, "collision"),
            (run.completion() * 100.0).floor(),
            run.record.key.seed
        ),
        None => "no score".into(),
    };
    format!(
        "<figure id=\"c-{id}\">{picture}<figcaption><span class=\"score\">{}</span>{mark} <b>{model}</b><br>\
         <span class=\"muted\">{facts}</span><div class=\"why\">{}</div>{}{}</figcaption></figure>\n",
        cell.mean(results.technique).map(shown).unwrap_or_default(),
        escaped(&why(run)),
        link(run, Moment::of_run(run), "▶ open in the studio").unwrap_or_default(),
        details(results, cell, run)
    )
}

fn details(results: &Results, cell: &Cell, run: &Run) -> String {
    let Some(measured) = run.measured() else { return String::new() };
    let mut html = String::from("<details><summary>Details</summary>");
    let series = &measured.series;
    let people: Vec<f64> = series.people.iter().map(|&n| f64::from(n)).collect();
    let collisions: Vec<f64> = series.collisions.iter().map(|&n| f64::from(n)).collect();
    let _ = write!(
        html,
        "<div class=\"sparks\">{}{}{}{}</div>",
        svg::sparkline("on their way", "people", &series.times, &people),
        svg::sparkline("mean speed", "m/s", &series.times, &series.speed),
        svg::sparkline("collisions so far", "", &series.times, &collisions),
        svg::sparkline("turning", "°/s", &series.times, &series.turning),
    );
    html += &opening(run);
    html += &scores(results, cell);
    html += &verdicts(run);
    html += &events(run, measured);
    html += &people_table(results, run, measured);
    html + "</details>"
}

/// How to look at the run in the studio.
fn opening(run: &Run) -> String {
    match &run.recording {
        Some(recording) => command(&format!("throng studio {recording}")),
        None => {
            String::from("<p class=\"muted\">Not recorded; --recordings all or worst does.</p>")
        }
    }
}

fn command(text: &str) -> String {
    let text = escaped(text);
    format!(
        "<div class=\"command\"><code>{text}</code><button data-copy=\"{text}\">copy</button></div>"
    )
}

/// A row for each seed, with all scores.
fn scores(results: &Results, cell: &Cell) -> String {
    let mut html = String::from("<div class=\"scroll\"><table><tr><th>seed</th>");
    for technique in Technique::ALL {
        let _ = write!(html, "<th>{technique}</th>");
    }
    html += "</tr>";
    for run in cell.runs {
        let seed = run.record.key.seed;
        let link = link(run, Moment::of_run(run), "▶").unwrap_or_default();
        let _ = write!(html, "<tr><td>{seed} {link}</td>");
        for technique in Technique::ALL {
            let score = run.total(technique).map(shown).unwrap_or_default();
            let term = |(name, value): &(&str, f64)| format!("{name} {}", shown(*value));
            let terms = run.terms(technique).iter().map(term).collect::<Vec<_>>().join(", ");
            let bold = technique == results.technique;
            let (open, close) = if bold { ("<b>", "</b>") } else { ("", "") };
            let terms = escaped(&terms);
            let _ = write!(html, "<td title=\"{terms}\">{open}{score}{close}</td>");
        }
        html += "</tr>";
    }
    html + "</table></div>"
}

fn verdicts(run: &Run) -> String {
    if run.verdicts().is_empty() {
        return String::new();
    }
    let side = |value: Option<f64>| value.map_or("∞".into(), shown);
    let mut html =
        String::from("<table><tr><th>criterion</th><th>is</th><th>limit</th><th></th></tr>");
    for verdict in run.verdicts() {
        let (class, mark) = if verdict.passed { ("pass", "✓") } else { ("fail", "✗") };
        let _ = write!(
            html,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td class=\"{class}\">{mark}</td></tr>",
            escaped(&verdict.criterion),
            side(verdict.left),
            side(verdict.right)
        );
    }
    html + "</table>"
}

fn events(run: &Run, measured: &Measured) -> String {
    let events = &measured.metrics.events;
    if events.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<details><summary>{}</summary><div class=\"scroll\"><table><tr><th>pattern</th><th>person</th><th>from</th><th>to</th><th>place</th><th></th></tr>",
        counted(events.len(), "pattern")
    );
    for event in events.iter().take(MOST_EVENTS) {
        let open = run.recording.as_ref().map(|recording| {
            let command = escaped(&format!("throng studio {recording} --at {:.1}", event.from));
            let moment = Moment { at: Some(event.from), person: Some(event.person) };
            let link = link(run, moment, "▶ open").unwrap_or_default();
            format!("{link} <button data-copy=\"{command}\" title=\"{command}\">copy</button>")
        });
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{:.1} s</td><td>{:.1} s</td><td>{:.1}, {:.1}</td><td>{}</td></tr>",
            event.pattern.name(),
            event.person,
            event.from,
            event.to,
            tidy(event.place.x),
            tidy(event.place.y),
            open.unwrap_or_default()
        );
    }
    html += "</table></div>";
    html += &rest(events.len(), MOST_EVENTS, "results.json");
    html + "</details>"
}

/// A coordinate without a sign where it is nearly nothing.
fn tidy(metres: f32) -> f32 {
    (metres * 10.0).round() / 10.0 + 0.0
}

/// The people who did worst, the worst first.
fn people_table(results: &Results, run: &Run, measured: &Measured) -> String {
    let agents = &measured.metrics.agents;
    let totals: Vec<f64> = (agents.iter())
        .map(|agent| run.of_person(results.technique, agent.id).unwrap_or(0.0))
        .collect();
    let total = |index: usize| totals[index];
    let mut order: Vec<usize> = (0..agents.len()).collect();
    let rising = results.technique.higher_is_better();
    order.sort_by(|&a, &b| {
        let by_score = total(a).total_cmp(&total(b));
        let by_score = if rising { by_score } else { by_score.reverse() };
        agents[a].completed.cmp(&agents[b].completed).then(by_score).then(a.cmp(&b))
    });
    let mut html = format!(
        "<details><summary>{}</summary><div class=\"scroll\"><table><tr><th>person</th><th>score</th><th>at the end</th>\
         <th>time</th><th>way</th><th>collisions</th><th>turned</th><th>energy</th><th>deviation</th></tr>",
        super::counted_as(agents.len(), "person", "people")
    );
    for &index in order.iter().take(MOST_PEOPLE) {
        let agent = &agents[index];
        let (class, mark) = if agent.completed { ("pass", "✓") } else { ("fail", "✗") };
        let moment = Moment { at: Some(agent.appeared), person: Some(agent.id) };
        let link = link(run, moment, "▶").unwrap_or_default();
        let _ = write!(
            html,
            "<tr><td>{} {link}</td><td>{}</td><td class=\"{class}\">{mark}</td><td>{:.1} s</td><td>{:.1} m</td><td>{}</td>\
             <td>{:.0}°</td><td>{:.1}</td><td>{}</td></tr>",
            agent.id,
            shown(total(index)),
            agent.time,
            agent.distance,
            agent.collisions,
            agent.turned,
            agent.energy_integral,
            agent.deviation.map(|metres| format!("{metres:.2} m")).unwrap_or_default()
        );
    }
    html += "</table></div>";
    html += &rest(agents.len(), MOST_PEOPLE, "agents.csv");
    html + "</details>"
}

fn rest(all: usize, most: usize, file: &str) -> String {
    match all.checked_sub(most) {
        None | Some(0) => String::new(),
        Some(rest) => format!("<p class=\"muted\">and {rest} more, in {file}</p>"),
    }
}
