/**
 * "From a graph to a paper" in docs/coming-from.md as it is written: a graph of networkx, a LaTeX table and a PDF figure in three
 * commands. Where Python has no networkx, or this build lacks an option of the page, it says loudly that it did not run.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { equitopo, scratch } from "../command.ts";
import { readPdf } from "../pdf.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const folder = scratch();
const page = readFileSync(join(root, "docs/coming-from.md"), "utf8");
const section = /^### From a graph to a paper\n([\s\S]*?)^### /m.exec(page)?.[1] ?? "";
const block = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(section)?.[1] ?? "";
const commands = block("sh").trim().split("\n");

const python = spawnSync("python3", ["-c", "import networkx"]).status === 0;
const lacking: string[] = [];
for (const [, command, words] of block("sh").matchAll(/^equitopo (\w+) (.*)$/gm)) {
  const { stdout } = await equitopo(`help ${command}`);
  const flags = words.match(/--[\w-]+/g) ?? [];
  lacking.push(...flags.filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(stdout)));
}
const why = [...(python ? [] : ["python3 has no networkx"]), ...lacking.map((flag) => `this build has no ${flag}`)];
if (why.length > 0) console.warn(`NOT RUN: from networkx to a paper (${why.join(", ")})`);

test("it takes three commands", () => {
  expect(commands).toHaveLength(3);
});

test.skipIf(why.length > 0)(
  "a graph of networkx, errors over eight seeds in LaTeX, a figure",
  () => {
    for (const text of [block("python"), block("yaml")]) {
      writeFileSync(join(folder, /^# (\S+)/.exec(text)?.[1] ?? ""), text);
    }
    const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env["PATH"]}` };
    for (const command of commands) {
      execFileSync("bash", ["-c", command], { cwd: folder, env, timeout: 120_000, stdio: "pipe" });
    }
    const table = readFileSync(join(folder, "table.tex"), "utf8");
    expect(table).toMatch(/\\begin\{tabular\}[\s\S]*\\toprule[\s\S]*small world[\s\S]*\\pm[\s\S]*\\end\{tabular\}/);
    const pdf = readPdf(readFileSync(join(folder, "figure/figure.pdf")));
    expect([pdf.width, pdf.texts.map(({ words }) => words)]).toEqual([
      240,
      expect.arrayContaining(["round t", "measured"]),
    ]);
    expect(readFileSync(join(folder, "figure/figure.csv"), "utf8").split("\r\n").length).toBeGreaterThan(100);
    const spec = JSON.parse(readFileSync(join(folder, "figure/spec.json"), "utf8"));
    expect(spec.command.join(" ")).toBe(commands[2]);
    for (const figure of readdirSync(join(folder, "runs/paper")).filter((name) => name.endsWith(".pdf"))) {
      expect(readPdf(readFileSync(join(folder, "runs/paper", figure))).embedded.length).toBeGreaterThan(0);
    }
    const { units } = JSON.parse(readFileSync(join(folder, "runs/paper/spec.json"), "utf8"));
    expect(units).toHaveLength(16);
    expect(units[0].unit.run.topology.sha256).toMatch(/^[0-9a-f]{64}$/);
  },
  300_000,
);
