import { threadPool } from "@equitopo/node";
import { createTopology, gossip, kernelMixer, type Round, type Rows, stateHash, topologies, type Work } from "equitopo";
import { afterAll, describe, expect, test } from "vitest";

const bytes = (x: Rows) => new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
const pools = [1, 2, 3].map((threads) => threadPool(threads));
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

describe.each(["float64", "float32"] as const)("%s rows: the same bytes as one thread", (type) => {
  const n = 1024;
  const families = topologies.filter((family) => family.refuses?.(n) === undefined);
  test.each(families.map((family) => [family.name]))("%s", (name) => {
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

describe("a team", () => {
  /** Adds args[0] to its task's count, or fails where it is told to. */
  const module = `data:text/javascript,
    export default ({ counts, fail }) => (command, task, args) => {
      if (fail) throw new Error("not this one");
      Atomics.add(counts, task, args[0]);
      Atomics.add(counts, 99, 1);
    }`;
  const make = (fail: boolean) => ({ counts: new Int32Array(new SharedArrayBuffer(400)), fail });
  const slowly =
    (counts: Int32Array): Work =>
    (_command, task, args) => {
      Atomics.add(counts, task, args[0]);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    };

  test("does every task once, however many threads are there already", () => {
    const pool = threadPool(3);
    const data = make(false);
    const team = pool.team(module, data, slowly(data.counts));
    let helped = 0;
    // The first commands come before any thread is up.
    for (let k = 1; k <= 400 && helped === 0; k++) {
      data.counts.fill(0);
      team.run(0, 20, k);
      expect([...data.counts.subarray(0, 20)]).toEqual(new Array(20).fill(k));
      expect(data.counts[20]).toBe(0);
      helped = data.counts[99];
    }
    expect(helped).toBeGreaterThan(0);
    return pool.close();
  });

  test("says why a thread failed, and goes on", () => {
    const pool = threadPool(2);
    const data = make(true);
    const team = pool.team(module, data, slowly(data.counts));
    expect(() => {
      for (let k = 0; k < 400; k++) team.run(0, 20, 1);
    }).toThrow(/a thread of the pool failed: Error: not this one/);
    const sound = make(false);
    pool.team(module, sound, slowly(sound.counts)).run(0, 20, 3);
    expect(sound.counts[19]).toBe(3);
    return pool.close();
  });

  test("says why its module does not load", () => {
    const pool = threadPool(2);
    const { counts } = make(false);
    const team = pool.team("data:text/javascript,export default 1", {}, slowly(counts));
    expect(() => {
      for (let k = 0; k < 400; k++) team.run(0, 5, 1);
    }).toThrow(/is not a function/);
    return pool.close();
  });
});
