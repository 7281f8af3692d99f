/** Every command by name. A new one is a file in command/ and a line here. */

import type { Command } from "commander";
import type { Session } from "./session.ts";

/** A file of command/: adds arguments, options, examples and the action to a bare command. */
export interface CommandModule {
  define(command: Command, session: Session): void;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<CommandModule>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: "start",
    summary: "the first minute: what one peer a round is worth",
    load: () => import("./command/start.ts"),
  },
  {
    name: "list",
    summary: "topologies, algorithms, problems and all else with a name",
    load: () => import("./command/list.ts"),
  },
  { name: "rate", summary: "the exact consensus rate of a topology", load: () => import("./command/rate.ts") },
  { name: "graph", summary: "one round of a topology: who talks to whom", load: () => import("./command/graph.ts") },
  { name: "compare", summary: "topologies side by side", load: () => import("./command/compare.ts") },
  { name: "advise", summary: "which topology to run, and why", load: () => import("./command/advise.ts") },
  {
    name: "design",
    summary: "search for the best shifts and weights of a degree",
    load: () => import("./command/design.ts"),
  },
  {
    name: "gossip",
    summary: "run it: the error round by round, over a network that may fail",
    load: () => import("./command/gossip.ts"),
  },
  { name: "theory", summary: "convergence rates and transient iterations", load: () => import("./command/theory.ts") },
  { name: "run", summary: "the runs of a spec file", load: () => import("./command/run.ts") },
  { name: "report", summary: "runs of several folders side by side", load: () => import("./command/report.ts") },
  { name: "studio", summary: "see rounds, curves and runs in the browser", load: () => import("./command/studio.ts") },
  { name: "train", summary: "a neural network on many nodes", load: () => import("./command/train.ts") },
  { name: "predict", summary: "what a trained network says of images", load: () => import("./command/predict.ts") },
  { name: "serve", summary: "a spec's runs with browsers as peers, by link", load: () => import("./command/serve.ts") },
  { name: "worker", summary: "one real peer of a spec's runs", load: () => import("./command/worker.ts") },
  {
    name: "cluster",
    summary: "hosts file, TLS certificates or key for peers",
    load: () => import("./command/cluster.ts"),
  },
  { name: "doctor", summary: "what this machine can do", load: () => import("./command/doctor.ts") },
  { name: "reproduce", summary: "the paper's experiments", load: () => import("./command/reproduce.ts") },
  {
    name: "verify",
    summary: "re-derive a certificate, or check histories of peers",
    load: () => import("./command/verify.ts"),
  },
  { name: "example", summary: "specs to start from", load: () => import("./command/example.ts") },
  { name: "guide", summary: "the guides, to read here", load: () => import("./command/guide.ts") },
];
