/** Attacks on `equitopo studio`, half of them with its token, while two watch its live stream and one of these reads nothing. */

import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { drawsOf, oddRequest, oddText } from "./odd.ts";
import { exchange, pause, until, type Victim, victim } from "./victim.ts";

const begin = {
  ...{ version: 1, source: "attack", kind: "begin", title: "t", how: "peers" },
  runs: [{ label: "ring", topology: { name: "ring", n: 5 }, rounds: 9, seed: 0 }],
};
const models = [
  begin,
  { version: 1, source: "attack", kind: "round", rank: 1, run: 0, round: 3, partners: [0, 2], bytes: 8, lag: 0 },
  { version: 1, source: "attack", kind: "metrics", run: 0, updates: 3, metrics: { loss: 1, other: null } },
  { version: 1, source: "attack", kind: "share", run: 0, share: 0.5 },
  { version: 1, source: "attack", kind: "over" },
];

interface Open {
  readonly program: Victim;
  readonly port: number;
  readonly token: string;
}

async function open(folder: string): Promise<Open> {
  const program = victim(["studio", folder, "--no-open", "--json", "--port", "0"]);
  const address = await program.find(/"report": "([^"]+)"/);
  const { port, hash } = new URL(address);
  return { program, port: Number(port), token: hash.replace("#token=", "") };
}

const ownLines = ({ port, token }: Open) => [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`];

/** A connection that asks for the live stream; it reads, or it does not. */
function watch(studio: Open, reads: boolean): () => void {
  const headers = { authorization: `Bearer ${studio.token}` };
  const asked = request(
    { host: "127.0.0.1", port: studio.port, path: "/api/live", headers, agent: false },
    (answer) => {
      if (reads) answer.resume();
      else answer.pause();
    },
  );
  asked.on("error", () => {});
  asked.end();
  return () => void asked.destroy();
}

async function answers(studio: Open, path: string, expected: number): Promise<boolean> {
  const headers = { authorization: `Bearer ${studio.token}` };
  const { status } = await fetch(`http://127.0.0.1:${studio.port}${path}`, { headers });
  return status === expected;
}

/** Odd requests and odd lines; a file of 3 GB, and a folder that is moved away meanwhile. */
export async function attackStudio(total: number, seed: number, folder: string) {
  const runs = join(folder, "runs");
  mkdirSync(join(runs, "big"), { recursive: true });
  writeFileSync(join(runs, "big", "spec.json"), "{}");
  const file = openSync(join(runs, "big", "rows.bin"), "w");
  ftruncateSync(file, 3 * 2 ** 30);
  closeSync(file);
  const studio = await open(runs);
  const { program, port } = studio;
  const stops = [watch(studio, true), watch(studio, false)];
  await pause(300);
  const before = program.held();
  const sent = await until(total, 8, async (k) => {
    const draw = drawsOf(seed + k);
    if (k === 20) renameSync(runs, `${runs}-moved`);
    const own = k % 2 === 0 ? ownLines(studio) : [];
    if (k % 4 < 2)
      return await exchange(
        port,
        Array.from({ length: 8 }, () => oddRequest(draw, own)),
        100,
      );
    // A POST that goes on: some lines are right, so that the odd ones come in the middle of a stream.
    const head = ["POST /api/live HTTP/1.1", ...own, "Transfer-Encoding: chunked", "", ""].join("\r\n");
    const lines = [JSON.stringify(begin), ...Array.from({ length: 30 }, () => oddText(draw, models))];
    const chunk = (line: string) => `${(Buffer.byteLength(line) + 1).toString(16)}\r\n${line}\n\r\n`;
    return await exchange(port, [head + lines.map(chunk).join("")], 20);
  });
  const held = program.held() - before;
  const well = program.alive() && (await answers(studio, "/", 200)) && (await answers(studio, "/api/runs", 500));
  for (const stop of stops) stop();
  await program.end();
  return { sent, held, well, why: program.said().slice(-500) };
}

/** New names of metrics without end. */
export async function attackNames(total: number, folder: string) {
  mkdirSync(folder, { recursive: true });
  const studio = await open(folder);
  const { program, port } = studio;
  const before = program.held();
  const asked = request({
    ...{ host: "127.0.0.1", port, path: "/api/live", method: "POST", agent: false },
    headers: { authorization: `Bearer ${studio.token}` },
  });
  asked.on("error", () => {});
  asked.write(`${JSON.stringify(begin)}\n`);
  for (let k = 0; k < total; k += 20) {
    const metrics = Object.fromEntries(Array.from({ length: 20 }, (_, j) => [`name ${k + j}`.padEnd(150, "x"), 1]));
    const line = `${JSON.stringify({ version: 1, source: "attack", kind: "metrics", run: 0, updates: k, metrics })}\n`;
    if (!asked.write(line)) await new Promise((resolve) => asked.once("drain", resolve));
  }
  await pause(1000);
  const held = program.held() - before;
  const well = program.alive() && (await answers(studio, "/", 200));
  asked.destroy();
  await program.end();
  return { sent: total, held, well, why: program.said().slice(-500) };
}
