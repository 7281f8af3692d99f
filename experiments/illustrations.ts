/**
 * The paper's illustrations at n = 6: the basis graphs (section 3.1), their undirected halves and OU-EquiDyn's pairs from
 * s = 1 and s = 3 (section 4.2, Appendix C.1), drawn from the library's own graphs and held against the edges written out
 * here by hand. Labels are the paper's, 1 to 6; the library counts from 0.
 */

import type { Check, DrawnGraph, Figure, Results } from "equitopo/outcome";
import { below } from "./exactness.ts";
import type { Study } from "./study.ts";
import { type GraphResult, type GraphUnit, resultOf } from "./unit.ts";

const n = 6;
const differences = [1, 2, 3, 4, 5];

interface Illustration extends Pick<Figure, "name" | "title" | "caption"> {
  unit(u: number): GraphUnit;
  /** The edges for u = 1, ..., 5: from > to, or a-b where they go both ways. */
  readonly edges: readonly string[];
  /** The weight of every edge for each u. */
  readonly weights: readonly number[];
}

const pairsFrom = (s: number, edges: readonly string[]): Illustration => ({
  name: `illustration-ou-equidyn-s${s}`,
  title: `OU-EquiDyn, n = 6, s = ${s}`,
  caption: `The pairs of Alg. 2 from s = ${s} for u = 1, ..., 5.`,
  unit: (u) => ({
    kind: "graph",
    key: `ou-equidyn u=${u} s=${s}`,
    topology: { name: "ou-equidyn", n, eta: 1 },
    choice: { shift: u, start: s - 1 },
  }),
  edges,
  weights: [5 / 6, 5 / 6, 5 / 6, 5 / 6, 5 / 6],
});

const figures: readonly Illustration[] = [
  {
    name: "illustration-basis",
    title: "The basis graphs, n = 6",
    caption: "The graphs of A^(u), u = 1, ..., 5: weight 5/6 on every edge, 1/6 on the diagonal.",
    unit: (u) => ({ kind: "graph", key: `basis u=${u}`, topology: { name: "d-equistatic", n, basis: [u] } }),
    edges: [
      "1>2 2>3 3>4 4>5 5>6 6>1",
      "1>3 2>4 3>5 4>6 5>1 6>2",
      "1>4 2>5 3>6 4>1 5>2 6>3",
      "1>5 2>6 3>1 4>2 5>3 6>4",
      "1>6 2>1 3>2 4>3 5>4 6>5",
    ],
    weights: [5 / 6, 5 / 6, 5 / 6, 5 / 6, 5 / 6],
  },
  {
    name: "illustration-undirected",
    title: "(A + Aᵀ)/2 of the basis graphs, n = 6",
    caption: "Undirected, but with two peers a node unless u = 3: why OU-EquiDyn pairs nodes in another way.",
    unit: (u) => ({ kind: "graph", key: `undirected u=${u}`, topology: { name: "u-equistatic", n, basis: [u] } }),
    edges: [
      "1-2 2-3 3-4 4-5 5-6 1-6",
      "1-3 2-4 3-5 4-6 1-5 2-6",
      "1-4 2-5 3-6",
      "1-3 2-4 3-5 4-6 1-5 2-6",
      "1-2 2-3 3-4 4-5 5-6 1-6",
    ],
    weights: [5 / 12, 5 / 12, 5 / 6, 5 / 12, 5 / 12],
  },
  pairsFrom(1, ["1-2 3-4 5-6", "1-3 2-4", "1-4 2-5 3-6", "1-5 2-6", "1-6 2-3 4-5"]),
  pairsFrom(3, ["3-4 5-6 1-2", "3-5 4-6", "3-6 1-4 2-5", "1-3 2-4", "2-3 4-5 1-6"]),
];

export const illustrations: Study = {
  name: "illustrations",
  title: "The paper's graphs on six nodes",
  paper: "Sections 3.1 and 4.2, Appendix C.1",
  shows:
    "What the graphs look like, that halves of the basis graphs have two peers, and that from one fixed start some pairs of OU-EquiDyn never meet.",
  parameters: () => ({ n: "6", u: differences.join(", "), s: "1 and 3" }),
  units: () => figures.flatMap((figure) => differences.map(figure.unit)),
  outcome(results) {
    return {
      figures: figures.map(({ name, title, caption, ...figure }) => ({
        ...{ name, title, caption },
        graphs: differences.map((u): DrawnGraph => {
          const edges = graphOf(results, figure, u).edges.map(([from, to]) => ({ from, to }));
          return { title: `u = ${u}`, n, directed: isDirected(figure), edges };
        }),
      })),
      tables: [],
      checks: [
        ...figures.flatMap((figure) => differences.map((u) => edgesCheck(results, figure, u))),
        ...figures.map((figure) => weightsCheck(results, figure)),
        meanCheck(results),
        idleCheck(results),
      ],
    };
  },
};

const graphOf = (results: Results, { unit }: Pick<Illustration, "unit">, u: number) => resultOf(results, unit(u));

/** A basis graph whose shift is half of n goes both ways, and is drawn like the others. */
const isDirected = ({ edges }: Pick<Illustration, "edges">) => edges[0].includes(">");

/** The edges in the notation above. */
function written({ directed, edges }: GraphResult): string[] {
  return edges.flatMap(([from, to]) =>
    directed ? [`${from + 1}>${to + 1}`] : from < to ? [`${from + 1}-${to + 1}`] : [],
  );
}

function edgesCheck(results: Results, figure: Illustration, u: number): Check {
  const graph = graphOf(results, figure, u);
  const expected = figure.edges[u - 1].split(" ");
  const found = written({ ...graph, directed: isDirected(figure) });
  return {
    name: `${figure.title}, u = ${u}: edges`,
    expected: expected.join(" "),
    measured: found.join(" "),
    pass: [...expected].sort().join() === [...found].sort().join(),
  };
}

function weightsCheck(results: Results, figure: Illustration): Check {
  const off = differences.flatMap((u) => {
    const { edges, self } = graphOf(results, figure, u);
    const rest = new Float64Array(n).fill(1);
    for (const [, to, weight] of edges) rest[to] -= weight;
    return [...edges.map(([, , weight]) => weight - figure.weights[u - 1]), ...self.map((own, i) => own - rest[i])];
  });
  const weights = [...new Set(figure.weights)].map((w) => `${Math.round(12 * w)}/12`).join(" or ");
  const expected = `${weights} on edges, the rest on the diagonal`;
  return below(`${figure.title}: weights`, expected, Math.max(...off.map(Math.abs)), 1e-14, "off by at most ");
}

/** The mean of all basis graphs is J: 1/6 everywhere. */
function meanCheck(results: Results): Check {
  const sum = new Float64Array(n * n);
  for (const u of differences) {
    const { edges, self } = graphOf(results, figures[0], u);
    for (const [from, to, weight] of edges) sum[to * n + from] += weight / differences.length;
    self.forEach((own, i) => {
      sum[i * n + i] += own / differences.length;
    });
  }
  const worst = Math.max(...sum.map((value) => Math.abs(value - 1 / n)));
  return below("the mean of the five basis matrices", "J, 1/6 everywhere", worst, 1e-15, "off by at most ");
}

function idleCheck(results: Results): Check {
  const [one, three] = figures
    .slice(2)
    .map((figure) => new Set(differences.flatMap((u) => written(graphOf(results, figure, u)))));
  const late = ["3-5", "4-6"].filter((pair) => !one.has(pair) && three.has(pair));
  return {
    name: "pairs {3, 5} and {4, 6}",
    expected: "never met from s = 1, met from s = 3",
    measured: late.length === 2 ? "so it is" : `so only for ${late.join(" ") || "none"}`,
    pass: late.length === 2,
  };
}
