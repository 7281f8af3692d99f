/** `equitopo generate`: one seed, one text; and what is refused. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeModel, encodeModel, language } from "@equitopo/nn";
import { expect, it } from "vitest";
import { equitopo, json, scratch } from "../../command.ts";

const folder = scratch();
const file = join(folder, "model.safetensors");
const problem = language({ n: 1, data: "grammar", model: { name: "gpt", layers: 1, heads: 2, width: 16, context: 8 } });
const bytes = problem.files!(problem.start!)["model.safetensors"];
writeFileSync(file, bytes);

it("one seed, one text", async () => {
  const one = await json(`generate ${file} --prompt the --tokens 40 --seed 3`);
  expect(one).toEqual({ prompt: "the", text: one.text, tokens: 40, seconds: expect.any(Number) });
  expect(one.text).toMatch(/^the[a-z .\n]{40}$/);
  expect((await json(`generate ${file} --prompt the --tokens 40 --seed 3`)).text).toBe(one.text);
  expect((await json(`generate ${file} --prompt the --tokens 40 --seed 4`)).text).not.toBe(one.text);
  // More tokens go on with the same text; without a prompt, it is all the model's own.
  expect((await json(`generate ${file} --prompt the --tokens 20 --seed 3`)).text).toBe(one.text.slice(0, 23));
  expect((await json(`generate ${file} --tokens 5`)).text.length).toBe(5);
  expect((await equitopo(`generate ${file} --prompt the --tokens 40 --seed 3`)).stdout).toBe(`${one.text}\n`);
});

it("draws as the model says: a table of tokens that says one thing says it at any temperature", async () => {
  const { model, saved } = decodeModel(bytes, "it");
  const [table] = model.parameters;
  // With the final norm's gains at zero all scores are equal: every character is as likely.
  const parameters = saved.parameters.slice();
  const gains = model.parameters[model.parameters.length - 1];
  parameters.fill(0, gains.offset, gains.offset + gains.size);
  writeFileSync(join(folder, "even"), encodeModel(model, { ...saved, parameters }));
  const even: string = (await json(`generate ${join(folder, "even")} --tokens 3000`)).text;
  const counts = new Map<string, number>();
  for (const character of even) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(model.classes);
  for (const count of counts.values()) expect(Math.abs(count - 3000 / model.classes)).toBeLessThan(60);
  expect(table.shape).toEqual([model.classes, 16]);
  const likeliest: string = (await json(`generate ${join(folder, "even")} --tokens 9 --temperature 0`)).text;
  expect(likeliest).toBe("\n".repeat(9));
});

it("refuses what is no language model, and characters that it does not know", async () => {
  const odd = await equitopo(`generate ${file} --prompt THE`);
  expect([odd.status, odd.stderr]).toEqual([2, expect.stringContaining('characters of its text alone, got "T"')]);
  const none = await equitopo(`generate ${join(folder, "none")}`);
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining("the model must be a file")]);
  const images = await equitopo(`predict ${file} --data ${folder}/x.csv`);
  expect(images.status).toBe(2);
});
