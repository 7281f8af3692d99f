/**
 * Edge lists and matrices as text. Written as `from,to,weight`, self weights as from = to; of a range of rounds with a
 * first column `round`, which is for other programs. Read:
 *
 * - header from,to,weight: an edge from -> to carries w_to,from;
 * - header from,to:        undirected edges with Metropolis weights, 1 / (1 + max(d_i, d_j));
 * - no header:             a square of numbers is the matrix, row by row; else three columns are a weighted edge list.
 *
 * Blank lines and lines that begin with # are passed over; without a comma, cells are separated by white space.
 */

import { type CustomOptions, type Edge, InputError, option } from "equitopo";
import { selfWeight } from "equitopo/round";
import { type Drawing, edgesInto } from "./drawing.ts";
import { metropolis } from "./metropolis.ts";

export function* writeCsv({ rounds, isRange }: Drawing): Generator<string> {
  yield isRange ? "round,from,to,weight\n" : "from,to,weight\n";
  for (const { round, number } of rounds) {
    const first = isRange ? `${number},` : "";
    for (let to = 0; to < round.n; to++) {
      const self = selfWeight(round, to);
      if (self !== 0) yield `${first}${to},${to},${self}\n`;
      for (const { from, weight } of edgesInto(round, to)) yield `${first}${from},${to},${weight}\n`;
    }
  }
}

interface Line {
  readonly number: number;
  readonly cells: readonly string[];
}

export function readCsv(text: string): CustomOptions {
  const lines = linesOf(text);
  if (lines.length === 0) throw new InputError("the file must hold a matrix or a list of edges", "", "fill it");
  const header = lines[0].cells.map((cell) => cell.replace(/^"(.*)"$/, "$1").toLowerCase());
  if (header.some((cell) => cell !== "" && Number.isNaN(Number(cell)))) {
    const rows = lines.slice(1);
    if (header.join() === "from,to,weight") return weightedEdges(rows);
    if (header.join() === "from,to") return metropolisEdges(rows);
    throw new InputError(
      `line ${lines[0].number} must be numbers, or the header from,to,weight or from,to`,
      header.join(","),
      "rename the columns, or write numbers with a decimal point and commas between them",
    );
  }
  const width = lines[0].cells.length;
  if (width === lines.length) return matrix(lines);
  if (width === 3) return weightedEdges(lines);
  throw new InputError(
    "numbers without a header must be a square matrix, or three columns from,to,weight",
    `${lines.length} lines of ${width}`,
    width === 2 ? "put the header from,to above undirected edges" : "check that no row is missing",
  );
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  text.split(/\r?\n/).forEach((raw, index) => {
    const content = raw.replace(/^\uFEFF/, "").trim();
    if (content === "" || content.startsWith("#")) return;
    const cells = content.includes(",") ? content.split(",").map((cell) => cell.trim()) : content.split(/\s+/);
    lines.push({ number: index + 1, cells });
  });
  return lines;
}

/** The numbers of a line that must have `width` of them. */
function numbers({ number, cells }: Line, width: number): number[] {
  if (cells.length !== width) {
    throw new InputError(`line ${number} must have ${width} cells`, cells.length, "give every line as many");
  }
  return cells.map((cell, k) => {
    const value = option.parseNumber(cell);
    if (value !== undefined && Number.isFinite(value)) return value;
    throw new InputError(`line ${number}, cell ${k + 1} must be a number`, cell, "write numbers with a decimal point");
  });
}

function matrix(lines: readonly Line[]): CustomOptions {
  const n = lines.length;
  const self = new Float64Array(n);
  const edges: Edge[] = [];
  lines.forEach((line, to) => {
    numbers(line, n).forEach((weight, from) => {
      if (from === to) self[to] = weight;
      else if (weight !== 0) edges.push([from, to, weight]);
    });
  });
  return { n, self, edges };
}

function label(line: Line, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new InputError(`line ${line.number}: ${name} must be a label 0, 1, 2, ...`, value, "labels start at 0");
}

function weightedEdges(lines: readonly Line[]): CustomOptions {
  let n = 0;
  const edges = lines.map((line): Edge => {
    const [from, to, weight] = numbers(line, 3);
    n = Math.max(n, label(line, "from", from) + 1, label(line, "to", to) + 1);
    if (!(weight >= 0)) {
      throw new InputError(`line ${line.number}: weight must not be negative`, weight, "gossip weights are shares");
    }
    return [from, to, weight];
  });
  checkLabels(n, lines.length);
  // customGraph adds an edge from a node to itself to its own weight.
  return { n, self: new Float64Array(n), edges };
}

function metropolisEdges(lines: readonly Line[]): CustomOptions {
  let n = 0;
  const pairs = lines.map((line): [number, number] => {
    const [from, to] = numbers(line, 2);
    n = Math.max(n, label(line, "from", from) + 1, label(line, "to", to) + 1);
    if (from === to) throw new InputError(`line ${line.number}: an edge must join two nodes`, from, "leave it out");
    return [from, to];
  });
  checkLabels(n, 2 * lines.length);
  return metropolis(n, pairs);
}

/** A slip such as label 1000000000 must not ask for that much memory. */
function checkLabels(n: number, mentions: number): void {
  if (n <= 2 * mentions + 1) return;
  throw new InputError(
    "labels must be 0 .. n - 1, each in some edge",
    `${n - 1} in a file with room for ${mentions} labels`,
    "number the nodes without gaps",
  );
}
