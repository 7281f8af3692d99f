/** The words as a script of a shell. All of them are in it, so that a tab costs nothing. */

import type { CommandWords } from "./words.ts";

export const shells = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof shells)[number];

export const scripts: Record<Shell, (all: readonly CommandWords[]) => string> = { bash, zsh, fish };

/** In single quotes, for any of these shells. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Where nothing fits, such as the name of a file, the shell offers files. */
function bash(all: readonly CommandWords[]): string {
  const values = all.flatMap(({ name, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ flag, values: some }) => `    ${quoted(`${name} ${flag}`)}) words=${quoted(some.join(" "))} ;;`),
  );
  const others = all.flatMap(({ name, first, flags }) => [
    `        ${name}) words=${quoted(flags.map(({ flag }) => flag).join(" "))}; first=${quoted(first.join(" "))} ;;`,
  ]);
  const names = [...all.map(({ name }) => name), "help"];
  return `# Completion of equitopo for bash: source it, or write it to a file that your shell reads.
_equitopo() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words='' first=''
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join("\n")}
    *)
      case "$command" in
${others.join("\n")}
        help) first=${quoted(all.map(({ name }) => name).join(" "))} ;;
      esac
      if [ "$COMP_CWORD" -eq 1 ]; then words=${quoted(names.join(" "))}
      elif [ "\${word#-}" = "$word" ]; then
        words=''
        if [ "$COMP_CWORD" -eq 2 ]; then words="$first"; fi
      fi ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _equitopo equitopo
`;
}

function zsh(all: readonly CommandWords[]): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(all)}`;
}

function fish(all: readonly CommandWords[]): string {
  // fish knows two escapes within single quotes.
  const inFish = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const first = "complete -c equitopo -n __fish_use_subcommand -f";
  return `${[
    "# Completion of equitopo for fish: write it to ~/.config/fish/completions/equitopo.fish",
    ...all.map(({ name, summary }) => `${first} -a ${name} -d ${inFish(summary)}`),
    ...all.flatMap(({ name, first: words, flags }) => {
      const after = `complete -c equitopo -n '__fish_seen_subcommand_from ${name}'`;
      return [
        ...(words.length === 0 ? [] : [`${after} -f -a ${inFish(words.join(" "))}`]),
        ...flags.map(({ flag, help, takesValue, values }) => {
          const value = takesValue ? " -r" : "";
          const names = values.length === 0 ? "" : ` -f -a ${inFish(values.join(" "))}`;
          return `${after} -l ${flag.slice(2)}${value}${names} -d ${inFish(help)}`;
        }),
      ];
    }),
  ].join("\n")}\n`;
}
