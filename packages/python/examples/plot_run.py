"""
A run folder of equitopo as numbers, and as a figure where matplotlib is installed.

    equitopo train synthetic --nodes 8 --epochs 3 --out runs/mine
    python3 plot_run.py runs/mine mine.png

The curves of a run are CSV files in its folder, a line for each point: panel, series, x, mean over the seeds, low, high.
"""

import csv
import sys
from collections import defaultdict
from pathlib import Path

folder = Path(sys.argv[1])
figures = {}
for path in sorted(folder.glob("*.csv")):
    curves = defaultdict(list)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            # A panel against bytes or seconds shows the same numbers again.
            if row.get("panel") == "against updates" and row["mean"]:
                curves[row["series"]].append((float(row["x"]), float(row["mean"])))
    if curves:
        figures[path.stem] = curves
if not figures:
    sys.exit(f"{folder} must be a run's folder: equitopo train synthetic --nodes 8 --epochs 3 --out {folder}")
for name, curves in figures.items():
    for series, points in curves.items():
        print(f"{name}, {series}: {len(points)} points, {points[-1][1]:.4g} after {points[-1][0]:.0f} updates")

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    sys.exit("no figure: matplotlib is not installed")
figure, axes = pyplot.subplots(len(figures), 1, figsize=(6, 3 * len(figures)), squeeze=False, layout="constrained")
for axis, (name, curves) in zip(axes[:, 0], figures.items()):
    for series, points in curves.items():
        axis.plot(*zip(*points), label=series)
    axis.set(xlabel="updates", title=name)
    axis.legend()
figure.savefig(sys.argv[2])
print(f"{sys.argv[2]}: {len(figures)} figures")
