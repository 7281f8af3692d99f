/** The site's reference of the commands, from their list: each with its options, their defaults, and its examples. */

import { Command } from "commander";
import { commands as all } from "../../packages/cli/dist/commands.js";
import { equipped } from "../../packages/cli/dist/terminal/flags.js";
import { code, table } from "./markdown.mjs";

/** The page; `link` makes the address of a page of docs/. */
export async function commandPage(link, commands = all) {
  const sections = [];
  for (const command of commands) sections.push(...(await sectionOf(command)));
  const rows = commands.map(({ name, summary }) => [`[${code(`equitopo ${name}`)}](#equitopo-${name})`, summary]);
  return [
    "# The commands",
    "",
    `What ${code("equitopo help NAME")} says, from the commands themselves. \`equitopo rate od-equidyn --help\` has the options of that`,
    `family alone, ${code("equitopo completion")} completes all of them in your shell, and [Start](${link("start.md")}) has the first five`,
    "minutes. Exit codes: 0 done, 1 a check failed, 2 bad input.",
    "",
    ...table(["command", "what it does"], rows, "ll"),
    "",
    ...sections,
  ].join("\n");
}

async function sectionOf({ name, summary, load }) {
  const module = await load();
  const { help } = module;
  const command = equipped(new Command(name), module);
  const words = command.registeredArguments.map((one) => {
    const shown = `${one.name()}${one.variadic ? "..." : ""}`;
    return one.required ? `<${shown}>` : `[${shown}]`;
  });
  const args = command.registeredArguments.filter(({ description }) => description);
  const rows = [
    ...args.map((one) => [code(one.name()), one.description, presetOf(one)]),
    ...command.options.filter(({ hidden }) => !hidden).map((one) => [code(one.flags), meaning(one), presetOf(one)]),
  ];
  return [
    `## equitopo ${name}`,
    "",
    `${summary[0].toUpperCase()}${summary.slice(1)}.`,
    "",
    "```sh",
    ["equitopo", name, ...words, "[options]"].join(" "),
    "```",
    "",
    ...(rows.some(([, , preset]) => preset !== "")
      ? table(["option", "what it is", "default"], rows, "lll")
      : table(
          ["option", "what it is"],
          rows.map((cells) => cells.slice(0, 2)),
          "ll",
        )),
    "",
    ...proseOf(typeof help === "function" ? help() : help),
  ];
}

const escaped = (text) => text.replace(/[*_<>[\]]/g, "\\$&");

const meaning = ({ description, argChoices }) =>
  escaped(argChoices === undefined ? description : `${description} (${argChoices.join(", ")})`);

const presetOf = ({ defaultValue }) => (defaultValue === undefined ? "" : code(String(defaultValue)));

/** The text behind the options: what is indented are commands and lists, all else is prose. */
function proseOf(help = "") {
  const blocks = help.trim().split(/\n{2,}/);
  return blocks.flatMap((block) => {
    const lines = block.split("\n");
    const first = lines.findIndex((line) => /^ {2}/.test(line));
    if (first < 0) return [escaped(block), ""];
    const head = lines.slice(0, first).join("\n");
    const body = lines.slice(first).map((line) => line.replace(/^ {2}/, ""));
    const language = body.every((line) => /^(equitopo|mpirun|EQUITOPO)/.test(line)) ? "sh" : "text";
    return [...(head === "" ? [] : [escaped(head), ""]), `\`\`\`${language}`, ...body, "```", ""];
  });
}
