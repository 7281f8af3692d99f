/**
 * Points in the plane that one can see: two half moons, two circles, four blobs, two spirals, all within about [-1, 1].
 * A point is an image of one pixel with two channels. Point k is a function of (seed, k), its class k mod the classes.
 */

import { integer, option } from "equitopo/input";
import { fillNormal, RandomStream, streams } from "equitopo/internal/random";
import { cosSinTurn } from "equitopo/number";
import type { Dataset } from "./dataset.ts";
import { defineData } from "./member.ts";
import type { SyntheticOptions } from "./synthetic.ts";

/** Where a point of a class lies without noise, u being uniform in [0, 1). */
type Pattern = { readonly classes: number; at(label: number, u: number): readonly [number, number] };

/** The point at this share of a turn around 0. */
function turn(share: number, radius: number): readonly [number, number] {
  const point = new Float64Array(2);
  cosSinTurn(Math.floor((share - Math.floor(share)) * 2 ** 32), point);
  return [radius * point[0], radius * point[1]];
}

const patterns = {
  moons: {
    classes: 2,
    at(label, u) {
      const [x, y] = turn(u / 2, 0.65);
      return label === 0 ? [x - 0.325, y - 0.16] : [0.325 - x, 0.16 - y];
    },
  },
  circles: { classes: 2, at: (label, u) => turn(u, label === 0 ? 0.35 : 0.85) },
  blobs: { classes: 4, at: (label) => turn((2 * label + 1) / 8, 0.75) },
  spirals: { classes: 2, at: (label, u) => turn(1.25 * u + label / 2, 0.1 + 0.85 * u) },
} as const satisfies Record<string, Pattern>;

export type PlanePattern = keyof typeof patterns;

export interface PlaneOptions extends Pick<SyntheticOptions, "count" | "seed" | "first"> {
  readonly pattern: PlanePattern;
  /** The deviation of the noise in either direction; default 0.1. */
  readonly noise?: number;
}

/**
 * `count` labelled points. O(count).
 *
 * @example
 * ```ts
 * import { planePoints } from "@equitopo/nn";
 * const { images, labels } = planePoints({ pattern: "circles", count: 6, seed: 1, noise: 0 });
 * labels.join() // => "0,1,0,1,0,1"
 * Math.hypot(images[2], images[3]).toFixed(3) // => "0.850"
 * ```
 */
export function planePoints({ pattern, count: wanted, seed, first = 0, noise = 0.1 }: PlaneOptions): Dataset {
  const { classes, at } = patterns[pattern];
  const count = typeof wanted === "number" ? integer("the number of points", wanted, 1) : wanted.length;
  const images = new Float32Array(2 * count);
  const labels = new Uint8Array(count);
  const stream = new RandomStream(seed, streams.plane);
  const grain = new Float64Array(2);
  for (let k = 0; k < count; k++) {
    const number = first + (typeof wanted === "number" ? k : wanted[k]);
    labels[k] = number % classes;
    // Even rounds hold the place, odd ones the noise.
    const [x, y] = at(labels[k], stream.at(2 * number).uniform());
    fillNormal(grain, seed, streams.plane, 2 * number + 1);
    images[2 * k] = x + noise * grain[0];
    images[2 * k + 1] = y + noise * grain[1];
  }
  return { name: "plane", shape: { height: 1, width: 1, channels: 2 }, classes, count, images, labels };
}

export const plane = defineData({
  name: "plane",
  summary: "points in the plane that are drawn here, 400 and 200 for the test: moons, circles, blobs, spirals",
  options: {
    pattern: option.about(option.word("moons", "circles", "blobs", "spirals"), "what the points lie on"),
    noise: option.about(option.number(0.1, { min: 0, max: 10 }), "its deviation"),
  },
  defaults: {
    ...{ model: { name: "perceptron", hidden: [16] }, batch: 8, weightDecay: 0 },
    ...{ epochs: 20, momentum: 0.5, learningRate: () => 0.1 },
  },
  open(options, { seed, images: count = 400, tests = 200 }) {
    const { classes } = patterns[options.pattern];
    return {
      ...{ shape: { height: 1, width: 1, channels: 2 }, classes, count },
      labels: () => Uint8Array.from({ length: count }, (_, k) => k % classes),
      train: (index) => planePoints({ ...options, count: index ?? count, seed }),
      test: () => planePoints({ ...options, count: tests, first: count, seed }),
    };
  },
});
