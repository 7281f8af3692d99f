/** Seventeen peers on several hosts, for real as far as one machine goes: their own addresses, cables, delays and losses. */

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SpecDocument } from "equitopo";
import { afterEach, describe, expect, it } from "vitest";
import { verdictOf } from "../../src/command/verify/histories.ts";
import { bin, scratch } from "../command.ts";
import { Cluster, ended, hashOfRows, simulatedHash } from "./cluster.ts";
import { address, Internet, whyNoInternet } from "./internet.ts";

const missing = whyNoInternet();
if (missing !== undefined) console.error(`\n*** PEERS ON SEVERAL HOSTS WERE NOT TESTED: ${missing} ***\n`);

const n = 17;
const document: SpecDocument = {
  topologies: [{ name: "ou-equidyn", n, seed: 3 }],
  algorithms: [{ name: "dsgd", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 5 },
  rounds: 40,
  seeds: [1],
};

let internet: Internet | undefined;
afterEach(async () => {
  await internet?.close();
  internet = undefined;
});

/** A network of that many hosts, and the spec for 17 peers in a folder of its own. */
function place(hosts: number, rounds: number) {
  const folder = scratch();
  const spec = join(folder, "spec.json");
  const said = { ...document, rounds };
  writeFileSync(spec, JSON.stringify(said));
  internet = new Internet(hosts);
  return { internet, folder, spec, said };
}

describe.skipIf(missing !== undefined)("17 peers on several hosts", () => {
  it("4 hosts, TLS, 10 ms and 1% of the packets lost: the simulator's rows", { timeout: 180_000 }, async () => {
    const { said, ...where } = place(4, 25);
    const cluster = await Cluster.init({ ...where, peers: n, timeout: 30_000 });
    where.internet.weather({ delay: 10, loss: 0.01, resend: 100 });
    const told = await Promise.all(Array.from({ length: n }, (_, rank) => ended(cluster.start(rank))));
    expect(told.filter(({ code }) => code !== 0)).toEqual([]);
    const { violations, counts } = verdictOf(cluster.histories, false);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ peers: n, lives: n, killed: 0, void: 0, window: 0 });
    expect(hashOfRows(cluster.histories)).toBe(simulatedHash(said));
  });

  it("8 hosts: a cable out for a while, a host that dies and comes back", { timeout: 180_000 }, async () => {
    const { said: _, ...where } = place(8, 250);
    const cluster = await Cluster.init({ ...where, peers: n, timeout: 1500 });
    where.internet.weather({ delay: 2, loss: 0.005, resend: 50 });
    const peers = Array.from({ length: n }, (_, rank) => cluster.start(rank));
    const ends = peers.map(ended);
    const on = (host: number) => [...cluster.places.keys()].filter((rank) => cluster.places[rank].host === host);
    while (cluster.reached(0) < 30) await pause(50);
    const [silent, dead] = [on(3), on(5)];
    where.internet.unplug(3);
    for (const rank of dead) peers[rank].kill("SIGKILL");
    await pause(1000);
    for (const rank of dead) ends[rank] = ended(cluster.start(rank));
    await pause(2000);
    where.internet.plug(3);
    const told = await Promise.all(ends);
    // Whoever was away may have missed most of it, and says so; nobody fails otherwise, and the others not at all.
    const away = (rank: number) => silent.includes(rank) || dead.includes(rank);
    expect(told.filter(({ code }, rank) => code !== 0 && !(code === 1 && away(rank)))).toEqual([]);
    const { violations, counts } = verdictOf(cluster.histories, false);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ peers: n, lives: n + dead.length, killed: dead.length });
    expect(counts.void).toBeGreaterThan(0);
    expect(counts.applied).toBeGreaterThan(counts.void);
    expect(counts.window).toBeLessThan(0.05 * counts.applied);
  });
});

const mpi =
  spawnSync("mpirun", ["--version"], { encoding: "utf8" }).stdout?.includes("Open MPI") === true &&
  existsSync(new URL("../../../mpi/dist/native", import.meta.url));
if (!mpi)
  console.error("\n*** MPI ON SEVERAL HOSTS WAS NOT TESTED: there is no Open MPI, or the addon is not built ***\n");

describe.skipIf(missing !== undefined || !mpi)("17 ranks of mpirun on several hosts", () => {
  it("4 hosts by a launch agent: the simulator's rows", { timeout: 180_000 }, async () => {
    const { internet: network, folder, spec, said } = place(4, 25);
    const histories = join(folder, "histories");
    mkdirSync(histories);
    const agent = join(folder, "agent");
    // As ssh does: the host, then the words of a command for a shell there. Every host has a name of its own.
    const names = Array.from({ length: 4 }, (_, host) => `${address(host)}) name=${network.namespace(host)};;`);
    writeFileSync(
      agent,
      `#!/bin/sh\ncase "$1" in ${names.join(" ")} esac\nshift\n` +
        `exec ip netns exec $name unshare --uts sh -c "hostname $name; $*"\n`,
    );
    chmodSync(agent, 0o755);
    const hosts = [5, 4, 4, 4].map((slots, host) => `${address(host)}:${slots}`).join(",");
    const net = "10.77.0.0/16";
    const words = [
      ...["--allow-run-as-root", "--host", hosts, "-n", String(n), "--mca", "plm_rsh_agent", agent],
      ...["--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", net, "--mca", "oob_tcp_if_include", net],
      ...["--mca", "rmaps_base_oversubscribe", "1", "--mca", "plm_rsh_no_tree_spawn", "1"],
      ...[process.execPath, bin, "worker", spec, "--timeout", "30000", "--history", join(histories, "peer-%r.ndjson")],
    ];
    const { code, said: heard } = await ended(network.centre("mpirun", words, { stdio: ["ignore", "ignore", "pipe"] }));
    expect(code, heard).toBe(0);
    const { violations, counts } = verdictOf(histories, false);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ peers: n, lives: n, killed: 0, void: 0 });
    expect(hashOfRows(histories)).toBe(simulatedHash(said));
  });
});
