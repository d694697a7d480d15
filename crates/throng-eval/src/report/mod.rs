//! One page that shows how steering models did: a file that needs nothing else, to be opened, printed,
//! or attached to a paper.
//!
//! It begins with the ranking and its terms, since one number says little; then a matrix of scenarios and
//! models, the worst runs, and for each scenario what everybody did with each model, drawn from the run
//! of the worst seed. What is longer is folded away: numbers over time, patterns with time and place, a
//! table of people. Links lead to the moments in recordings of which it tells. The page asks no server for
//! anything and forbids itself to. Names and texts come
//! from scene files and are escaped wherever they go.

mod calibration;
mod cell;
mod chart;
mod evacuation;
mod links;
mod markdown;
mod suite;
mod svg;

use std::fmt::Write;
use std::path::Path;

use self::links::{Moment, link};
pub use self::links::{PAGE, STUDIO_PORT, served};
use self::svg::Frame;
use crate::batch::{BatchError, Results, Run, ScenarioInfo, WORST, write_whole};
use crate::score::Technique;

pub(crate) use calibration::{calibration_page, calibration_tables};
pub(crate) use evacuation::evacuation_page;
pub(crate) use markdown::{matrix, verdicts};
pub(crate) use suite::suite_page;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Writes the report, in place of one that may be there.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_report(path: &Path, results: &Results) -> Result<(), BatchError> {
    Ok(write_whole(path, &html(results))?)
}

/// The whole page.
pub fn html(results: &Results) -> String {
    let mut page = Page::new(results);
    page.heading();
    page.ranking();
    page.matrix();
    page.worst();
    page.scenarios();
    page.finish()
}

struct Page<'r> {
    results: &'r Results,
    text: String,
    /// What each scenario's pictures show.
    frames: Vec<Frame>,
}

impl<'r> Page<'r> {
    fn new(results: &'r Results) -> Self {
        let frame = |(index, scenario): (usize, &ScenarioInfo)| {
            let runs = results.runs.iter().filter(|run| run.scenario == index);
            let tracks = runs.filter_map(|run| run.measured()).map(|measured| &measured.tracks);
            Frame::around(&scenario.ground, tracks)
        };
        let frames = results.matrix.scenarios.iter().enumerate().map(frame).collect();
        Self { results, text: String::new(), frames }
    }

    fn put(&mut self, html: &str) {
        self.text += html;
    }

    fn heading(&mut self) {
        let Self { results, .. } = self;
        let matrix = &results.matrix;
        let version = matrix.engine.split('+').next().unwrap_or_default();
        let missing = match results.missing + results.damaged.len() {
            0 => String::new(),
            missing => format!(" · <b class=\"fail\">{missing} runs are missing</b>"),
        };
        let weights = &results.weights;
        let head = format!(
            "{}\
             <h1>Steering evaluation</h1>\n\
             <p class=\"meta\">{} × {} × {} = {} runs with Throng {}{missing}<br>\
             ranked by the {} score, {} is better; weights α {}, β {}, γ {}, δ {}</p>\n{}",
            opening("Steering evaluation"),
            counted(matrix.scenarios.len(), "scenario"),
            counted(matrix.models.len(), "model"),
            counted(matrix.seeds as usize, "seed"),
            results.runs.len(),
            escaped(version),
            results.technique,
            if results.technique.higher_is_better() { "more" } else { "less" },
            weights.alpha,
            weights.beta,
            weights.gamma,
            weights.delta,
            links::note(results.runs.iter()),
        );
        self.put(&head);
    }

    fn ranking(&mut self) {
        let results = self.results;
        let standings = results.ranking();
        let terms: Vec<&str> = standings
            .iter()
            .map(|of| &of.terms)
            .max_by_key(|terms| terms.len())
            .map_or_else(Vec::new, |terms| terms.iter().map(|(name, _)| *name).collect());
        let largest = standings.iter().filter_map(|of| of.total).fold(f64::MIN_POSITIVE, f64::max);
        let mut html = String::from(
            "<h2>Ranking</h2>\n<p class=\"muted\">Means over all runs. Models are ranked by their mean place \
             in each scenario, where runs that bring everybody to the end of their way come first, then the score decides.</p>\n\
             <div class=\"scroll\"><table>\n<tr><th>Model</th><th>place</th><th class=\"left\">Score</th>",
        );
        for term in &terms {
            let _ = write!(html, "<th>{}</th>", escaped(term));
        }
        html += "<th>complete</th><th>passed</th><th>people at the end</th><th>collisions</th><th>patterns</th>\
                 <th>frames/s</th></tr>\n";
        for (rank, standing) in standings.iter().enumerate() {
            let width = (standing.total.unwrap_or(0.0) / largest * 100.0).clamp(0.0, 100.0);
            let _ = write!(
                html,
                "<tr><td>{}. <b>{}</b></td><td>{}</td><td class=\"left\"><span class=\"bar\"><i style=\"width:{width:.1}%\"></i></span>{}</td>",
                rank + 1,
                escaped(&results.matrix.models[standing.model]),
                standing.place.map_or("none".into(), |place| format!("{place:.1}")),
                standing.total.map_or("none".into(), shown)
            );
            for term in &terms {
                let value = standing.terms.iter().find(|(name, _)| name == term);
                let _ =
                    write!(html, "<td>{}</td>", value.map(|of| shown(of.1)).unwrap_or_default());
            }
            let of_runs = |count: usize| {
                let class = if count == standing.runs { "pass" } else { "fail" };
                format!("<td class=\"{class}\">{count}/{}</td>", standing.runs)
            };
            let _ = writeln!(
                html,
                "{}{}<td>{:.1} %</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                of_runs(standing.complete),
                of_runs(standing.passed),
                standing.completion * 100.0,
                standing.collisions,
                standing.events,
                self.pace(standing.model)
            );
        }
        html += "</table></div>\n<p class=\"muted\">Frames/s are simulated steps per second and core on the machine \
                 that made the runs, median over runs; nothing else on this page depends on the machine.</p>\n";
        html += &self.failures();
        self.put(&html);
    }

    /// Who fails what, folded away.
    fn failures(&self) -> String {
        let mut html = String::new();
        for standing in self.results.ranking().iter().filter(|of| !of.failures.is_empty()) {
            let model = escaped(&self.results.matrix.models[standing.model]);
            let _ = write!(
                html,
                "<details><summary>{model} does not meet {}</summary><table>",
                counted_as(standing.failures.len(), "criterion", "criteria")
            );
            for (scenario, criterion, runs) in &standing.failures {
                let name = escaped(&self.results.matrix.scenarios[*scenario].name);
                let _ = write!(
                    html,
                    "<tr><td><a href=\"#c-{scenario}-{}\">{name}</a></td><td class=\"left\"><code>{}</code></td><td>{}</td></tr>",
                    standing.model,
                    escaped(criterion),
                    counted(*runs, "run")
                );
            }
            html += "</table></details>\n";
        }
        html
    }

    fn matrix(&mut self) {
        let results = self.results;
        let mut html = String::from(
            "<h2>Scenarios and models</h2>\n<p class=\"muted\">The mean score over seeds: ✓ all runs meet all criteria, \
             ✗ none does, ~ some do; – that nobody can be judged, for want of a shortest way to a goal that moves. The best model of a scenario is bold. A percentage is the share of people \
             who came to the end, where not all did.</p>\n\
             <div class=\"tools\"><input id=\"search\" type=\"search\" placeholder=\"Find a scenario\" aria-label=\"Find a scenario\">\
             <label><input id=\"failing\" type=\"checkbox\"> only those that some model fails</label></div>\n\
             <div class=\"scroll\"><table class=\"matrix\">\n<tr><th></th>",
        );
        for model in &results.matrix.models {
            let _ = write!(html, "<th>{}</th>", escaped(model));
        }
        html += "</tr>\n";
        let mut category = None;
        for (index, scenario) in results.matrix.scenarios.iter().enumerate() {
            if category != Some(&scenario.category) {
                category = Some(&scenario.category);
                let span = results.matrix.models.len() + 1;
                let name = if scenario.category.is_empty() { "other" } else { &scenario.category };
                let _ = writeln!(
                    html,
                    "<tr><th class=\"category\" colspan=\"{span}\">{}</th></tr>",
                    escaped(name)
                );
            }
            let _ = write!(
                html,
                "<tr {}><td><a href=\"#s-{index}\">{}</a></td>",
                self.filterable(index),
                escaped(&scenario.name)
            );
            let best = results.best_of(index);
            for model in 0..results.matrix.models.len() {
                html += &self.matrix_cell(index, model, best == Some(model));
            }
            html += "</tr>\n";
        }
        html += "</table></div>\n";
        self.put(&html);
    }

    fn matrix_cell(&self, scenario: usize, model: usize, is_best: bool) -> String {
        let cell = self.results.cell(scenario, model);
        let best = if is_best { " best" } else { "" };
        let mark = cell.mark();
        let class = match mark {
            "" => return "<td></td>".into(),
            "✓" => "ok",
            "✗" => "no",
            _ => "part",
        };
        let score = match cell.mean(self.results.technique) {
            Some(score) => shown(score),
            None if cell.runs.iter().all(Run::is_failed) => "failed".into(),
            None => "–".into(),
        };
        let completion = match cell.completion() {
            Some(share) if share < 1.0 => {
                format!(" <small>{:.0} %</small>", (share * 100.0).floor())
            }
            _ => String::new(),
        };
        let why = escaped(&cell.worst().map(why).unwrap_or_default());
        format!(
            "<td class=\"{class}{best}\"><a href=\"#c-{scenario}-{model}\" title=\"{why}\"><b>{mark}</b>{score}{completion}</a></td>"
        )
    }

    fn worst(&mut self) {
        let results = self.results;
        let worst = results.worst(WORST);
        let mut html = String::from(
            "<h2>Worst runs</h2>\n<p class=\"muted\">Runs without a score first, then those in which not everybody came \
             to the end, then by the normalised score, which compares across scenarios.</p>\n<div class=\"cells\">\n",
        );
        for run in worst {
            let id = format!("{}-{}", run.scenario, run.model);
            // The same drawing as below, if it is of the same run.
            let is_drawn = results
                .cell(run.scenario, run.model)
                .worst()
                .is_some_and(|drawn| std::ptr::eq(drawn, run) && drawn.measured().is_some());
            let picture = if is_drawn {
                format!(
                    "<a href=\"#c-{id}\"><svg viewBox=\"{}\" role=\"img\"><use href=\"#w-{}\"/><use href=\"#t-{id}\"/></svg></a>",
                    self.frames[run.scenario].view_box(),
                    run.scenario
                )
            } else {
                String::new()
            };
            let _ = writeln!(
                html,
                "<figure>{picture}<figcaption><span class=\"score\">{}</span><a href=\"#c-{id}\">{}</a> · {} · seed {}<div class=\"why\">{}</div>{}</figcaption></figure>",
                run.total(Technique::Normalised).map(shown).unwrap_or_default(),
                escaped(&results.scenario(run).name),
                escaped(&run.record.key.model),
                run.record.key.seed,
                escaped(&why(run)),
                link(run, Moment::of_run(run), "▶ open in the studio").unwrap_or_default()
            );
        }
        html += "</div>\n";
        self.put(&html);
    }

    fn scenarios(&mut self) {
        self.put(
            "<h2>All scenarios</h2>\n<p class=\"muted\">Ways of everybody in the worst run of each model, one colour per \
             person: a dot where they begin, a ring where they end, a red cross where a pattern was seen.</p>\n",
        );
        for index in 0..self.results.matrix.scenarios.len() {
            let scenario = &self.results.matrix.scenarios[index];
            let version = match scenario.version {
                0 => String::new(),
                version => format!("<span class=\"tag\">version {version}</span>"),
            };
            let inferred = match scenario.inferred {
                true => "<span class=\"tag\">set-up inferred</span>",
                false => "",
            };
            let criteria: Vec<String> = (scenario.criteria.iter())
                .map(|criterion| format!("<code>{}</code>", escaped(criterion)))
                .collect();
            let mut html = format!(
                "<section id=\"s-{index}\" {}>\n<h3>{}{version}{inferred}</h3>\n<p class=\"muted\">{}{}</p>\n",
                self.filterable(index),
                escaped(&scenario.name),
                escaped(&scenario.description),
                match criteria.is_empty() {
                    true => String::new(),
                    false => format!("<br>{}", criteria.join(" ")),
                }
            );
            html += "<div class=\"cells\">\n";
            for model in 0..self.results.matrix.models.len() {
                let cell = self.results.cell(index, model);
                html += &cell::figure(self.results, &cell, &self.frames[index], model == 0);
            }
            html += "</div>\n</section>\n";
            self.put(&html);
        }
    }

    /// What the page's search looks at.
    fn filterable(&self, scenario: usize) -> String {
        let runs = || self.results.runs.iter().filter(|run| run.scenario == scenario);
        let failing = u8::from(runs().any(|run| !run.is_passed()));
        let name = escaped(&self.results.matrix.scenarios[scenario].name);
        format!("data-scenario=\"{name}\" data-failing=\"{failing}\"")
    }

    /// Median of simulated frames per second.
    fn pace(&self, model: usize) -> String {
        let runs = self.results.runs.iter().filter(|run| run.model == model);
        let mut paces: Vec<f64> = runs.filter_map(Run::frames_per_second).collect();
        paces.sort_by(f64::total_cmp);
        paces.get(paces.len() / 2).map(|pace| format!("{pace:.0}")).unwrap_or_default()
    }

    fn finish(mut self) -> String {
        self.put(&format!("<script>\n{SCRIPT}</script>\n</body>\n</html>\n"));
        self.text
    }
}

/// How a page begins, up to its heading. It asks no server for anything, and forbids itself to.
fn opening(title: &str) -> String {
    let (root, title) = (links::ROOT, escaped(title));
    format!(
        "<!doctype html>\n{root}\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    )
}

/// What is wrong with a run, in a line; empty if nothing is.
fn why(run: &Run) -> String {
    if let Some(failure) = run.failure() {
        return failure.into();
    }
    let failed = run.verdicts().iter().filter(|verdict| !verdict.passed);
    failed.map(|verdict| format!("not {}", verdict.criterion)).collect::<Vec<_>>().join(", ")
}

/// A score in as many digits as it needs.
fn shown(value: f64) -> String {
    let digits = match value.abs() {
        small if small < 10.0 => 3,
        middle if middle < 1000.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$}")
}

fn counted(count: usize, what: &str) -> String {
    counted_as(count, what, &format!("{what}s"))
}

fn counted_as(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A text as it can stand anywhere in HTML, in attributes as well.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            c => safe.push(c),
        }
    }
    safe
}
