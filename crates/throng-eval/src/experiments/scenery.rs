//! What the scenes of experiments are put together from.

use super::Steering;

/// The body and the pace of people in laboratories, as scene files have them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walkers {
    /// Radius of their bodies, m.
    pub radius: f64,
    /// Mean of their preferred speeds, m/s.
    pub speed: f64,
    /// Its standard deviation, m/s.
    pub speed_sd: f64,
    /// The slowest and the fastest, m/s.
    pub speed_limits: [f64; 2],
}

/// Students, as most laboratories have them, who are told to walk normally.
pub(crate) const WALKERS: Walkers =
    Walkers { radius: 0.18, speed: 1.34, speed_sd: 0.2, speed_limits: [0.7, 2.0] };

/// The head of a scene. People are told way-points, and walk straight from one to the next.
pub(crate) fn head(duration: f64, step: f64, seed: u32, bounds: [[f64; 2]; 2]) -> String {
    format!(
        "format = 1\n[simulation]\nduration = {duration}\nstep = {step}\nseed = {seed}\n\
         navigation = false\n[world]\nbounds = {bounds:?}\n"
    )
}

/// A solid rectangle between two opposite corners.
pub(crate) fn block([a, b]: [[f64; 2]; 2]) -> String {
    let corners = [[a[0], a[1]], [b[0], a[1]], [b[0], b[1]], [a[0], b[1]]];
    format!("[[obstacles]]\npolygon = {corners:?}\n")
}

/// A region between two opposite corners.
pub(crate) fn region(name: &str, corners: [[f64; 2]; 2]) -> String {
    format!("[[regions]]\nname = \"{name}\"\nrectangle = {corners:?}\n")
}

/// People who start in the region `from` and have these goals, the value of a scene file.
pub(crate) fn group(
    name: &str,
    walkers: Walkers,
    steering: &Steering,
    [count, from]: [&dyn std::fmt::Display; 2],
    goals: &str,
) -> String {
    let Walkers { radius, speed, speed_sd, speed_limits: [min, max] } = walkers;
    format!(
        "[[groups]]\nname = \"{name}\"\nradius = {radius}\nmax_speed = {max_speed}\n\
         speed = {{ mean = {speed}, sd = {speed_sd}, min = {min}, max = {max} }}\n\
         steering = {steering}\ngoals = {goals}\nthen = \"leave\"\n\
         crowds = [{{ count = {count}, region = \"{from}\" }}]\n",
        max_speed = 1.3 * max,
        steering = steering.in_scene(),
    )
}
