/** The peers' core runs where there is nothing of Node: no built-in modules, no Buffer, no process, no shared memory. */

import { fileURLToPath } from "node:url";
import { createContext, Script } from "node:vm";
import { build, type Rollup } from "vite";
import { expect, test } from "vitest";

const paths = { "equitopo/peer": "../../dist/peer/index.js", equitopo: "../../dist/index.js" };
const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Five peers average, train and keep checkpoints over a memory network; `done` is told what came of it. */
const program = `
import { ouEquiDyn, expandSpec, runSpec, stateHash } from "equitopo";
import { average, MemoryNetwork, runSpecPeer } from "equitopo/peer";
const join = () => {
  const network = new MemoryNetwork(5);
  return [0, 1, 2, 3, 4].map((rank) => network.join(rank));
};
const means = await Promise.all(
  join().map((transport) => average(Float64Array.of(transport.rank), { transport, topology: ouEquiDyn({ n: 5 }) })),
);
const runs = expandSpec({
  topologies: [{ name: "ou-equidyn", n: 5 }],
  algorithms: [{ name: "dsgt" }],
  problem: { name: "least-squares" },
  rounds: 4,
});
const rows = [];
const saved = [];
await Promise.all(
  join().map((transport, rank) => {
    const store = { name: "x", load: async () => [], save: async (bytes) => void (saved[rank] = bytes.length) };
    const onRecord = ({ x }) => void (rows[rank] = [...x]);
    return runSpecPeer({ transport, runs, onRecord, checkpoint: { store, every: 2 } });
  }),
);
globalThis.done({
  mean: means[3].mean[0].toFixed(4),
  same: stateHash(Float64Array.from(rows.flat())) === runSpec(runs[0]).stateHash,
  saved: saved.every((bytes) => bytes > 100),
});
`;

async function bundle(): Promise<string> {
  const result = (await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "program",
        enforce: "pre",
        resolveId(id) {
          if (id.startsWith("node:")) throw new Error(`the core imports ${id}`);
          if (id === "program") return "\0program";
          return id in paths ? path(paths[id as keyof typeof paths]) : undefined;
        },
        load: (id) => (id === "\0program" ? program : undefined),
      },
    ],
    build: {
      ...{ write: false, minify: false, modulePreload: false, target: "es2022" },
      rollupOptions: { input: "program", external: [] },
    },
  })) as Rollup.RollupOutput;
  return result.output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("\n");
}

test("bundled without Node, peers average and train over a network in memory", async () => {
  const code = await bundle();
  const found = await new Promise((done, fail) => {
    const context = createContext({
      ...{ performance, setTimeout, setInterval, clearInterval, AbortController, TextEncoder, TextDecoder },
      ...{ atob, done, fail },
    });
    const names = ["SharedArrayBuffer", "process", "Buffer", "setImmediate"];
    new Script(`for (const name of ${JSON.stringify(names)}) delete globalThis[name];`).runInContext(context);
    new Script(`(async () => {${code}})().catch(fail);`).runInContext(context);
  });
  expect(found).toEqual({ mean: "2.0000", same: true, saved: true });
});
