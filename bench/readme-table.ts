/**
 * The README's table "How fast", made from a file of figures: which of them it shows, in which order, and how the benches
 * are asked so that all of it takes less than ten minutes.
 */

import type { Options } from "./bench.ts";
import { machineText } from "./compare.ts";
import { type BenchRecord, best, type Kept } from "./record.ts";

/** The benches that the table shows, with the options that keep them short. */
export const shownBenches: Readonly<Record<string, Options>> = {
  rate: {},
  peers: {},
  design: { n: "1000", seconds: "20" },
  gossip: {},
  learning: { n: "10000" },
  mnist: {},
  train: { part: "peers", blocks: "3" },
  browser: { blocks: "4" },
};

/** Figures of the table, by bench, in its order. */
export const shownFigures: Readonly<Record<string, readonly string[]>> = {
  rate: [
    "exact rate, D-EquiStatic, n = 1000000, M = 70",
    "exact rate, D-EquiStatic, n = 999983, M = 70",
    "one basis index swapped, rate again, n = 1000000",
  ],
  peers: [
    "peers(t, i), ou-equidyn, n = 1000000",
    "peers(t, i), base, n = 1000000",
    "peers(t, i), base, n = 1000000, relabel = true",
  ],
  design: ["best rate of a search, n = 1000, 10 peers, 20 s"],
  gossip: [
    "a round of od-equidyn, n = 10000, d = 100",
    "a round of ou-equidyn, n = 10000, d = 100",
    "a round of d-equistatic (M = 47), n = 10000, d = 100",
  ],
  learning: ["an iteration of DSGD on least squares, od-equidyn, n = 10000"],
  mnist: ["training MNIST, 17 nodes, 20 epochs, all cores"],
  train: ["threads", "tcp", "mpi"].map((transport) => `17 real peers train the MNIST network over ${transport}`),
  browser: [
    "a round of 4 peers with 60000 floats, WebRTC, 4 tabs",
    "a round of 4 peers with 60000 floats, WebSocket, 2 tabs and 2 Node peers",
    "the studio's rounds at n = 10000, drawn by software, fast",
  ],
};

const [begin, end] = ["<!-- bench table -->", "<!-- end of bench table -->"];

/** The README with its table made anew. */
export function withTable(readme: string, record: BenchRecord): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the README must have a line ${begin} and, below it, ${end}`);
  return `${readme.slice(0, from + begin.length)}\n${tableText(record)}${readme.slice(to)}`;
}

/** The sentence about the machine, the table, and what is missing from it. */
export function tableText(record: BenchRecord): string {
  const times: number[] = [];
  const rows = Object.entries(shownFigures).flatMap(([bench, names]) => {
    const found = names.flatMap((name) => record.figures.filter((one) => one.bench === bench && one.name === name));
    times.push(...found.map(({ values }) => values.length));
    return found.map((figure, k) => row(figure, k === 0 ? `\`npm run bench -- ${bench}\`` : ""));
  });
  const missing = record.missing.filter(({ bench }) => bench in shownFigures);
  return [
    `Measured on ${machineText(record.machine)}: ${timesText(times)}, each beside its limit or its usual rival in the same run.`,
    "",
    "| | equitopo | beside it | command |",
    "|---|---:|---:|---|",
    ...rows,
    "",
    ...(missing.length === 0 ? [] : [`Not measured there: ${missing.map(why).join("; ")}.`, ""]),
  ].join("\n");
}

/** How often was measured; what takes long is measured once. */
function timesText(times: readonly number[]): string {
  if (!times.includes(1)) return "the best of several";
  return times.every((count) => count === 1) ? "once" : "the best of several, or once what takes long";
}

const why = ({ what, why: reason }: BenchRecord["missing"][number]) => `${what} (${reason})`;

function row(figure: Kept, command: string): string {
  const { name, unit, more, beside } = figure;
  const other =
    beside === undefined
      ? ""
      : `${shown(best({ values: beside.values, ...(more ? { more } : {}) }), unit)}, ${beside.what}`;
  const title = name.replace(/\d{5,}/g, (digits) => Number(digits).toLocaleString("en-GB"));
  return `| ${title} | ${shown(best(figure), unit)} | ${other} | ${command} |`;
}

/** Three digits, thousands apart. */
function shown(value: number, unit: string): string {
  const short = Number(value.toPrecision(3));
  const digits =
    short >= 1000
      ? short.toLocaleString("en-GB")
      : value.toPrecision(3).includes("e")
        ? String(short)
        : value.toPrecision(3);
  return unit === "" ? digits : `${digits} ${unit}`;
}
