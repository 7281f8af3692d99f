/** What commands print fits the terminal: tables, prose and help; COLUMNS decides, and without a terminal it is 120. */

import { afterEach, describe, expect, it, vi } from "vitest";
import { fittingMarkdown } from "../../src/command/text/markdown.ts";
import { toned } from "../../src/terminal/colour.ts";
import { tableText } from "../../src/terminal/layout.ts";
import { fittingHelp, lineWidth } from "../../src/terminal/lines.ts";
import { left, numberCell, right, table } from "../../src/terminal/table.ts";
import { equitopo } from "../command.ts";

afterEach(() => void vi.unstubAllEnvs());

const longest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));

const commands = [
  "list",
  "list --features",
  "theory table-dsgd-nonconvex --n 16,64,256,1024",
  "theory --n 30 --topology ring --T 1000",
  "compare --n 16 --topologies ring,od-equidyn,one-peer-exp,star --quiet",
  "advise --n 16 --degree 1 --topologies od-equidyn,ou-equidyn,one-peer-exp",
  "rate od-equidyn --n 30",
  "gossip ring --n 9 --rounds 5",
  "guide",
  "example",
];

describe("tables and prose", () => {
  for (const words of commands) {
    it(`of ${words} fit 80 columns, and 120 where there is no terminal`, async () => {
      for (const width of [80, undefined]) {
        vi.stubEnv("COLUMNS", width === undefined ? undefined : String(width));
        const { status, stdout } = await equitopo(words);
        expect(status).toBe(0);
        expect(longest(stdout)).toBeLessThanOrEqual(width ?? 120);
      }
    });
  }

  it("of guides fit, but for code and words that have no blank", async () => {
    const { guides } = JSON.parse((await equitopo("guide --json")).stdout);
    for (const width of [60, 80]) {
      vi.stubEnv("COLUMNS", String(width));
      for (const { name } of guides) {
        const { stdout } = await equitopo(`guide ${name}`);
        const lines = stdout.replace(/^ *```[\s\S]*?^ *```/gm, "").split("\n");
        expect(lines.filter((line) => line.length > width && /\S\s+\S/.test(line.slice(2)))).toEqual([]);
      }
    }
  });

  it("of a guide are as they are written for a file, and say the same in a terminal", async () => {
    vi.stubEnv("COLUMNS", undefined);
    const { text } = JSON.parse((await equitopo("guide spec --json")).stdout);
    expect((await equitopo("guide spec")).stdout).toBe(text);
    vi.stubEnv("COLUMNS", "200");
    const plain = (page: string) => page.replace(/[^\p{L}\d]/gu, "");
    expect(plain((await equitopo("guide spec")).stdout) === plain(text)).toBe(true);
    const item =
      "- one two three four five six seven\n  eight\n1. nine\n\n> quoted words that go on and on\n\n```sh\nlong   code\n```\n";
    vi.stubEnv("COLUMNS", "40");
    expect(fittingMarkdown(`${item}| a | b |\n|---|---|\n| ${"x ".repeat(20)}| y |\n`)).toBe(
      `- one two three four five six seven\n  eight\n1. nine\n\n> quoted words that go on and on\n\n\`\`\`sh\nlong   code\n\`\`\`\na                                      b\n-------------------------------------  -\n${"x ".repeat(18)}x  y\nx\n`,
    );
  });

  it("say the same at every width", async () => {
    const words = async (width: string) => {
      vi.stubEnv("COLUMNS", width);
      const { stdout } = await equitopo("theory --n 30 --topology ring --T 1000");
      return stdout
        .split(/[\s-]+/)
        .toSorted()
        .join(" ");
    };
    expect(await words("80")).toBe(await words("200"));
  });

  it("of help fit, with commands whole and what is said of them below", async () => {
    vi.stubEnv("COLUMNS", "80");
    const { stdout } = await equitopo("rate --help");
    const wide = stdout.split("\n").filter((line) => line.length > 80);
    // Commands to copy.
    for (const line of wide) expect(line).toMatch(/^ {2}equitopo /);
    expect(stdout).toContain("  equitopo rate d-equistatic --n 300 --plot spectrum.svg\n      all eigenvalues,");
    expect(fittingHelp("a\n  b    c", 80)).toBe("a\n  b    c");
  });
});

describe("a table", () => {
  const rows = [
    ["ring", "every node has two neighbours and no more", numberCell(1234, String)],
    ["star", "short", numberCell(5, String)],
  ];
  const columns = [left("name"), left("what it is"), right("n")];

  it("sets words below one another, and numbers never", () => {
    expect(tableText(table(columns, rows), 34)).toBe(
      [
        "name  what it is                 n",
        "----  ----------------------  ----",
        "ring  every node has two      1234",
        "      neighbours and no more",
        "star  short                      5",
        "",
      ].join("\n"),
    );
  });

  it("has columns that find no room below, under the names of the rows", () => {
    const many = Array.from({ length: 9 }, (_, k) => right(`n = ${k}\nbeta`));
    const text = tableText(table([left("name"), ...many], [["ring", ...many.map(() => "0.123456")]]), 40);
    expect(longest(text)).toBeLessThanOrEqual(40);
    expect(text.match(/^ring /gm)).toHaveLength(3);
    expect(text.match(/0\.123456/g)).toHaveLength(9);
  });
});

describe("the terminal", () => {
  it("is as wide as COLUMNS says, else as it says itself, else 120", () => {
    expect(lineWidth({ isTTY: true, columns: 93 }, "")).toBe(93);
    expect(lineWidth({ isTTY: true, columns: 93 }, "70")).toBe(70);
    expect(lineWidth({}, "70")).toBe(70);
    expect(lineWidth({}, "wide")).toBe(120);
  });

  it("has colours, but for NO_COLOR, pipes and terminals without any", () => {
    const tty = { isTTY: true };
    expect(toned("FAILED", "red", tty, {})).toBe("\x1b[31mFAILED\x1b[0m");
    expect(toned("FAILED", "red", tty, { NO_COLOR: "1" })).toBe("FAILED");
    expect(toned("FAILED", "red", tty, { NO_COLOR: "" })).not.toBe("FAILED");
    expect(toned("FAILED", "red", tty, { TERM: "dumb" })).toBe("FAILED");
    expect(toned("FAILED", "red", {}, {})).toBe("FAILED");
  });

  it("sees errors in red, and a table's header in bold", async () => {
    const streams = [process.stdout, process.stderr];
    const before = streams.map(({ isTTY }) => isTTY);
    for (const stream of streams) stream.isTTY = true;
    try {
      vi.stubEnv("NO_COLOR", "");
      expect((await equitopo("rate ring --n 1")).stderr).toContain("\x1b[31merror:\x1b[0m n must be");
      expect((await equitopo("guide")).stdout).toContain("\x1b[1mname\x1b[0m ");
      vi.stubEnv("NO_COLOR", "1");
      expect((await equitopo("rate ring --n 1")).stderr).toMatch(/^error: n must be/);
      expect((await equitopo("guide")).stdout).toMatch(/^name /);
    } finally {
      for (const [k, stream] of streams.entries()) stream.isTTY = before[k];
    }
  });
});
