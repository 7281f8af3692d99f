/**
 * npm run bench -- NAME... [--OPTION VALUE...]: one file a claim of speed, with its limit measured in the same run. Options
 * are handed to every bench that is named; each says in its head which it knows.
 */

/** Options as they were written, by name. */
export type Options = Readonly<Record<string, string>>;

const benches: Record<string, () => Promise<{ default: (options: Options) => void | Promise<void> }>> = {
  rate: () => import("./rate.ts"),
  peers: () => import("./peers.ts"),
  design: () => import("./design.ts"),
  gradient: () => import("./gradient.ts"),
  learning: () => import("./learning.ts"),
  gossip: () => import("./gossip.ts"),
  train: () => import("./train.ts"),
  exchange: () => import("./exchange.ts"),
  robust: () => import("./robust.ts"),
  straggler: () => import("./straggler.ts"),
  hierarchy: () => import("./hierarchy.ts"),
  "tls-start": () => import("./tls-start.ts"),
  gpu: () => import("./gpu.ts"),
  browser: () => import("./browser.ts"),
  async: () => import("./async.ts"),
  chaos: () => import("./chaos.ts"),
  elastic: () => import("./elastic.ts"),
  crowd: () => import("./crowd.ts"),
  long: () => import("./long.ts"),
  votes: () => import("./votes.ts"),
  strict: () => import("./strict.ts"),
};

const words = process.argv.slice(2);
const names = words.filter((word, k) => !word.startsWith("--") && !words[k - 1]?.startsWith("--"));
const options = Object.fromEntries(
  words.flatMap((word, k) => (word.startsWith("--") ? [[word.slice(2), words[k + 1] ?? ""]] : [])),
);
const unknown = names.filter((name) => benches[name] === undefined);
if (names.length === 0 || unknown.length > 0) {
  console.error(`usage: npm run bench -- NAME... [--OPTION VALUE...]   (${Object.keys(benches).join(", ")})`);
  process.exit(2);
}
for (const name of names) {
  const bench = await benches[name]();
  await bench.default(options);
}
