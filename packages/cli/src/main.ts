/**
 * The command `equitopo`: loads the command that was named, runs it, and turns every error into one line.
 * Exit codes: 0 done, 1 a check failed, 2 bad input.
 */

import { Command, CommanderError } from "commander";
import { InputError } from "equitopo";
import { oneOf } from "equitopo/input";
import { inOurWords } from "./commander-errors.ts";
import { commands } from "./commands.ts";
import { loadGivenPlugins } from "./plugin.ts";
import { harmless, toned } from "./terminal/colour.ts";
import { equipped, refuseRepeats } from "./terminal/flags.ts";
import { fittingHelp, lineWidth } from "./terminal/lines.ts";
import { packageVersion } from "./version.ts";

export async function main(args: readonly string[]): Promise<number> {
  leaveQuietlyWhenNobodyReads();
  let code = 0;
  const program = new Command("equitopo")
    .description("Exact consensus rates, graphs and comparisons of gossip topologies.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => lineWidth(),
      outputError: (text, write) => write(inOurWords(text, args)),
    })
    .addHelpText(
      "after",
      `
Examples:
  equitopo start                                  the first minute: a figure and a sentence
  equitopo compare --n 300                        which topology needs the fewest bytes?
  equitopo advise --n 300 --degree 1 --loss 0.05  which one is best here, and why?
  equitopo rate d-equistatic --n 300 --m 9        how fast does it mix, exactly?
  equitopo graph ou-equidyn --n 17 --round 3      who talks to whom in round 3?
  equitopo gossip od-equidyn --n 300 --drop 0.1   and when messages are dropped?
  equitopo help rate                              the options of a command
`,
    );
  try {
    await loadGivenPlugins(args);
  } catch (error) {
    return explain(error);
  }
  for (const { name, summary, load } of commands) {
    const command = program.command(name).description(summary);
    // Only a command that is named is loaded: starting up costs what it needs and no more.
    if (!args.includes(name)) continue;
    const module = await load();
    try {
      equipped(command, module).addHelpText("after", () => fittingHelp(module.help));
      // Behind the arguments and options commander hands over the command itself.
      command.action(async (...words) => {
        code = Number((await module.act(...(words.slice(0, -1) as never[]))) ?? 0);
      });
      refuseRepeats(command);
    } catch (error) {
      return explain(flagTaken(error, name));
    }
  }
  try {
    // For a command that does not exist, commander would show the help of all.
    if (args[0] === "help" && args.length > 1)
      oneOf("the command", args[1], [...commands.map(({ name }) => name), "help"]);
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    return explain(error);
  }
}

/** Options of topologies are flags: a plug-in's may have the name of one that the command itself has. */
function flagTaken(error: unknown, command: string): unknown {
  const flag = /due to conflicting flag '(--[^']+)'/.exec(String(error))?.[1];
  if (flag === undefined) return error;
  return new InputError(`an option of a topology needs a name that ${command} has no flag for`, flag, "rename it");
}

/** Prints an error on stderr; answers its exit code. */
function explain(error: unknown): number {
  // Commander has written its own message; help and --version end as errors of code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof InputError) {
    const text = `${toned("error:", "red", process.stderr)} ${error.message}\n`;
    process.stderr.write(harmless(text, process.stderr));
    return 2;
  }
  // What the engine says where an array or a memory cannot be had; any other RangeError is a mistake of ours.
  if (error instanceof RangeError && /alloc|array|memory|string length/i.test(error.message)) {
    process.stderr.write(`error: the work must fit into memory, got "${error.message}"; try a smaller n\n`);
    return 2;
  }
  process.stderr.write(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}

/** `equitopo ... | head` closes our output early, which is no failure of ours. */
function leaveQuietlyWhenNobodyReads(): void {
  // Once each, however often main is called.
  for (const stream of [process.stdout, process.stderr]) stream.off("error", onOutputError).on("error", onOutputError);
}

function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`error: the output must be writable, got "${error.message}"; send it elsewhere\n`);
  process.exit(2);
}
