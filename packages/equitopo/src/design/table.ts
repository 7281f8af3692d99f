/**
 * The table of best designs known: n from 4 to 64, then some larger ones; degrees 2 to ceil(log2 n) + 2; directed and
 * undirected. `npm run designs --workspace equitopo` searches on and writes table-data.ts; what is there is only replaced by
 * what is better.
 *
 * A line is one n; in it, separated by blanks, designs such as `d9:1.a.2s:AAAAAA...`: directed or undirected and the
 * degree; the shifts in base 36 (undirected one of each pair); their weights in multiples of 2^-36, six letters of base 64
 * each. The own weight is what is left of 1. `:p` at the end says that all supports were weighed.
 */

import { InputError } from "../input/input.ts";
import type { Design } from "./design.ts";
import { GRAIN, type Question, weightedShifts } from "./support.ts";
import { tableText } from "./table-data.ts";

/** A design as the topology takes it: all shifts with their weights. */
export interface TabledDesign extends Pick<Design, "self" | "shifts" | "weights"> {
  /** Whether all supports of that degree were weighed. */
  readonly proved?: boolean;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Every question that has a row. */
export function tabledQuestions(): Question[] {
  return Object.entries(tableText).flatMap(([n, line]) =>
    line.split(" ").map((row) => ({
      n: Number(n),
      degree: Number(row.slice(1, row.indexOf(":"))),
      directed: row.startsWith("d"),
    })),
  );
}

/** The row of a question, or undefined where the table has none. */
export function tabledDesign(asked: Question): TabledDesign | undefined {
  return readRow(tableText[asked.n] ?? "", asked);
}

/** The row of a question in a line of the table. */
export function readRow(line: string, { n, degree, directed }: Question): TabledDesign | undefined {
  const head = `${directed ? "d" : "u"}${degree}:`;
  const row = line.split(" ").find((text) => text.startsWith(head));
  if (row === undefined) return undefined;
  const [, shiftText, weightText, mark] = row.split(":");
  const grains = shiftText.split(".").map((text, j): [number, number] => {
    let count = 0;
    for (let c = 6 * j; c < 6 * j + 6; c++) count = 64 * count + LETTERS.indexOf(weightText[c]);
    return [Number.parseInt(text, 36), count];
  });
  return { ...weightedShifts({ n, directed }, grains), proved: mark === "p" };
}

/** A row's text. */
export function tableRow({ n, degree, directed }: Question, { shifts, weights, proved }: TabledDesign): string {
  const kept = shifts.map((u, j) => ({ u, count: weights[j] / GRAIN })).filter(({ u }) => directed || 2 * u <= n);
  const letters = (count: number) => {
    let text = "";
    for (let c = 0, rest = count; c < 6; c++, rest = Math.floor(rest / 64)) text = LETTERS[rest % 64] + text;
    return text;
  };
  const shiftText = kept.map(({ u }) => u.toString(36)).join(".");
  const weightText = kept.map(({ count }) => letters(count)).join("");
  return `${directed ? "d" : "u"}${degree}:${shiftText}:${weightText}${proved ? ":p" : ""}`;
}

/** The row of a question, or an error that says which there are. */
export function bestDesign(question: Question): TabledDesign {
  const found = tabledDesign(question);
  if (found !== undefined) return found;
  const { n, degree, directed } = question;
  const kind = directed ? "directed" : "undirected";
  const remedy = `search for one with \`equitopo design --n ${n} --degree ${degree} --${kind}\``;
  if (tableText[n] === undefined) {
    const larger = Object.keys(tableText).filter((size) => Number(size) > 64);
    throw new InputError(`the table of best designs has n from 4 to 64 and ${larger.join(", ")}`, n, remedy);
  }
  const rows = tabledQuestions().filter((row) => row.n === n && row.directed === directed);
  const degrees = rows.map((row) => row.degree).join(", ");
  throw new InputError(`the table of best ${kind} designs for n = ${n} has the degrees ${degrees}`, degree, remedy);
}
