/**
 * The drawn pictures of docs/learn.md: a weight matrix, and the numbers of all nodes from round to round as colours.
 * `node scripts/docs/learn.mjs` writes them (`npm run docs:pictures` does, too); a test holds the committed ones against them.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { odEquiDyn, ring } from "../../packages/equitopo/dist/index.js";
import { applyRound, denseMatrix } from "../../packages/equitopo/dist/round/index.js";

const folder = new URL("../../docs/figures/learn/", import.meta.url);
const [INK, QUIET] = ["#1a1a1a", "#5f5f5f"];
/** Orange is much, blue is little, and the mean is between them. */
const [LOW, MIDDLE, HIGH] = [
  [0, 114, 178],
  [245, 245, 245],
  [213, 94, 0],
];

const text = (words, x, y, size = 12, anchor = "middle", ink = INK) =>
  `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="${ink}">${words}</text>`;

const rect = (x, y, width, height, fill, more = "") =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"${more}/>`;

const standalone = (label, width, height, parts) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}" font-family="Arimo, Helvetica, Arial, 'Liberation Sans', sans-serif">`,
    rect(0, 0, width, height, "#ffffff"),
    ...parts,
    "</svg>\n",
  ].join("\n");

/** W of a ring of eight nodes: row i has the weights that node i gives. */
function weights() {
  const [n, cell, left, top] = [8, 42, 150, 70];
  const W = denseMatrix(ring({ n }).round(0));
  const parts = [text("W of a ring of 8 nodes", left + (n * cell) / 2, 24, 15)];
  parts.push(text("hears from node", left + (n * cell) / 2, 46, 12, "middle", QUIET));
  parts.push(text("node", left - 26, top + (n * cell) / 2 + 4, 12, "end", QUIET));
  for (let i = 0; i < n; i++) {
    parts.push(text(i, left + (i + 0.5) * cell, top - 7), text(i, left - 10, top + (i + 0.5) * cell + 4, 12, "end"));
    for (let j = 0; j < n; j++) {
      const weight = W[i * n + j];
      const fill = weight === 0 ? "#ffffff" : "#bcd7ea";
      parts.push(rect(left + j * cell, top + i * cell, cell, cell, fill, ' stroke="#d0d0d0"'));
      if (weight !== 0) parts.push(text("1/3", left + (j + 0.5) * cell, top + (i + 0.5) * cell + 4));
    }
  }
  return standalone("W of a ring of 8 nodes", left + n * cell + 150, top + n * cell + 20, parts);
}

/** All numbers after every round, a line of colours each. */
function values() {
  const [n, rounds, cell, row, top, left] = [32, 24, 11, 11, 64, 60];
  const wide = n * cell;
  const graphs = [
    ["Ring: two neighbours each", ring({ n })],
    ["OD-EquiDyn: one peer a round", odEquiDyn({ n })],
  ];
  const parts = graphs.flatMap(([title, graph], k) => {
    const x0 = left + k * (wide + 50);
    let x = Float64Array.from({ length: n }, (_, i) => (2 * i) / (n - 1) - 1);
    const lines = [text(title, x0 + wide / 2, 24, 15), text("node 0 to 31", x0 + wide / 2, 48, 12, "middle", QUIET)];
    for (let t = 0; t <= rounds; t++) {
      const y = top + t * row;
      if (t % 4 === 0) lines.push(text(t, x0 - 8, y + 10, 12, "end"));
      for (let i = 0; i < n; i++) lines.push(rect(x0 + i * cell, y, cell, row, colour(x[i])));
      x = applyRound(graph.round(t), x, x.slice());
    }
    return lines;
  });
  const middle = top + ((rounds + 1) * row) / 2;
  parts.push(
    `<g transform="translate(18 ${middle}) rotate(-90)">${text("rounds done", 0, 0, 12, "middle", QUIET)}</g>`,
  );
  return standalone("The numbers of 32 nodes", left + 2 * wide + 70, top + (rounds + 1) * row + 20, parts);
}

/** From -1 over 0 to 1. */
function colour(value) {
  const [end, share] = value < 0 ? [LOW, -value] : [HIGH, value];
  const mixed = MIDDLE.map((from, k) => Math.round(from + share * (end[k] - from)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The pictures by file name. */
export const learnPictures = () => ({ "weights.svg": weights(), "values.svg": values() });

if (argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(folder, { recursive: true });
  for (const [name, svg] of Object.entries(learnPictures())) writeFileSync(new URL(name, folder), svg);
}
