use std::sync::Arc;
use glam::Vec2;
use throng::bodies::*;
use throng::motion::carpet::Relief;
use throng::world::Heading;
fn main() {
    let cast = Arc::new(Cast::new(3).unwrap());
    let ground: SharedGround = Arc::new(Relief(|place: Vec2| 0.17 * (place.x / 0.3).floor()));
    let ways: [fn(f32) -> Vec2; 4] = [
        |time| Vec2::new(1.2 * time, 0.3),
        |time| Vec2::new(-1.2 * time, 0.0),
        |time| 3.0 * Vec2::from_angle(0.4 * time),
        |time| Vec2::new(1.1 * time, 1.5 * (0.5 * time).sin()),
    ];
    let step = 0.04;
    let mut bodies = Ensemble::new(cast, 3).on(Some(ground.clone()));
    let mut tracker = SoleTracker::of(&bodies);
    let mut before: Vec<Option<(Sole, bool)>> = vec![None; 8];
    for frame in 0..300 {
        let time = step * frame as f32 * 0.6;
        let wishes: Vec<Wish> = ways.iter().enumerate().map(|(id, way)| {
            let position = way(time) + Vec2::new(0.0, 50.0 * id as f32);
            let velocity = 0.6 * (way(time + 0.01) - way(time - 0.01)) / 0.02;
            let height = ground.at(Vec2::new(position.x, -position.y), 0.0).unwrap().height;
            Wish { id: id as u32, position, velocity, height, heading: Heading::along(velocity), planted: true, ..Wish::default() }
        }).collect();
        bodies.follow(&wishes, step);
        for member in bodies.members() {
            let soles = tracker.soles(member).to_vec();
            for foot in 0..2 {
                let stands = tracker.stands(member, foot);
                let slot = &mut before[2 * member.id as usize + foot];
                if let Some((sole, true)) = *slot && stands {
                    let slid = slip(&sole, &soles[foot]);
                    if slid > 0.002 || soles[foot].lowest() < -0.008 {
                        let report = member.on_carpet().unwrap();
                        println!("{frame:3} way {} foot {foot} slid {:.1} mm lowest {:.1} unreached {:.1} lowered {:.1} flat slip {:?} {:?}", member.id, 1e3*slid, 1e3*soles[foot].lowest(), 1e3*report.unreached, 1e3*report.lowered, member.slip(foot), report.condition);
                    }
                }
                *slot = Some((soles[foot], stands));
            }
        }
    }
}
