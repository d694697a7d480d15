//! Ways for those who asked for one.

use throng_world::scene::Aim;

use crate::crowd::Crowd;
use crate::guidance::{Answer, Course, Request};
use crate::traffic;

impl Crowd {
    /// Tells the way to those who asked: as many as a step has time for, in the order of their ids
    /// from where the last step stopped.
    pub(super) fn find_ways(&mut self, parallel: bool) {
        let Some(mut guidance) = self.guidance.take() else { return };
        if self.steps.is_multiple_of((traffic::COUNTING / self.setting.step).ceil() as u64) {
            let routes = self.people.routes.iter().flatten();
            guidance.traffic.count(routes.map(|route| route.edge));
        }
        if self.somebody_asks {
            let course = |row: usize| self.people.goals[row].course;
            let asking = self.people.rows_by_id().filter(|&row| course(row).asks());
            let (urgent, others): (Vec<usize>, Vec<usize>) =
                asking.partition(|&row| course(row).is_urgent());
            let (after, before): (Vec<usize>, Vec<usize>) =
                others.into_iter().partition(|&row| self.people.ids[row] >= guidance.cursor);
            let capacity = guidance.capacity(self.people.len(), self.steps);
            if urgent.len() <= capacity {
                guidance.all_served();
            }
            let served = urgent.into_iter().chain(after).chain(before).take(capacity);
            let requests: Vec<Request> = served.map(|row| self.request(row)).collect();
            let answers = guidance.answer(&requests, self.random, parallel);
            for (request, answer) in requests.iter().zip(answers) {
                let (course, route) = match answer {
                    Answer::Straight => (Course::Straight, None),
                    Answer::Route(route) => (Course::Routed, Some(route)),
                    Answer::NoWay(_) => (Course::Lost, None),
                };
                self.people.goals[request.row].course = course;
                self.people.routes[request.row] = route;
                guidance.cursor = request.id + 1;
            }
        }
        self.guidance = Some(guidance);
    }

    /// What the person in a row wants to know.
    pub(crate) fn request(&self, row: usize) -> Request {
        let (people, state) = (&self.people, &self.people.goals[row]);
        let from = people.positions[row];
        let goal = self.plans[state.plan as usize].goals.get(state.goal as usize);
        let nearer = match goal.map(|goal| &goal.aim) {
            Some(&Aim::SeekRegion { region }) => {
                self.setting.regions[region.0 as usize].polygon.nearest_point(from)
            }
            _ => state.target,
        };
        Request {
            row,
            id: people.ids[row],
            from,
            layer: people.layers[row],
            to: state.target,
            floor: state.floor,
            nearer,
            radius: people.radii[row],
            speed: state.speed,
        }
    }
}
