import { expect, it } from "vitest";
import { refusalLog } from "../../src/tcp/door.ts";
import { TcpTransport } from "../../src/tcp/tcp.ts";

it("says each kind of refusal once for each source, and stops before it fills the memory", () => {
  const lines: string[] = [];
  const refuse = refusalLog("peer 0", (line) => lines.push(line));
  for (let again = 0; again < 3; again++) refuse("garbage", "10.0.0.1");
  refuse("spec", "10.0.0.1");
  expect(lines).toEqual([
    "peer 0: refused 10.0.0.1: garbage",
    expect.stringMatching(/^peer 0: refused 10.0.0.1: spec \(it has another spec, .*give all peers the same\)$/),
  ]);
  for (let k = 0; k < 5000; k++) refuse("garbage", `10.1.${k >> 8}.${k & 255}`);
  expect(lines).toHaveLength(257);
  expect(lines.at(-1)).toMatch(/further refusals are counted, not logged/);
});

it("letters that the exchange does not take are said once, too", async () => {
  const listen = { host: "127.0.0.1", port: 0 };
  const addresses = [listen, listen];
  const lines: string[] = [];
  const open = (rank: number) =>
    TcpTransport.listen({
      ...{ rank, size: 2, addresses, listen, spec: "a", horizon: 10, timeout: 200 },
      log: (line) => lines.push(line),
    });
  const [a, b] = [await open(0), await open(1)];
  for (const { rank, port } of [a, b]) addresses[rank] = { ...listen, port };
  const say = (round: number, length: number) =>
    a.exchange({ round, send: [{ peer: 1, data: new Float64Array(length) }], receive: [] });
  const hear = (round: number, timeout: number) =>
    b.exchange({ round, timeout, send: [], receive: [{ peer: 0, length: 1, type: "float64" }] });
  for (const round of [0, 1]) await Promise.all([say(round, 3), hear(round, 20_000)]);
  expect(b.counts.refused.get("length")).toBe(2);
  await say(500, 1);
  await say(501, 1);
  // Read as far as somebody is waited for.
  for (let round = 2; (b.counts.refused.get("future") ?? 0) < 2; round++) await hear(round, 50);
  expect(b.counts.refused.get("future")).toBe(2);
  expect(lines).toEqual(["peer 1: refused a letter of peer 0: length", "peer 1: refused a letter of peer 0: future"]);
  await Promise.all([a.close(), b.close()]);
});

it("a vector longer than any is refused at its header, before memory is taken for it; and not sent", async () => {
  const listen = { host: "127.0.0.1", port: 0 };
  const addresses = [listen, listen];
  const open = (rank: number, maxBytes: number) =>
    TcpTransport.listen({ ...{ rank, size: 2, addresses, listen, spec: "a", timeout: 1000, maxBytes }, log: () => {} });
  const [liar, peer] = [await open(0, 2 ** 30), await open(1, 800)];
  for (const { rank, port } of [liar, peer]) addresses[rank] = { ...listen, port };
  const before = process.memoryUsage().arrayBuffers;
  const [, got] = await Promise.all([
    liar.exchange({ round: 0, send: [{ peer: 1, data: new Float64Array(4_000_000) }], receive: [] }),
    peer.exchange({ round: 0, send: [], receive: [{ peer: 0, length: 100, type: "float64" }] }),
  ]);
  expect(got.arrived).toEqual([undefined]);
  expect(peer.counts.refused.get("oversize")).toBeGreaterThan(0);
  // The sender's own 32 MB, and not another.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50e6);
  const long = peer.exchange({ round: 1, send: [{ peer: 0, data: new Float64Array(101) }], receive: [] });
  await expect(long).rejects.toThrow(/a vector has at most maxBytes = 800 bytes/);
  await Promise.all([liar.close(), peer.close()]);
});
