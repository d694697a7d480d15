//! Who looks how: given when people appear, with an eye to who is around.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use glam::Vec3;
use throng_base::random::{Purpose, Random};
use throng_world::Temperament;
use throng_world::scene::Species;

use super::descriptor::Descriptor;
use super::library::Library;
use super::neighbours::Neighbours;
use super::sameness::{Seen, cost, gap};
use super::{CANDIDATES, REACH};

/// Somebody who is there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Present {
    /// Who.
    pub id: u32,
    /// What they are.
    pub species: Species,
    /// Where: on the ground, and its height, m.
    pub place: Vec3,
    /// What they are like.
    pub temperament: Temperament,
}

/// Gives people their descriptors when they appear, and keeps them.
///
/// ```
/// use std::sync::Arc;
/// use throng::bodies::Cast;
/// use throng::bodies::variety::{Present, Wardrobe};
///
/// let library = Arc::new(Cast::usual_library(12, &[])?);
/// let mut wardrobe = Wardrobe::new(library, 7);
/// let row = |id: u32| Present { id, place: [id as f32, 0.0, 0.0].into(), ..Present::default() };
/// wardrobe.dress(&[row(1), row(2), row(3)]);
/// let two = *wardrobe.descriptor(2).unwrap();
/// wardrobe.dress(&[row(2), row(3), row(4)]);
/// assert_eq!(wardrobe.descriptor(2), Some(&two));
/// # Ok::<(), throng::bodies::BodyError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Wardrobe {
    library: Arc<Library>,
    seed: u64,
    /// Those who are there, in ascending order of id.
    ids: Vec<u32>,
    species: Vec<Species>,
    descriptors: Vec<Descriptor>,
    /// Those of whom there is nobody in the library.
    stand_ins: Vec<Species>,
    /// Those who are not, but whose looks are known, and in which order they left.
    absent: BTreeMap<u32, Descriptor>,
    left: VecDeque<u32>,
    memory: usize,
}

/// Of those who have left, so many are remembered: some only walk through a gap in their track.
const MEMORY: usize = 1 << 14;
/// Of those in reach, so many of the nearest count: with one to a square metre, all within 5 m. In a denser crowd the others
/// are behind them.
const MOST_NEIGHBOURS: usize = 80;
/// Reaches that are tried until there are as many, m.
const REACHES: [f32; 3] = [3.0, 6.0, REACH];
/// Pairs this far apart count 1/e, m: from 14 m away, they are 20° apart.
const NEAR: f32 = 5.0;
/// Nobody is to be in step with so many of the nearest who walk the same way.
const WALKERS: usize = 6;
/// If no more appear at once, only who is near them is looked at.
const FEW: usize = 16;

impl Wardrobe {
    /// Nobody yet. `seed` decides what everybody can choose from.
    pub fn new(library: Arc<Library>, seed: u64) -> Self {
        Self {
            library,
            seed,
            ids: Vec::new(),
            species: Vec::new(),
            descriptors: Vec::new(),
            stand_ins: Vec::new(),
            absent: BTreeMap::new(),
            left: VecDeque::new(),
            memory: MEMORY,
        }
    }

    /// The same, but nobody is ever forgotten.
    pub fn remembering_all(mut self) -> Self {
        self.memory = usize::MAX;
        self
    }

    /// What people are made of.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// How somebody looks who is there, or was not long ago.
    pub fn descriptor(&self, id: u32) -> Option<&Descriptor> {
        match self.ids.binary_search(&id) {
            Ok(index) => self.descriptors.get(index),
            Err(_) => self.absent.get(&id),
        }
    }

    /// Whether it is known how somebody looks, as one of a species.
    pub fn has(&self, id: u32, species: Species) -> bool {
        self.descriptor(id).is_some_and(|descriptor| self.fits(descriptor, species))
    }

    /// Whether all is known of somebody, and as it is now.
    pub fn knows(&self, person: &Present) -> bool {
        let known = self.descriptor(person.id);
        known.is_some_and(|known| {
            self.fits(known, person.species) && known.temperament == person.temperament
        })
    }

    /// The same of several, in ascending order of id, faster if these are most of those who are there.
    pub(in crate::bodies) fn knows_all(
        &self,
        people: impl ExactSizeIterator<Item = Present>,
    ) -> bool {
        /// So many steps a search takes.
        const SEARCH: usize = 16;
        let mut people = people;
        if people.len() < self.ids.len() / SEARCH {
            return people.all(|person| self.knows(&person));
        }
        let mut at = 0;
        people.all(|person| {
            at += self.ids[at..].iter().take_while(|other| **other < person.id).count();
            match self.ids.get(at) {
                Some(other) if *other == person.id => {
                    self.can_be(self.species[at], person.species)
                        && self.descriptors[at].temperament == person.temperament
                }
                _ => self.knows(&person),
            }
        })
    }

    /// Species that people were dressed for of whom the library has nobody: others stand in for them.
    pub fn stand_ins(&self) -> &[Species] {
        &self.stand_ins
    }

    /// Those who are there, in ascending order of id.
    pub fn people(&self) -> impl Iterator<Item = (u32, &Descriptor)> {
        self.ids.iter().copied().zip(&self.descriptors)
    }

    /// Says how somebody looks before they appear. A look that there is not says nothing.
    pub fn put(&mut self, id: u32, descriptor: Descriptor) {
        if self.library.species(descriptor.look).is_none() {
            return;
        }
        match self.ids.binary_search(&id) {
            Ok(index) => {
                self.species[index] = self.species_of(&descriptor);
                self.descriptors[index] = descriptor;
            }
            Err(_) => self.remember(id, descriptor),
        }
    }

    /// Says what somebody is like from now on whose looks are known.
    pub(in crate::bodies) fn tell(&mut self, id: u32, temperament: Temperament) {
        let known = match self.ids.binary_search(&id) {
            Ok(index) => self.descriptors.get_mut(index),
            Err(_) => self.absent.get_mut(&id),
        };
        if let Some(known) = known {
            known.temperament = temperament;
        }
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.species.clear();
        self.descriptors.clear();
        self.stand_ins.clear();
        self.absent.clear();
        self.left.clear();
    }

    /// Everybody who is there now, and where. Who is new is given a descriptor, one after the other in the order of
    /// ids, whatever the order here; who was there keeps theirs, unless they are something else now. What they are like
    /// is as it is told. Of those who are there no more, the last to leave are remembered.
    pub fn dress(&mut self, people: &[Present]) {
        if people.is_sorted_by(|a, b| a.id < b.id) {
            return self.dress_sorted(people);
        }
        let mut sorted = people.to_vec();
        sorted.sort_by_key(|person| person.id);
        sorted.dedup_by_key(|person| person.id);
        self.dress_sorted(&sorted);
    }

    /// Only those after the first change are moved: mostly, who is new has the largest id.
    fn dress_sorted(&mut self, people: &[Present]) {
        self.receive(people);
        for (descriptor, person) in self.descriptors.iter_mut().zip(people) {
            descriptor.temperament = person.temperament;
        }
    }

    fn receive(&mut self, people: &[Present]) {
        let known = self.ids.iter().zip(&self.species);
        let stays = |(person, (id, species)): &(&Present, (&u32, &Species))| {
            person.id == **id && self.can_be(**species, person.species)
        };
        let same = people.iter().zip(known).take_while(stays).count();
        if same == people.len() && same == self.ids.len() {
            return;
        }
        let ids = self.ids.split_off(same);
        let descriptors = self.descriptors.split_off(same);
        self.species.truncate(same);
        let mut before = ids.into_iter().zip(descriptors).peekable();
        let mut new = Vec::new();
        for (index, person) in people.iter().enumerate().skip(same) {
            while let Some((id, descriptor)) = before.next_if(|(id, _)| *id < person.id) {
                self.remember(id, descriptor);
            }
            let had = before.next_if(|(id, _)| *id == person.id).map(|(_, had)| had);
            let had = had.or_else(|| self.absent.remove(&person.id));
            let had = had.filter(|descriptor| self.fits(descriptor, person.species));
            if had.is_none() {
                new.push(index);
            }
            let descriptor = had.unwrap_or_default();
            self.ids.push(person.id);
            self.species.push(self.species_of(&descriptor));
            self.descriptors.push(descriptor);
        }
        for (id, descriptor) in before {
            self.remember(id, descriptor);
        }
        if !new.is_empty() {
            self.allocate(people, &new);
        }
    }

    /// What somebody who looks like that is.
    fn species_of(&self, descriptor: &Descriptor) -> Species {
        self.library.species(descriptor.look).unwrap_or_default()
    }

    /// Whether somebody who looks like one species can be of another: only if nobody looks like that.
    fn can_be(&self, looks: Species, species: Species) -> bool {
        looks == species || !self.library.has(species)
    }

    /// Whether somebody who looks like that can be of a species.
    fn fits(&self, descriptor: &Descriptor, species: Species) -> bool {
        self.can_be(self.species_of(descriptor), species)
    }

    fn remember(&mut self, id: u32, descriptor: Descriptor) {
        self.absent.insert(id, descriptor);
        if self.memory == usize::MAX {
            return;
        }
        self.left.push_back(id);
        while self.left.len() > self.memory {
            if let Some(first) = self.left.pop_front() {
                self.absent.remove(&first);
            }
        }
    }

    /// Chooses for those of `people` with the numbers in `new`, which ascend.
    fn allocate(&mut self, people: &[Present], new: &[usize]) {
        let is_new = |index: usize| new.binary_search(&index).is_ok();
        // Who is far from everybody new is left out at once.
        let around: Vec<usize> =
            if new.len() > FEW { (0..people.len()).collect() } else { near(people, new) };
        let places: Vec<Vec3> = around.iter().map(|index| people[*index].place).collect();
        let mut seen: Vec<Option<Seen>> = around
            .iter()
            .map(|index| {
                (!is_new(*index)).then(|| Seen::of(&self.library, &self.descriptors[*index]))
            })
            .collect();
        let neighbours = Neighbours::new(&places);
        let mut company = Company::default();
        for (at, &index) in around.iter().enumerate().filter(|(_, index)| is_new(**index)) {
            company.find(&neighbours, places[at], &seen);
            let (chosen, looks) = self.choose(&people[index], &company);
            let phase_of = |at: u32| self.descriptors[around[at as usize]].phase;
            let phase = self.choose_phase(people[index].id, looks.body, &company, &phase_of);
            self.descriptors[index] = Descriptor { phase, ..chosen };
            self.species[index] = looks.species;
            let wanted = people[index].species;
            if !self.library.has(wanted) && !self.stand_ins.contains(&wanted) {
                self.stand_ins.push(wanted);
            }
            seen[at] = Some(looks);
        }
    }

    /// The candidate that is least like those around.
    fn choose(&self, person: &Present, company: &Company) -> (Descriptor, Seen) {
        let draw = |candidate: u64| {
            let random = Random::new(self.seed);
            let mut draw = random.stream(person.id.into(), candidate, Purpose::Body);
            let descriptor = self.library.draw(person.species, &mut draw);
            let looks = Seen::of(&self.library, &descriptor);
            (descriptor, looks)
        };
        let mut best = draw(0);
        let mut least = company.likeness(&best.1, f32::INFINITY);
        for candidate in 1..CANDIDATES {
            if least <= 0.0 {
                break;
            }
            let other = draw(candidate);
            let likeness = company.likeness(&other.1, least);
            if likeness < least {
                (best, least) = (other, likeness);
            }
        }
        best
    }

    /// The phase that is furthest from those of the nearest who walk the same way.
    fn choose_phase(
        &self,
        id: u32,
        body: usize,
        company: &Company,
        phase_of: &dyn Fn(u32) -> f32,
    ) -> f32 {
        let mut draw = Random::new(self.seed).stream(id.into(), CANDIDATES, Purpose::Body);
        let mut walkers = [0.0; WALKERS];
        let same = company.others.iter().filter(|other| other.seen.body == body);
        let mut count = 0;
        for other in same.take(WALKERS) {
            walkers[count] = phase_of(other.number);
            count += 1;
        }
        let alone = |phase: f32| {
            walkers[..count].iter().map(|other| gap(phase, *other)).fold(1.0, f32::min)
        };
        let mut best = draw.unit();
        let mut furthest = alone(best);
        for _ in 1..CANDIDATES {
            let other = draw.unit();
            let far = alone(other);
            if far > furthest {
                (best, furthest) = (other, far);
            }
        }
        best
    }
}

/// The numbers of those of `people` who count for those with the numbers in `new`, and of these, ascending.
fn near(people: &[Present], new: &[usize]) -> Vec<usize> {
    let places = || new.iter().map(|index| people[*index].place).filter(|place| place.is_finite());
    let low = places().fold(Vec3::INFINITY, Vec3::min) - REACH;
    let high = places().fold(Vec3::NEG_INFINITY, Vec3::max) + REACH;
    let is_near = |place: Vec3| {
        place.cmpge(low).all()
            && place.cmple(high).all()
            && places().any(|other| other.distance(place) <= REACH)
    };
    let mut numbers: Vec<usize> = new.to_vec();
    numbers.extend(
        people
            .iter()
            .enumerate()
            .filter(|(_, person)| is_near(person.place))
            .map(|(index, _)| index),
    );
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Those around somebody who have their descriptors, nearest first.
#[derive(Default)]
struct Company {
    others: Vec<Other>,
    /// Squared distances with numbers, while they are looked for.
    found: Vec<(f32, u32)>,
}

/// One of them.
struct Other {
    number: u32,
    /// How much a pair counts that is as far apart.
    weight: f32,
    seen: Seen,
}

impl Company {
    fn find(&mut self, neighbours: &Neighbours, at: Vec3, seen: &[Option<Seen>]) {
        let Self { others, found } = self;
        others.clear();
        if !at.is_finite() {
            return;
        }
        for reach in REACHES {
            found.clear();
            neighbours.within(at, reach, |distance, index| {
                if seen[index].is_some() {
                    found.push((distance, index as u32));
                }
            });
            if found.len() >= MOST_NEIGHBOURS {
                break;
            }
        }
        let order = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if found.len() > MOST_NEIGHBOURS {
            found.select_nth_unstable_by(MOST_NEIGHBOURS, order);
            found.truncate(MOST_NEIGHBOURS);
        }
        found.sort_unstable_by(order);
        others.extend(found.iter().filter_map(|&(distance, number)| {
            let seen = seen[number as usize]?;
            Some(Other { number, weight: weight(distance.sqrt()), seen })
        }));
    }

    /// How much somebody is like all of them together; anything above `enough` if it is more than that.
    fn likeness(&self, looks: &Seen, enough: f32) -> f32 {
        let mut sum = 0.0;
        for other in &self.others {
            sum += other.weight * cost(looks.sameness(&other.seen), 0.0);
            if sum > enough {
                break;
            }
        }
        sum
    }
}

/// How much a pair counts that is this far apart: `exp(-d / 5 m)`, as a power that costs less.
fn weight(distance: f32) -> f32 {
    (1.0 - distance / (16.0 * NEAR)).max(0.0).powi(16)
}
