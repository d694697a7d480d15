"""Are the figures of an evacuation study those that PedPy finds in recordings of the same seeds?

`make test-python` runs this with THRONG set to the command.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import pandas
import pedpy

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SCENE = REPOSITORY / "scenes" / "evacuation.toml"
THRONG = os.environ["THRONG"]
SEEDS = 2
RATE = 20.0
DOORS = {"main door": [(26, 7), (26, 9)], "side door": [(8, 2), (9, 2)]}


def throng(*arguments):
    """Runs the command, which must succeed. A study may warn that it has not converged."""
    done = subprocess.run([THRONG, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"throng {arguments} ended with {done.returncode}: {done.stderr}")
    return done.stdout


class Study(unittest.TestCase):
    """A study of the scene that ships, beside recordings of its seeds."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        out = cls.path("study")
        options = ["--seeds-max", SEEDS, "--out", out, "--json"]
        cls.report = json.loads(throng("evacuate", SCENE, *options))
        cls.people = pandas.read_csv(out / "people.csv")
        cls.tracks = {}
        for seed in range(SEEDS):
            recording, table = cls.path(f"{seed}.parquet"), cls.path(f"{seed}.csv")
            throng("run", SCENE, "--seed", seed, "--out", recording)
            throng("export", recording, "--to", "csv", "-o", table)
            cls.tracks[seed] = pandas.read_csv(table)

    @classmethod
    def path(cls, name):
        return pathlib.Path(cls.folder.name) / name

    def trajectories(self, seed):
        """The people on the ground floor, as PedPy takes them."""
        table = self.tracks[seed]
        ground = table[table["layer"] == "ground"]
        columns = ["id", "frame", "x", "y"]
        return pedpy.TrajectoryData(data=ground[columns], frame_rate=RATE)

    def test_people_are_out_when_they_are_last_seen(self):
        for seed, table in self.tracks.items():
            ours = self.people[self.people["seed"] == seed].set_index("person")["out"]
            theirs = table.groupby("id")["frame"].max() / RATE
            self.assertEqual(len(ours), 128)
            pandas.testing.assert_series_equal(ours, theirs, check_names=False, atol=1e-6, rtol=0)
            self.assertAlmostEqual(self.report["runs"][seed]["total"], theirs.max(), delta=1e-6)

    def test_passages_and_flows_at_doors_are_those_of_pedpy(self):
        lines = {line["name"]: line for line in self.report["lines"]}
        self.assertEqual(set(lines), set(DOORS))
        for name, ends in DOORS.items():
            for seed in range(SEEDS):
                with self.subTest(name, seed=seed):
                    curve, crossings = pedpy.compute_n_t(
                        traj_data=self.trajectories(seed),
                        measurement_line=pedpy.MeasurementLine(ends),
                    )
                    count = int(curve["cumulative_pedestrians"].max())
                    self.assertEqual(lines[name]["passages"][seed], [count, 0])
                    # PedPy knows crossings to a frame; ours are between frames.
                    times = crossings["frame"] / RATE
                    flow = (count - 1) / (times.max() - times.min())
                    self.assertAlmostEqual(lines[name]["flows"][seed], flow, delta=0.01 * flow)

    def test_exits_are_used_by_those_who_pass_their_doors(self):
        exits = {exit["name"]: exit["people"] for exit in self.report["exits"]}
        for name, line in [("main exit", "main door"), ("side exit", "side door")]:
            passages = [line_["passages"] for line_ in self.report["lines"] if line_["name"] == line]
            forward = sum(passage[0] for passage in passages[0]) / SEEDS
            self.assertEqual(exits[name], forward)


if __name__ == "__main__":
    unittest.main()
