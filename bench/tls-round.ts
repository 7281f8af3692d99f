/**
 * Claim: a round over TLS costs what a round over plain TCP does and the cipher. Two peers, each a process, exchange and average
 * 60,000 floats (240 kB) on loopback; beside it the same over plain TCP, and the sealing and opening of so many bytes by the same
 * cipher at the speed that `openssl speed` finds now. Best of three blocks; TCP is measured before and after. The bare loop of the
 * same bytes and averaging, over node:tls and over node:net (exchange-peer.ts), says how much of what lies between is node:tls.
 *
 * npm run bench -- tls-round
 */

import { spawnSync } from "node:child_process";
import type { Options, Report } from "./bench.ts";
import { launch } from "./exchange.ts";

const numbers = 60_000;
const limit = 1.3;

/** Milliseconds of the cipher for so many bytes; undefined where there is no openssl. TLS 1.3 of Node takes AES-256-GCM. */
function cipherTime(bytes: number): number | undefined {
  const words = ["speed", "-seconds", "1", "-bytes", "16384", "-evp", "aes-256-gcm"];
  const { status, stdout } = spawnSync("openssl", words, { encoding: "utf8" });
  const found = /^AES-256-GCM\s+([\d.]+)k/m.exec(stdout ?? "");
  return status !== 0 || found === null ? undefined : bytes / Number(found[1]);
}

async function round(engine: "tcp" | "tls", mode: "bare" | "peers" = "peers"): Promise<number> {
  const lines = await launch({ engine, mode, n: 2, sizes: [numbers] });
  return lines.find(({ what }) => what === "round")?.ms ?? Number.NaN;
}

export default async function main(_: Options, report: Report): Promise<void> {
  const cipher = cipherTime(4 * numbers);
  const before = await round("tcp");
  const tls = await round("tls");
  const tcp = Math.min(before, await round("tcp"));
  const us = (ms: number) => `${(1000 * ms).toFixed(0)} us`;
  console.log(`a round of ${4 * numbers} bytes, two peers: TLS ${us(tls)}, TCP ${us(tcp)}`);
  const [bareTls, bareTcp] = [await round("tls", "bare"), await round("tcp", "bare")];
  console.log(`bare loops with averaging: node:tls ${us(bareTls)}, node:net ${us(bareTcp)}`);
  if (cipher === undefined) {
    report.missing("what the cipher costs", "there is no openssl command");
    return;
  }
  // A peer seals what it sends and opens what it receives, one after the other.
  const least = tcp + 2 * cipher;
  report.figure({
    ...{ name: "a round of 240 kB over TLS", value: tls, unit: "ms" },
    beside: { what: "TCP and the cipher", value: least },
  });
  const ratio = tls / least;
  const verdict = ratio <= limit ? "" : "   MISSED";
  console.log(
    `AES-256-GCM for the bytes sent and received: ${us(2 * cipher)}; with TCP ${us(least)}: ratio ${ratio.toFixed(2)} (limit ${limit})${verdict}`,
  );
}
