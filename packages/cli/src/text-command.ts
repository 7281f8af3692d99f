/** What `equitopo guide` and `equitopo example` share: a list of texts, or one of them, to the terminal or to a file. */

import type { Command } from "commander";
import { note, print, printJson, writeAtomically } from "./output.ts";
import { packedText, packedTexts, type TextKind } from "./packed-text.ts";
import type { CommonOptions } from "./session.ts";
import { table } from "./table.ts";

interface Options extends CommonOptions {
  readonly out?: string;
}

export function defineTextCommand(command: Command, kind: TextKind, help: string): void {
  command
    .argument("[name]", `which ${kind}; without it, all are listed`)
    .option("--out <FILE>", `write the ${kind} to this file`)
    .addHelpText("after", help)
    .action(async (name: string | undefined, options: Options) => {
      if (name === undefined) {
        const titles = packedTexts(kind).map((text) => ({ name: text.name, title: text.title }));
        await (options.json ? printJson({ [`${kind}s`]: titles }) : print([listed(titles)]));
        return;
      }
      const text = packedText(kind, name);
      if (options.out !== undefined) await writeAtomically(options.out, [text.text]);
      if (options.json)
        await printJson(options.out === undefined ? text : { name, title: text.title, out: options.out });
      else if (options.out === undefined) await print([text.text]);
      else note(`${kind} ${name} written to ${options.out}`, options);
    });
}

function listed(texts: readonly { readonly name: string; readonly title: string }[]): string {
  const columns = ["name", "title"].map((title) => ({ title, align: "left" }) as const);
  return table(
    columns,
    texts.map(({ name, title }) => [name, title]),
  );
}
