/** Every data set by name. A new one is one file and one line here, or an `add` in a plug-in. */

import { Registry, settle } from "equitopo/internal/input";
import { type Named, named } from "../options.ts";
import { cifar10 } from "./cifar10.ts";
import type { DataContext, DataFamily, OpenData } from "./member.ts";
import { mnist } from "./mnist.ts";
import { own } from "./own.ts";
import { plane } from "./plane.ts";
import { synthetic } from "./synthetic.ts";

export const dataSets = new Registry<DataFamily>("data set", [mnist, cifar10, synthetic, plane, own] as DataFamily[]);

/** A data set's name, or its name and its options. */
export type DataSpec = Named;

/**
 * The data set that a spec names.
 *
 * @example
 * ```ts
 * import { openData } from "@equitopo/nn";
 * const data = openData({ name: "synthetic", size: 24 }, { seed: 1, images: 10 });
 * data.train(Int32Array.of(3)).images.length // => 576
 * ```
 */
export function openData(spec: DataSpec, context: DataContext): OpenData {
  const { name, options } = named("data", spec);
  const member = dataSets.get(name);
  return member.open(settle(name, member.options, options), context);
}
