/** npm run bench -- NAME: one file a claim of speed, with its limit measured in the same run. */

const benches: Record<string, () => Promise<{ default: () => void | Promise<void> }>> = {
  rate: () => import("./rate.ts"),
  peers: () => import("./peers.ts"),
  design: () => import("./design.ts"),
  gradient: () => import("./gradient.ts"),
  learning: () => import("./learning.ts"),
  gossip: () => import("./gossip.ts"),
  train: () => import("./train.ts"),
  exchange: () => import("./exchange.ts"),
  straggler: () => import("./straggler.ts"),
  "tls-start": () => import("./tls-start.ts"),
  gpu: () => import("./gpu.ts"),
  browser: () => import("./browser.ts"),
  chaos: () => import("./chaos.ts"),
  elastic: () => import("./elastic.ts"),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => benches[name] === undefined);
if (names.length === 0 || unknown.length > 0) {
  console.error(`usage: npm run bench -- NAME...   (${Object.keys(benches).join(", ")})`);
  process.exit(2);
}
for (const name of names) {
  const bench = await benches[name]();
  await bench.default();
}
