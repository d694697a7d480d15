//! Bodies of all kinds from all sides: `cargo run --example turntable -- OUT_DIRECTORY`.

mod raster;

use std::f32::consts::PI;
use std::path::{Path, PathBuf};

use glam::{Quat, Vec2, Vec3};
use raster::{Picture, View};
use throng_motion::{
    Bottom, Detail, HairStyle, Human, Landmark, Mesh, ModelPose, Outfit, Physique, Pose, Region,
    Side, Sleeves,
};

type Fallible<T = ()> = Result<T, Box<dyn std::error::Error>>;

const EVERYTHING: Vec2 = Vec2::INFINITY;

/// Somebody to be drawn.
struct Person {
    physique: Physique,
    outfit: Outfit,
    colours: [u32; 6],
}

fn main() -> Fallible {
    for person in cast() {
        let human = person.physique.human()?;
        let counts = Detail::ALL.map(|detail| {
            Mesh::body(&human, &person.physique, &person.outfit, detail).map(|m| m.triangle_count())
        });
        println!("{counts:?}");
    }
    let directory = std::env::args().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    people(&directory.join("bodies.png"))?;
    sides(&directory.join("sides.png"))?;
    faces(&directory.join("faces.png"))?;
    poses(&directory.join("poses.png"))?;
    levels(&directory.join("levels.png"))?;
    details(&directory.join("details.png"))?;
    Ok(())
}

fn cast() -> Vec<Person> {
    let outfit = |hair, sleeves, bottom, coat| Outfit { hair, sleeves, bottom, coat };
    let person = |age, femininity, build, outfit, colours| Person {
        physique: Physique { build, ..Physique::typical(age, femininity) },
        outfit,
        colours,
    };
    use Bottom::{Shorts, Skirt, Trousers};
    use HairStyle::{Bald, Bob, Bun, Full, Long, Short};
    use Sleeves as S;
    let eyes = 0x2a1c14;
    vec![
        person(
            30.0,
            0.0,
            0.0,
            outfit(Short, S::Short, Trousers, false),
            [0xd9a282, 0x3a2618, 0x3f6ea8, 0x34405a, 0x2b2522, eyes],
        ),
        person(
            28.0,
            1.0,
            0.0,
            outfit(Long, S::Long, Trousers, false),
            [0xe0ae90, 0x5c3317, 0xb0483f, 0x2f3d5c, 0x3b2a25, eyes],
        ),
        person(
            45.0,
            0.0,
            0.9,
            outfit(Bald, S::Long, Trousers, false),
            [0xc98d6b, 0x222222, 0xd8d2c4, 0x57534e, 0x1f1f1f, eyes],
        ),
        person(
            35.0,
            1.0,
            -0.7,
            outfit(Bun, S::None, Skirt, false),
            [0x8a5a3c, 0x17100c, 0xe2b23c, 0x27605a, 0x5b2c2c, eyes],
        ),
        person(
            6.0,
            0.0,
            0.0,
            outfit(Full, S::Short, Shorts, false),
            [0xe6b697, 0x9a6a32, 0x4d9a5b, 0x8a6d3b, 0xb8352b, eyes],
        ),
        person(
            10.0,
            1.0,
            0.0,
            outfit(Bob, S::Long, Skirt, false),
            [0xd9a282, 0x201510, 0x8c5fa8, 0x3a4a7a, 0x222222, eyes],
        ),
        person(
            72.0,
            1.0,
            0.5,
            outfit(Bob, S::Long, Skirt, true),
            [0xe2b79c, 0xb9b6b2, 0x5d3a4b, 0x3a3533, 0x2a2422, eyes],
        ),
        person(
            66.0,
            0.0,
            0.3,
            outfit(Short, S::Long, Trousers, true),
            [0xd0a083, 0x9c9a97, 0x4c4a40, 0x2d2f38, 0x1e1b19, eyes],
        ),
        person(
            24.0,
            0.0,
            -0.8,
            outfit(Full, S::None, Shorts, false),
            [0x6d4630, 0x120c09, 0xdedede, 0xa23b2a, 0xe8e8e8, eyes],
        ),
        person(
            40.0,
            1.0,
            0.9,
            outfit(Short, S::Short, Trousers, false),
            [0xe3b295, 0x7a4a22, 0x2f8f83, 0x443a55, 0x2a2a2a, eyes],
        ),
    ]
}

fn people(path: &Path) -> Fallible {
    let mut picture = Picture::new(1120, 420, background());
    for (index, person) in cast().iter().enumerate() {
        let human = person.physique.human()?;
        let mut pose = Pose::rest(human.skeleton());
        hang_arms(&human, &mut pose);
        let at = Vec2::new(70.0 + 109.0 * index as f32, 395.0);
        let view = View {
            yaw: 0.45,
            pitch: 0.08,
            target: Vec3::ZERO,
            at,
            scale: 205.0,
            reach: EVERYTHING,
        };
        draw(&mut picture, person, &human, &pose, Detail::Full, &view)?;
    }
    picture.save(path)
}

fn sides(path: &Path) -> Fallible {
    let mut picture = Picture::new(1500, 1500, background());
    for (row, person) in cast().iter().take(3).enumerate() {
        let human = person.physique.human()?;
        let pose = Pose::rest(human.skeleton());
        for column in 0..5 {
            let at = Vec2::new(160.0 + 295.0 * column as f32, 480.0 + 495.0 * row as f32);
            let yaw = [0.0, 0.7, 1.57, PI, 3.9][column];
            let view =
                View { yaw, pitch: 0.03, target: Vec3::ZERO, at, scale: 255.0, reach: EVERYTHING };
            draw(&mut picture, person, &human, &pose, Detail::Full, &view)?;
        }
    }
    picture.save(path)
}

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

fn poses(path: &Path) -> Fallible {
    let mut picture = Picture::new(3000, 1900, background());
    let people = cast();
    for (row, person) in [&people[8], &people[1]].into_iter().enumerate() {
        let human = person.physique.human()?;
        for (column, (bends, yaw)) in bends().into_iter().enumerate() {
            let mut pose = Pose::rest(human.skeleton());
            for (landmark, turn) in bends {
                pose.rotations[human.joint(landmark).index()] = turn;
            }
            let at = Vec2::new(220.0 + 370.0 * column as f32, 870.0 + 940.0 * row as f32);
            let view =
                View { yaw, pitch: 0.05, target: Vec3::ZERO, at, scale: 390.0, reach: EVERYTHING };
            draw(&mut picture, person, &human, &pose, Detail::Full, &view)?;
        }
    }
    picture.save(path)
}

/// Shoulders, hands and feet from near.
fn details(path: &Path) -> Fallible {
    let mut picture = Picture::new(1600, 1200, background());
    let people = cast();
    for (row, person) in [&people[0], &people[1], &people[2]].into_iter().enumerate() {
        let human = person.physique.human()?;
        let mut pose = Pose::rest(human.skeleton());
        hang_arms(&human, &mut pose);
        let model = ModelPose::of(human.skeleton(), &pose);
        for (column, (landmark, yaw)) in [
            (Landmark::LeftUpperArm, 0.0),
            (Landmark::LeftUpperArm, 0.8),
            (Landmark::LeftUpperArm, 2.6),
            (Landmark::LeftHand, 0.3),
            (Landmark::LeftHand, 1.57),
            (Landmark::LeftFoot, 0.7),
            (Landmark::LeftFoot, 1.57),
            (Landmark::Hips, 1.57),
        ]
        .into_iter()
        .enumerate()
        {
            let at = Vec2::new(200.0 * column as f32 + 100.0, 400.0 * row as f32 + 200.0);
            let target = model.position(human.joint(landmark));
            let scale = if landmark == Landmark::Hips { 350.0 } else { 500.0 };
            let reach = Vec2::new(98.0, 195.0);
            let view = View { yaw, pitch: 0.1, target, at, scale, reach };
            draw(&mut picture, person, &human, &pose, Detail::Full, &view)?;
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

fn levels(path: &Path) -> Fallible {
    let mut picture = Picture::new(1600, 900, background());
    for (index, person) in cast().iter().enumerate().take(4) {
        let human = person.physique.human()?;
        let mut pose = Pose::rest(human.skeleton());
        hang_arms(&human, &mut pose);
        for (level, detail) in Detail::ALL.into_iter().enumerate() {
            let column = (index % 2) * 3 + level;
            let at = Vec2::new(130.0 + 260.0 * column as f32, 420.0 + 450.0 * (index / 2) as f32);
            let view = View {
                yaw: 0.5,
                pitch: 0.05,
                target: Vec3::ZERO,
                at,
                scale: 220.0,
                reach: EVERYTHING,
            };
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
        let colour =
            linear(person.colours[Region::ALL.iter().position(|r| *r == part.region).unwrap_or(0)]);
        picture.draw(view, &positions, &normals, &part.triangles, colour);
    }
    Ok(())
}

/// Arms as people hold them: a little off the body, elbows slightly bent.
fn hang_arms(human: &Human, pose: &mut Pose) {
    for side in Side::BOTH {
        let turn = |landmark: Landmark, turn: Quat, pose: &mut Pose| {
            pose.rotations[human.joint(landmark).index()] = turn;
        };
        turn(Landmark::upper_arm(side), Quat::from_rotation_z(0.12 * side.sign()), pose);
        turn(Landmark::forearm(side), Quat::from_rotation_x(-0.2), pose);
    }
}

fn background() -> Vec3 {
    linear(0xeceae6)
}

fn linear(colour: u32) -> Vec3 {
    let channel = |shift: u32| (((colour >> shift) & 0xff) as f32 / 255.0).powf(2.2);
    Vec3::new(channel(16), channel(8), channel(0))
}
