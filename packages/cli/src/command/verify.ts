/** `equitopo verify`: re-derives a certificate, and accepts it or says what differs. */

import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { InputError } from "equitopo";
import { parseCertificate, refutations } from "../certificate.ts";
import { showCount, showRate } from "../numbers.ts";
import { print, printJson } from "../output.ts";
import { progressOf } from "../progress.ts";
import type { CommonOptions, Session } from "../session.ts";

export function define(command: Command, session: Session): void {
  command
    .argument("<file>", "a certificate of `equitopo rate --certificate`")
    .addHelpText(
      "after",
      `
Builds the topology anew from the options in the certificate and computes every number in it again.
Exit code 0: it holds. 1: refused, with what differs. 2: the file is no certificate.

Examples:
  equitopo rate d-equistatic --n 300 --m 9 --certificate c.json
  equitopo verify c.json
  equitopo verify c.json --json
`,
    )
    .action(async (file: string, options: CommonOptions) => {
      const certificate = parseNamed(file);
      const { topology, n, rate } = certificate;
      const progress = progressOf(options);
      progress.announce(`computing the rate of ${topology}, n = ${n} ...`);
      const differences = refutations(certificate);
      progress.done();
      const accepted = differences.length === 0;
      if (!accepted) session.exitCode = 1;
      if (options.json) await printJson({ accepted, topology, n, rate, differences });
      else if (accepted) await print([`accepted: ${topology}, n = ${showCount(n)}, rate ${showRate(rate)}\n`]);
      else await print([`refused: ${file}\n`, ...differences.map((difference) => `  ${difference}\n`)]);
    });
}

function parseNamed(file: string) {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`the certificate must be readable (${code})`, file, "check its name");
  }
  try {
    return parseCertificate(text);
  } catch (error) {
    if (error instanceof InputError) error.message = `${file}: ${error.message}`;
    throw error;
  }
}
