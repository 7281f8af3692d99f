import { threadPool } from "@equitopo/node";
import { createTopology, gossip, kernelMixer, type Round, type Rows, stateHash, topologies } from "equitopo";
import { afterAll, describe, expect, test } from "vitest";

const bytes = (x: Rows) => new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
const pools = [1, 2, 3].map((threads) => threadPool(threads));
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

describe.each(["float64", "float32"] as const)("%s rows: the same bytes as one thread", (type) => {
  test.each(topologies.map((family) => [family.name]))("%s", (name) => {
    const n = 1024;
    const topology = createTopology({ name, n });
    const options = { d: 41, rounds: 5, type };
    const alone = gossip(topology, { ...options, mixer: kernelMixer(n, type) });
    for (const pool of pools) {
      const shared = gossip(topology, { ...options, mixer: pool.mixer(n, type) });
      expect(stateHash(shared.x)).toBe(stateHash(alone.x));
      expect(shared.errors).toEqual(alone.errors);
    }
  });

  test("many shifts by columns", () => {
    const [n, d] = [700, type === "float64" ? 3000 : 6000];
    const topology = createTopology({ name: "d-equistatic", n, m: 47 });
    const alone = gossip(topology, { d, rounds: 1, type });
    for (const pool of pools) {
      const shared = gossip(topology, { d, rounds: 1, type, mixer: pool.mixer(n, type) });
      expect(Buffer.compare(bytes(shared.x), bytes(alone.x))).toBe(0);
      expect(shared.errors).toEqual(alone.errors);
    }
  });

  test("many shifts, and lost messages", () => {
    const n = 1500;
    const topology = createTopology({ name: "d-equistatic", n, m: 47 });
    for (const more of [{}, { drop: 0.2 }, { drop: 0.2, pushSum: true }]) {
      const options = { d: 50, rounds: 3, type, ...more };
      const alone = gossip(topology, options);
      for (const pool of pools) {
        const shared = gossip(topology, { ...options, mixer: pool.mixer(n, type) });
        expect(stateHash(shared.x)).toBe(stateHash(alone.x));
        expect(shared.errors).toEqual(alone.errors);
      }
    }
  });
});

test("fewer items than threads, and rows of many widths from one pool", () => {
  const pool = pools[2];
  const two: Round = createTopology({ name: "complete", n: 2 }).round(0);
  const mixer = pool.mixer(2);
  const x = mixer.rows(40_000).fill(1);
  x[0] = 3;
  expect(mixer.mix(two, x)[40_000]).toBe(2);
  for (const width of [1, 5, 300, 7]) {
    const n = 400;
    const round = createTopology({ name: "ring", n }).round(0);
    const rows = pool.mixer(n).rows(width).fill(2);
    expect(pool.mixer(n).mix(round, rows)[3]).toBeCloseTo(2, 12);
  }
});

test("a closed pool says so", async () => {
  const pool = threadPool(2);
  const mixer = pool.mixer(1000);
  const x = mixer.rows(100);
  await pool.close();
  expect(() => mixer.mix(createTopology({ name: "ring", n: 1000 }).round(0), x)).toThrow("closed");
});
