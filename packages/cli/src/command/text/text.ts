/** `equitopo guide` and `equitopo example`: a list of texts, or one of them, to the terminal or to a file. */

import { formatFlag, printAnswer } from "../../terminal/answer.ts";
import { type CommandModule, type CommonOptions, type Given, word } from "../../terminal/flags.ts";
import { note, print, printJson, writeAtomically } from "../../terminal/output.ts";
import { wordTable } from "../../terminal/table.ts";
import { fittingMarkdown } from "./markdown.ts";
import { packedText, packedTexts, type TextKind } from "./packed-text.ts";

const flagsOf = (kind: TextKind) => ({ out: word("<FILE>", `write the ${kind} to this file`), ...formatFlag });

type Options = CommonOptions & Given<ReturnType<typeof flagsOf>>;

/** Whether there are lines to fit: a file or a program gets the page as it is. */
const hasWidth = () => process.stdout.isTTY || process.env["COLUMNS"] !== undefined;

const textCommand = (kind: TextKind, help: string): CommandModule => ({
  words: { "[name]": `which ${kind}; without it, all are listed` },
  flags: flagsOf(kind),
  first: () => packedTexts(kind).map(({ name }) => name),
  help,
  async act(name: string | undefined, options: Options) {
    if (name === undefined) {
      const titles = packedTexts(kind).map(({ name: each, title }) => ({ name: each, title }));
      const table = () =>
        wordTable(
          ["name", "title"],
          titles.map(({ name: each, title }) => [each, title]),
        );
      return printAnswer({ [`${kind}s`]: titles }, () => [table()], options);
    }
    const { title, text } = packedText(kind, name);
    const { out } = options;
    if (out !== undefined) await writeAtomically(out, [text]);
    if (options.json) await printJson({ name, title, ...(out === undefined ? { text } : { out }) });
    else if (out === undefined) await print([kind === "guide" && hasWidth() ? fittingMarkdown(text) : text]);
    else note(`${kind} ${name} written to ${out}`, options);
  },
});

export const example = textCommand(
  "example",
  `
A spec says which topologies, algorithms and problem to run (equitopo guide spec); change it and run it again.

Examples:
  equitopo example                                what there is
  equitopo example first-minute --out spec.yaml   and then: equitopo run spec.yaml
  equitopo example room --out room.yaml           and then: equitopo serve room.yaml --fill 3
`,
);

/** The pages that explain specs, plug-ins, clusters and the rest, as they were when this was packed. */
export const guide = textCommand(
  "guide",
  `
Pages are Markdown. "readme" is the tour: every command, in an order in which they can be typed.

Examples:
  equitopo guide                        what there is to read
  equitopo guide spec                   one file that describes runs
  equitopo guide cluster --out c.md     a page for your editor
`,
);
