import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lineFigure, panelFigure, panelPieces } from "equitopo/internal/picture";
import { describe, expect, it } from "vitest";
import { barFigure } from "../../src/figure/bar.ts";
import { openRunFolder } from "../../src/folder/run-folder.ts";
import { findingsAbove, notRun } from "../../src/report/experiment-section.ts";
import { bibtex, type Report, report } from "../../src/report/report.ts";
import { damagedFiles } from "../folder/kept.ts";
import { all, byClass, type Element, parseXml, words } from "../xml.ts";

const rounds = Array.from({ length: 80 }, (_, t) => t);
const curve = (label: string, rate: number) => {
  const mean = rounds.map((t) => 17 * rate ** t);
  return { label, x: rounds, mean, low: mean.map((m) => m * 0.7), high: mean.map((m) => m * 1.6) };
};
const axes = { xLabel: "round t", yLabel: "‖x(t) − J x(0)‖", yLog: true };
const line = lineFigure({ ...axes, title: "n = 300", series: [curve("ring", 0.999), curve("od-equidyn", 0.63)] });

const sample: Report = {
  title: "Consensus on one-peer graphs",
  lead: "Five graphs gossip.\n\nTwo of them do not slow down.",
  versions: { equitopo: "0.1.0", node: "20.19.0" },
  sections: [
    {
      title: "What came out",
      blocks: [
        { kind: "figure", name: "one-peer", svg: line, caption: "Error against rounds.", csv: "one-peer.csv" },
        { kind: "heading", text: "Checks" },
        {
          kind: "checks",
          checks: [
            { name: "factor of od-equidyn", expected: "≤ 0.707", measured: 0.6289, pass: true },
            { name: "ring is slow", expected: true, measured: false, pass: false },
          ],
        },
        {
          kind: "table",
          caption: "Rates",
          csv: "rates.csv",
          columns: ["topology", "n", "bound"],
          rows: [
            ["ring", 4900, null],
            ["grid", 16, 1.25e-7],
          ],
        },
        { kind: "parameters", values: { eta: 0.5, n: [300, 4900], rate: { name: "step", of: [{ every: 2 }] } } },
        { kind: "files", text: "Not drawn:", files: ["100% sure.csv"] },
      ],
    },
  ],
};

const named = (root: Element, name: string) => all(root, (one) => one.name === name);

describe("report", () => {
  it("is well-formed, holds every part, and is the same for the same input", () => {
    const html = report(sample);
    const root = parseXml(html.trim());
    expect(named(root, "h2").map(words)).toEqual(["What came out", "Versions", "Citing the paper"]);
    expect(named(named(root, "header")[0], "p").map(words)).toEqual([
      "✗ 1 of 2 checks failed",
      "Five graphs gossip.",
      "Two of them do not slow down.",
    ]);
    const targets = named(root, "section").map((one) => `#${one.attributes["id"]}`);
    expect(named(named(root, "nav")[0], "a").map((one) => one.attributes["href"])).toEqual(targets);
    expect(all(root, byClass("mean"))).toHaveLength(2);
    expect(all(root, byClass("pass")).map(words)).toEqual(["✓ pass"]);
    expect(words(named(root, "pre")[0])).toBe(bibtex);
    expect(report(structuredClone(sample))).toBe(html);
  });

  it("shows a rate near 1 with the digits that set it apart", () => {
    // Table 1: the ring of 1024 nodes, and of 65,536.
    const rates = [0.9999874501884007, 0.9999999969360717, 0.99995, 1, 0.9492530216741911, 1 - 1e-16];
    const table = { kind: "table", columns: ["β"], rows: rates.map((rate) => [rate]) } as const;
    const html = report({ ...sample, sections: [{ title: "Table 1", blocks: [table] }] });
    const cells = named(parseXml(html.trim()), "td").map(words);
    expect(cells.slice(0, 6)).toEqual(["0.9999875", "0.99999999694", "0.99995", "1", "0.9493", "1"]);
  });

  it("asks nothing of the network, and links to files beside it only", () => {
    const html = report(sample);
    const addresses = [...html.matchAll(/(?:src|href|action|data)="([^"]*)"/g)].map(([, address]) => address);
    const beside = addresses.filter((address) => !/^(#|data:)/.test(address));
    expect(beside).toEqual(["one-peer.csv", "rates.csv", "100%25%20sure.csv"]);
    expect(html).not.toMatch(/url\(|@import|<link|<iframe/);
    expect(html).toContain("default-src 'none'");
  });

  it("offers each figure as a file, byte for byte", () => {
    const link = all(parseXml(report(sample).trim()), (one) => "download" in one.attributes)[0].attributes;
    expect(link["download"]).toBe("one-peer.svg");
    expect(Buffer.from(link["href"].split("base64,")[1], "base64").toString()).toBe(line);
  });

  it("sets columns of numbers to the right, gaps included, and keeps full digits at hand", () => {
    const table = named(parseXml(report(sample).trim()), "table")[1];
    const right = named(table, "td").map((cell) => cell.attributes["class"] === "number");
    expect(right).toEqual([false, true, true, false, true, true]);
    expect(named(table, "td").map(words)).toEqual(["ring", "4,900", "–", "grid", "16", "1.25e−7"]);
    expect(named(table, "span")[2].attributes["title"]).toBe("1.25e-7");
  });

  it("begins with a headline and what was found, and shows what went wrong as such", () => {
    const findings = ["A ends lowest.", "1 of 2 checks FAILED: b."];
    const root = parseXml(report({ ...sample, headline: "Bit-identical to the simulation.", findings }).trim());
    const [headline, first, second] = named(named(root, "header")[0], "p");
    expect([headline, first, second].map(words)).toEqual(["Bit-identical to the simulation.", ...findings]);
    expect([headline, first, second].map((one) => one.attributes["class"])).toEqual([
      "headline",
      "finding",
      "finding bad",
    ]);
  });

  it("has parameters as a table, however deep they lie, and no JSON", () => {
    const table = named(parseXml(report(sample).trim()), "table")[2];
    const cells = named(table, "td").map(words);
    expect(cells).toEqual(["eta", "0.5", "n", "300, 4900", "rate name", "step", "rate of 1 every", "2"]);
  });

  it("shows a figure in pieces that stand side by side or below each other, with the names of curves once", () => {
    const panels = ["a", "b", "c"].map((title) => ({
      ...axes,
      title,
      series: [curve("ring", 0.9), curve("grid", 0.8)],
    }));
    const { keys, panels: shown } = panelPieces({ title: "all", panels });
    const blocks = [{ kind: "figure", name: "x", svg: line, shown, keys, caption: "Three." } as const];
    const root = parseXml(report({ ...sample, sections: [{ title: "s", blocks }] }).trim());
    expect(all(root, byClass("frame"))).toHaveLength(3);
    expect(all(root, byClass("key")).map(words)).toEqual(["ring", "grid"]);
    for (const svg of shown) expect(Number(/ width="(\d+)"/.exec(svg)![1])).toBeLessThanOrEqual(400);
  });

  it("folds what is long, but never a check that failed", () => {
    const checks = Array.from({ length: 30 }, (_, k) => ({
      name: `check ${k}`,
      expected: 1,
      measured: 1,
      pass: k !== 7,
    }));
    const rows = Array.from({ length: 50 }, (_, k) => [k]);
    const blocks = [
      { kind: "checks", checks } as const,
      { kind: "table", caption: "Long", columns: ["k"], rows } as const,
    ];
    const root = parseXml(report({ ...sample, sections: [{ title: "s", blocks }] }).trim());
    const [all30, long] = named(root, "details");
    expect([all30, long].map((one) => words(named(one, "summary")[0]))).toEqual(["All 30 checks", "Long (50 rows)"]);
    expect(all(root, byClass("fail")).filter((one) => one.name === "td")).toHaveLength(2);
    expect(all(all30, byClass("pass"))).toHaveLength(29);
  });

  it("says what was not run, and why", () => {
    const [section] = [notRun([{ name: "mnist", why: "its data is not there" }])];
    expect(report({ ...sample, sections: [section] })).toContain("<td>mnist</td><td>its data is not there</td>");
    expect(findingsAbove([], [{ name: "mnist", why: "" }]).pop()).toBe("Not run: mnist; see the end.");
  });

  it("gives each colour of its figures one for the dark", () => {
    const colours = new Set(line.match(/#[0-9a-f]{6}/g));
    const style = words(named(parseXml(report(sample).trim()), "style")[0]);
    for (const colour of colours) expect(style).toContain(`figure [stroke="${colour}"]`);
  });

  it("escapes all text", () => {
    const evil = `</pre></script><script>alert("1" + '2')</script>&amp;]]>`;
    const html = report({
      title: evil,
      lead: evil,
      versions: { [evil]: evil },
      sections: [
        {
          title: evil,
          blocks: [
            { kind: "text", text: evil },
            { kind: "heading", text: evil },
            { kind: "code", text: evil },
            {
              kind: "figure",
              name: evil,
              svg: lineFigure({ ...axes, title: evil, series: [curve(evil, 0.5)] }),
              caption: evil,
            },
            { kind: "table", caption: evil, columns: [evil], rows: [[evil]] },
            { kind: "checks", checks: [{ name: evil, expected: evil, measured: evil, pass: true }] },
            { kind: "parameters", values: { [evil]: { deep: evil } } },
          ],
        },
      ],
    });
    const root = parseXml(html.trim());
    expect(named(root, "script")).toHaveLength(1);
    expect(all(root, (one) => one.text.includes(evil)).length).toBeGreaterThanOrEqual(14);
  });

  it("refuses a figure that does more than draw", () => {
    const bad = [
      "<p>no</p>",
      "<svg ><script>1</script></svg>",
      `<svg ><g onclick="1"/></svg>`,
      "<svg ><foreignObject/></svg>",
    ];
    for (const svg of bad) {
      const blocks = [{ kind: "figure", name: "x", svg, caption: "" } as const];
      expect(() => report({ title: "t", lead: "", sections: [{ title: "s", blocks }] })).toThrow(/SVG that only draws/);
    }
  });

  it("fills a whole run folder", async () => {
    const path = await mkdtemp(join(tmpdir(), "report-"));
    const folder = await openRunFolder(path, { spec: { name: "demo" }, version: "0.1.0" });
    const series = [curve("ring", 0.999), curve("grid", 0.98), curve("od-equidyn", 0.63), curve("ou-equidyn", 0.72)];
    const panels = [300, 4900].map((n) => ({ ...axes, title: `n = ${n}`, series }));
    const figures = {
      "one-peer": panelFigure({ title: "One-peer graphs", panels, columns: 2 }),
      bytes: barFigure({
        title: "Bytes until 1e-6",
        xLabel: "bytes",
        log: true,
        bars: [
          { label: "ring", value: 3e9 },
          { label: "grid", value: 2e7 },
        ],
      }),
    };
    for (const [name, svg] of Object.entries(figures)) await folder.figure(name, svg);
    await folder.curves(
      "one-peer",
      series.flatMap((one) => one.x.map((t, i) => ({ series: one.label, round: t, mean: one.mean[i] }))),
    );
    const blocks = Object.entries(figures).map(
      ([name, svg]) => ({ kind: "figure", name, svg, caption: `${name}.` }) as const,
    );
    await folder.write(
      "report.html",
      report({ ...sample, versions: { ...folder.versions }, sections: [{ title: "Figures", blocks }] }),
    );
    await folder.finish();
    expect((await readdir(path)).sort()).toEqual([
      "bytes.pdf",
      "bytes.png",
      "bytes.svg",
      "files.json",
      "journal.ndjson",
      "one-peer.csv",
      "one-peer.ndjson",
      "one-peer.pdf",
      "one-peer.png",
      "one-peer.svg",
      "report.html",
      "spec.json",
      "versions.json",
    ]);
    expect(await damagedFiles(path)).toEqual([]);
    const html = parseXml((await readFile(join(path, "report.html"), "utf8")).trim());
    expect(all(html, byClass("frame"))).toHaveLength(2);
    await rm(path, { recursive: true });
  });
});

it("runs its own script and no other", () => {
  const html = report(sample);
  const [, script] = /<script>([\s\S]*)<\/script>/.exec(html) as RegExpExecArray;
  const hash = createHash("sha256").update(script).digest("base64");
  expect(html).toContain(`script-src 'sha256-${hash}';`);
  expect(html).not.toMatch(/script-src[^;]*unsafe-inline/);
});
