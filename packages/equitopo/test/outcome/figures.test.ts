import { describe, expect, it } from "vitest";
import { distinctPanels, panelsOf, parametersOf, specFigures, uselessBecause } from "../../src/internal/outcome.ts";
import { byLabel, runOf, type Wanted } from "./results.ts";

const about = { name: "run", title: "run" };
const falling = Array.from({ length: 50 }, (_, t) => 0.8 ** t);
const slower = falling.map((value) => value ** 0.5);
const figuresOf = (...wanted: readonly Wanted[]) => specFigures(about, byLabel(...wanted));

describe("figures of runs", () => {
  it("have logarithmic axes only where the data fills them", () => {
    const cheap = { label: "A", metrics: { loss: falling, other: falling.map((v) => 1 + v) }, bytesPerUpdate: 80 };
    const dear = { ...cheap, label: "B", metrics: { loss: slower, other: slower.map((v) => 1 + v) } };
    const [alike] = figuresOf(cheap, { ...dear, bytesPerUpdate: 160 });
    expect(alike.panels.map(({ xLog = false }) => xLog)).toEqual([false, false, false]);
    const [loss, other] = figuresOf(cheap, { ...dear, bytesPerUpdate: 1600 });
    expect(loss.panels.map(({ xLog = false }) => xLog)).toEqual([false, true, true]);
    expect([loss.panels[0].yLog, other.panels[0].yLog]).toEqual([true, false]);
  });

  it("say whether seconds are simulated or measured", () => {
    const run = { label: "A", metrics: { loss: falling } };
    const seconds = (more: object) => specFigures({ ...about, ...more }, byLabel(run))[0].panels[2].xLabel;
    expect(seconds({})).toBe("simulated seconds of communication");
    expect(seconds({ seconds: "seconds measured, gradients included" })).toMatch(/measured/);
  });

  it("name a run that diverged with its update, and keep it from pressing the others flat", () => {
    const wild = Array.from({ length: 50 }, (_, t) => (t < 40 ? 1e4 ** t : Number.POSITIVE_INFINITY));
    const [figure] = figuresOf(
      { label: "sound", metrics: { loss: falling } },
      { label: "wild", metrics: { loss: wild } },
    );
    const [panel] = figure.panels;
    expect(panel.series.map(({ label }) => label)).toEqual(["sound", "wild (diverged by update 40)"]);
    expect(panel.yRange![1]).toBeLessThanOrEqual(1000);
  });

  it("are drawn of long runs beside one that diverged", () => {
    const long = Array.from({ length: 200_000 }, (_, t) => 1 + 1 / (1 + t));
    const wild = { label: "wild", metrics: { loss: long.map((value, t) => (t < 9 ? value : Number.NaN)) } };
    const [{ panels }] = figuresOf({ label: "sound", metrics: { loss: long } }, wild);
    expect(panels[0].yRange).toEqual([expect.closeTo(0.95, 3), expect.closeTo(3, 3)]);
  });

  it("average what seeds cost, too: a seed may draw a graph that sends less", () => {
    const run = { label: "A", metrics: { loss: falling } };
    const runs = byLabel(run, { ...run, seed: 1, bytesPerUpdate: 40 });
    const [panel] = panelsOf(runs, "loss").filter(({ title }) => title === "against bytes");
    expect(panel.series[0].x.slice(0, 3)).toEqual([0, 60, 120]);
    const [, seconds] = panelsOf(runs, "loss").filter(({ title }) => title !== "against bytes");
    expect(seconds.series[0].x[1]).toBeCloseTo(60e-8, 20);
  });

  it("say how many seeds were run", () => {
    const run = { label: "A", metrics: { loss: falling } };
    expect(figuresOf(run)[0].caption).toBe("One seed.");
    expect(figuresOf(run, { ...run, seed: 1 })[0].caption).toMatch(/^Mean over 2 seeds, band/);
  });
});

describe("what is worth showing", () => {
  it("is not a loss in which all runs look alike, nor a metric without numbers", () => {
    const flat = falling.map((value) => 240 + 300 * value);
    const [same] = figuresOf(
      { label: "A", metrics: { loss: flat } },
      { label: "B", metrics: { loss: flat.map((v) => v + 1) } },
    );
    expect(uselessBecause(same)).toMatch(/all runs look alike/);
    const [apart] = figuresOf({ label: "A", metrics: { loss: falling } }, { label: "B", metrics: { loss: slower } });
    expect(uselessBecause(apart)).toBeUndefined();
    const [none] = figuresOf({ label: "A", metrics: { loss: flat.map(() => Number.NaN) } });
    expect(uselessBecause(none)).toMatch(/no run has a number/);
  });

  it("is not a panel of costs that all runs pay alike", () => {
    const titles = (...wanted: Wanted[]) => distinctPanels(figuresOf(...wanted)[0].panels).map(({ title }) => title);
    const one = { label: "A", metrics: { loss: falling } };
    expect(titles(one)).toEqual(["against updates"]);
    expect(titles(one, { ...one, label: "B" })).toEqual(["against updates"]);
    const dear = { ...one, label: "B", bytesPerUpdate: 160 };
    expect(titles(one, dear)).toEqual(["against updates", "against bytes", "against seconds"]);
  });
});

describe("parameters", () => {
  it("are a table of what is common and columns of what differs", () => {
    const step = { name: "step", rate: 0.1, every: 100 };
    const runs = [0, 1].flatMap((seed) => [
      runOf("one", seed),
      runOf("two", seed, {
        algorithm: { name: "dsgt", learningRate: step },
        topology: { name: "ring", n: 8, basis: [seed] },
      }),
    ]);
    const { common, differing } = parametersOf(runs);
    expect(common).toEqual({
      n: "8",
      updates: "2",
      topology: "ring",
      problem: "least-squares",
      every: "1",
      type: "float64",
      seeds: "0, 1",
    });
    expect(differing?.columns).toEqual([
      ...["run", "topology basis", "algorithm", "algorithm learningRate"],
      ...["algorithm learningRate rate", "algorithm learningRate every"],
    ]);
    expect(differing?.rows).toEqual([
      ["one", null, "dsgd", "0.1", null, null],
      ["two", "drawn anew with each seed", "dsgt", "step", "0.1", "100"],
    ]);
    expect(parametersOf([runOf("one", 0)]).differing).toBeUndefined();
  });
});
