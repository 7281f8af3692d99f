/** Every command by name. A new one is a file in command/, or a folder of its name where it needs several, and a line here. */

import type { CommandEntry, CommandModule } from "./terminal/flags.ts";

const entry = (name: string, summary: string, load: () => Promise<CommandModule>): CommandEntry => {
  return { name, summary, load };
};

export const commands: readonly CommandEntry[] = [
  entry("start", "the first minute: what one peer a round is worth", () => import("./command/start.ts")),
  entry("list", "topologies, algorithms, problems and all else with a name", () => import("./command/list.ts")),
  entry("rate", "the exact consensus rate of a topology", () => import("./command/rate/rate.ts")),
  entry("graph", "one round of a topology: who talks to whom", () => import("./command/graph/graph.ts")),
  entry("plan", "a topology as a file that is good for every round, for Python", () => import("./command/plan.ts")),
  entry("compare", "topologies side by side", () => import("./command/compare/compare.ts")),
  entry("advise", "which topology to run, and why", () => import("./command/advise/advise.ts")),
  entry("design", "search for the best shifts and weights of a degree", () => import("./command/design/design.ts")),
  entry(
    "gossip",
    "run it: the error round by round, over a network that may fail",
    () => import("./command/gossip/gossip.ts"),
  ),
  entry("theory", "convergence rates and transient iterations", () => import("./command/theory/theory.ts")),
  entry("run", "the runs of a spec file", () => import("./command/run.ts")),
  entry("report", "runs of several folders side by side", () => import("./command/report/report.ts")),
  entry("studio", "see rounds, curves and runs in the browser", () => import("./command/studio/studio.ts")),
  entry("train", "a neural network on many nodes", () => import("./command/train/train.ts")),
  entry("predict", "what a trained network says of images", () => import("./command/predict.ts")),
  entry("generate", "text from a trained language model", () => import("./command/generate.ts")),
  entry("serve", "a spec's runs with browsers as peers, by link", () => import("./command/serve/serve.ts")),
  entry("worker", "one real peer of a spec's runs", () => import("./command/worker/worker.ts")),
  entry("cluster", "hosts file, TLS certificates or key for peers", () => import("./command/cluster.ts")),
  entry("doctor", "what this machine can do", () => import("./command/doctor/doctor.ts")),
  entry("reproduce", "the paper's experiments", () => import("./command/reproduce.ts")),
  entry("verify", "re-derive a certificate, or check histories of peers", () => import("./command/verify/verify.ts")),
  entry("example", "specs to start from", async () => (await import("./command/text/text.ts")).example),
  entry("completion", "completion of commands, options and names in your shell", async () => {
    return (await import("./command/completion/completion.ts")).completionOf(() => commands);
  }),
  entry("guide", "the guides, to read here", async () => (await import("./command/text/text.ts")).guide),
];
