/**
 * Graphs as JSON: `{ n, self: [w_ii], edges: [[from, to, w_to,from], ...] }`, 0-based labels, other members passed over; or
 * `{ n, edges: [[i, j], ...] }`, undirected edges without weights; or a plan.
 */

import { defined, InputError } from "../../input/input.ts";
import { checkedPlan, claimsPlan } from "../plan/plan.ts";
import { checkedGraph, type GraphFile } from "./graph-data.ts";

export function readJson(text: string): GraphFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(`the file must be JSON (${(error as Error).message})`, excerpt(text), REMEDY);
  }
  if (claimsPlan(value)) return checkedPlan(value);
  const { n, self, edges } = (value ?? {}) as Record<string, unknown>;
  if (typeof n !== "number" || !isList(edges) || !(isList(self) || (self === undefined && isPair(edges[0])))) {
    throw new InputError("the file must hold { n, self, edges }", excerpt(text), REMEDY);
  }
  return checkedGraph(defined({ n, self, edges }));
}

const REMEDY = "write it as `equitopo graph --format json` does";

const isPair = (edge: unknown) => isList(edge) && edge.length === 2;

const isList = Array.isArray;

function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}
