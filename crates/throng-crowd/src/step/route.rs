//! Ways for those who asked for one.

use glam::Vec2;
use throng_nav::{EdgeId, Search};
use throng_world::scene::{Aim, Goal, RegionId, Ways};

use crate::PersonId;
use crate::crowd::Crowd;
use crate::destination::{APPROACH, Destinations, aim_in};
use crate::guidance::{Answer, Course, Guidance, Request, Told, Tolls};
use crate::line::{Lane, lane_of};
use crate::traffic;

/// So many choose a region at the same time, not knowing of each other's choice: few enough that a
/// crowd does not run to the same exit all at once.
const AT_ONCE: usize = 16;

impl Crowd {
    /// Tells the way to those who asked: as many as a step has time for, in the order of their ids
    /// from where the last step stopped.
    pub(super) fn find_ways(&mut self, parallel: bool) {
        let Some(mut guidance) = self.guidance.take() else { return };
        let period = (traffic::COUNTING / self.setting.step).ceil().max(1.0) as u32;
        let Guidance { map, traffic, .. } = &mut guidance;
        traffic.count(map, period, || {
            self.people.layers.iter().copied().zip(self.people.positions.iter().copied())
        });
        let mut asking = self.asking_rows();
        guidance.survey(!asking.is_empty());
        if !asking.is_empty() {
            let course = |row: usize| self.people.goals[row].course;
            asking.sort_unstable_by_key(|&row| self.people.ids[row]);
            let (urgent, others): (Vec<usize>, Vec<usize>) =
                asking.into_iter().partition(|&row| course(row).is_urgent());
            self.timings.asking = urgent.len() + others.len();
            let (after, before): (Vec<usize>, Vec<usize>) =
                others.into_iter().partition(|&row| self.people.ids[row] >= guidance.cursor);
            let capacity = guidance.capacity(self.people.len(), urgent.len(), self.steps);
            let served = urgent.into_iter().chain(after).chain(before).take(capacity);
            let served: Vec<usize> = served.collect();
            let request = |row| {
                let tolls = self.tolls_for(row, &guidance);
                self.request(row).avoiding(self.gate_before(row, &guidance)).paying(tolls)
            };
            let mut requests: Vec<Request> = served.into_iter().map(request).collect();
            self.choose_regions(&guidance, &mut requests, parallel);
            guidance.cursor = requests.last().map_or(guidance.cursor, |last| last.id + 1);
            let (dealt, found): (Vec<Request>, Vec<Request>) =
                requests.into_iter().partition(|request| self.is_dealt_a_way(request.row));
            let lane = |request: &Request| self.lane(request.row);
            let answers = guidance.answer(&found, lane, self.random, parallel);
            // Sets of ways are found one after the other, so that each is found once.
            let regions = &self.setting.regions;
            let deals: Vec<Told> =
                dealt.iter().map(|request| guidance.deal(request, regions, self.random)).collect();
            for (request, told) in found.iter().zip(answers).chain(dealt.iter().zip(deals)) {
                let state = &mut self.people.goals[request.row];
                let memory = &mut self.people.goal_memories[request.row];
                memory.dealt = true;
                let (course, route) = match told.answer {
                    Answer::Straight => (Course::Straight, None),
                    Answer::Route(mut route, outlook) => {
                        self.people.outlooks[request.row] = outlook;
                        if let Some(line) = route.line() {
                            line.tell(state, memory);
                        }
                        (Course::Routed, Some(route))
                    }
                    Answer::NoWay(_) => (Course::Lost, None),
                };
                state.course = course;
                match course {
                    Course::Lost => self.timings.lost += 1,
                    _ => self.timings.told += 1,
                }
                let left = match &route {
                    Some(route) => route.left(request.from, self.people.outlooks[request.row].aim),
                    None => Some(request.from.distance(request.nearer)),
                };
                memory.set_out(left.unwrap_or(0.0));
                self.people.routes[request.row] = route;
                if request.tolls != Tolls::default() {
                    self.turn_away_from_jams(request, &told.pays);
                }
            }
        }
        self.guidance = Some(guidance);
    }

    /// Who waits for a way, in any order.
    fn asking_rows(&self) -> Vec<usize> {
        let goals = &self.people.goals;
        let asks = |&row: &usize| goals[row].is_begun() && goals[row].course.asks();
        if self.somebody_asks {
            return (0..self.people.len()).filter(asks).collect();
        }
        let rows = self.asking.iter().filter_map(|&id| self.people.row(PersonId(id)));
        rows.filter(asks).collect()
    }

    /// Those who want to be in any of several regions choose one, by the ways there are now and by
    /// what others have chosen.
    fn choose_regions(&mut self, guidance: &Guidance, requests: &mut [Request], parallel: bool) {
        if !requests.iter().any(|request| self.choices(request.row).is_some()) {
            return;
        }
        let mut queues = vec![0; self.setting.regions.len()];
        for (row, goal) in self.people.goals.iter().enumerate() {
            let chosen = self.people.goal_memories.value(row).region;
            if let Some(region) = chosen.filter(|_| !goal.course.asks()) {
                queues[region.0 as usize] += u32::from(self.queues_at(row, region));
            }
        }
        for some in requests.chunks_mut(AT_ONCE) {
            let choices = self.choose(guidance, some, &queues, parallel);
            for (request, choice) in some.iter_mut().zip(choices) {
                let Some((region, place)) = self.shared(guidance, request.row, choice) else {
                    continue;
                };
                queues[region.0 as usize] += u32::from(self.queues_at(request.row, region));
                let state = &mut self.people.goals[request.row];
                state.target = place;
                self.people.goal_memories[request.row].region = Some(region);
                state.floor = self.setting.regions[region.0 as usize].layer;
                let told = self.request(request.row);
                *request = told.avoiding(request.avoids).paying(request.tolls);
                if !self.people.bonds.is_empty() {
                    self.call_companions(request.row);
                }
            }
        }
    }

    /// What somebody has chosen, or where their companions go.
    fn shared(
        &self,
        guidance: &Guidance,
        row: usize,
        choice: Option<(RegionId, Vec2)>,
    ) -> Option<(RegionId, Vec2)> {
        let (chosen, _) = choice?;
        match self.companions_choice(row).filter(|region| *region != chosen) {
            None => choice,
            Some(region) => {
                let to = self.destinations(guidance);
                let draws = &mut to.draws(row, self.people.goals[row].count);
                let place = to.place_in(row, &self.setting.regions[region.0 as usize], draws);
                Some((region, place))
            }
        }
    }

    fn destinations<'a>(&'a self, guidance: &'a Guidance) -> Destinations<'a> {
        Destinations {
            people: &self.people,
            regions: &self.setting.regions,
            guidance: Some(guidance),
            random: self.random,
        }
    }

    /// Whether somebody on the way to a region is so near that others have to wait for them.
    fn queues_at(&self, row: usize, region: RegionId) -> bool {
        let position = self.people.positions[row];
        self.people.layers[row] == self.setting.regions[region.0 as usize].layer
            && self.entry(region, position).distance(position) < APPROACH
    }

    /// The regions that some people choose who see the same queues.
    fn choose(
        &self,
        guidance: &Guidance,
        requests: &[Request],
        queues: &[u32],
        parallel: bool,
    ) -> Vec<Option<(RegionId, Vec2)>> {
        let to = self.destinations(guidance);
        let choose = |search: &mut Search, request: &Request| {
            let draws = &mut to.draws(request.row, self.people.goals[request.row].count);
            to.choose(search, request, self.choices(request.row)?, queues, draws)
        };
        guidance.searches.map(requests, parallel, choose)
    }

    /// The regions of which the person in a row wants to be in any.
    pub(crate) fn choices(&self, row: usize) -> Option<&[RegionId]> {
        match &self.goal(row)?.aim {
            Aim::SeekNearest { regions } if !regions.is_empty() => Some(regions),
            _ => None,
        }
    }

    /// What the person in a row wants, if they are not done.
    pub(crate) fn goal(&self, row: usize) -> Option<&Goal> {
        let state = &self.people.goals[row];
        self.plans[state.plan as usize].goals.get(state.goal as usize)
    }

    /// What the person in a row wants to know.
    pub(crate) fn request(&self, row: usize) -> Request {
        let (people, state) = (&self.people, &self.people.goals[row]);
        let memory = people.goal_memories.value(row);
        let from = people.positions[row];
        let nearer = match self.goal(row).map(|goal| &goal.aim) {
            Some(&Aim::SeekRegion { region }) => self.aim_in(region, from, state.target),
            Some(Aim::SeekNearest { .. }) => {
                memory.region.map_or(state.target, |region| self.aim_in(region, from, state.target))
            }
            _ => state.target,
        };
        Request {
            row,
            id: people.ids[row],
            whim: people.chance_id(row),
            from,
            start: self.first_companion(row).map_or(from, |first| people.positions[first]),
            layer: people.layers[row],
            to: state.target,
            floor: state.floor,
            nearer,
            radius: people.radii[row],
            speed: state.speed,
            along: memory.along,
            avoids: None,
            tolls: Tolls::default(),
            temperament: people.temperament(row),
        }
    }

    /// The gate that the person in a row has waited before for too long.
    fn gate_before(&self, row: usize, guidance: &Guidance) -> Option<EdgeId> {
        let people = &self.people;
        let is_impatient = people.goals[row].course == Course::Impatient;
        let route = people.routes[row].as_ref().filter(|_| is_impatient)?;
        guidance.gate_ahead(route, people.layers[row], people.positions[row])
    }

    /// Whether the person in a row takes one of many ways: at first, and whoever is stuck there looks for
    /// the best one.
    fn is_dealt_a_way(&self, row: usize) -> bool {
        let wants = self
            .goal(row)
            .is_some_and(|goal| goal.ways == Ways::Many && !matches!(goal.aim, Aim::Follow { .. }));
        wants && !self.people.goal_memories.value(row).dealt
    }

    /// What the person in a row walks along, if they follow a line.
    pub(crate) fn lane(&self, row: usize) -> Option<Lane<'_>> {
        lane_of(self.goal(row)?, &self.people, row, self.random)
    }

    /// The point of a region that a person who sees it heads for.
    pub(crate) fn aim_in(&self, region: RegionId, from: Vec2, place: Vec2) -> Vec2 {
        aim_in(&self.setting.regions[region.0 as usize], from, place)
    }

    /// The nearest point of a region.
    fn entry(&self, region: RegionId, from: Vec2) -> Vec2 {
        self.setting.regions[region.0 as usize].polygon.nearest_point(from)
    }
}
