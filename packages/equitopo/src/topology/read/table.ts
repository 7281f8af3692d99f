/**
 * Edge lists and matrices as text:
 *
 * - header from,to,weight or source,target,weight: an edge from -> to carries w_to,from;
 * - header from,to or source,target:               undirected edges without weights;
 * - no header: a square of numbers is the matrix, row by row; else three columns are a weighted edge list.
 *
 * Blank lines and lines that begin with # are passed over; without a comma, cells are separated by white space.
 */

import { InputError } from "../../input/input.ts";
import { parseNumber } from "../../input/option.ts";
import { type TableLine, tableLines } from "../../input/table.ts";
import type { Edge } from "../../round/round.ts";
import { fromMatrix, type GraphData } from "./graph-data.ts";

export function readTable(text: string): GraphData {
  const lines = tableLines(text).filter(({ cells }) => !cells[0].startsWith("#"));
  if (lines.length === 0) throw new InputError("the file must hold a matrix or a list of edges", "", "fill it");
  const header = lines[0].cells.map((cell) => cell.replace(/^"(.*)"$/, "$1").toLowerCase());
  if (header.some((cell) => cell !== "" && Number.isNaN(Number(cell)))) {
    const rows = lines.slice(1);
    const columns = header.join().replace(/^source,target/, "from,to");
    if (columns === "from,to,weight") return weightedEdges(rows);
    if (columns === "from,to") return plainEdges(rows);
    const rule = `line ${lines[0].number} must be numbers, or the header from,to,weight or from,to (or source,target)`;
    const remedy = "rename the columns, or write numbers with a decimal point and commas between them";
    throw new InputError(rule, header.join(","), remedy);
  }
  const width = lines[0].cells.length;
  if (width === lines.length) return matrix(lines);
  if (width === 3) return weightedEdges(lines);
  const rule = "numbers without a header must be a square matrix, or three columns from,to,weight";
  const remedy = width === 2 ? "put the header from,to above undirected edges" : "check that no row is missing";
  throw new InputError(rule, `${lines.length} lines of ${width}`, remedy);
}

/** The numbers of a line that must have `width` of them. */
function numbers({ number, cells }: TableLine, width: number): number[] {
  if (cells.length !== width) {
    throw new InputError(`line ${number} must have ${width} cells`, cells.length, "give every line as many");
  }
  return cells.map((cell, k) => {
    const value = parseNumber(cell);
    if (value !== undefined && Number.isFinite(value)) return value;
    throw new InputError(`line ${number}, cell ${k + 1} must be a number`, cell, "write numbers with a decimal point");
  });
}

function matrix(lines: readonly TableLine[]): GraphData {
  return fromMatrix(
    lines.length,
    lines.flatMap((line) => numbers(line, lines.length)),
  );
}

function label(line: TableLine, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new InputError(`line ${line.number}: ${name} must be a label 0, 1, 2, ...`, value, "labels start at 0");
}

function weightedEdges(lines: readonly TableLine[]): GraphData {
  let n = 0;
  const edges = lines.map((line): Edge => {
    const [from, to, weight] = numbers(line, 3);
    n = Math.max(n, label(line, "from", from) + 1, label(line, "to", to) + 1);
    if (!(weight >= 0)) {
      throw new InputError(`line ${line.number}: weight must not be negative`, weight, "gossip weights are shares");
    }
    return [from, to, weight];
  });
  checkLabels(n, edges);
  return { n, self: new Array<number>(n).fill(0), edges };
}

function plainEdges(lines: readonly TableLine[]): GraphData {
  let n = 0;
  const pairs = lines.map((line): [number, number] => {
    const [from, to] = numbers(line, 2);
    n = Math.max(n, label(line, "from", from) + 1, label(line, "to", to) + 1);
    if (from === to) throw new InputError(`line ${line.number}: an edge must join two nodes`, from, "leave it out");
    return [from, to];
  });
  checkLabels(n, pairs);
  return { n, edges: pairs };
}

/** A slip such as label 1000000000 must not ask for that much memory, and a file that counts from 1 must not get a node 0. */
function checkLabels(n: number, edges: readonly (readonly number[])[]): void {
  const room = 2 * edges.length;
  if (n > room + 1) {
    const value = `${n - 1} in a file with room for ${room} labels`;
    throw new InputError("labels must be 0 .. n - 1, each in some edge", value, "number the nodes without gaps");
  }
  if (edges.length === 0 || edges.some(([from, to]) => from === 0 || to === 0)) return;
  const least = edges.reduce((label, [from, to]) => Math.min(label, from, to), n);
  const rule = "labels count from 0, and node 0 has no edge";
  throw new InputError(rule, `labels ${least} .. ${n - 1}`, `subtract ${least} from every label`);
}
