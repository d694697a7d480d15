//! Ways for those who asked for one.

use rayon::prelude::*;
use throng_nav::Search;
use throng_world::scene::{Aim, Goal};

use crate::crowd::Crowd;
use crate::destination::Destinations;
use crate::guidance::{Answer, Course, Guidance, Request};
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
            let asks = |&row: &usize| self.people.goals[row].course.asks();
            let (after, before): (Vec<usize>, Vec<usize>) = self
                .people
                .rows_by_id()
                .filter(asks)
                .partition(|&row| self.people.ids[row] >= guidance.cursor);
            let capacity = Guidance::capacity(self.people.len(), self.steps);
            let served = after.into_iter().chain(before).take(capacity);
            let mut requests: Vec<Request> = served.map(|row| self.request(row)).collect();
            self.choose_regions(&guidance, &mut requests, parallel);
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

    /// Those who want to be in any of several regions choose one, by the ways there are now.
    fn choose_regions(&mut self, guidance: &Guidance, requests: &mut [Request], parallel: bool) {
        let to = Destinations {
            people: &self.people,
            regions: &self.setting.regions,
            guidance: Some(guidance),
            random: self.random,
        };
        let choose = |search: &mut Search, request: &Request| match self.goal(request.row) {
            Some(Goal { aim: Aim::SeekNearest { regions }, .. }) => {
                let draws = &mut to.draws(request.row, self.people.goals[request.row].count);
                to.choose(search, request, regions, draws)
            }
            _ => None,
        };
        let choices: Vec<_> = if parallel {
            requests.par_iter().map_init(Search::default, choose).collect()
        } else {
            let mut search = Search::default();
            requests.iter().map(|request| choose(&mut search, request)).collect()
        };
        for (request, choice) in requests.iter_mut().zip(choices) {
            if let Some((region, place)) = choice {
                let state = &mut self.people.goals[request.row];
                (state.region, state.target) = (region, place);
                state.floor = self.setting.regions[region.0 as usize].layer;
                *request = self.request(request.row);
            }
        }
    }

    /// What the person in a row wants, if they are not done.
    fn goal(&self, row: usize) -> Option<&Goal> {
        let state = &self.people.goals[row];
        self.plans[state.plan as usize].goals.get(state.goal as usize)
    }

    /// What the person in a row wants to know.
    pub(crate) fn request(&self, row: usize) -> Request {
        let (people, state) = (&self.people, &self.people.goals[row]);
        let from = people.positions[row];
        let nearer = match self.goal(row).map(|goal| &goal.aim) {
            Some(Aim::SeekRegion { .. } | Aim::SeekNearest { .. }) => {
                self.setting.regions[state.region.0 as usize].polygon.nearest_point(from)
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
