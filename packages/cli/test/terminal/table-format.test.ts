/** Tables for papers and files: LaTeX that compiles, CSV with all digits, Markdown. */

import { describe, expect, it } from "vitest";
import { commands } from "../../src/commands.ts";
import { left, numberCell, right, summaryCell, table } from "../../src/terminal/table.ts";
import { formatTable, inLatex } from "../../src/terminal/table-format.ts";
import { equitopo, json } from "../command.ts";

const spread = { seeds: 8, mean: 0.94701, sd: 0.0123, se: 0.00435 };
const whole = table(
  [left("topology"), right("n = 9\nrate"), right("\nbytes"), { ...left("bar"), terminalOnly: true }],
  [
    [
      "u_1 & 50 %",
      summaryCell(spread.seeds, spread, (value) => value.toFixed(4)),
      numberCell(88_000, () => "88.0 kB"),
      "█",
    ],
    ["a,b|c", numberCell(1e-7, (value) => value.toExponential(2)), "never", "██"],
  ],
  "A title",
);

describe("one table", () => {
  it("is a booktabs tabular in LaTeX, escaped, with the mean and its standard error", () => {
    expect(formatTable(whole, "latex")).toBe(
      [
        "% A title",
        "\\begin{tabular}{lrr}",
        "\\toprule",
        "topology & n = 9 rate & n = 9 bytes \\\\",
        "\\midrule",
        "u\\_1 \\& 50 \\% & $0.9470 \\pm 0.0043$ & 88.0 kB \\\\",
        "a,b$|$c & $1.00 \\times 10^{-7}$ & never \\\\",
        "\\bottomrule",
        "\\end{tabular}",
        "",
      ].join("\n"),
    );
    expect(inLatex("-0.5")).toBe("$-0.5$");
    expect(inLatex("{\\^~}")).toBe("\\{\\textbackslash{}\\textasciicircum{}\\textasciitilde{}\\}");
  });

  it("has all digits in CSV, and what several seeds gave in columns", () => {
    expect(formatTable(whole, "csv").split("\r\n")).toEqual([
      "topology,n = 9 rate,n = 9 rate seeds,n = 9 rate sd,n = 9 rate se,n = 9 bytes",
      "u_1 & 50 %,0.94701,8,0.0123,0.00435,88000",
      '"a,b|c",1e-7,,,,never',
      "",
    ]);
  });

  it("is a table in Markdown", () => {
    expect(formatTable(whole, "markdown").split("\n")).toEqual([
      ...["A title", "", "| topology | n = 9 rate | n = 9 bytes |", "|---|---:|---:|"],
      ...["| u_1 & 50 % | 0.9470 ± 0.0043 | 88.0 kB |", "| a,b\\|c | 1.00e-7 | never |", ""],
    ]);
  });
});

describe("--format", () => {
  it("of compare prints the table alone, with the numbers of --json", async () => {
    const words = "compare --n 16 --topologies ring,od-equidyn";
    const { stdout, status } = await equitopo(`${words} --format csv`);
    expect(status).toBe(0);
    const { topologies } = await json(words);
    const lines = stdout.trim().split("\r\n");
    expect(lines).toHaveLength(4);
    const [name, , rate] = (lines.find((line) => line.startsWith("ring")) as string).split(",");
    expect([name, Number(rate)]).toEqual([
      "ring",
      topologies.find((one: { topology: string }) => one.topology === "ring").rate,
    ]);
    const latex = await equitopo(`${words} --format latex`);
    expect(latex.stdout).toMatch(
      /^% n = 16: .*\n\\begin\{tabular\}\{lr+\}\n\\toprule\n.* \\\\\n\\midrule\n[\s\S]*\\end\{tabular\}\n$/,
    );
  });

  it("goes not with --json: exit code 2, and nothing is printed", async () => {
    for (const words of ["compare --n 16", "run missing.yaml", "rate ring --n 9"]) {
      const { status, stdout, stderr } = await equitopo(`${words} --format latex --json`);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toBe("error: --format is another form of what --json prints, got both; leave out one\n");
    }
    expect((await equitopo("rate ring --n 9 --format tex")).stderr).toMatch(
      /^error: --format must be one of latex, csv, markdown, got "tex"; /,
    );
  });

  it("is there wherever a command has a table", async () => {
    const having = [];
    for (const { name } of commands) {
      if (/--format <FORMAT> +only the tables/.test((await equitopo(`${name} --help`)).stdout)) having.push(name);
    }
    expect(having).toEqual([
      ...["start", "list", "rate", "compare", "advise", "design", "gossip", "theory", "run", "report"],
      ...["train", "serve", "doctor", "reproduce", "example", "guide"],
    ]);
  });

  it("gives a table of values for rate, of rounds for gossip, of both for theory", async () => {
    expect((await equitopo("rate ring --n 9 --format csv")).stdout).toMatch(/^quantity,value,meaning\r\nrate,0\.84402/);
    expect((await equitopo("gossip ring --n 9 --rounds 2 --format csv")).stdout).toMatch(
      /\nround,error\r\n0,\d+\.\d{9}/,
    );
    const { stdout } = await equitopo("theory table-dsgt --n 16 --format latex");
    expect(stdout.match(/\\begin\{tabular\}/g)).toHaveLength(2);
    expect(stdout).toContain("n = 16 peers & n = 16 beta & n = 16 transient");
  });
});
