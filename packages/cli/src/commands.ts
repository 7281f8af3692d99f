/** Every command by name. A new one is a file in command/, or a folder of its name where it needs several, and a line here. */

import type { CommandModule } from "./terminal/flags.ts";

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<CommandModule>;
}

const table: readonly (readonly [name: string, summary: string, load: () => Promise<CommandModule>])[] = [
  ["start", "the first minute: what one peer a round is worth", () => import("./command/start.ts")],
  ["list", "topologies, algorithms, problems and all else with a name", () => import("./command/list.ts")],
  ["rate", "the exact consensus rate of a topology", () => import("./command/rate/rate.ts")],
  ["graph", "one round of a topology: who talks to whom", () => import("./command/graph/graph.ts")],
  ["compare", "topologies side by side", () => import("./command/compare/compare.ts")],
  ["advise", "which topology to run, and why", () => import("./command/advise/advise.ts")],
  ["design", "search for the best shifts and weights of a degree", () => import("./command/design/design.ts")],
  [
    "gossip",
    "run it: the error round by round, over a network that may fail",
    () => import("./command/gossip/gossip.ts"),
  ],
  ["theory", "convergence rates and transient iterations", () => import("./command/theory/theory.ts")],
  ["run", "the runs of a spec file", () => import("./command/run.ts")],
  ["report", "runs of several folders side by side", () => import("./command/report/report.ts")],
  ["studio", "see rounds, curves and runs in the browser", () => import("./command/studio/studio.ts")],
  ["train", "a neural network on many nodes", () => import("./command/train/train.ts")],
  ["predict", "what a trained network says of images", () => import("./command/predict.ts")],
  ["serve", "a spec's runs with browsers as peers, by link", () => import("./command/serve/serve.ts")],
  ["worker", "one real peer of a spec's runs", () => import("./command/worker/worker.ts")],
  ["cluster", "hosts file, TLS certificates or key for peers", () => import("./command/cluster.ts")],
  ["doctor", "what this machine can do", () => import("./command/doctor/doctor.ts")],
  ["reproduce", "the paper's experiments", () => import("./command/reproduce.ts")],
  ["verify", "re-derive a certificate, or check histories of peers", () => import("./command/verify/verify.ts")],
  ["example", "specs to start from", async () => (await import("./command/text/text.ts")).example],
  [
    "completion",
    "completion of commands, options and names in your shell",
    async () => (await import("./command/completion/completion.ts")).completionOf(() => commands),
  ],
  ["guide", "the guides, to read here", async () => (await import("./command/text/text.ts")).guide],
];

export const commands: readonly CommandEntry[] = table.map(
  ([name, summary, load]): CommandEntry => ({ name, summary, load }),
);
