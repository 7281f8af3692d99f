/** `equitopo completion`: a script with which a shell completes commands, options and names. */

import { oneOf } from "equitopo/input";
import { printAnswer } from "../../terminal/answer.ts";
import type { CommandEntry, CommandModule, CommonOptions } from "../../terminal/flags.ts";
import { type Shell, scripts, shells } from "./scripts.ts";
import { everyWord } from "./words.ts";

const help = `
Everything comes from the registries: with --plugin a plug-in's topologies are completed, too. Names of files are completed
where a file is asked for.

Examples:
  source <(equitopo completion bash)                                        in this shell; in ~/.bashrc for all
  equitopo completion zsh >> ~/.zshrc
  equitopo completion fish > ~/.config/fish/completions/equitopo.fish
`;

/** The command, which has to be handed all commands: they have it among them. */
export const completionOf = (all: () => readonly CommandEntry[]): CommandModule => ({
  words: { "<shell>": shells.join(", ") },
  first: () => shells,
  help,
  async act(shell: string, options: CommonOptions) {
    const known: Shell = oneOf("the shell", shell, shells);
    const script = scripts[known](await everyWord(all()));
    await printAnswer({ shell: known, script }, () => [script], options);
  },
});
