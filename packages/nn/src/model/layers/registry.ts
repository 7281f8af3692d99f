/** Every layer by its kind. A new one is one file and one line here, or an `add` in a plug-in. */

import { Registry } from "equitopo/internal/input";
import type { LayerFamily } from "../layer.ts";
import { attention } from "./attention.ts";
import { batchNorm } from "./batch-norm.ts";
import { convolution } from "./convolution.ts";
import { dense } from "./dense.ts";
import { dropout, relu } from "./elementwise.ts";
import { embedding } from "./embedding.ts";
import { gelu } from "./gelu.ts";
import { layerNorm } from "./layer-norm.ts";
import { linear } from "./linear.ts";
import { averagePool, maxPool } from "./pool.ts";
import { positions } from "./positions.ts";
import { residual } from "./residual.ts";
import { skip } from "./skip.ts";
import { tied } from "./tied.ts";

export const layers = new Registry<LayerFamily>("layer", [
  ...[convolution, dense, maxPool, averagePool, batchNorm, relu, dropout, residual],
  ...[embedding, tied, positions, linear, layerNorm, attention, gelu, skip],
]);
