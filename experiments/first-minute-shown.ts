/** The first minute as a figure of two panels and as tables. */

import type { Figure, Table } from "./experiment.ts";
import type { FirstMinute } from "./first-minute-findings.ts";

const count = (n: number) => n.toLocaleString("en-GB");

export function figureOf({ n, sizes, races, growth }: FirstMinute): Figure {
  return {
    name: "first-minute",
    title: "One peer a round, no server",
    caption:
      `Left: ${count(n)} nodes, each graph at its best learning rate, the first repeat where it is drawn. ` +
      "Right: from exact rates; Base-2 is exact after that many rounds.",
    panels: [
      {
        title: `Gradient tracking on ${count(n)} nodes`,
        xLabel: "iterations: one message to one peer each",
        yLabel: "relative error",
        yLog: true,
        series: races.map(({ title, topology, curve }) => ({
          ...{ label: title, topology },
          x: curve.map((_, t) => t),
          mean: curve,
        })),
      },
      {
        title: "Rounds to shrink any disagreement by 10⁻⁶",
        xLabel: "nodes",
        yLabel: "rounds",
        yLog: true,
        xLog: true,
        series: growth.map(({ title, topology, rates }) => ({
          ...{ label: title, topology },
          x: sizes,
          mean: rates.map(({ predictedRounds }) => predictedRounds ?? Number.NaN),
        })),
      },
    ],
  };
}

const orNone = (value: number) => (Number.isFinite(value) ? value : null);

export function raceTable({ n, races }: FirstMinute): Table {
  return {
    name: "gradient-tracking",
    title: `Gradient tracking on ${count(n)} nodes: iterations until the relative error is below 1e-6`,
    columns: ["graph", "iterations", "learning rate"],
    rows: races.map(({ title, iterations, learningRate }) => [
      ...[title, orNone(iterations)],
      Number(learningRate.toPrecision(2)),
    ]),
  };
}

export function averagingTable({ n, averaging }: FirstMinute): Table {
  return {
    name: "plain-averaging",
    title: `Plain averaging on ${count(n)} nodes: rounds until the error is below 1e-6 of the first`,
    columns: ["graph", "rounds"],
    rows: averaging.map(({ title, rounds }) => [title, orNone(rounds)]),
  };
}

export function growthTable({ sizes, growth }: FirstMinute): Table {
  return {
    name: "sizes",
    title: "Rounds that shrink any disagreement by 1e-6, from exact rates, by the number of nodes",
    columns: ["graph", ...sizes.map(count)],
    rows: growth.map(({ title, rates }) => [title, ...rates.map(({ predictedRounds }) => predictedRounds)]),
  };
}
