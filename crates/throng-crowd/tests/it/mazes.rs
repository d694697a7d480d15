//! Whoever is alone on a way gets to its end, wherever they begin and however it doubles back.

use crate::support::crowd;
use proptest::prelude::*;
use throng_crowd::{PersonId, Status};

/// Boxes of walls in a closed world, and what else there is.
struct Maze {
    size: [f32; 2],
    /// Lower left and upper right corners, m.
    walls: &'static [[f32; 4]],
    /// Regions that cost more, which make ways double back in the open.
    costly: &'static [([f32; 4], f32)],
    goals: &'static [[f32; 2]],
    /// Nobody takes longer, s.
    most: f64,
}

const MAZES: [Maze; 5] = [
    // A hairpin about a thin wall.
    Maze {
        size: [20.0, 8.0],
        walls: &[[0.0, 3.9, 16.0, 4.1]],
        costly: &[],
        goals: &[[1.0, 2.0], [1.0, 6.0], [10.0, 3.2]],
        most: 50.0,
    },
    // A thin wall with a pillar at its end, and a narrow gap between the pillar and the outer wall.
    Maze {
        size: [16.0, 10.0],
        walls: &[[0.0, 4.95, 12.0, 5.05], [12.4, 4.2, 14.6, 5.8]],
        costly: &[],
        goals: &[[1.0, 2.0], [1.0, 8.0], [13.5, 1.0]],
        most: 50.0,
    },
    // A comb.
    Maze {
        size: [24.0, 8.0],
        walls: &[
            [4.0, 0.0, 4.2, 6.8],
            [8.0, 1.2, 8.2, 8.0],
            [12.0, 0.0, 12.2, 6.8],
            [16.0, 1.2, 16.2, 8.0],
            [20.0, 0.0, 20.2, 6.8],
        ],
        costly: &[],
        goals: &[[1.0, 1.0], [23.0, 1.0], [10.0, 7.0]],
        most: 90.0,
    },
    // A hall with two doors, and ground that nobody likes before the nearer one: it is approached from the other side.
    Maze {
        size: [30.0, 24.0],
        walls: &[[0.0, 3.7, 21.0, 4.0], [22.0, 3.7, 27.0, 4.0], [28.0, 3.7, 30.0, 4.0]],
        costly: &[([14.0, 4.0, 22.0, 14.0], 6.0), ([26.0, 4.0, 30.0, 9.0], 3.0)],
        goals: &[[21.5, 1.0], [18.0, 2.0], [27.5, 1.5]],
        most: 70.0,
    },
    // Pillars in a square, half of which nobody likes.
    Maze {
        size: [24.0, 24.0],
        walls: &[
            [5.0, 5.0, 7.0, 7.0],
            [11.0, 5.0, 13.0, 7.0],
            [17.0, 5.0, 19.0, 7.0],
            [5.0, 11.0, 7.0, 13.0],
            [11.0, 11.0, 13.0, 13.0],
            [17.0, 11.0, 19.0, 13.0],
            [5.0, 17.0, 19.0, 17.2],
        ],
        costly: &[([2.0, 2.0, 12.0, 22.0], 4.0), ([14.0, 8.0, 22.0, 10.0], 8.0)],
        goals: &[[2.0, 9.0], [12.0, 18.5], [22.0, 2.0], [15.0, 15.0]],
        most: 70.0,
    },
];

const MODELS: [&str; 5] = ["orca", "headway", "pedestrian", "social_force", "predictive"];

impl Maze {
    fn text(&self, start: [f32; 2], goal: [f32; 2], model: &str, seed: u64) -> String {
        let rectangle = |[a, b, c, d]: [f32; 4]| format!("[[{a}, {b}], [{c}, {d}]]");
        let mut text = format!(
            "simulation = {{ step = 0.1, seed = {seed} }}\n\
             world = {{ bounds = [[0, 0], [{}, {}]], closed = true }}\n",
            self.size[0], self.size[1]
        );
        for &[a, b, c, d] in self.walls {
            text += &format!(
                "[[obstacles]]\npolygon = [[{a}, {b}], [{c}, {b}], [{c}, {d}], [{a}, {d}]]\n"
            );
        }
        for (number, (region, cost)) in self.costly.iter().enumerate() {
            let corners = rectangle(*region);
            text += &format!(
                "[[regions]]\nname = \"mud {number}\"\nrectangle = {corners}\ncost = {cost}\n"
            );
        }
        text + &format!(
            "[[groups]]\nname = \"one\"\nradius = 0.2\nsteering = {{ model = \"{model}\" }}\n\
             goals = [{{ seek = [{}, {}], within = 0.4 }}]\npeople = [{{ position = [{}, {}] }}]\n",
            goal[0], goal[1], start[0], start[1]
        )
    }

    /// Whether somebody can stand at a point.
    fn is_free(&self, [x, y]: [f32; 2]) -> bool {
        let margin = 0.3;
        let is_in = |&[a, b, c, d]: &[f32; 4]| {
            x > a - margin && x < c + margin && y > b - margin && y < d + margin
        };
        let [width, height] = self.size;
        x > margin
            && x < width - margin
            && y > margin
            && y < height - margin
            && !self.walls.iter().any(is_in)
    }

    /// When somebody is there who begins at `start`, s, or where they are when it is too late.
    fn walk(&self, start: [f32; 2], goal: [f32; 2], model: &str, seed: u64) -> Result<f64, String> {
        let mut crowd = crowd(&self.text(start, goal, model, seed));
        while crowd.time() < self.most {
            crowd.step();
            if crowd.count(Status::Arrived) == 1 {
                return Ok(crowd.time());
            }
        }
        let seen = crowd.inspect(PersonId(0)).map(|seen| (seen.state.position, seen.way.points));
        Err(format!("{model}, seed {seed}, from {start:?} to {goal:?}: {seen:?}"))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whoever_is_alone_in_a_maze_arrives(
        maze in 0..MAZES.len(),
        model in 0..MODELS.len(),
        goal in 0..4_usize,
        place in [0.0..1.0_f32, 0.0..1.0_f32],
        seed in 0..1000_u64,
    ) {
        let maze = &MAZES[maze];
        let start = [place[0] * maze.size[0], place[1] * maze.size[1]];
        prop_assume!(maze.is_free(start));
        let goal = maze.goals[goal % maze.goals.len()];
        let walked = maze.walk(start, goal, MODELS[model], seed);
        prop_assert!(walked.is_ok(), "{walked:?}");
    }
}
