//! Feet as anybody sees them: found from poses alone.

use glam::Vec3;
use throng::bodies::{Cast, Member};
use throng::motion::{Landmark, ModelPose, Side};

/// Heels, balls and tips of both feet in the world.
pub fn soles(cast: &Cast, member: &Member) -> [[Vec3; 3]; 2] {
    let (human, scale) = (&cast.looks()[member.role.look].human, member.role.scale);
    // Bones grow along with everything else.
    let mut pose = member.pose.clone();
    pose.place(member.played.placement.placement());
    let model = ModelPose::of(human.skeleton(), &pose);
    let shape = human.proportions().foot;
    Side::BOTH.map(|side| {
        let foot = human.joint(Landmark::foot(side));
        let toes = human.joint(Landmark::toes(side));
        let heel = Vec3::new(0.0, -shape.ankle_height, -shape.heel);
        let heel = model.position(foot) + model.rotation(foot) * heel;
        let ball = model.position(toes) - shape.ball_height * Vec3::Y;
        let tip = Vec3::new(0.0, -shape.ball_height, shape.toes);
        let tip = model.position(toes) + model.rotation(toes) * tip;
        [heel * scale, ball * scale, tip * scale]
    })
}

/// The points of the sole that a foot may stand on now: the one that the body says, or, of those whose feet
/// nobody plants, any while their clip says that it stands.
pub fn standing(cast: &Cast, member: &Member) -> [[bool; 3]; 2] {
    let parts = cast.looks()[member.role.look].repertoire.parts();
    let contacts = parts[member.played.part].clip.contacts();
    Side::BOTH.map(|side| {
        let contact = member.played.feet[side as usize].contact;
        std::array::from_fn(|point| match member.is_planted() {
            true => contact.is_some_and(|(stands, _)| stands as usize == point),
            false => contacts.touches(side, member.played.phase),
        })
    })
}

/// How far the part of a foot that is on the ground in both frames has moved, m: of the points that stand
/// now or stood before, the one that moved least.
pub fn slip(before: (&[Vec3; 3], [bool; 3]), now: (&[Vec3; 3], [bool; 3])) -> Option<f32> {
    let low = |point: Vec3| point.y < 0.005;
    (0..3)
        .filter(|&point| before.1[point] || now.1[point])
        .filter(|&point| low(before.0[point]) && low(now.0[point]))
        .map(|point| (now.0[point] - before.0[point]).with_y(0.0).length())
        .min_by(f32::total_cmp)
}
