/** `equitopo guide` and `equitopo example`: what an installed user reads and starts from. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expandSpec, InputError } from "equitopo";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { packedTexts } from "../../../src/command/text/packed-text.ts";
import "../../../src/input/problems.ts";
import { equitopo, json, scratch } from "../../command.ts";

const folder = scratch();

describe("the texts", () => {
  it.each(packedTexts("example").map(({ name, text }) => [name, text]))("example %s is a spec", (_name, text) => {
    expect(expandSpec(parse(text)).length).toBeGreaterThan(0);
  });

  it("every guide and every example has a title", () => {
    const texts = [...packedTexts("guide"), ...packedTexts("example")];
    expect(texts.length).toBeGreaterThan(15);
    for (const { name, title } of texts) expect(title, name).not.toBe("");
  });

  it("a guide says what of it is not packed, and pages about the repository itself are left out", () => {
    for (const { text } of packedTexts("guide")) {
      expect(text).toMatch(/^> This page comes with @equitopo\/cli\./);
      // A newcomer has it in a folder, where a shell does not find it.
      expect(text.split("\n\n")[0]).toContain("`npx equitopo guide`");
    }
    expect(packedTexts("guide").map(({ name }) => name)).not.toContain("architecture");
  });
});

it("are asked for with a remedy where only the programs were compiled", () => {
  const programsOnly = pathToFileURL(`${folder}/`);
  for (const kind of ["guide", "example"] as const) {
    const rule = `the ${kind}s must stand beside the built programs, got`;
    const remedy = "; build all of the clone, not its programs alone, or install @equitopo/cli anew";
    for (const said of [rule, remedy, InputError]) expect(() => packedTexts(kind, programsOnly)).toThrow(said);
  }
});

describe("the commands", () => {
  it("list what there is, in text and JSON", async () => {
    expect((await equitopo("guide")).stdout).toMatch(/^spec +One spec$/m);
    expect((await equitopo("example")).stdout).toMatch(/^peers +Five peers, no server$/m);
    expect((await json("example")).examples).toContainEqual({ name: "peers", title: "Five peers, no server" });
  });

  it("print a text, or write it to a file", async () => {
    const { stdout } = await equitopo("example peers");
    const file = join(folder, "spec.yaml");
    const stderr = `example peers written to ${file}\n`;
    expect(await equitopo(`example peers --out ${file}`)).toEqual({ status: 0, stdout: "", stderr });
    expect(readFileSync(file, "utf8")).toBe(stdout);
    expect((await json("guide spec")).text).toContain("# One spec");
    expect(await json(`guide spec --out ${file}`)).toEqual({ name: "spec", title: "One spec", out: file });
  });

  it("refuse an unknown name with the nearest one", async () => {
    const { status, stdout, stderr } = await equitopo("guide specs");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: guide must be one of .*, got "specs"; did you mean spec\?\n$/);
  });
});
