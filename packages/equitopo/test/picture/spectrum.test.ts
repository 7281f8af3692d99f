/** The picture of a spectrum: its circles are the rate and the bound, its marks the eigenvalues, its words true of each kind. */

import { expect, test } from "vitest";
import { createTopology, type TopologySpec } from "../../src/index.ts";
import { discMarks, spectrumFigure } from "../../src/internal/picture.ts";
import { spectrum } from "../../src/rate/index.ts";

function figure(spec: TopologySpec): string {
  const topology = createTopology(spec);
  return spectrumFigure(topology, spectrum(topology), topology.rate());
}

/** The radii of whole circles around the middle of the plane, as shares of the unit circle's 286 pixels. */
function radii(svg: string): string[] {
  const circles = Array.from(svg.matchAll(/d="M([\d.]+) 320A([\d.]+) [^"]*" fill="none"/g));
  const centred = circles.filter(([, x, r]) => Math.abs(Number(x) - 320 - Number(r)) < 0.011);
  return centred.map(([, , r]) => (Number(r) / 286).toFixed(3));
}

test("has the unit circle, that of the exact rate, and that of the paper's bound where it has one", () => {
  const { rate, bound } = createTopology({ name: "od-equidyn", n: 30, m: 5, seed: 1 }).rate();
  expect(bound).not.toBeNull();
  const svg = figure({ name: "od-equidyn", n: 30, m: 5, seed: 1 });
  expect(radii(svg)).toEqual(["1.000", rate.toFixed(3), ...(bound! < 1 ? [bound!.toFixed(3)] : [])]);
  const ring = createTopology({ name: "ring", n: 12 }).rate().rate;
  expect(radii(figure({ name: "ring", n: 12 }))).toEqual(["1.000", ring.toFixed(3)]);
});

test("has a mark for every eigenvalue beside 1, and says where several share one", () => {
  const basis = [173, 48, 118, 193, 252, 196, 10, 212, 278];
  const topology = createTopology({ name: "d-equistatic", n: 300, basis });
  const found = spectrum(topology);
  const svg = spectrumFigure(topology, found, topology.rate());
  expect(svg).toContain("D-EquiStatic, n = 300: eigenvalues of W");
  expect(svg).toContain("rate β = 0.708909");
  const marks = discMarks(found, { width: 640, height: 640 });
  // All of them are one path, each a circle of two arcs.
  const path = /<path d="([^"]*)" fill="#1a1a1a" opacity="0.85"/.exec(svg)?.[1] ?? "";
  expect(path.match(/A/g)).toHaveLength(2 * marks.length);
  expect(marks).toHaveLength(299);
  expect(svg).not.toContain("eigenvalues in");
  // Those of a ring come in pairs.
  expect(figure({ name: "ring", n: 64 })).toContain("63 eigenvalues in 32 marks");
});

test("of many eigenvalues the file stays small, and the caption has both numbers", () => {
  const svg = figure({ name: "d-equistatic", n: 60_000, m: 20 });
  expect(svg).toMatch(/59,999 eigenvalues in [\d,]+ marks: those that fall on one place are one mark/);
  expect(svg.length).toBeLessThan(600_000);
});

test("says whose eigenvalues they are", () => {
  expect(figure({ name: "one-peer-exp", n: 12 })).toMatch(
    /W\(3\) ··· W\(0\), one period.*a period leaves at most 0\./s,
  );
  expect(figure({ name: "ou-equidyn", n: 12 })).toContain("eigenvalues of E W, the mean of the drawn rounds");
  expect(() => figure({ name: "ceca-1p", n: 12 })).toThrow(/two vectors/);
});
