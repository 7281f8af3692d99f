/** `equitopo doctor`: what this machine can do, and which hosts it reaches. */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { availableParallelism, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { expandSpec } from "equitopo";
import { createKernels } from "equitopo/internal/kernels";
import { specText } from "equitopo/peer";
import { type FormatOptions, formatFlag, printAnswer } from "../../terminal/answer.ts";
import { type CommonOptions, type Given, whole, word } from "../../terminal/flags.ts";
import "../../input/problems.ts";
import { contextOf } from "../../run/context.ts";
import { readSpecFile } from "../../spec-file.ts";
import { left, table } from "../../terminal/table.ts";
import { type Finding, hostFindings } from "./host-findings.ts";

export const flags = {
  hosts: word("<FILE>", "also try every peer of this file: its name, its port, and what the options below ask"),
  spec: word("<FILE>", "hosts: whether they run this spec"),
  audit: whole("<K>", "hosts: the --audit of their workers", 2, 100),
  tls: word("<DIR>", "hosts: whether their certificates fit those of equitopo cluster init"),
  key: word("<FILE>", "hosts: whether they have this key"),
  rank: whole("<R>", "hosts: as which peer to ask (default: one whose certificate is here)", 0, 3),
  ...formatFlag,
};

interface Options extends CommonOptions, FormatOptions, Given<typeof flags> {}

export const help = `
Exit code 1 where a host of --hosts is not reachable, with what is wrong and what to do about it: its name, its port, its
certificate, its spec, its key, and the rights of key files here. Asking does not disturb a network that runs. A missing
MPI or GPU is no failure (everything else works without them).

Examples:
  equitopo doctor
  equitopo doctor --hosts cluster/hosts.txt --json
  equitopo doctor --hosts cluster/hosts.txt --tls cluster --rank 3 --spec spec.yaml
`;

export async function act(options: Options): Promise<number> {
  const machine = [nodeVersion(), cores(), sharedMemory(), ...wasm(), mpirun(), await mpiLibrary(), gpu()];
  const hosts: readonly Finding[] =
    options.hosts === undefined ? [] : await hostFindings(options.hosts, options, await specHash(options));
  const text = () => {
    const rows = [...machine, ...hosts].map(({ what, ok, detail, remedy }) => [
      ...[ok ? "yes" : "no", what, remedy === undefined ? detail : `${detail}; ${remedy}`],
    ]);
    const there = { ...left("there"), tone: (text: string) => (text === "yes" ? "green" : "red") } as const;
    return [table([there, left("what"), left("found")], rows)];
  };
  await printAnswer({ machine, hosts: options.hosts && hosts }, text, options);
  return hosts.every(({ ok }) => ok) ? 0 : 1;
}

/** What all peers of a spec agree on. */
async function specHash({ spec, audit }: Options): Promise<Uint8Array | undefined> {
  if (spec === undefined) return undefined;
  const runs = expandSpec(await readSpecFile(spec), contextOf({}));
  return createHash("sha256").update(specText({ runs, audit })).digest();
}

function nodeVersion(): Finding {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return { what: "Node 20.19 or later", ok, detail: process.versions.node };
}

function cores(): Finding {
  const count = availableParallelism();
  const memory = (totalmem() / 2 ** 30).toFixed(1);
  return { what: "cores", ok: count > 1, detail: `${count}, ${memory} GiB of memory` };
}

function sharedMemory(): Finding {
  const ok = typeof SharedArrayBuffer === "function" && typeof Atomics.wait === "function";
  return { what: "peers in threads", ok, detail: ok ? "SharedArrayBuffer and Atomics" : "no SharedArrayBuffer" };
}

/** The smallest modules that use each feature: one function with one instruction of it. */
const features = {
  simd: [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
  "relaxed simd": [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15,
    253, 128, 2, 11,
  ],
  threads: [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 4, 1, 3, 1, 1, 10, 11, 1, 9, 0, 65, 0, 254, 16, 2, 0,
    26, 11,
  ],
} as const;

declare const WebAssembly: { validate(bytes: Uint8Array): boolean };

function wasm(): Finding[] {
  const found = Object.entries(features).map(([name, bytes]) => {
    const ok = WebAssembly.validate(Uint8Array.from(bytes));
    return { what: `wasm ${name}`, ok, detail: ok ? "there" : "not in this Node" };
  });
  const kernels = createKernels(65536) !== null;
  return [...found, { what: "wasm kernels", ok: kernels, detail: kernels ? "they load" : "the plain loops serve" }];
}

function mpirun(): Finding {
  const { status, stdout } = spawnSync("mpirun", ["--version"], { encoding: "utf8" });
  const ok = status === 0;
  return { what: "mpirun", ok, detail: ok ? stdout.split("\n")[0] : "not found (Debian: apt install openmpi-bin)" };
}

async function mpiLibrary(): Promise<Finding> {
  try {
    const { loadAddon } = await import("@equitopo/mpi/internal");
    const { version, ulfm } = loadAddon().library;
    const survives = ulfm ? "goes on after a rank's death (ULFM)" : "a rank's death ends the job";
    return { what: "MPI", ok: true, detail: `${version.split("\n")[0].split(",").slice(0, 2).join(",")}; ${survives}` };
  } catch (error) {
    return { what: "MPI", ok: false, detail: (error as Error).message };
  }
}

/** In a process of its own: drivers write to stderr what looks like a crash, and some do crash. */
function gpu(): Finding {
  const script = `
    const found = await import("@equitopo/gpu").then(({ describeGpu }) => describeGpu())
      .catch(({ message }) => ({ ok: false, detail: message }));
    process.stdout.write(JSON.stringify(found), () => process.exit());`;
  const { stdout, status, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    ...{ cwd: fileURLToPath(new URL(".", import.meta.url)), encoding: "utf8", timeout: 60_000 },
  });
  const what = "GPU (WebGPU)";
  if (status === 0) return { what, ...JSON.parse(stdout) };
  return { what, ok: false, detail: `looking for one ended by ${signal ?? `exit code ${status}`}` };
}
