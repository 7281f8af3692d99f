/**
 * The fast mixer: rows live in wasm memory, and rounds are applied by SIMD kernels that give plainMixer's bits. Views
 * handed out stay valid for as long as they are held (arena.ts); rows that came from elsewhere, and engines
 * without wasm SIMD, go through the plain mixer.
 */

import { integer, oneOf } from "../input/input.ts";
import { createKernels, type Kernels } from "../kernel/instance.ts";
import { type Arena, arenaLayout, createArena } from "./arena.ts";
import { mixInArena, oneThread, type Runner, THIRD_CACHE } from "./gossip-engine.ts";
import { type Mixer, plainMixer } from "./mixer.ts";
import type { Rows } from "./round.ts";

/**
 * A mixer for n rows of float64 or float32 numbers (computed in double, rounded once on store).
 *
 * @example
 * ```ts
 * import { kernelMixer, odEquiDyn } from "equitopo";
 * const mixer = kernelMixer(4);
 * let x = mixer.rows(2);
 * x.set([1, 0, 3, 0, 5, 0, 7, 0]);
 * x = mixer.mix(odEquiDyn({ n: 4, basis: [1] }).round(0), x);
 * x.join(" ") // => "4 0 2 0 4 0 6 0"
 * ```
 */
export const kernelMixer = (n: number, type: "float64" | "float32" = "float64"): Mixer =>
  mixerOver(n, type, oneThread, createKernels);

/** A mixer whose arenas and threads come from elsewhere; `cache` bytes of rows are taken to stay in cache. */
export function mixerOver(
  n: number,
  type: "float64" | "float32",
  runner: Runner,
  create: (bytes: number) => Kernels<ArrayBufferLike> | null,
  cache = THIRD_CACHE,
): Mixer {
  integer("n", n, 1);
  oneOf("type", type, ["float64", "float32"]);
  const plain = plainMixer(n, type);
  const arenas: Arena[] = [];
  return {
    n,
    rows(width) {
      integer("width", width, 1);
      for (const arena of arenas) {
        const rows = arena.rows(width);
        if (rows !== undefined) return rows;
      }
      const layout = arenaLayout(n, width, type === "float64" ? 8 : 4, runner.threads);
      const kernels = layout === undefined ? null : allocate(create, layout.bytes);
      if (layout === undefined || kernels === null) return plain.rows(width);
      const arena = createArena(kernels, n, width, type, layout);
      arenas.push(arena);
      // A new arena has room for its first rows and their spare.
      return arena.rows(width) as Rows;
    },
    mix(round, x, distance) {
      const arena = arenas.find((candidate) => candidate.holds(x));
      // A circulant without shifts is a multiple of x: no kernel of its own.
      if (arena === undefined || (round.kind === "circulant" && round.shifts.length === 0)) {
        return plain.mix(round, x, distance);
      }
      return mixInArena(arena, runner, cache, round, x, distance);
    },
  };
}

/** Null, too, where the engine has no more memory to give as one piece: plain rows may still fit. */
function allocate<K>(create: (bytes: number) => K | null, bytes: number): K | null {
  try {
    return create(bytes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
