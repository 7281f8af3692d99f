/**
 * A mixer for large n x d whose rounds the threads of a crew share, over one shared wasm memory. A step of a round is cut
 * by rows, pairs or columns into as many parts as there are threads, and no sum crosses a part, so the bytes are those of
 * one thread.
 *
 * A subpath of its own, `equitopo/shared`: the kernels for shared memory are a module beside the others.
 */

import { InputError } from "../input/input.ts";
import { gossipKernels } from "../kernel/gossip-calls.ts";
import { compileKernels, createSharedKernels, type Kernels } from "../kernel/instance.ts";
import { sharedWasmBase64 } from "../kernel/wasm-shared.ts";
import type { Crew, Team } from "./crew.ts";
import { oneThread, type Runner } from "./gossip-engine.ts";
import { mixerOver } from "./kernel-mixer.ts";
import type { Mixer } from "./mixer.ts";
import { partOf, type SharedKernels } from "./shared-thread.ts";

/** Rounds over fewer numbers are done sooner than shared out. */
const FEW_NUMBERS = 2 ** 15;

let module: object | null | undefined;

/** The same bytes as kernelMixer's. */
export function sharedMixer(crew: Crew, n: number, type: "float64" | "float32" = "float64"): Mixer {
  module ??= compileKernels(sharedWasmBase64);
  if (module === null) throw new InputError("threads need wasm SIMD", "none", "use kernelMixer, which does without");
  const { threads } = crew;
  const compiled = module;
  const teams = new WeakMap<Kernels<ArrayBufferLike>, Team>();
  // Threads keep a memory alive: they let go of it when nobody here holds rows of it any more.
  const unheld = new FinalizationRegistry<Team>((team) => team.close());

  function create(bytes: number): Kernels<SharedArrayBuffer> {
    const kernels = createSharedKernels(compiled, bytes);
    const data: SharedKernels = { module: compiled, memory: kernels.memory, threads };
    const team = crew.team(new URL("./shared-thread.js", import.meta.url).href, data, partOf(kernels.call, threads));
    teams.set(kernels, team);
    unheld.register(kernels, team);
    return kernels;
  }

  const runner: Runner = {
    threads,
    run(arena, step) {
      const team = teams.get(arena.kernels);
      if (team === undefined || threads === 1 || step.numbers < FEW_NUMBERS) {
        oneThread.run(arena, step);
        return;
      }
      const command = 2 * gossipKernels.indexOf(step.kernel) + (arena.type === "float64" ? 1 : 0);
      team.run(command, threads, step.items, ...step.args);
    },
  };
  return mixerOver(n, type, runner, create);
}
