//! Bodies of all kinds from all sides: `cargo run --example turntable -- OUT_DIRECTORY`.

mod raster;

use std::f32::consts::PI;
use std::path::{Path, PathBuf};

use glam::{Quat, Vec2, Vec3};
use raster::{Picture, View};
use throng_motion::gait::{Falling, Library, Steady, Style};
use throng_motion::mediator::{Command, Performer, PerformerOptions, Repertoire, Scratch};
use throng_motion::{
    Bottom, Detail, HairStyle, Human, Landmark, Mesh, ModelPose, Outfit, Physique, Pose, Side,
    Sleeves,
};

type Fallible<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Somebody to be drawn.
#[derive(Clone, Copy)]
struct Person {
    physique: Physique,
    outfit: Outfit,
    /// In the order of the regions.
    colours: [u32; 10],
}

fn main() -> Fallible {
    let directory = std::env::args().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    people(&directory.join("bodies.png"))?;
    faces(&directory.join("faces.png"))?;
    gazes(&directory.join("gazes.png"))?;
    poses(&directory.join("poses.png"))?;
    levels(&directory.join("levels.png"))?;
    extremes(&directory.join("extremes.png"))?;
    walk(&directory.join("walk.png"))?;
    fall(&directory.join("fall.png"))?;
    walkers(&directory.join("walkers.png"))?;
    journeys(&directory.join("journeys.png"))?;
    Ok(())
}

/// Ten people: age, femininity and build, what they wear, and their colours.
fn cast() -> Vec<Person> {
    use Bottom::{Shorts, Skirt, Trousers};
    use HairStyle::{Bald, Bob, Bun, Full, Long, Short};
    let outfit = |hair, sleeves, bottom, coat| Outfit { hair, sleeves, bottom, coat };
    let person =
        |[age, femininity, build]: [f32; 3], outfit, [skin, hair, top, bottom, shoes]: [u32; 5]| {
            let physique = Physique { build, ..Physique::typical(age, femininity) };
            // Iris, brows and lips go with hair and skin.
            let iris = if skin > 0xdf0000 { 0x5f7d8c } else { 0x5a3a22 };
            let (brows, lips) = (mixed(hair, skin, 0.2), mixed(skin, 0x8c3a34, 0.4));
            let (eyes, pupil) = (0xcd_c7c1, 0x0c_0a0a);
            let colours = [skin, hair, top, bottom, shoes, eyes, iris, pupil, brows, lips];
            Person { physique, outfit, colours }
        };
    vec![
        person(
            [30.0, 0.0, 0.0],
            outfit(Short, Sleeves::Short, Trousers, false),
            [0xd9a282, 0x3a2618, 0x3f6ea8, 0x34405a, 0x2b2522],
        ),
        person(
            [28.0, 1.0, 0.0],
            outfit(Long, Sleeves::Long, Trousers, false),
            [0xe0ae90, 0x5c3317, 0xb0483f, 0x2f3d5c, 0x3b2a25],
        ),
        person(
            [45.0, 0.0, 0.9],
            outfit(Bald, Sleeves::Long, Trousers, false),
            [0xc98d6b, 0x222222, 0xd8d2c4, 0x57534e, 0x1f1f1f],
        ),
        person(
            [35.0, 1.0, -0.7],
            outfit(Bun, Sleeves::None, Skirt, false),
            [0x8a5a3c, 0x17100c, 0xe2b23c, 0x27605a, 0x5b2c2c],
        ),
        person(
            [6.0, 0.0, 0.0],
            outfit(Full, Sleeves::Short, Shorts, false),
            [0xe6b697, 0x9a6a32, 0x4d9a5b, 0x8a6d3b, 0xb8352b],
        ),
        person(
            [10.0, 1.0, 0.0],
            outfit(Bob, Sleeves::Long, Skirt, false),
            [0xd9a282, 0x201510, 0x8c5fa8, 0x3a4a7a, 0x222222],
        ),
        person(
            [72.0, 1.0, 0.5],
            outfit(Bob, Sleeves::Long, Skirt, true),
            [0xe2b79c, 0xb9b6b2, 0x5d3a4b, 0x3a3533, 0x2a2422],
        ),
        person(
            [66.0, 0.0, 0.3],
            outfit(Short, Sleeves::Long, Trousers, true),
            [0xd0a083, 0x9c9a97, 0x4c4a40, 0x2d2f38, 0x1e1b19],
        ),
        person(
            [24.0, 0.0, -0.8],
            outfit(Full, Sleeves::None, Shorts, false),
            [0x6d4630, 0x120c09, 0xdedede, 0xa23b2a, 0xe8e8e8],
        ),
        person(
            [40.0, 1.0, 0.9],
            outfit(Short, Sleeves::Short, Trousers, false),
            [0xe3b295, 0x7a4a22, 0x2f8f83, 0x443a55, 0x2a2a2a],
        ),
    ]
}

/// Everybody in a row.
fn people(path: &Path) -> Fallible {
    let mut picture = Picture::new(1000, 375, background());
    for (index, person) in cast().iter().enumerate() {
        let human = person.physique.human()?;
        let mut pose = Pose::rest(human.skeleton());
        hang_arms(person, &human, &mut pose)?;
        let at = Vec2::new(62.0 + 97.5 * index as f32, 353.0);
        let view = View::of_body(0.45, at, 183.0);
        draw(&mut picture, person, &human, &pose, Detail::Full, &view)?;
    }
    picture.save(path)
}

/// Somebody who walks past, eight times a cycle.
fn walk(path: &Path) -> Fallible {
    let mut picture = Picture::new(1000, 250, background());
    let person = &cast()[0];
    let human = person.physique.human()?;
    let clip = Steady::ahead(1.35).styled(person.physique.style()?).clip(&human)?;
    let mut pose = Pose::default();
    for index in 0..8 {
        clip.sample(index as f32 / 8.0, &mut pose);
        let at = Vec2::new(66.0 + 124.0 * index as f32, 232.0);
        draw(&mut picture, person, &human, &pose, Detail::Full, &View::of_body(-1.4, at, 114.0))?;
    }
    picture.save(path)
}

/// Somebody falls.
fn fall(path: &Path) -> Fallible {
    let mut picture = Picture::new(1400, 250, background());
    let person = &cast()[1];
    let human = person.physique.human()?;
    let clip = Falling { style: person.physique.style()? }.clip(&human)?;
    let mut pose = Pose::default();
    for (index, phase) in [0.0, 0.2, 0.4, 0.55, 0.7, 0.85, 1.0].into_iter().enumerate() {
        clip.sample(phase, &mut pose);
        let at = Vec2::new(90.0 + 195.0 * index as f32, 215.0);
        draw(&mut picture, person, &human, &pose, Detail::Full, &View::of_body(-1.3, at, 114.0))?;
    }
    picture.save(path)
}

/// Everybody on the way, each in their own manner, some in a hurry.
fn walkers(path: &Path) -> Fallible {
    let mut picture = Picture::new(1000, 375, background());
    for (index, person) in cast().iter().enumerate() {
        let human = person.physique.human()?;
        let style = person.physique.style()?.with(Style::individual(5, index as u64));
        let speed = [1.4, 1.3, 1.1, 1.5, 2.2, 1.2, 0.8, 0.9, 3.2, 1.1][index];
        let clip = Steady::ahead(speed).styled(style).clip(&human)?;
        let mut pose = Pose::default();
        clip.sample(0.37 * index as f32 + 0.02, &mut pose);
        let at = Vec2::new(66.0 + 95.5 * index as f32, 353.0);
        draw(&mut picture, person, &human, &pose, Detail::Full, &View::of_body(-0.6, at, 183.0))?;
    }
    picture.save(path)
}

/// What a simulator may ask for: a velocity and where to face, by time.
type Journey = fn(f32) -> (Vec3, Option<f32>);

/// A sharp corner, a stop, a turn on the spot, a step aside, a start, a circle: a picture every sixth of a
/// second.
fn journeys(path: &Path) -> Fallible {
    let journeys: [(Journey, f32); 6] = [
        (|t| (1.3 * if t < 2.0 { Vec3::Z } else { Vec3::X }, None), 1.6),
        (|t| (if t < 2.0 { 1.3 * Vec3::Z } else { Vec3::ZERO }, None), 1.6),
        (|t| (Vec3::ZERO, Some(if t < 2.0 { 0.0 } else { 2.4 })), 1.9),
        (|t| (if t < 2.0 { Vec3::ZERO } else { 0.5 * Vec3::X }, None), 1.9),
        (|t| (if t < 2.0 { Vec3::ZERO } else { 1.3 * Vec3::Z }, None), 1.9),
        (|t| (Quat::from_rotation_y(1.05 * t) * Vec3::Z * 1.3, None), 1.6),
    ];
    let mut picture = Picture::new(1500, 250 * journeys.len(), background());
    let person = &cast()[0];
    let human = person.physique.human()?;
    let library = Library::new(&human, person.physique.style()?)?;
    let repertoire = Repertoire::new(library.clips(), Default::default())?;
    for (row, (journey, from)) in journeys.into_iter().enumerate() {
        let (mut performer, mut scratch) = (Performer::new(Vec3::ZERO, 0.0), Scratch::default());
        let (mut pose, mut place, mut drawn) = (Pose::default(), Vec3::ZERO, 0);
        for frame in 0..150 {
            let time = frame as f32 / 30.0;
            let (velocity, facing) = journey(time);
            place += velocity / 30.0;
            let command = Command { velocity, place, facing, lying: false };
            let options = PerformerOptions::default();
            let played = performer.step(
                &repertoire,
                &command,
                1.0 / 30.0,
                &options,
                &mut pose,
                &mut scratch,
            );
            place = played.placement.translation;
            if time + 1e-3 < from || frame % 5 != 0 || drawn == 12 {
                continue;
            }
            let mut world = pose.clone();
            world.place((Quat::from_rotation_y(played.placement.yaw), Default::default()));
            let at = Vec2::new(62.0 + 124.0 * drawn as f32, 232.0 + 250.0 * row as f32);
            let view = View::of_body(-0.9, at, 114.0);
            draw(&mut picture, person, &human, &world, Detail::Full, &view)?;
            drawn += 1;
        }
    }
    picture.save(path)
}

/// Heads from all sides.
fn faces(path: &Path) -> Fallible {
    let mut picture = Picture::new(1560, 1160, background());
    for (index, person) in cast().iter().enumerate() {
        let human = person.physique.human()?;
        let pose = Pose::rest(human.skeleton());
        let target = human.skeleton().rest_position(human.joint(Landmark::Head));
        for (turn, yaw) in [0.0, 0.6, 1.57, PI, 4.2, -0.3].into_iter().enumerate() {
            let at = Vec2::new(
                130.0 * turn as f32 + 780.0 * (index % 2) as f32 + 65.0,
                230.0 * (index / 2) as f32 + 130.0,
            );
            let reach = Vec2::new(64.0, 125.0);
            let view = View { yaw, pitch: 0.0, target, at, scale: 520.0, reach };
            draw(&mut picture, person, &human, &pose, Detail::Full, &view)?;
        }
    }
    picture.save(path)
}

/// Faces that look ahead, 30° to either side, up and down: from near, and below as from 4 m away.
fn gazes(path: &Path) -> Fallible {
    let mut picture = Picture::new(1500, 1560, background());
    let people = cast();
    for (row, person) in [0, 1, 3, 4, 7].map(|who| &people[who]).into_iter().enumerate() {
        let human = person.physique.human()?;
        let target = human.skeleton().rest_position(human.joint(Landmark::LeftEye));
        let target = Vec3 { x: 0.0, ..target };
        let turns = [[0.0, 0.0], [30.0, 0.0], [-30.0, 0.0], [0.0, -20.0], [0.0, 25.0]];
        for (column, [yaw, pitch]) in
            turns.map(|turn| turn.map(f32::to_radians)).into_iter().enumerate()
        {
            let mut pose = Pose::rest(human.skeleton());
            for eye in [Landmark::LeftEye, Landmark::RightEye] {
                let turn = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch);
                pose.rotations[human.joint(eye).index()] = turn;
            }
            let at = Vec2::new(120.0 + 300.0 * column as f32, 160.0 + 312.0 * row as f32);
            let reach = Vec2::new(118.0, 150.0);
            let view = View { yaw: 0.0, pitch: 0.0, target, at, scale: 1000.0, reach };
            draw(&mut picture, person, &human, &pose, Detail::Full, &view)?;
            let (at, reach) = (at + Vec2::new(150.0, 0.0), Vec2::new(30.0, 60.0));
            let view = View { at, reach, scale: 270.0, ..view };
            draw(&mut picture, person, &human, &pose, Detail::Full, &view)?;
        }
    }
    picture.save(path)
}

/// Four people in poses that are hard on their skins.
fn poses(path: &Path) -> Fallible {
    let mut picture = Picture::new(1900, 2440, background());
    let people = cast();
    for (row, person) in [8, 1, 3, 7].map(|who| &people[who]).into_iter().enumerate() {
        let human = person.physique.human()?;
        for (column, (bends, yaw)) in bends().into_iter().enumerate() {
            let mut pose = Pose::rest(human.skeleton());
            for (landmark, turn) in bends {
                pose.rotations[human.joint(landmark).index()] = turn;
            }
            let at = Vec2::new(140.0 + 235.0 * column as f32, 550.0 + 610.0 * row as f32);
            let view = View::of_body(yaw, at, 250.0);
            draw(&mut picture, person, &human, &pose, Detail::Full, &view)?;
        }
    }
    picture.save(path)
}

/// The corners of what bodies can be.
fn extremes(path: &Path) -> Fallible {
    let mut picture = Picture::new(1500, 1300, background());
    let people = cast();
    for (row, yaw) in [0.4, 1.57, 3.6].into_iter().enumerate() {
        let mut column = 0;
        for age in [3.0, 12.0, 90.0] {
            for build in [-1.0, 1.0] {
                for femininity in [0.0, 1.0] {
                    let person = Person {
                        physique: Physique { age, build, femininity, height: 1.7 },
                        ..people[(column * 3) % 10]
                    };
                    let human = person.physique.human()?;
                    let mut pose = Pose::rest(human.skeleton());
                    hang_arms(&person, &human, &mut pose)?;
                    let at = Vec2::new(65.0 + 124.0 * column as f32, 415.0 + 430.0 * row as f32);
                    let view = View::of_body(yaw, at, 225.0);
                    draw(&mut picture, &person, &human, &pose, Detail::Full, &view)?;
                    column += 1;
                }
            }
        }
    }
    picture.save(path)
}

/// Poses that are hard on a skin: turns of joints, and where to look from.
fn bends() -> Vec<(Vec<(Landmark, Quat)>, f32)> {
    let x = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
    let y = |degrees: f32| Quat::from_rotation_y(degrees.to_radians());
    let z = |degrees: f32| Quat::from_rotation_z(degrees.to_radians());
    let spine = |turn: Quat| Landmark::SPINE.map(|joint| (joint, turn)).to_vec();
    use Landmark::*;
    vec![
        (
            vec![
                (LeftUpperLeg, x(-60.0)),
                (LeftLowerLeg, x(110.0)),
                (LeftForearm, x(-120.0)),
                (RightForearm, x(-90.0)),
            ],
            1.3,
        ),
        (vec![(LeftUpperArm, z(150.0)), (RightUpperArm, z(-90.0))], 0.0),
        (vec![(LeftUpperArm, x(-150.0)), (RightUpperArm, x(45.0))], 1.2),
        (vec![(LeftUpperArm, z(150.0)), (RightUpperArm, z(-90.0))], PI),
        (spine(y(9.0)), 0.0),
        (
            [
                spine(x(12.0)),
                vec![(Head, x(20.0)), (LeftUpperArm, x(-60.0)), (RightUpperArm, x(-60.0))],
            ]
            .concat(),
            1.57,
        ),
        (
            vec![
                (LeftUpperLeg, x(-90.0)),
                (RightUpperLeg, x(-90.0)),
                (LeftLowerLeg, x(90.0)),
                (RightLowerLeg, x(90.0)),
            ],
            0.9,
        ),
        (
            vec![
                (LeftUpperLeg, x(-30.0)),
                (RightUpperLeg, x(20.0)),
                (LeftLowerLeg, x(10.0)),
                (RightLowerLeg, x(20.0)),
                (RightFoot, x(25.0)),
                (RightToes, x(-35.0)),
                (LeftUpperArm, x(25.0)),
                (RightUpperArm, x(-25.0)),
                (RightForearm, x(-25.0)),
                (LeftForearm, x(-15.0)),
                (Head, y(30.0)),
            ],
            1.1,
        ),
    ]
}

/// The levels of detail, from near and as they are seen from afar.
fn levels(path: &Path) -> Fallible {
    let mut picture = Picture::new(1600, 900, background());
    for (index, person) in cast().iter().enumerate().take(4) {
        let human = person.physique.human()?;
        let mut pose = Pose::rest(human.skeleton());
        hang_arms(person, &human, &mut pose)?;
        for (level, detail) in Detail::ALL.into_iter().enumerate() {
            let column = (index % 2) * 3 + level;
            let at = Vec2::new(130.0 + 260.0 * column as f32, 420.0 + 450.0 * (index / 2) as f32);
            let view = View::of_body(0.5, at, 220.0);
            draw(&mut picture, person, &human, &pose, detail, &view)?;
            let at = at + Vec2::new(95.0, 0.0);
            draw(&mut picture, person, &human, &pose, detail, &View { at, scale: 30.0, ..view })?;
        }
    }
    picture.save(path)
}

fn draw(
    picture: &mut Picture,
    person: &Person,
    human: &Human,
    pose: &Pose,
    detail: Detail,
    view: &View,
) -> Fallible {
    let mesh = Mesh::body(human, &person.physique, &person.outfit, detail)?;
    mesh.check(human.skeleton())?;
    let (positions, normals) = mesh.skinned(&ModelPose::of(human.skeleton(), pose));
    for part in &mesh.parts {
        let colour = linear(person.colours[part.region as usize]);
        picture.draw(view, &positions, &normals, &part.triangles, colour);
    }
    Ok(())
}

/// Arms as people hold them: off the hips, with slightly bent elbows.
fn hang_arms(person: &Person, human: &Human, pose: &mut Pose) -> Fallible {
    let clear = person.physique.arm_clearance()?;
    for side in Side::BOTH {
        let mut turn = |landmark: Landmark, turn: Quat| {
            pose.rotations[human.joint(landmark).index()] = turn;
        };
        turn(Landmark::upper_arm(side), Quat::from_rotation_z(clear * side.sign()));
        turn(Landmark::forearm(side), Quat::from_rotation_x(-0.2));
    }
    Ok(())
}

fn background() -> Vec3 {
    linear(0xeceae6)
}

/// A colour that has a share of another.
fn mixed(colour: u32, other: u32, share: f32) -> u32 {
    let channel = |shift: u32| {
        let part = |of: u32| ((of >> shift) & 0xff) as f32;
        (((1.0 - share) * part(colour) + share * part(other)) as u32) << shift
    };
    channel(16) | channel(8) | channel(0)
}

fn linear(colour: u32) -> Vec3 {
    let channel = |shift: u32| (((colour >> shift) & 0xff) as f32 / 255.0).powf(2.2);
    Vec3::new(channel(16), channel(8), channel(0))
}
