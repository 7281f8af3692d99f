/** Every layer that has kernels, by its kind. A new one is one file and one line here, or an `add` in a plug-in. */

import { Registry } from "equitopo/internal/input";
import type { GpuLayer } from "../layer.ts";
import { batchNorm } from "./batch-norm.ts";
import { convolutions } from "./convolution.ts";
import { denses } from "./dense.ts";
import { dropouts, relus } from "./elementwise.ts";
import { averagePools, maxPools } from "./pool.ts";
import { residual } from "./residual.ts";

export const layers = new Registry<GpuLayer>("layer", [
  ...([convolutions, denses, batchNorm, relus, maxPools, averagePools, dropouts, residual] as unknown as GpuLayer[]),
]);
