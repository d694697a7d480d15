//! A map of ground that changes while people walk on it.
//!
//! When a door closes, only the axis around it is swept anew (see [`crate::repair`]); what is made of
//! the axis, the graph and its index, is cheap enough to be made again as a whole. Maps that were
//! handed out stay as they were, so whoever reads one is not disturbed.

use std::sync::Arc;

use throng_world::scene::LayerId;
use throng_world::{Connector, Scene};

use crate::footprint::Footprint;
use crate::map::{CorridorMap, MapError, MapRules};
use crate::medial::{MedialAxis, Sites};
use crate::repair::repaired;

/// A [`CorridorMap`] that can be brought up to date.
///
/// ```
/// use glam::DVec2;
/// use throng_nav::{Footprint, LiveMap, MapRules, Sweep};
/// use throng_world::scene::LayerId;
/// use throng_world::walkable::Area;
///
/// let rectangle = |x: [f64; 2], y: [f64; 2]| {
///     let ring = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(i, j): (usize, usize)| DVec2::new(x[i], y[j]));
///     Area::new(ring.into(), vec![]).unwrap()
/// };
/// let hall = [rectangle([0.0, 40.0], [0.0, 10.0])];
/// let walls = [rectangle([20.0, 20.2], [0.0, 4.0]), rectangle([20.0, 20.2], [5.0, 10.0])];
/// let open = Footprint::without(&hall, &walls)?;
/// let mut live = LiveMap::new(&[open], &[], &MapRules::default())?;
///
/// let door = rectangle([20.0, 20.2], [4.0, 5.0]);
/// let closed = Footprint::without(&hall, &[walls.as_slice(), &[door]].concat())?;
/// assert_ne!(live.change(LayerId(0), &closed)?, Sweep::Nothing);
/// let [left, right] = [5.0, 35.0].map(|x| live.map().locate(LayerId(0), DVec2::new(x, 5.0)).unwrap());
/// assert!(!live.map().is_connected(left.anchor.edge, right.anchor.edge));
/// # Ok::<(), throng_nav::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LiveMap {
    rules: MapRules,
    connectors: Vec<Connector>,
    /// The axis of each floor, before tips are cut off.
    axes: Vec<MedialAxis>,
    map: Arc<CorridorMap>,
}

/// How much of a floor was swept to bring its map up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// The ground is what it was.
    Nothing,
    /// The surroundings of what changed.
    Local {
        /// The number of walls there.
        walls: usize,
    },
    /// All of it: too much has changed.
    Whole,
}

impl LiveMap {
    /// The map of floors, joined by `connectors`.
    pub fn new(
        floors: &[Footprint],
        connectors: &[Connector],
        rules: &MapRules,
    ) -> Result<Self, MapError> {
        let sites: Vec<Sites> = floors.iter().map(Sites::new).collect();
        let axes = sites.iter().map(MedialAxis::new).collect::<Result<Vec<_>, _>>()?;
        let map = Arc::new(CorridorMap::of_axes(&axes, sites, connectors, rules));
        Ok(Self { rules: *rules, connectors: connectors.to_vec(), axes, map })
    }

    /// The map of a scene, all floors joined by their stairs and ramps.
    pub fn of_scene(scene: &Scene, rules: &MapRules) -> Result<Self, MapError> {
        let floor = |layer| Footprint::of_floor(scene, LayerId(layer as u8));
        let floors = (0..scene.layers.len()).map(floor).collect::<Result<Vec<_>, _>>()?;
        Self::new(&floors, &scene.connectors, rules)
    }

    /// The map as it is now.
    pub fn map(&self) -> &Arc<CorridorMap> {
        &self.map
    }

    /// The map by itself, if it is not going to change.
    pub fn into_map(self) -> CorridorMap {
        Arc::unwrap_or_clone(self.map)
    }

    /// Brings the map up to date when the ground of a floor is `ground` from now on. Floors that do
    /// not exist do not change. If it fails, the map is what it was.
    pub fn change(&mut self, layer: LayerId, ground: &Footprint) -> Result<Sweep, MapError> {
        let floor = layer.0 as usize;
        let Some(before) = self.map.floors.get(floor).map(|floor| &floor.sites) else {
            return Ok(Sweep::Nothing);
        };
        let after = Sites::new(ground);
        if *before == after {
            return Ok(Sweep::Nothing);
        }
        let (axis, sweep) = match repaired(&self.axes[floor], before, &after)? {
            Some((axis, walls)) => (axis, Sweep::Local { walls }),
            None => (MedialAxis::new(&after)?, Sweep::Whole),
        };
        self.axes[floor] = axis;
        let mut sites: Vec<Sites> =
            self.map.floors.iter().map(|floor| floor.sites.clone()).collect();
        sites[floor] = after;
        self.map = Arc::new(CorridorMap::of_axes(&self.axes, sites, &self.connectors, &self.rules));
        Ok(sweep)
    }
}
