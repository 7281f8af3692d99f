/** What `cluster init` writes, and what workers make of it: names, modes, who may be whom, hosts that move. */

import { X509Certificate } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { specText } from "../../../equitopo/src/peer/course/options.ts";
import { expandSpec } from "../../../equitopo/src/run/spec.ts";
import { TcpTransport } from "../../../node/src/tcp/tcp.ts";
import { connect } from "../../src/peers/connect.ts";
import { hostsFile, readHosts } from "../../src/peers/hosts.ts";
import { readKey, readTls } from "../../src/peers/secrets.ts";
import { equitopo, parsed, scratch } from "../command.ts";

const folder = scratch();

describe("cluster init", () => {
  const out = join(folder, "refused");

  it.each([
    ["../outside", /a host is name:port/],
    ["a/b", /a host is name:port/],
    ["a..b", /a host is name:port/],
    [".hidden", /a host is name:port/],
    ["ca", /no host may be called/],
    ["CA:7000", /no host may be called/],
    ["peer-3", /no host may be called/],
    ["node-0 NODE-0", /named once/],
    ["[fe80::1] fe80__1", /a name of their own/],
    ["a --key --per-peer", /a key or by certificates/],
  ])("refuses %s, and writes nothing", async (hosts, message) => {
    const { status, stderr } = await equitopo(`cluster init ${hosts} --out ${out}`);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(readdirSync(folder)).not.toContain("refused");
    expect(readdirSync(join(folder, ".."))).not.toContain("outside.pem");
  });

  it("counts hosts as a person would", async () => {
    const written = async (hosts: string, name: string) =>
      (await equitopo(`cluster init ${hosts} --key --out ${join(folder, name)}`)).stdout;
    expect(await written("node-0", "one-host")).toMatch(/^1 peer on 1 host; /);
    expect(await written("node-0 node-1", "two-hosts")).toMatch(/^2 peers on 2 hosts; /);
  });

  it("--per-peer: a certificate for each peer, in its number's name, and keys that are their owner's", async () => {
    const made = join(folder, "per-peer");
    const { files } = parsed(await equitopo(`cluster init ca node-1 --peers 3 --out ${made} --per-peer --json`));
    const pairs = [0, 1, 2].flatMap((rank) => [`peer-${rank}.pem`, `peer-${rank}.key`]);
    expect(files).toEqual(["hosts.txt", "ca.pem", "ca.key", ...pairs]);
    for (const name of files) {
      expect(statSync(join(made, name)).mode & 0o077, name).toBe(name.endsWith(".key") ? 0 : 0o044);
    }
    const addresses = readHosts(join(made, "hosts.txt"));
    const { cert, nameOf } = readTls(made, addresses, 2);
    expect(new X509Certificate(cert).subject).toBe("CN=peer-2");
    expect(nameOf?.(1)).toBe("peer-1");
  });
});

describe("secrets", () => {
  it("that others can read are refused, with the remedy", async () => {
    const made = join(folder, "readable");
    await equitopo(`cluster init node-0 --out ${made} --key`);
    const key = join(made, "key");
    expect(readKey(key)).toHaveLength(64);
    for (const mode of [0o644, 0o640, 0o604]) {
      chmodSync(key, mode);
      expect(() => readKey(key)).toThrow(`the key must be its owner's alone, got "mode ${mode.toString(8)} of ${key}"`);
      expect(() => readKey(key)).toThrow(`chmod 600 ${key}`);
    }
    const certified = join(folder, "certified");
    await equitopo(`cluster init node-0 --out ${certified}`);
    const addresses = readHosts(join(certified, "hosts.txt"));
    expect(readTls(certified, addresses, 0).nameOf?.(0)).toBe("node-0");
    chmodSync(join(certified, "node-0.key"), 0o644);
    expect(() => readTls(certified, addresses, 0)).toThrow(/this host's key must be its owner's alone/);
  });

  it("of a host whose name leads elsewhere are not looked for", () => {
    const hosts = join(folder, "elsewhere.txt");
    writeFileSync(hosts, "../../etc/secret:7117\n");
    expect(() => readHosts(hosts)).toThrow(/a host is name:port/);
  });

  it("of one peer do not make another: who claims a number that is not in its certificate is refused", async () => {
    const made = join(folder, "bound");
    await equitopo(`cluster init 127.0.0.1 --peers 3 --out ${made} --per-peer`);
    const listen = { host: "127.0.0.1", port: 0 };
    const addresses = [listen, listen, listen];
    const open = (rank: number, files: string) => {
      const tls = readTls(files, addresses, rank);
      return TcpTransport.listen({ rank, size: 3, addresses, listen, spec: "a", tls, log: () => {}, timeout: 300 });
    };
    // Peer 1 with its own two files, called as peer 2's are.
    const stolen = join(folder, "stolen");
    mkdirSync(stolen);
    copyFileSync(join(made, "ca.pem"), join(stolen, "ca.pem"));
    for (const kind of ["pem", "key"]) copyFileSync(join(made, `peer-1.${kind}`), join(stolen, `peer-2.${kind}`));
    const [victim, honest, liar] = [await open(0, made), await open(1, made), await open(2, stolen)];
    for (const { rank, port } of [victim, honest, liar]) addresses[rank] = { ...listen, port };
    const hear = { round: 0, send: [], receive: [{ peer: 0, length: 1, type: "float64" as const }] };
    const said = victim.exchange({
      ...{ round: 0, timeout: 5000, receive: [] },
      send: [1, 2].map((peer) => ({ peer, data: Float64Array.of(7) })),
    });
    const [got, nothing] = await Promise.all([honest.exchange({ ...hear, timeout: 5000 }), liar.exchange(hear)]);
    expect([got.arrived[0]?.[0], nothing.arrived[0]]).toEqual([7, undefined]);
    await vi.waitFor(() => expect(victim.counts.refused.get("name")).toBeGreaterThan(0), 5000);
    await Promise.all([victim, honest, liar].map((peer) => peer.close()));
    await said.catch(() => {});
  });
});

it("a worker takes no frame that is longer than anything its runs send", async () => {
  const made = join(folder, "small");
  const port = 20_000 + (process.pid % 4000) * 2;
  await equitopo(`cluster init 127.0.0.1:${port} --peers 2 --out ${made} --key`);
  const [hosts, key] = [join(made, "hosts.txt"), join(made, "key")];
  const runs = expandSpec({
    topologies: [{ name: "ring", n: 2 }],
    algorithms: [{ name: "dsgt", learningRate: 0.01 }],
    problem: { name: "least-squares", d: 10, K: 2 },
  });
  const { transport, leave } = await connect(runs, { rank: 0, hosts, key, timeout: 1000, startTimeout: 1000 }, {});
  const liar = await TcpTransport.listen({
    ...{ rank: 1, size: 2, addresses: readHosts(hosts), spec: specText({ runs }), key: readKey(key), log: () => {} },
  });
  const [got] = await Promise.all([
    transport.exchange({ round: 0, send: [], receive: [{ peer: 1, length: 10, type: "float64" }] }),
    liar.exchange({ round: 0, send: [{ peer: 0, data: new Float64Array(1000) }], receive: [] }),
  ]);
  expect(got.arrived).toEqual([undefined]);
  expect(transport.counts.refused.get("oversize")).toBeGreaterThan(0);
  await Promise.all([leave(), liar.close()]);
});

describe("a hosts file", () => {
  it("is read again where it has changed, and only whole", () => {
    const path = join(folder, "hosts.txt");
    writeFileSync(path, "node-0:1\nnode-1:2\n");
    const { addresses, refresh } = hostsFile(path);
    writeFileSync(path, "node-0:1\nnode-1:2\nnode-2:3\n");
    refresh();
    expect(addresses).toHaveLength(2);
    writeFileSync(path, "node-0:1\n::: half");
    refresh();
    expect(addresses[1]).toEqual({ host: "node-1", port: 2 });
    writeFileSync(path, "node-0:1\nnode-9:29\n");
    refresh();
    expect(addresses[1]).toEqual({ host: "node-9", port: 29 });
  });
});
