/** Peers in groups by command: threads inside a process and TCP between give the simulator's hash and bytes. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { equitopo, parsed, scratch, spawned } from "../command.ts";

const folder = scratch();
const document = {
  topologies: [{ name: "ou-equidyn", n: 7 }],
  algorithms: [{ name: "dsgt", learningRate: 0.01 }],
  problem: { name: "least-squares", K: 10 },
  hierarchy: { groups: [4, 3] },
  rounds: 30,
  every: 10,
  seeds: [5],
};
const write = (name: string, content: object) => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};
const spec = write("groups.json", document);
const hosts = join(folder, "hosts.txt");
writeFileSync(hosts, Array.from({ length: 7 }, (_, rank) => `node-${rank < 4 ? 0 : 1}:${7117 + rank}\n`).join(""));

describe("run with a hierarchy", () => {
  const simulated = parsed(spawned(`run ${spec} --out ${join(folder, "simulated")} --json`));

  it.each(["threads-tcp", "threads"])("%s: the simulator's rows, and its bytes between machines", (transport) => {
    const words = `run ${spec} --transport ${transport} --timeout 60000 --out ${join(folder, transport)} --json`;
    const real = parsed(spawned(words));
    for (const name of ["stateHash", "bytesPerNode", "bytesBetween", "messagesPerNode"]) {
      expect(real.runs[0][name], name).toEqual(simulated.runs[0][name]);
    }
    expect(real.runs[0].bytesBetween).toBeGreaterThan(0);
  });

  it("by host: the groups of the hosts file, and no others", async () => {
    const asked = write("by-host.json", { ...document, hierarchy: { groups: "by host" } });
    const placed = parsed(spawned(`run ${asked} --hosts ${hosts} --out ${join(folder, "by-host")} --json`));
    expect(placed.stateHash).toBe(simulated.stateHash);
    const refused = await equitopo(`run ${asked} --out ${join(folder, "nowhere")}`);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("by host needs the hosts")]);
  });

  it("threads-tcp needs groups", async () => {
    const { hierarchy: _, ...flat } = document;
    const path = write("flat.json", flat);
    const refused = await equitopo(`run ${path} --transport threads-tcp --out ${join(folder, "flat")}`);
    expect(refused.stderr).toContain("needs groups");
  });
});
