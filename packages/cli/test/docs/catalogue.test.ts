/** The site's pages that are made from registries: whatever is in one has its section, the moment it is in it. */

import { createTopology, defineTopology, ring, topologies } from "equitopo";
import { titleOf } from "equitopo/picture";
import { expect, test } from "vitest";
import { topologyPage } from "../../../../scripts/docs/catalogue.mjs";
import { commandPage } from "../../../../scripts/docs/commands.mjs";
import { commands } from "../../src/commands.ts";

const link = (page: string) => `docs/${page}`;
const sections = (text: string) => text.split(/^(?=## )/m).slice(1);

test("every family of topologies has a picture, its formula, rates, when to use it and its source", {
  timeout: 60_000,
}, () => {
  topologies.add(
    defineTopology({
      name: "hop-of-the-catalogue",
      summary: "a ring under another name",
      source: "this test",
      options: {},
      create: ({ n }) => ({ ...ring({ n }), name: "hop-of-the-catalogue" }),
    }),
  );
  const { text, pictures } = topologyPage(link, [16, 64, 1024]);
  const found = sections(text);
  expect(found.map((section) => /^## (.*)$/m.exec(section)?.[1])).toEqual(topologies.names.map(titleOf));
  for (const [k, family] of [...topologies].entries()) {
    const { name, summary, source } = family;
    for (const part of [summary, source, `src="${name}.svg"`, "**When to use it**", "| n | degree | rate |"]) {
      expect(found[k], name).toContain(part);
    }
    expect(pictures.get(`${name}.svg`), name).toMatch(/^<svg[\s\S]*<circle/);
    for (const key of Object.keys(family.options)) expect(found[k], name).toContain(`| \`${key}\` |`);
    // The formula is in the family's own file, which one of a plug-in has not got here.
    if (name !== "hop-of-the-catalogue") expect(found[k].length, name).toBeGreaterThan(700);
  }
  // Rates are computed, for n as it is written beside them.
  const od = found[topologies.names.indexOf("od-equidyn")];
  expect(od).toContain(`| 1024 | 1 | ${createTopology({ name: "od-equidyn", n: 1024 }).rate().rate.toFixed(6)} |`);
  expect(od).toContain("W(t) = (1 - eta) I + eta A^(v_t)");
  expect(od).toContain("Gradient tracking");
});

test("every command has its options with their defaults and its examples", { timeout: 60_000 }, async () => {
  const added = {
    name: "hop",
    summary: "what a test adds",
    load: async () => ({
      flags: { high: { value: "<M>", help: "how high", preset: "3" } },
      help: "\nExamples:\n  equitopo hop --high 4   higher\n",
      act: async () => {},
    }),
  };
  const found = sections(await commandPage(link));
  expect(found.map((section) => /^## equitopo (.*)$/m.exec(section)?.[1])).toEqual(commands.map(({ name }) => name));
  for (const section of found) expect(section).toMatch(/\| `--json` \|[\s\S]*```(sh|text)\n.*equitopo /);
  const own = await commandPage(link, [added]);
  expect(own).toContain("## equitopo hop");
  expect(own).toContain("| `--high <M>` | how high | `3` |");
  expect(own).toContain("equitopo hop --high 4   higher");
});
