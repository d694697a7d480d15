"""Do other programs read what Throng writes? PedPy and pandas are asked.

`make test-python` runs this with THRONG set to the command.
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

import pandas
import pedpy

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
THRONG = os.environ["THRONG"]
SECONDS = 8


def throng(*arguments):
    """Runs the command, which must succeed and have nothing to complain about."""
    done = subprocess.run([THRONG, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"throng {arguments} ended with {done.returncode}: {done.stderr}")
    return done.stdout


class Exports(unittest.TestCase):
    """What a shipped scene looks like from outside."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def path(self, name):
        return pathlib.Path(self.folder.name) / name

    def record(self, scene):
        recording = self.path(f"{scene}.parquet")
        if not recording.exists():
            scene = REPOSITORY / "scenes" / f"{scene}.toml"
            throng("run", scene, "--duration", SECONDS, "--out", recording)
        return recording

    def export(self, scene, to, *options):
        out = self.path(f"{scene}.{to}")
        throng("export", self.record(scene), "--to", to, "-o", out, "--force", *options)
        return out

    def table(self, scene):
        """The recording as pandas reads it from CSV."""
        return pandas.read_csv(self.export(scene, "csv"))

    def database(self, scene, *options):
        path = self.export(scene, "jupedsim-sqlite", *options)
        tracks = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=path)
        return tracks, pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=path)

    def assert_same_tracks(self, tracks, table):
        columns = ["frame", "id", "x", "y"]
        theirs = tracks.data[columns].sort_values(["frame", "id"], ignore_index=True)
        ours = table[columns].sort_values(["frame", "id"], ignore_index=True)
        pandas.testing.assert_frame_equal(theirs, ours, check_dtype=False, atol=1e-5, rtol=0)

    def test_tracks_and_rate_are_the_same_in_every_format(self):
        table = self.table("plaza")
        self.assertEqual(table["frame"].max(), SECONDS * 10)
        self.assertEqual(
            list(table.columns),
            "frame time id group layer x y z heading vx vy radius status blocked_by".split(),
        )
        from_database, _ = self.database("plaza")
        from_text = pedpy.load_trajectory(trajectory_file=self.export("plaza", "jupedsim-txt"))
        for tracks in (from_database, from_text):
            self.assertEqual(tracks.frame_rate, 10.0)
            self.assert_same_tracks(tracks, table)

    def test_border_adaptive_speeds_keep_every_row_of_a_recording(self):
        table = pandas.read_parquet(self.record("plaza"))
        for column in ("frame", "id"):
            self.assertEqual(str(table[column].dtype), "int64")
        tracks = pedpy.TrajectoryData(data=table[["id", "frame", "x", "y"]], frame_rate=10.0)
        speeds = pedpy.compute_individual_speed(
            traj_data=tracks,
            frame_step=5,
            speed_calculation=pedpy.SpeedCalculation.BORDER_ADAPTIVE,
        )
        # The window shrinks to nothing in a person's first and last frame, and only there.
        frames = table.groupby("id")["frame"]
        is_inner = (table["frame"] > frames.transform("min")) & (table["frame"] < frames.transform("max"))
        self.assertEqual(len(speeds), int(is_inner.sum()))

    def test_the_walkable_area_is_one_valid_polygon_without_the_obstacles(self):
        _, area = self.database("plaza")
        self.assertTrue(area.polygon.is_valid)
        self.assertEqual(area.bounds, (-40.0, -30.0, 40.0, 30.0))
        # The fountain, the kiosk, the stage, the hedge and three trees.
        self.assertEqual(len(area.polygon.interiors), 7)
        obstacles = 50.3 + 15 + 72 + 9.4 + 3 * 0.5
        self.assertAlmostEqual(area.area, 80 * 60 - obstacles, delta=0.5)

    def test_every_scene_has_a_walkable_area_that_holds_its_people(self):
        for scene, options in [
            ("plaza", []),
            ("corridor", []),
            ("crossing", []),
            ("circle", []),
            ("bottleneck", []),
            ("two-floors", ["--layer", "hall"]),
        ]:
            with self.subTest(scene):
                tracks, area = self.database(scene, *options)
                self.assertTrue(pedpy.is_trajectory_valid(traj_data=tracks, walkable_area=area))

    def test_densities_are_what_one_counts(self):
        tracks, _ = self.database("plaza")
        west, south, east, north = -20, -20, 0, -5
        area = pedpy.AxisAlignedMeasurementArea(west, south, east, north)
        density = pedpy.compute_classic_density(traj_data=tracks, measurement_area=area)
        table = self.table("plaza")
        inside = table["x"].between(west, east) & table["y"].between(south, north)
        counted = table[inside].groupby("frame").size() / ((east - west) * (north - south))
        theirs = density.set_index("frame")["density"]
        self.assertGreater(theirs.mean(), 0)
        pandas.testing.assert_series_equal(
            theirs, counted.reindex(theirs.index, fill_value=0), check_names=False
        )

    def test_speeds_are_those_recorded(self):
        tracks, _ = self.database("plaza")
        speeds = pedpy.compute_individual_speed(
            traj_data=tracks,
            frame_step=1,
            speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED,
        )
        table = self.table("plaza")
        recorded = (table["vx"] ** 2 + table["vy"] ** 2) ** 0.5
        self.assertAlmostEqual(speeds["speed"].mean(), recorded.mean(), delta=0.05)
        self.assertGreater(speeds["speed"].mean(), 0.5)

    def test_voronoi_cells_stay_within_the_walls(self):
        tracks, area = self.database("bottleneck")
        cells = pedpy.compute_individual_voronoi_polygons(
            traj_data=tracks[0:2], walkable_area=area
        )
        self.assertEqual(len(cells), len(tracks.data[tracks.data["frame"] < 2]))
        walls = area.polygon.buffer(1e-6)
        self.assertTrue(cells["polygon"].apply(walls.covers).all())

    def test_another_rate_is_another_number_of_frames(self):
        path = self.export("plaza", "jupedsim-txt", "--fps", "25")
        tracks = pedpy.load_trajectory(trajectory_file=path)
        self.assertEqual(tracks.frame_rate, 25.0)
        self.assertEqual(tracks.data["frame"].max(), SECONDS * 25)

    def test_what_is_imported_again_is_what_pedpy_has_read(self):
        again = self.path("again.parquet")
        for to in ("csv", "jupedsim-sqlite", "jupedsim-txt"):
            with self.subTest(to):
                throng("import", self.export("corridor", to), "-o", again, "--force")
                out = self.path("again.sqlite")
                throng("export", again, "--to", "jupedsim-sqlite", "-o", out, "--force")
                tracks = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=out)
                self.assert_same_tracks(tracks, self.table("corridor"))

    def test_measurements_in_parquet_are_those_in_csv(self):
        recording, table = self.record("bottleneck"), self.path("measured.parquet")
        throng("measure", recording, "-o", table)
        text = pandas.read_csv(recording.with_suffix(".measurements.csv"))
        self.assertGreater(text["density"].max(), 0)
        self.assertEqual(set(text["measurement"]), {"door", "before the door"})
        pandas.testing.assert_frame_equal(pandas.read_parquet(table), text, check_dtype=False)


if __name__ == "__main__":
    unittest.main()
