/**
 * The edges of a graph divided into matchings: a proper edge colouring, with as many colours as the largest degree D
 * where that is found (always on bipartite graphs), and D + 1 otherwise (Vizing; Misra and Gries 1992). Matchings come
 * out of equal size, give or take one edge (de Werra 1971).
 *
 * With D colours: an edge gets a colour that is free at both ends; where there is none, a path of two colours from one
 * end is swapped, and where every such path ends at the other end, chains elsewhere are swapped and it is tried again.
 * O(edges n), often much less.
 */

import { RandomStream, streams } from "../random/stream.ts";

export type Pair = readonly [number, number];

/** Chains swapped elsewhere before an edge is given up, and D + 1 colours are taken. */
const PERTURBATIONS = 500;

/** The colour of every edge; each edge is given once. */
export function colourEdges(n: number, edges: readonly Pair[]): Int32Array {
  const degrees = new Int32Array(n);
  for (const [u, v] of edges) {
    degrees[u]++;
    degrees[v]++;
  }
  const degree = degrees.reduce((most, d) => Math.max(most, d), 0);
  // A matching has at most n/2 edges: with more than D of those, D colours cannot do.
  const overfull = edges.length > degree * Math.floor(n / 2);
  const colouring = (overfull ? undefined : withLargestDegree(n, edges, degree)) ?? withOneMore(n, edges, degree + 1);
  colouring.balance();
  return colouring.colours;
}

function withLargestDegree(n: number, edges: readonly Pair[], k: number): Colouring | undefined {
  const colouring = partialColouring(n, edges, k);
  const random = new RandomStream(0, streams.matchings);
  for (let e = 0; e < edges.length; e++) {
    let tries = 0;
    while (!colouring.extend(e)) {
      if (tries++ === PERTURBATIONS) return undefined;
      colouring.swap(random.below(n), random.below(k), random.below(k));
    }
  }
  return colouring;
}

/** Misra and Gries: fans. With D + 1 colours every node has a free one. */
function withOneMore(n: number, edges: readonly Pair[], k: number): Colouring {
  const colouring = partialColouring(n, edges, k);
  edges.forEach(([u, v], e) => {
    // fan[0] = v; the edge from u to fan[s + 1] has a colour that is free at fan[s].
    const fan = [{ node: v, edge: e }];
    for (let grown = true; grown; ) {
      const last = fan[fan.length - 1].node;
      grown = false;
      for (let c = 0; c < k && !grown; c++) {
        const edge = colouring.at(u, c);
        if (edge < 0 || colouring.at(last, c) >= 0) continue;
        const node = colouring.otherEnd(edge, u);
        if (fan.some((member) => member.node === node)) continue;
        fan.push({ node, edge });
        grown = true;
      }
    }
    const c = colouring.free(u);
    const d = colouring.free(fan[fan.length - 1].node);
    if (c !== d) colouring.swap(u, d, c);
    // The swap may have cut the fan; up to the cut, or to its end, there is a node where d is free.
    let end = 0;
    while (colouring.at(fan[end].node, d) >= 0) {
      end++;
      if (end >= fan.length) throw new Error("a fan without an end");
      if (colouring.at(fan[end - 1].node, colouring.colours[fan[end].edge]) >= 0) throw new Error("a fan that was cut");
    }
    for (let s = 0; s < end; s++) {
      const next = colouring.colours[fan[s + 1].edge];
      colouring.clear(fan[s + 1].edge);
      colouring.set(fan[s].edge, next);
    }
    colouring.set(fan[end].edge, d);
  });
  return colouring;
}

type Colouring = ReturnType<typeof partialColouring>;

/** A partial colouring: which edge of each colour a node has. */
function partialColouring(n: number, edges: readonly Pair[], k: number) {
  const colours = new Int32Array(edges.length).fill(-1);
  const table = new Int32Array(n * k).fill(-1);

  /** The edge of colour c at a node, or -1. */
  const at = (node: number, c: number) => table[node * k + c];

  function otherEnd(edge: number, node: number): number {
    const [u, v] = edges[edge];
    return u === node ? v : u;
  }

  /** The first colour that a node does not have. */
  function free(node: number): number {
    for (let c = 0; c < k; c++) if (at(node, c) < 0) return c;
    throw new Error("a node without a free colour");
  }

  function set(edge: number, c: number): void {
    for (const node of edges[edge]) table[node * k + c] = edge;
    colours[edge] = c;
  }

  function clear(edge: number): void {
    const c = colours[edge];
    for (const node of edges[edge]) if (at(node, c) === edge) table[node * k + c] = -1;
    colours[edge] = -1;
  }

  /** The path of colours a, b, a, ... from a node that lacks b: its edges and its last node. */
  function path(node: number, a: number, b: number): { edges: number[]; last: number } {
    const edges: number[] = [];
    let last = node;
    for (let c = a, edge = at(node, a); edge >= 0; c = a + b - c, edge = at(last, c)) {
      edges.push(edge);
      last = otherEnd(edge, last);
    }
    return { edges, last };
  }

  function exchange(edges: readonly number[], a: number, b: number): void {
    const swapped = edges.map((edge) => a + b - colours[edge]);
    for (const edge of edges) clear(edge);
    edges.forEach((edge, k) => {
      set(edge, swapped[k]);
    });
  }

  /** Swaps colours a and b on the path from a node that has a and lacks b; elsewhere nothing happens. */
  function swap(node: number, a: number, b: number): void {
    if (a === b || at(node, a) < 0 || at(node, b) >= 0) return;
    exchange(path(node, a, b).edges, a, b);
  }

  /** Colours one more edge, swapping one path where it must; false where no single path helps. */
  function extend(edge: number): boolean {
    const [u, v] = edges[edge];
    const [freeAtU, freeAtV] = [u, v].map((node) => [...Array(k).keys()].filter((c) => at(node, c) < 0));
    const common = freeAtU.find((c) => at(v, c) < 0);
    if (common !== undefined) {
      set(edge, common);
      return true;
    }
    for (const a of freeAtU) {
      for (const b of freeAtV) {
        const { edges: along, last } = path(v, a, b);
        if (last === u) continue;
        exchange(along, a, b);
        set(edge, a);
        return true;
      }
    }
    return false;
  }

  /** Moves edges from the largest matchings to the smallest until they differ by at most one. */
  function balance(): void {
    for (;;) {
      const sizes = new Int32Array(k);
      for (const c of colours) sizes[c]++;
      const a = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size), 0));
      const b = sizes.indexOf(sizes.reduce((least, size) => Math.min(least, size), sizes[a]));
      if (sizes[a] - sizes[b] <= 1) return;
      // Of the paths of both colours one has more of a than of b: it begins and ends with a.
      for (let node = 0; node < n; node++) {
        if (at(node, a) < 0 || at(node, b) >= 0) continue;
        const { edges } = path(node, a, b);
        if (edges.length % 2 === 0) continue;
        exchange(edges, a, b);
        break;
      }
    }
  }

  return { colours, at, otherEnd, free, set, clear, swap, extend, balance };
}
