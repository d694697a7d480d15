//! Ways for those who asked for one.

use glam::Vec2;
use throng_nav::Search;
use throng_world::scene::RegionId;

use crate::PersonId;
use crate::grid::Grid;
use crate::guidance::{Answer, Asking, Course, Guidance, Request, Told, Tolls};
use crate::intents::Intents;
use crate::jams::JamView;
use crate::plans::Plans;
use crate::population::Population;
use crate::requests::RequestContext;
use crate::steering::Models;
use crate::timings::StageTimes;
use crate::traffic;
use crate::workers::Workers;
use crate::world::World;

/// So many choose a region at the same time, not knowing of each other's choice: few enough that a
/// crowd does not run to the same exit all at once.
const AT_ONCE: usize = 16;

/// What ways are found by.
#[derive(Clone, Copy)]
pub(super) struct RouteStage<'a> {
    pub world: &'a World,
    pub people: &'a Population,
    pub plans: &'a Plans,
    pub models: &'a Models,
    /// As it was at the last step.
    pub grid: &'a Grid,
    pub workers: Workers,
}

impl<'a> RouteStage<'a> {
    /// Tells the way to those who asked: as many as a step has time for, in the order of their ids
    /// from where the last step stopped.
    pub fn find_ways(self, guidance: &mut Guidance, intents: &mut Intents, times: &mut StageTimes) {
        let Self { world, people, workers, .. } = self;
        let period = (traffic::COUNTING / world.setting.step).ceil().max(1.0) as u32;
        let Guidance { map, traffic, .. } = guidance;
        traffic.count(map, period, || {
            people.layers.iter().copied().zip(people.positions.iter().copied())
        });
        let mut asking = self.asking_rows(&guidance.asking, intents);
        guidance.survey(!asking.is_empty());
        if asking.is_empty() {
            return;
        }
        let course = |row: usize| intents.goals[row].course;
        asking.sort_unstable_by_key(|&row| people.ids[row]);
        let (urgent, others): (Vec<usize>, Vec<usize>) =
            asking.into_iter().partition(|&row| course(row).is_urgent());
        times.asking = urgent.len() + others.len();
        let (after, before): (Vec<usize>, Vec<usize>) =
            others.into_iter().partition(|&row| people.ids[row] >= guidance.cursor);
        let capacity = guidance.capacity(people.len(), urgent.len(), world.steps);
        let served = urgent.into_iter().chain(after).chain(before).take(capacity);
        let served: Vec<usize> = served.collect();
        let context = self.context(intents);
        let Guidance { map, jams, .. } = guidance;
        let view = JamView { context, models: self.models, grid: self.grid, map };
        served.iter().for_each(|&row| jams.look_ahead(row, &view));
        let request = |row| {
            let request = context.request(row).avoiding(context.gate_before(row, guidance));
            let tolls = guidance.jams.tolls(&request, world.steps, &guidance.map);
            request.paying(tolls)
        };
        let mut requests: Vec<Request> = served.into_iter().map(request).collect();
        self.choose_regions(guidance, &mut requests, intents);
        guidance.cursor = requests.last().map_or(guidance.cursor, |last| last.id + 1);
        let context = self.context(intents);
        let (dealt, found): (Vec<Request>, Vec<Request>) =
            requests.into_iter().partition(|request| context.is_dealt_a_way(request.row));
        let lane = |request: &Request| context.lane(request.row);
        let answers = guidance.answer(&found, lane, world.random, workers);
        // Sets of ways are found one after the other, so that each is found once.
        let regions = &world.setting.regions;
        let deals: Vec<Told> =
            dealt.iter().map(|request| guidance.deal(request, regions, world.random)).collect();
        for (request, told) in found.iter().zip(answers).chain(dealt.iter().zip(deals)) {
            tell(request, told.answer, intents, times);
            if request.tolls != Tolls::default() {
                guidance.jams.turn_away(request, &told.pays, world.steps, world.setting.step);
            }
        }
    }

    fn context<'b>(self, intents: &'b Intents) -> RequestContext<'b>
    where
        'a: 'b,
    {
        RequestContext { world: self.world, people: self.people, intents, plans: self.plans }
    }

    /// Who waits for a way, in any order.
    fn asking_rows(self, asking: &Asking, intents: &Intents) -> Vec<usize> {
        let goals = &intents.goals;
        let asks = |&row: &usize| goals[row].is_begun() && goals[row].course.asks();
        match asking {
            Asking::Anybody => (0..goals.len()).filter(asks).collect(),
            Asking::Only(ids) => {
                let rows = ids.iter().filter_map(|&id| self.people.row(PersonId(id)));
                rows.filter(asks).collect()
            }
        }
    }

    /// Those who want to be in any of several regions choose one, by the ways there are now and by
    /// what others have chosen.
    fn choose_regions(self, guidance: &Guidance, requests: &mut [Request], intents: &mut Intents) {
        let context = self.context(intents);
        if !requests.iter().any(|request| context.choices(request.row).is_some()) {
            return;
        }
        let mut queues = vec![0; self.world.setting.regions.len()];
        for (row, goal) in intents.goals.iter().enumerate() {
            let chosen = intents.memories.value(row).region;
            if let Some(region) = chosen.filter(|_| !goal.course.asks()) {
                queues[region.0 as usize] += u32::from(context.queues_at(row, region));
            }
        }
        for some in requests.chunks_mut(AT_ONCE) {
            let choices = self.choose(guidance, some, &queues, intents);
            for (request, choice) in some.iter_mut().zip(choices) {
                let (context, row) = (self.context(intents), request.row);
                let Some((region, place)) = shared(context, guidance, row, choice) else {
                    continue;
                };
                queues[region.0 as usize] += u32::from(context.queues_at(row, region));
                let state = &mut intents.goals[row];
                state.target = place;
                intents.memories[row].region = Some(region);
                state.floor = self.world.region(region).layer;
                let told = self.context(intents).request(row);
                *request = told.avoiding(request.avoids).paying(request.tolls);
                if !self.people.bonds.is_empty() {
                    self.people.call_companions(row, intents);
                }
            }
        }
    }

    /// The regions that some people choose who see the same queues.
    fn choose(
        self,
        guidance: &Guidance,
        requests: &[Request],
        queues: &[u32],
        intents: &Intents,
    ) -> Vec<Option<(RegionId, Vec2)>> {
        let context = self.context(intents);
        let to = context.destinations(Some(guidance));
        let choose = |search: &mut Search, request: &Request| {
            let draws = &mut to.draws(request.row, intents.goals[request.row].count);
            to.choose(search, request, context.choices(request.row)?, queues, draws)
        };
        guidance.searches.map(requests, self.workers, choose)
    }
}

/// What somebody has chosen, or where their companions go.
fn shared(
    context: RequestContext,
    guidance: &Guidance,
    row: usize,
    choice: Option<(RegionId, Vec2)>,
) -> Option<(RegionId, Vec2)> {
    let (chosen, _) = choice?;
    match context.companions_choice(row).filter(|region| *region != chosen) {
        None => choice,
        Some(region) => {
            let to = context.destinations(Some(guidance));
            let draws = &mut to.draws(row, context.intents.goals[row].count);
            Some((region, to.place_in(row, context.world.region(region), draws)))
        }
    }
}

/// Somebody who asked goes on by the answer.
fn tell(request: &Request, answer: Answer, intents: &mut Intents, times: &mut StageTimes) {
    let row = request.row;
    let Intents { goals, memories, outlooks, routes, .. } = intents;
    let (state, memory) = (&mut goals[row], &mut memories[row]);
    memory.dealt = true;
    let (course, route) = match answer {
        Answer::Straight => (Course::Straight, None),
        Answer::Route(mut route, outlook) => {
            outlooks[row] = outlook;
            if let Some(line) = route.line() {
                line.tell(state, memory);
            }
            (Course::Routed, Some(route))
        }
        Answer::NoWay(_) => (Course::Lost, None),
    };
    state.course = course;
    match course {
        Course::Lost => times.lost += 1,
        _ => times.told += 1,
    }
    let left = match &route {
        Some(route) => route.left(request.from, outlooks[row].aim),
        None => Some(request.from.distance(request.nearer)),
    };
    memory.set_out(left.unwrap_or(0.0));
    routes[row] = route;
}
