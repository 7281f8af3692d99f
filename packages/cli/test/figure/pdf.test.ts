/** Figures as PDF: what was drawn is there, at its place, in letters that can be searched, with their font inside. */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ring } from "equitopo";
import { layoutOf, lineFigure, roundsFigure } from "equitopo/picture";
import { describe, expect, it, test } from "vitest";
import { svgToPdf } from "../../src/figure/pdf.ts";
import { drawable, wholeFigure } from "../../src/figure/whole.ts";
import { equitopo, scratch, spawned } from "../command.ts";
import { readPdf } from "../pdf.ts";
import { all, parseXml, words } from "../xml.ts";

const folder = scratch();
const at = (name: string) => join(folder, name);
const x = [0, 10, 20];
const figure = {
  title: "Zażółć & Gränna <β>: ‖x − J x‖ ≤ 10⁻⁶ ε, ᵀ",
  xLabel: "round t",
  yLabel: "‖x(t) − J x(0)‖",
  yLog: true,
  series: [
    { label: "ring", x, mean: [1, 0.1, 0.01], low: [0.5, 0.05, 0.005], high: [2, 0.2, 0.02] },
    { label: "promised", dashed: true, x, mean: [1, 0.2, 0.04] },
  ],
};

/** Lines of text of an SVG, raised powers with what they belong to. */
const textsOf = (svg: string) => all(parseXml(svg), (one) => one.name === "text").map(words);

/** The width and height of an SVG. */
const sizeOf = (svg: string) => ["width", "height"].map((name) => Number(parseXml(svg).attributes[name]));

describe("svgToPdf", () => {
  const svg = lineFigure(figure);

  it("has the size of the picture, its texts in order, and its title", async () => {
    const pdf = readPdf(await svgToPdf(svg));
    expect([pdf.width, pdf.height]).toEqual(sizeOf(svg));
    expect(pdf.texts.map((one) => one.words).join("")).toBe(textsOf(svg).join(""));
    expect(pdf.title).toBe(figure.title);
    expect(pdf.texts.find(({ font }) => font === "bold")?.words).toBe(figure.title);
  });

  it("sets text where the figure has it: in the middle, at the end, raised, turned", async () => {
    const { texts, content } = readPdf(await svgToPdf(svg));
    const root = parseXml(svg);
    const placed = (label: string) => all(root, (one) => one.name === "text" && words(one) === label)[0].attributes;
    const one = texts.find((found) => found.words === "round t");
    // Widths of Helvetica, which are Arimo's: r 333, o, u, n, d 556, blank 278, t 278.
    const width = (13 * (333 + 4 * 556 + 2 * 278)) / 1000;
    expect(one?.x).toBeCloseTo(Number(placed("round t")["x"]) - width / 2, 1);
    expect(one?.y).toBeCloseTo(Number(placed("round t")["y"]), 3);
    const power = texts.findIndex((found) => found.words === "−2");
    expect([texts[power].size, texts[power - 1].words]).toEqual([9, "10"]);
    expect(texts[power].y).toBeCloseTo(texts[power - 1].y - 5, 3);
    expect(texts[power].x).toBeCloseTo(texts[power - 1].x + (2 * 556 * 12) / 1000, 1);
    expect(content).toMatch(/ cm\n0 -1 1 0 0 0 cm\nBT\n/);
  });

  it("draws lines, dashes, bands and their transparency, and nothing outside the frame", async () => {
    const { content } = readPdf(await svgToPdf(svg));
    expect(content.match(/\[6 4\] 0 d\n/g)?.length).toBeGreaterThan(0);
    expect(content).toMatch(/ W n\n|\nW n\n/);
    expect(content).toMatch(/\/G1 gs\n/);
    expect(content).not.toMatch(/NaN|undefined|Infinity|e-\d/);
    expect(content.match(/^q$/gm)?.length).toBe(content.match(/^Q$/gm)?.length);
  });

  it("has fonts with the letters that are used, and no others", async () => {
    const { embedded, fonts } = readPdf(await svgToPdf(svg));
    expect([fonts, embedded.length]).toEqual([2, 2]);
    for (const font of embedded) {
      expect(font.readUInt32BE(0)).toBe(0x10000);
      const outlines = tableOf(font, "glyf");
      // Of some 2,600 glyphs, less than 60.
      expect(outlines.filter((byte) => byte !== 0).length).toBeLessThan(0.05 * outlines.length);
      expect(outlines.some((byte) => byte !== 0)).toBe(true);
    }
  });

  it("draws discs, arrowheads and numbers of a graph", async () => {
    const graph = ring({ n: 5 });
    const rounds = [{ round: graph.round(0), name: "round 0" }];
    const drawn = roundsFigure({ title: "Ring", layout: layoutOf(graph), symmetric: false, rounds });
    const { texts, content } = readPdf(await svgToPdf(drawn));
    expect(texts.slice(2).map((one) => one.words)).toEqual(["0", "1", "2", "3", "4"]);
    // An edge is a curve and a head, a node four arcs.
    expect(content.match(/ c\n/g)?.length).toBe(10 + 5 * 4);
  });

  it("gives the same bytes for the same picture", async () => {
    expect(Buffer.from(await svgToPdf(svg)).equals(Buffer.from(await svgToPdf(svg)))).toBe(true);
  });

  const poppler = spawnSync("pdftotext", ["-v"]).status === 0;
  test.skipIf(!poppler)("pdftotext finds every text (NOT RUN where it is not installed)", async () => {
    writeFileSync(at("text.pdf"), await svgToPdf(svg));
    const { stdout, stderr } = spawnSync("pdftotext", ["-layout", at("text.pdf"), "-"], { encoding: "utf8" });
    expect(stderr).toBe("");
    for (const text of [figure.title, "round t", figure.yLabel, "ring", "promised"]) expect(stdout).toContain(text);
    expect(spawnSync("pdffonts", [at("text.pdf")], { encoding: "utf8" }).stdout).toMatch(/Arimo.*yes yes yes/);
  });
});

describe("the look of a figure", () => {
  it("has the width and the letters that were asked for, and no title", async () => {
    const drawn = drawable(figure).draw({ width: 240, fontSize: 8, noTitle: true });
    expect(sizeOf(drawn)[0]).toBe(240);
    const { attributes } = parseXml(drawn);
    expect(Number(attributes["viewBox"].split(" ")[2])).toBe(360);
    expect(attributes["aria-label"]).toBe(figure.title);
    expect(textsOf(drawn)).not.toContain(figure.title);
    // Ticks are 12 of 360 pixels that are shown as 240.
    expect(drawn).toContain('font-size="12"');
    const pdf = readPdf(await svgToPdf(drawn));
    expect([pdf.width, pdf.content.slice(0, 8)]).toEqual([240, "0.6667 0"]);
    expect(pdf.title).toBe(figure.title);
  });

  it("puts panels below one another where they have no room side by side", () => {
    const panels = ["a", "b", "c", "d"].map((title) => ({ ...figure, title }));
    const [wide, narrow] = [{}, { width: 300 }].map((look) => {
      return sizeOf(wholeFigure({ name: "f", caption: "", title: "Four", panels }, look));
    });
    expect(wide[0]).toBe(680);
    expect(narrow[0]).toBe(300);
    expect(narrow[1]).toBeGreaterThan(1.8 * wide[1]);
  });

  it("is as before where nothing is asked for", () => {
    expect(drawable(figure).draw({})).toBe(lineFigure(figure));
  });
});

describe("commands write PDFs", () => {
  test.each([
    ["gossip ring --n 9 --rounds 20", "round t"],
    ["compare --n 12 --topologies ring,od-equidyn", "round t"],
    ["rate od-equidyn --n 8", "bound"],
  ])("%s --plot", async (command, words) => {
    const path = at(`${command.split(" ")[0]}.pdf`);
    const { status, stderr } = await equitopo(`${command} --plot ${path} --width 300 --font-size 9`);
    expect([status, stderr]).toEqual([0, expect.stringContaining(path)]);
    const pdf = readPdf(readFileSync(path));
    expect(pdf.width).toBe(300);
    expect(pdf.texts.map((one) => one.words)).toContain(words);
  });

  test("graph --out", async () => {
    expect((await equitopo(`graph torus --n 9 --out ${at("torus.pdf")} --width 200 --no-title`)).status).toBe(0);
    const pdf = readPdf(readFileSync(at("torus.pdf")));
    expect([pdf.width, pdf.texts.length, pdf.title]).toEqual([200, 10, "Torus, n = 9, 3 x 3"]);
    expect((await equitopo("graph ring --n 9 --width 200")).stderr).toMatch(
      /--width is for svg, png and pdf, got "json"/,
    );
  });

  test("a name without an ending is a folder with the figure, its data and what was asked", async () => {
    const path = at("figure-2");
    const words = `gossip u-equistatic --n 20 --m 2 --seeds 1..3 --rounds 10 --plot ${path} --quiet`;
    expect(spawned(words).status).toBe(0);
    expect(readdirSync(path).sort()).toEqual(["figure.csv", "figure.pdf", "figure.png", "figure.svg", "spec.json"]);
    const spec = JSON.parse(readFileSync(join(path, "spec.json"), "utf8"));
    expect(spec.command).toEqual(["equitopo", ...words.split(" ")]);
    expect([spec.topology, spec.n, spec.runs.length]).toEqual(["u-equistatic", 20, 3]);
    const rows = readFileSync(join(path, "figure.csv"), "utf8").trim().split("\r\n");
    expect(rows[0]).toBe("panel,series,x,mean,low,high");
    expect(rows).toHaveLength(12);
    expect(Number(rows[11].split(",").at(-3))).toBe(spec.error.mean);
  });

  test("an ending that is none of a picture, and a width that is none, are refused", async () => {
    const eps = await equitopo(`gossip ring --n 9 --plot ${at("x.eps")}`);
    expect([eps.status, eps.stderr]).toEqual([
      2,
      expect.stringMatching(/must end in .svg, .png, .pdf, got .*x.eps"; rename it/),
    ]);
    expect(existsSync(at("x.eps"))).toBe(false);
    writeFileSync(at("a-file"), "");
    const taken = await equitopo(`gossip ring --n 9 --plot ${at("a-file")}`);
    // Before the work is done: nothing is printed.
    expect([taken.status, taken.stdout]).toEqual([2, ""]);
    expect(taken.stderr).toMatch(/the output folder must be writable \(EEXIST\)/);
    const narrow = await equitopo(`gossip ring --n 9 --plot ${at("x.pdf")} --width 10`);
    expect([narrow.status, narrow.stderr]).toEqual([
      2,
      expect.stringMatching(/width must lie in \(99, 5001\), got 10; try --width 240/),
    ]);
  });
});

function tableOf(font: Buffer, name: string): Buffer {
  for (let k = 12; k < 12 + 16 * font.readUInt16BE(4); k += 16) {
    const [sum, from, length] = [4, 8, 12].map((place) => font.readUInt32BE(k + place));
    const table = font.subarray(from, from + length);
    let found = 0;
    for (let at = from; at < from + length; at += 4) found = (found + font.readUInt32BE(at)) >>> 0;
    if (sum !== found) throw new Error(`the sum of ${font.toString("latin1", k, k + 4)} is wrong`);
    if (font.toString("latin1", k, k + 4) === name) return table;
  }
  throw new Error(`no ${name}`);
}
