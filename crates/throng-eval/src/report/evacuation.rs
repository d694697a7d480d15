//! The page of a study of an evacuation.
//!
//! First what has to be known before its numbers are used, then total times, exits, groups and who was last; then curves
//! and flows over time, maps of levels of service and of waiting for each floor, and at the end what all of it rests on.

use std::fmt::Write;

use throng_world::Scene;

use super::chart::chart;
use super::svg::{self, Frame};
use super::{counted, escaped, opening};
use crate::batch::{Ground, PictureTracks, centimetres};
use crate::evacuation::{LastPerson, MapCell, Report, level_of_service};
use crate::verification::{Curve, Plot};

/// So many of the last people are shown.
const LAST: usize = 12;

/// The whole page.
pub(crate) fn evacuation_page(report: &Report, scene: &Scene) -> String {
    let title = format!("Evacuation: {}", report.scene);
    let mut html = opening(&title);
    let state = match report.converged_after {
        Some(runs) => format!("converged after {}", counted(runs, "run")),
        None => "<b class=\"fail\">not converged</b>".into(),
    };
    let _ = write!(
        html,
        "<style>\n{STYLE}</style>\n<h1>{}</h1>\n<p class=\"meta\">{} with Throng {} · {state}</p>\n",
        escaped(&title),
        counted(report.seeds, "run"),
        escaped(report.engine.split('+').next().unwrap_or_default()),
    );
    if !report.warnings.is_empty() {
        html += "<ul class=\"why\">\n";
        for warning in &report.warnings {
            let _ = writeln!(html, "<li>{}</li>", escaped(warning));
        }
        html += "</ul>\n";
    }
    html += &totals(report);
    html += &exits(report);
    html += &lines(report);
    html += &groups(report);
    html += &last(report);
    html += &curves(report);
    html += &bottlenecks(report);
    html += &maps(report, scene);
    html += &convergence(report);
    html += "<h2>Assumptions</h2>\n<table class=\"checks\">\n";
    for (what, value) in &report.assumptions {
        let _ = writeln!(html, "<tr><td>{}</td><td>{}</td></tr>", escaped(what), escaped(value));
    }
    html + "</table>\n</body>\n</html>\n"
}

const STYLE: &str = "\
.los0 { fill: #2b83ba; } .los1 { fill: #6bb0af; } .los2 { fill: #abdda4; } .los3 { fill: #fee08b; } .los4 { fill: #fdae61; } .los5 { fill: #d7191c; }
.waits { fill: #d7191c; } .maps figure { margin: 8px 0; } .maps svg { height: auto !important; max-height: 520px; }
.key { display: inline-block; width: 12px; height: 12px; margin: 0 4px 0 12px; vertical-align: -2px; }
";

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".into(), |value| format!("{value:.digits$}"))
}

fn name_of(name: Option<&String>) -> String {
    name.map_or_else(|| "<i>elsewhere</i>".into(), |name| escaped(name))
}

fn totals(report: &Report) -> String {
    let times = &report.total;
    let mut html = String::from(
        "<h2>Total evacuation time</h2>\n<table>\n<tr><th>runs</th><th>mean, s</th><th>sd, s</th><th>smallest</th>\
         <th>median</th><th>90 %</th><th>95 %</th><th>largest</th></tr>\n",
    );
    let cells = [times.mean, times.sd, times.min, times.median, times.p90, times.p95, times.max];
    let _ = write!(html, "<tr><td>{}</td>", times.count);
    for cell in cells {
        let _ = write!(html, "<td>{}</td>", number(cell, 1));
    }
    html + "</tr>\n</table>\n"
}

fn exits(report: &Report) -> String {
    let mut html = String::from(
        "<h2>Exits</h2>\n<table>\n<tr><th>exit</th><th>width, m</th><th>capacity, people/s</th><th>people</th><th>sd</th><th>share</th><th>first, s</th>\
         <th>last, s</th><th>flow, people/s</th><th>largest in an interval</th></tr>\n",
    );
    for exit in &report.exits {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.1}</td><td>{:.1}</td><td>{:.0} %</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            name_of(exit.name.as_ref()),
            number(exit.width, 2),
            number(exit.capacity, 2),
            exit.people,
            exit.sd,
            100.0 * exit.share,
            number(exit.first, 1),
            number(exit.last, 1),
            number(exit.flow, 2),
            number(exit.peak_flow, 2),
        );
    }
    html + "</table>\n"
}

fn lines(report: &Report) -> String {
    if report.lines.is_empty() {
        return String::new();
    }
    let mut html = String::from(
        "<h2>Lines</h2>\n<table>\n<tr><th>line</th><th>length, m</th><th>people forwards</th>\
         <th>flow, people/s</th><th>flow, people/(m s)</th></tr>\n",
    );
    for line in &report.lines {
        let forward: usize = line.passages.iter().map(|passages| passages[0]).sum();
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{:.2}</td><td>{:.1}</td><td>{}</td><td>{}</td></tr>",
            escaped(&line.name),
            line.length,
            forward as f64 / line.passages.len().max(1) as f64,
            number(line.flow, 2),
            number(line.specific_flow, 2),
        );
    }
    html + "</table>\n"
}

fn groups(report: &Report) -> String {
    let mut html = String::from(
        "<h2>Groups</h2>\n<table>\n<tr><th>group</th><th>people</th><th>sets out, s: mean</th><th>95 %</th>\
         <th>out, s: mean</th><th>95 %</th><th>last</th><th>waits, s</th><th>walks, m</th><th>left behind</th></tr>\n",
    );
    for group in &report.groups {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{:.1}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1}</td></tr>",
            escaped(&group.name),
            group.people,
            number(group.delay.mean, 1),
            number(group.delay.p95, 1),
            number(group.out.mean, 1),
            number(group.out.p95, 1),
            number(group.out.max, 1),
            number(group.waited, 1),
            number(group.walked, 1),
            group.remaining,
        );
    }
    html + "</table>\n"
}

fn last(report: &Report) -> String {
    let mut slowest: Vec<&LastPerson> = report.last.iter().collect();
    let key = |person: &LastPerson| person.out.unwrap_or(f64::INFINITY);
    slowest.sort_by(|a, b| key(b).total_cmp(&key(a)).then(a.seed.cmp(&b.seed)));
    let mut html = String::from(
        "<h2>Who was last, and why</h2>\n<p class=\"muted\">The last person of each run, slowest runs first. Waiting is to be slower \
         than 0.2 m/s after having set out.</p>\n<div class=\"scroll\"><table class=\"checks\">\n<tr><th>seed</th><th>person</th>\
         <th>group</th><th>exit</th><th>out, s</th><th>set out after</th><th>walking</th><th>waiting</th><th>way, m</th><th>why</th>\
         <th>what they did</th></tr>\n",
    );
    for person in slowest.into_iter().take(LAST) {
        let history: Vec<String> =
            person.history.iter().take(40).map(|(at, what)| format!("{at:.1} s {what}")).collect();
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1}</td><td>{:.1}</td><td>{:.1}</td><td>{:.1}</td>\
             <td>{}</td><td><details><summary>{}</summary>{}</details></td></tr>",
            person.seed,
            person.id,
            escaped(&person.group),
            name_of(person.exit.as_ref()),
            number(person.out, 1),
            person.delay,
            person.walking,
            person.waited,
            person.walked,
            escaped(person.reason),
            counted(person.history.len(), "change"),
            escaped(&history.join(", ")),
        );
    }
    html + "</table></div>\n"
}

fn curves(report: &Report) -> String {
    let points = |points: Vec<[f64; 3]>| vec![Curve { name: "", points }];
    let egress = Plot {
        curves: points(
            (1..).zip(&report.egress).map(|(count, time)| [*time, f64::from(count), 0.0]).collect(),
        ),
        ..Plot::new("time, s", "people out")
    };
    let mut html = String::from("<h2>Egress curve</h2>\n");
    html += &chart(&[("mean over the runs".to_owned(), &thinned(&egress))]);
    html += "<h2>Flow at exits</h2>\n";
    let flows: Vec<(String, Plot)> = (report.exits.iter())
        .map(|exit| {
            let at = |bin: usize| (bin as f64 + 0.5) * report.flow_interval;
            let flow = |(bin, flow): (usize, &f64)| [at(bin), *flow, 0.0];
            let plot = Plot {
                curves: points(exit.flows.iter().enumerate().map(flow).collect()),
                ..Plot::new("time, s", "people/s")
            };
            (exit.name.clone().unwrap_or_else(|| "elsewhere".into()), plot)
        })
        .collect();
    let flows: Vec<(String, &Plot)> =
        flows.iter().map(|(name, plot)| (name.clone(), plot)).collect();
    html + &chart(&flows)
}

/// A plot with at most 200 points in a curve.
fn thinned(plot: &Plot) -> Plot {
    const MOST: usize = 200;
    let mut plot = plot.clone();
    for curve in &mut plot.curves {
        let count = curve.points.len();
        if count > MOST {
            curve.points = (0..MOST).map(|i| curve.points[i * (count - 1) / (MOST - 1)]).collect();
        }
    }
    plot
}

fn bottlenecks(report: &Report) -> String {
    let mut html = String::from("<h2>Bottlenecks</h2>\n");
    if report.bottlenecks.is_empty() {
        return html + "<p>Nobody waits.</p>\n";
    }
    html += "<table>\n<tr><th>floor</th><th>x, m</th><th>y, m</th><th>waiting, person-seconds per run</th>\
             <th>largest density, people/m²</th></tr>\n";
    for place in &report.bottlenecks {
        let [x, y] = place.position;
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{x:.1}</td><td>{y:.1}</td><td>{:.0}</td><td>{:.1}</td></tr>",
            escaped(&place.layer),
            place.waiting,
            place.peak_density
        );
    }
    html + "</table>\n"
}

fn maps(report: &Report, scene: &Scene) -> String {
    let ground = Ground::of_scene(scene);
    let mut html = String::from(
        "<h2>Levels of service</h2>\n<p class=\"muted\">Mean density for those who are there, in cells of a metre, as \
         Fruin's levels of service of walkways:",
    );
    for (level, letter) in "ABCDEF".chars().enumerate() {
        let share = 100.0 * report.levels_of_service[level];
        let _ = write!(
            html,
            "<svg class=\"key\"><rect class=\"los{level}\" width=\"12\" height=\"12\"/></svg>{letter} ({share:.0} % of the time)"
        );
    }
    html += "</p>\n";
    html += &floors(report, scene, &ground, &|cell: &MapCell| {
        let level = level_of_service(cell.mean_density());
        (cell.presence > 0.0)
            .then(|| (format!("los{level}"), 0.85, format!("{:.2} people/m²", cell.mean_density())))
    });
    html += "<h2>Waiting</h2>\n<p class=\"muted\">How long people wait in each cell, the darker the longer.</p>\n";
    let most = report.cells.iter().map(|cell| cell.waiting).fold(f64::MIN_POSITIVE, f64::max);
    html + &floors(report, scene, &ground, &|cell: &MapCell| {
        let shade = (cell.waiting / most).sqrt();
        (shade > 0.05)
            .then(|| ("waits".into(), shade, format!("{:.1} person-seconds", cell.waiting)))
    })
}

/// Class, opacity and title of a cell.
type Mark = (String, f64, String);

/// A map of each floor: class, opacity and title of each cell.
fn floors(
    report: &Report,
    scene: &Scene,
    ground: &Ground,
    of: &dyn Fn(&MapCell) -> Option<Mark>,
) -> String {
    let frame = Frame::around(ground, std::iter::empty::<&PictureTracks>());
    let mut html = String::from("<div class=\"maps\">\n");
    for (number, layer) in scene.layers.iter().enumerate() {
        let _ = write!(
            html,
            "<figure><svg viewBox=\"{}\" role=\"img\" aria-label=\"{}\">",
            frame.view_box(),
            escaped(&layer.name)
        );
        html += &svg::walls(ground, number as u8, &frame);
        for cell in report.cells.iter().filter(|cell| cell.at[0] as usize == number) {
            let Some((class, opacity, title)) = of(cell) else { continue };
            let [x, y] = centimetres(cell.middle(&scene.bounds));
            let _ = write!(
                html,
                "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"100\" height=\"100\" fill-opacity=\"{opacity:.2}\"><title>{title}</title></rect>",
                x - 50,
                -y - 50
            );
        }
        let _ = writeln!(html, "</svg><figcaption>{}</figcaption></figure>", escaped(&layer.name));
    }
    html + "</div>\n"
}

fn convergence(report: &Report) -> String {
    let limits = &report.convergence;
    let mut html = format!(
        "<h2>Convergence</h2>\n<p class=\"muted\">After Ronchi, Reneke and Peacock (2014). In {} runs, one after the other, one more run changes the mean \
         total time by at most {} % and its standard deviation by at most {} %, and the averaged egress curve has a Euclidean \
         relative difference of at most {}, a Euclidean projection coefficient of 1 ± {} and a secant cosine of 1 ± {}.</p>\n\
         <div class=\"scroll\"><table>\n<tr><th>runs</th><th>mean, s</th><th>sd, s</th><th>change of mean</th><th>of sd</th><th>difference</th>\
         <th>projection</th><th>cosine</th></tr>\n",
        limits.runs,
        100.0 * limits.mean,
        100.0 * limits.sd,
        limits.difference,
        limits.projection,
        limits.cosine,
    );
    for change in &report.changes {
        let calm = if limits.is_calm(change) { " class=\"ok\"" } else { "" };
        let percent = |value: Option<f64>| {
            value.map_or_else(|| "–".into(), |value| format!("{:.2} %", 100.0 * value))
        };
        let _ = writeln!(
            html,
            "<tr{calm}><td>{}</td><td>{:.2}</td><td>{:.2}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            change.runs,
            change.mean,
            change.sd,
            percent(change.mean_change),
            percent(change.sd_change),
            number(change.difference, 4),
            number(change.projection, 4),
            number(change.cosine, 4),
        );
    }
    html + "</table></div>\n"
}
