/** Text from anywhere reaches terminals and spreadsheets as text. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { harmless } from "../../src/terminal/colour.ts";
import { csvText } from "../../src/terminal/csv-text.ts";
import { equitopo, scratch, spawned } from "../command.ts";

const folder = scratch();

test("of control characters only line ends and tabs are obeyed, and this program's colours on a terminal", () => {
  const text = "a\u001b]0;title\u0007\u001b[2Jb\rc\r\n\td\u009b5n\u001b[31mred\u001b[0m\u001b[8m";
  expect(harmless(text, {})).toBe("a␛]0;title␇␛[2Jb␍c\r\n\td\ufffd5n␛[31mred␛[0m␛[8m");
  expect(harmless(text, { isTTY: true })).toBe("a␛]0;title␇␛[2Jb␍c\r\n\td\ufffd5n\u001b[31mred\u001b[0m␛[8m");
});

test("labels of a spec reach neither stdout nor stderr with escape codes, nor files as formulas", async () => {
  const spec = join(folder, "spec.json");
  const label = '=HYPERLINK("x")\u001b]0;title\u0007\u001b[2J\u0085\u007f';
  writeFileSync(
    spec,
    JSON.stringify({
      topologies: [{ name: "ring", n: 4, label }],
      algorithms: [{ name: "dsgd", learningRate: 0.01 }],
      ...{ problem: { name: "least-squares" }, rounds: 3, title: label },
    }),
  );
  const { stdout, stderr, status } = spawned(`run ${spec} --workers 1 --out ${join(folder, "out")}`);
  expect(status).toBe(0);
  expect(stdout + stderr).toContain("HYPERLINK");
  for (const code of ["\u001b", "\u0007"]) expect(stdout + stderr).not.toContain(code);
  // What reads JSON gets the very label.
  const json = spawned(`run ${spec} --workers 1 --json --out ${join(folder, "json")}`);
  expect(json.stdout).not.toMatch(/\p{Cc}(?<!\n)/u);
  expect(JSON.stringify(JSON.parse(json.stdout))).toContain(JSON.stringify(label).slice(1, -1));
  const wrong = await equitopo(`run ${join(folder, "\u001b[2Jnone.json")}`);
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).not.toContain("\u001b[2J");
});

test("a cell that a spreadsheet would compute is text; numbers are as they were", () => {
  const rows = [
    ["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2+3", '=A1,"b"'],
    [-1.5, "-1.5", "+3", "-", "−3"],
    ["-1e-9", "a=b", "", null, Number.NEGATIVE_INFINITY],
  ];
  expect(csvText(["a", "@b"], rows)).toBe(
    [
      "a,'@b",
      `'=1+1,'+cmd|' /C calc'!A0,'@SUM(A1),'-2+3,"'=A1,""b"""`,
      "-1.5,-1.5,+3,-,−3",
      "-1e-9,a=b,,,-Infinity",
      "",
    ].join("\r\n"),
  );
});
