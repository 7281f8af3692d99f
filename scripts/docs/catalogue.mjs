/**
 * The site's catalogue of topologies, from the registry: whatever is in it has a section, with a picture of a round, what the
 * family's own file says of it, its exact rate by n, and what there is to know before one takes it.
 */

import { existsSync, readFileSync } from "node:fs";
import { showRate } from "../../packages/cli/dist/terminal/numbers.js";
import { algorithms, createTopology, predictedRounds, topologies } from "../../packages/equitopo/dist/index.js";
import { optionsOf } from "../../packages/equitopo/dist/internal/topology.js";
import { layoutOf, roundsFigure, titleOf } from "../../packages/equitopo/dist/picture/index.js";
import { code, table } from "./markdown.mjs";

const root = new URL("../../", import.meta.url);
/** Rounds are counted until a millionth of the disagreement is left. */
const SHARE = 1e-6;

/** The page with rates at these n, and its pictures by file name; `link` makes the address of a page of docs/. */
export function topologyPage(link, sizes = [16, 64, 256, 1024]) {
  const families = [...topologies].map((family) => ({ family, graphs: sizes.map((n) => measured(family, n)) }));
  const at64 = families.flatMap(({ family, graphs }) => (graphs[1] === undefined ? [] : [{ family, ...graphs[1] }]));
  const pictures = new Map(families.map(({ family }) => [`${family.name}.svg`, pictureOf(family)]));
  const text = [
    "# The topologies",
    "",
    `All ${topologies.length} families, from the registry that the library and the command read. Rates are exact and were computed`,
    `when this page was built, with each family's own options; rounds are those that any disagreement takes to shrink to a`,
    `millionth. [Which topology?](${link("advise.md")}) decides between them, [The mathematics](${link("mathematics.md")}) says what a`,
    `rate is, and [a topology of your own](${link("your-own-topology.md")}) joins this list as a plug-in.`,
    "",
    ...overview(families),
    ...families.flatMap((one) => sectionOf(one, at64, link)),
  ].join("\n");
  return { text, pictures };
}

const anchorOf = (name) => titleOf(name).toLowerCase().replaceAll(" ", "-");

function overview(families) {
  const rows = families.map(({ family: { name, summary }, graphs: [, at] }) => [
    `[${titleOf(name)}](#${anchorOf(name)})`,
    summary,
    ...(at === undefined ? ["", ""] : [at.topology.maxDegree, at.rounds]),
  ]);
  return [...table(["topology", "what it is", "degree at n = 64", "rounds"], rows, "llrr"), ""];
}

/** The smallest n from `least` to twice that which the family takes, and what is known there. */
function measured(family, least) {
  const { name, refuses = () => undefined } = family;
  for (let n = least; n < 2 * least; n++) {
    if (refuses(n) !== undefined) continue;
    try {
      const topology = createTopology({ name, n });
      return { n, topology, rate: topology.rate(), rounds: predictedRounds(topology, SHARE) };
    } catch {
      // Some families say only when they are built which n they have no graph for.
    }
  }
  return undefined;
}

/** A round on 16 nodes, or on as few as the family takes; where rounds differ, the first few of them in turn. */
function pictureOf(family) {
  const found = [16, 32, 64, 128, 256, 512, 1024].reduce((one, n) => one ?? measured(family, n), undefined);
  if (found === undefined) throw new Error(`${family.name} has no graph of at most 2048 nodes for its picture`);
  const { topology, n } = found;
  const count = Math.min(6, topology.period ?? 6);
  const rounds = Array.from({ length: count }, (_, t) => ({ round: topology.round(t), name: `round ${t}` }));
  const title = `${titleOf(family.name)}, n = ${n}`;
  const svg = roundsFigure({ title, layout: layoutOf(topology), symmetric: topology.symmetric, rounds });
  // Names of edges are for tests; a page has no use for them.
  return svg.replace(/ data-edge="[^"]*"/g, "");
}

function sectionOf({ family, graphs }, others, link) {
  const { name, summary, source } = family;
  const known = graphs.filter((graph) => graph !== undefined);
  return [
    `## ${titleOf(name)}`,
    "",
    `${code(name)}: ${summary}. Source: ${source}.`,
    "",
    // With its size, so that a link into the page finds its place before the pictures are there.
    `<img src="${name}.svg" alt="A round of ${titleOf(name)}" width="400" height="426">`,
    "",
    ...formulaOf(name),
    ...(known.length === 0 ? [] : [...ratesOf(known), ""]),
    ...useOf(family, others, link),
    ...optionTable(family),
    "```sh",
    `equitopo rate ${name} --n ${known[0]?.n ?? 16}`,
    `equitopo graph ${name} --n ${known[0]?.n ?? 16} --out round.svg`,
    "```",
    "",
  ];
}

/** The comment that opens the family's file: its formula, where it comes from, what it costs. */
function formulaOf(name) {
  const file = new URL(`packages/equitopo/src/topology/${name}.ts`, root);
  const [, comment] = existsSync(file) ? (/^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(file, "utf8")) ?? []) : [];
  if (comment === undefined) return [];
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*? ?/, ""));
  const indented = comment.split("\n").map((line) => /^ \* {3}\S/.test(line));
  const text = lines.map((line, k) => {
    const fence = indented[k] ? "```text" : "```";
    const opens = indented[k] && !indented[k - 1] ? `${fence}\n` : "";
    const closes = indented[k] && !indented[k + 1] ? "\n```" : "";
    return indented[k] ? `${opens}${line.trim()}${closes}` : line.replace(/[*_<>[\]]/g, "\\$&");
  });
  return [text.join("\n").trim(), ""];
}

function ratesOf(graphs) {
  const rows = graphs.map(({ n, topology: { maxDegree }, rate: { rate, periodRate, bound }, rounds }) => [
    n,
    maxDegree,
    showRate(rate),
    periodRate === undefined ? "" : showRate(periodRate),
    typeof bound === "number" ? showRate(bound) : "",
    Number.isFinite(rounds) ? Math.round(rounds) : "",
  ]);
  return table(["n", "degree", "rate", "over a period", "the paper's bound", "rounds to a millionth"], rows, "rrrrrr");
}

/** When to take it: what the guide says of it, what is faster with as few peers, and which methods it is not for. */
function useOf(family, others, link) {
  const { name } = family;
  const own = others.find((one) => one.family === family);
  const said = situations().filter(({ takes }) => takes.includes(`\`${name}\``));
  const lines = said.map(({ have, because }) => `- ${have}: ${because}.`);
  if (own !== undefined) lines.push(`- ${standing(own, others)}`);
  const graph = own?.topology ?? measured(family, 16)?.topology;
  const unfit = graph === undefined ? [] : algorithms.filter(({ condition }) => condition.unfit(graph) !== undefined);
  const names = (list) => list.map((one) => code(one.name)).join(", ");
  const fit = algorithms.filter((one) => !unfit.includes(one));
  if (unfit.length === 0) lines.push("- Every algorithm runs over it.");
  else if (unfit.length <= fit.length) lines.push(`- Not for ${names(unfit)}, whose conditions on W it does not meet.`);
  else lines.push(`- Of the algorithms only for ${names(fit)}.`);
  const taken = Array.from({ length: 63 }, (_, k) => k + 2).filter((n) => family.refuses?.(n) === undefined);
  if (taken.length === 0) lines.push("- No n up to 64.");
  else if (taken.length < 63) lines.push(`- n = ${taken.slice(0, 8).join(", ")}${taken.length > 8 ? ", ..." : ""}.`);
  return [`**When to use it** ([how to choose](${link("advise.md")}))`, "", ...lines, ""];
}

/** What is faster at n = 64 with no more peers a round. */
function standing({ family, topology, rounds, n }, others) {
  const rivals = others.filter((one) => one.family !== family && one.topology.maxDegree <= topology.maxDegree);
  const faster = rivals.filter((one) => one.rounds < rounds).sort((a, b) => a.rounds - b.rounds);
  const peers = topology.maxDegree === 1 ? "one peer" : `up to ${topology.maxDegree} peers`;
  const own = `At n = ${n} with ${peers} a round: ${Math.round(rounds)} rounds to a millionth`;
  if (faster.length === 0) return `${own}; no family with as few peers takes fewer.`;
  const best = `${code(faster[0].family.name)} takes ${Math.round(faster[0].rounds)}`;
  return `${own}; of ${rivals.length} others with as few peers ${faster.length} ${faster.length === 1 ? "is" : "are"} faster (${best}).`;
}

let known;
/** The rows of the guide's table "By situation". */
function situations() {
  if (known !== undefined) return known;
  const text = readFileSync(new URL("docs/advise.md", root), "utf8");
  const [, block = ""] = /## By situation([\s\S]*?)\n## /.exec(text) ?? [];
  const rows = [...block.matchAll(/^\| (.+) \|$/gm)].map(([, line]) => line.split(" | ")).slice(2);
  known = rows.map(([have, takes, because], k) => {
    const whole = have.replace(/^the same/, rows[k - 1]?.[0]);
    return { have: whole[0].toUpperCase() + whole.slice(1), takes, because };
  });
  return known;
}

function optionTable(family) {
  const options = Object.entries(optionsOf(family));
  if (options.length === 0) return [];
  const rows = options.map(([key, { default: preset, range, help = "" }]) => {
    return [code(key), help, range, preset === undefined ? "" : code(JSON.stringify(preset))];
  });
  return [...table(["option", "what it is", "values", "default"], rows, "llll"), ""];
}
