/** Which networks mixed precision takes, and the tiles of their layers. */

import { createModel, type LayerSpec, Model } from "@equitopo/nn";
import { expect, test, vi } from "vitest";
import type { Gpu } from "../../src/device/adapter.ts";
import { matrixCostOf } from "../../src/matrix/convolution.ts";
import type { MatrixGeometry } from "../../src/matrix/layout.ts";
import { matrixTileOf, matrixWeightTileOf } from "../../src/matrix/settings.ts";
import { matrixWeightCostOf } from "../../src/matrix/weight-gradient.ts";
import { mostReplicas } from "../../src/plan/size.ts";

const input = { height: 32, width: 32, channels: 3 };
const convolution = { kind: "convolution", channels: 16, kernel: 3, pad: 1, bias: false } as const;
const norm = { kind: "batch-norm", relu: true } as const;
const end = [{ kind: "average-pool" }, { kind: "dense", units: 10 }] as const;
const limits = { maxStorageBufferBindingSize: 1e9, maxBufferSize: 1e9, maxStorageBuffersPerShaderStage: 10 };

vi.stubGlobal("GPUBufferUsage", {});

/** Plans the network with memory that is only counted. */
const planned = (layers: readonly LayerSpec[], shape = input) =>
  mostReplicas({ limits } as Gpu, new Model({ name: "own", input: shape, layers }), 1, "mixed");
const refused = (layers: readonly LayerSpec[], shape = input) =>
  expect(() => planned(layers, shape)).toThrow(/precision mixed needs a network/);

test("ResNet-20 is taken, and a plain chain", () => {
  planned(createModel("resnet20", { shape: input, classes: 10 }).layers);
  planned([convolution, norm, { ...convolution, channels: 32, stride: 2 }, norm, ...end]);
});

test("what has no kernel over halves is refused", () => {
  refused(createModel("mnist-cnn", { shape: { height: 28, width: 28, channels: 1 }, classes: 10 }).layers);
  refused([convolution, ...end]);
  refused([{ ...convolution, bias: true }, norm, ...end]);
  refused([{ ...convolution, channels: 24 }, norm, ...end]);
  refused([{ ...convolution, kernel: 5, pad: 2 }, norm, ...end]);
  refused([convolution, { kind: "batch-norm" }, ...end]);
  refused([convolution, norm, { kind: "dense", units: 10 }]);
  refused([convolution, norm, { kind: "residual", layers: [convolution, norm] }, ...end]);
  refused([convolution, norm, { kind: "residual", layers: [convolution, norm, convolution] }, ...end]);
  refused([{ ...convolution, stride: 2 }, norm, ...end]);
  refused([convolution, norm, { kind: "max-pool", size: 2 }, ...end]);
  refused([convolution, norm, ...end, { kind: "dense", units: 3 }]);
  refused([convolution, norm, ...end], { height: 28, width: 28, channels: 1 });
});

test("every layer of ResNet-20 has tiles that fit", () => {
  for (const [side, from, to, stride] of [
    [32, 3, 16, 1],
    [32, 16, 16, 1],
    [32, 16, 32, 2],
    [16, 32, 32, 1],
    [16, 32, 64, 2],
    [8, 64, 64, 1],
  ] as const) {
    const source = { height: side, width: side, channels: from };
    const target = { height: side / stride, width: side / stride, channels: to };
    const forward: MatrixGeometry = { source, target, stride, transposed: false };
    const back: MatrixGeometry = { source: target, target: source, stride, transposed: true };
    for (const geometry of from === 3 ? [forward] : [forward, back]) {
      const tile = matrixTileOf(geometry);
      expect(geometry.target.channels % tile.channels).toBe(0);
      expect(matrixCostOf(geometry, tile).bytes).toBeLessThanOrEqual(19 * 1024);
    }
    const tile = matrixWeightTileOf(forward, 8);
    expect(target.height % tile.rows).toBe(0);
    expect(matrixWeightCostOf(forward, tile).bytes).toBeLessThanOrEqual(24 * 1024);
  }
});
