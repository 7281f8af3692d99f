/** Why a peer is not reached: every failure has its words and a remedy, and a network that runs is not disturbed. */

import { createHash } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { createAuthority, createCertificate, TcpTransport, type TlsFiles } from "@equitopo/node";
import { describe, expect, it } from "vitest";
import { hostFindings, secretFindings } from "../../../src/command/doctor/host-findings.ts";
import { type ReachOptions, reach } from "../../../src/command/doctor/reach.ts";
import {
  certificateTrouble,
  connectTrouble,
  handshakeTrouble,
  nameTrouble,
} from "../../../src/command/doctor/reach-trouble.ts";
import { scratch } from "../../command.ts";

const listen = { host: "127.0.0.1", port: 0 };
const hash = (text: string) => createHash("sha256").update(text).digest();
const key = new Uint8Array(32).fill(7);
const validity = { from: new Date(Date.now() - 864e5), days: 30 };
const authority = createAuthority({ name: "CA", ...validity });
const nameOf = (rank: number) => `host-${rank}`;
const filesOf = (rank: number, ca = authority, more: Partial<typeof validity> = {}): TlsFiles => ({
  ...{ ca: ca.cert, ...createCertificate(ca, "CA", { name: nameOf(rank), ...validity, ...more }), nameOf },
});

/** Asks a peer 1 of 2 that was opened with some options, with others. */
async function ask(
  opened: { readonly key?: Uint8Array; readonly tls?: TlsFiles },
  asked: Partial<ReachOptions>,
): Promise<{ ok: boolean; detail: string; remedy?: string; refused: readonly string[] }> {
  const peer = await TcpTransport.listen({
    ...{ rank: 1, size: 2, addresses: [listen, listen], listen, spec: "a spec", log: () => {}, ...opened },
  });
  const address = { ...listen, port: peer.port };
  const found = await reach({ address, peer: 1, from: 0, size: 2, spec: hash("a spec"), timeout: 2000, ...asked });
  const refused = [...peer.counts.refused.keys()];
  await peer.close();
  return { ...found, refused };
}

describe("a peer", () => {
  it("is reached where name, port, spec and key are right", async () => {
    expect(await ask({}, {})).toMatchObject({ ok: true, detail: expect.stringMatching(/accepts .*, same spec$/) });
    expect(await ask({ key }, { key })).toMatchObject({ ok: true, detail: expect.stringMatching(/same key$/) });
    const found = await ask({ tls: filesOf(1) }, { tls: filesOf(0) });
    expect(found).toMatchObject({ ok: true, detail: expect.stringMatching(/certificate fits, same spec$/) });
  });

  it("of another spec, or protected otherwise, refuses the hello", async () => {
    for (const [opened, asked] of [
      [{}, { spec: hash("another") }],
      [{}, { key }],
      [{ key }, {}],
    ] as const) {
      const { ok, detail, remedy } = await ask(opened, asked);
      expect([ok, detail]).toEqual([false, expect.stringContaining("refuses this hello: its spec")]);
      expect(remedy).toContain("same spec");
    }
  });

  it("with another key is found out", async () => {
    const { ok, detail } = await ask({ key }, { key: key.map((byte) => byte ^ 1) });
    expect([ok, detail]).toEqual([false, "has another key"]);
  });

  it("with another certificate is found out", async () => {
    const other = createAuthority({ name: "CA", ...validity });
    const words = async (theirs: TlsFiles | undefined, ours: TlsFiles) =>
      (await ask(theirs === undefined ? {} : { tls: theirs }, { tls: ours })).detail;
    expect(await words(filesOf(1, other), filesOf(0))).toMatch(/of another authority/);
    expect(await words({ ...filesOf(0) }, filesOf(0))).toMatch(/is that of host-0, not of host-1/);
    const old = { from: new Date(Date.now() - 40 * 864e5), days: 30 };
    expect(await words(filesOf(1, authority, old), filesOf(0))).toMatch(/has expired on /);
    expect(await words(undefined, filesOf(0))).toMatch(/does not speak TLS/);
  });

  it("that does not listen, or says nothing, is told apart", async () => {
    const silent = net.createServer((socket) => socket.on("error", () => {}).resume());
    await new Promise<void>((resolve) => silent.listen(listen, resolve));
    const { port } = silent.address() as net.AddressInfo;
    const options = { address: { ...listen, port }, peer: 1, from: 0, size: 2, timeout: 150 };
    expect((await reach({ ...options, spec: hash("a spec") })).detail).toBe("accepts, but does not answer a hello");
    expect((await reach(options)).ok).toBe(true);
    await new Promise((resolve) => silent.close(resolve));
    expect(await reach(options)).toMatchObject({ ok: false, detail: expect.stringContaining("nobody listens there") });
  });
});

describe("what ends a connection", () => {
  const coded = (code: string) => Object.assign(new Error(code), { code });

  it("has words and a remedy", () => {
    const troubles = [
      [nameTrouble("node-7", coded("ENOTFOUND")), /name is not known here \(ENOTFOUND\)/, /add node-7 to DNS/],
      [nameTrouble("node-7", coded("EAI_AGAIN")), /name service does not answer/, /DNS/],
      [connectTrouble(new Error("late"), 3000), /no answer within 3 s/, /firewall/],
      [connectTrouble(coded("EHOSTUNREACH"), 3000), /no way there/, /routes/],
      [handshakeTrouble(coded("ERR_SSL_TLSV1_ALERT_UNKNOWN_CA")), /does not trust this host/, /of one init/],
      [handshakeTrouble(coded("ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED")), /has expired/, /clocks/],
      [handshakeTrouble(coded("ERR_SSL_WRONG_VERSION_NUMBER")), /does not speak TLS/, /--tls/],
    ] as const;
    for (const [trouble, detail, remedy] of troubles) {
      expect(trouble.message).toMatch(detail);
      expect(trouble.remedy).toMatch(remedy);
    }
    const shown = { certificate: { subject: { CN: "node-1" } }, name: "node-1", reason: undefined };
    expect(certificateTrouble(shown)).toBeUndefined();
    expect(certificateTrouble({ ...shown, reason: "CERT_NOT_YET_VALID" })?.remedy).toMatch(/clocks/);
  });
});

describe("secrets", () => {
  const folder = scratch();

  it("that others can read are named, with the command that mends it", () => {
    const path = join(folder, "node-0.key");
    writeFileSync(path, "secret", { mode: 0o600 });
    expect(secretFindings({ tls: folder })).toEqual([
      { what: `secret ${path}`, ok: true, detail: "only its owner can read it" },
    ]);
    chmodSync(path, 0o644);
    expect(secretFindings({ tls: folder })[0]).toMatchObject({ ok: false, remedy: `chmod 600 ${path}` });
    expect(secretFindings({ key: path })[0].detail).toContain("mode 644");
  });

  it("that a worker would refuse are a finding, and hosts are tried all the same", async () => {
    const key = join(folder, "open");
    writeFileSync(key, "0".repeat(64));
    chmodSync(key, 0o644);
    const hosts = join(folder, "hosts.txt");
    writeFileSync(hosts, "127.0.0.1:1\n127.0.0.1:1\n");
    const found = await hostFindings(hosts, { key }, hash("a spec"));
    expect(found.map(({ what, ok }) => [what.split(" ")[0], ok])).toEqual([
      ["secret", false],
      ["peer", false],
      ["peer", false],
    ]);
    expect(found[1].detail).toContain("nobody listens there");
    const none = await hostFindings(hosts, { tls: join(folder, "nowhere") }, undefined);
    expect(none[0]).toMatchObject({ what: "secrets", ok: false, detail: expect.stringContaining("cluster init") });
  });
});
