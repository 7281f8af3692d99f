/** Completion in a shell: the script of bash is asked as bash asks it. */

import { spawnSync } from "node:child_process";
import { topologies } from "equitopo";
import { beforeAll, describe, expect, it } from "vitest";
import { commands } from "../../../src/commands.ts";
import { equitopo } from "../../command.ts";

let script = "";
beforeAll(async () => {
  script = (await equitopo("completion bash")).stdout;
});

/** What bash offers for the last word. */
function offered(...words: string[]): string[] {
  const typed = ["equitopo", ...words].map((word) => `'${word}'`).join(" ");
  const asked = `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _equitopo; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", asked], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((word) => word !== "");
}

describe("completion", () => {
  it("offers commands, their options, and names from the registries", () => {
    expect(offered("")).toEqual([...commands.map(({ name }) => name), "help"]);
    expect(offered("ra")).toEqual(["rate"]);
    expect(offered("rate", "")).toEqual(topologies.names);
    expect(offered("gossip", "od-")).toEqual(topologies.names.filter((name) => name.startsWith("od-")));
    expect(offered("rate", "ring", "--pl")).toEqual(["--plot", "--plugin"]);
    expect(offered("compare", "--format", "")).toEqual(["latex", "csv", "markdown"]);
    expect(offered("advise", "--algorithm", "dsg")).toEqual(["dsgd", "dsgt", "dsgd-ceca"]);
    expect(offered("theory", "--topology", "hyperc")).toEqual(["hypercube"]);
    expect(offered("help", "wor")).toEqual(["worker"]);
    expect(offered("reproduce", "table-1")).toContain("table-1");
    expect(offered("guide", "spe")).toEqual(["spec"]);
    // A file: the shell offers its own.
    expect(offered("rate", "--file", "")).toEqual([]);
  });

  it("has scripts for zsh and fish, and refuses other shells", async () => {
    expect((await equitopo("completion zsh")).stdout).toContain(`bashcompinit\n${script}`);
    const { stdout } = await equitopo("completion fish");
    expect(stdout).toContain("'__fish_seen_subcommand_from rate' -l eta -r -d ");
    const { status, stderr } = await equitopo("completion bsh");
    expect({ status, stderr: stderr.slice(0, 60) }).toMatchObject({ status: 2 });
    expect(stderr).toMatch(/^error: the shell must be one of bash, zsh, fish, got "bsh"; did you mean bash\?\n$/);
  });
});

describe("help beside the name of a topology", () => {
  it("has the options of that family only, with what they mean in it", async () => {
    for (const command of ["rate", "graph", "gossip"]) {
      const { stdout, status } = await equitopo(`${command} od-equidyn --help`);
      expect(status).toBe(0);
      expect(stdout.replace(/\s+/g, " ")).toContain("od-equidyn: directed, one peer per round");
      for (const flag of ["--n <N>", "--eta", "--basis", "--m ", "--json", "--file"]) expect(stdout).toContain(flag);
      for (const flag of ["--lazy", "--rows", "--construction"]) expect(stdout).not.toContain(`  ${flag}`);
      expect((await equitopo(`${command} --help`)).stdout).toContain(`\`equitopo ${command} NAME --help\``);
    }
    expect((await equitopo("rate torus --help")).stdout).toMatch(/--rows <\w+>/);
  });
});
