/**
 * The functions that the kernels export, with their arguments as src/kernel/assembly has them: pointers are byte offsets
 * into the instance's memory, flags 0 or 1.
 */

export interface NnExports {
  sgemm(
    transposeA: number,
    transposeB: number,
    m: number,
    n: number,
    k: number,
    a: number,
    lda: number,
    b: number,
    ldb: number,
    c: number,
    ldc: number,
    accumulate: number,
    scratch: number,
  ): void;
  convolve(
    x: number,
    images: number,
    h: number,
    w: number,
    pitch: number,
    ic: number,
    pad: number,
    stride: number,
    kh: number,
    kw: number,
    weights: number,
    bias: number,
    y: number,
    oh: number,
    ow: number,
    oc: number,
    outPitch: number,
    relu: number,
    scratch: number,
  ): void;
  convolveInputGradient(
    dy: number,
    images: number,
    h: number,
    w: number,
    pitch: number,
    ic: number,
    pad: number,
    stride: number,
    kh: number,
    kw: number,
    weights: number,
    dx: number,
    oh: number,
    ow: number,
    oc: number,
    outPitch: number,
    scratch: number,
  ): void;
  convolveWeightGradient(
    x: number,
    images: number,
    h: number,
    w: number,
    pitch: number,
    ic: number,
    pad: number,
    stride: number,
    kh: number,
    kw: number,
    dy: number,
    dw: number,
    oh: number,
    ow: number,
    oc: number,
    outPitch: number,
    scratch: number,
  ): void;
  addRows(x: number, y: number, out: number, count: number, relu: number): void;
  columnSums(x: number, count: number, pitch: number, columns: number, out: number): void;
  copyRows(from: number, fromPitch: number, to: number, toPitch: number, columns: number, count: number): void;
  fill(out: number, bytes: number, value: number): void;
  scaleColumns(x: number, scale: number, out: number, images: number, pixels: number, pitch: number): void;
  maxPool(
    x: number,
    images: number,
    h: number,
    w: number,
    pitch: number,
    k: number,
    stride: number,
    y: number,
    index: number,
    oh: number,
    ow: number,
    relu: number,
  ): void;
  maxPoolGradient(
    dy: number,
    y: number,
    index: number,
    images: number,
    h: number,
    w: number,
    pitch: number,
    k: number,
    stride: number,
    dx: number,
    oh: number,
    ow: number,
    relu: number,
  ): void;
  averagePool(x: number, images: number, pixels: number, pitch: number, y: number): void;
  averagePoolGradient(dy: number, images: number, pixels: number, pitch: number, dx: number): void;
  shortcut(
    x: number,
    images: number,
    h: number,
    w: number,
    pitch: number,
    ic: number,
    stride: number,
    y: number,
    oh: number,
    ow: number,
    outPitch: number,
    front: number,
  ): void;
  shortcutGradient(
    dy: number,
    images: number,
    h: number,
    w: number,
    pitch: number,
    ic: number,
    stride: number,
    dx: number,
    oh: number,
    ow: number,
    outPitch: number,
    front: number,
  ): void;
  moments(x: number, count: number, pitch: number, mean: number, variance: number): void;
  normalise(
    x: number,
    mean: number,
    variance: number,
    gamma: number,
    beta: number,
    epsilon: number,
    count: number,
    pitch: number,
    channels: number,
    y: number,
    relu: number,
  ): void;
  normaliseGradient(
    x: number,
    y: number,
    dy: number,
    mean: number,
    variance: number,
    gamma: number,
    epsilon: number,
    count: number,
    pitch: number,
    channels: number,
    dx: number,
    dgamma: number,
    dbeta: number,
    relu: number,
  ): void;
  crossEntropy(
    logits: number,
    pitch: number,
    batch: number,
    classes: number,
    labels: number,
    overBatch: number,
    gradient: number,
  ): number;
  logSoftmax(logits: number, pitch: number, batch: number, classes: number, overBatch: number, out: number): void;
  dropoutMask(
    out: number,
    groups: number,
    threshold: number,
    scale: number,
    index: number,
    seedLow: number,
    seedHigh: number,
    stream: number,
    roundLow: number,
    roundHigh: number,
  ): void;
  multiply(x: number, y: number, out: number, count: number): void;
  relu(x: number, out: number, count: number): void;
  reluGradient(y: number, dy: number, out: number, count: number): void;
  axpby(a: number, x: number, b: number, y: number, count: number): void;
  sgd(x: number, g: number, v: number, count: number, rate: number, momentum: number, decay: number): void;
}
