/** A network as a value: what its layers are, without weights. */

/** The size of one image, or of what a layer makes of it. */
export interface Shape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

/** One layer of the registry (layers/registry.ts) with its options: plain JSON. */
export interface LayerSpec {
  readonly kind: string;
  readonly [option: string]: unknown;
}

/** The layers of this package; `relu: true` applies max(0, .) to what a layer puts out. */
export type KnownLayer =
  | {
      readonly kind: "convolution";
      readonly channels: number;
      readonly kernel: number;
      readonly stride?: number;
      readonly pad?: number;
      /** Default true. */
      readonly bias?: boolean;
      readonly relu?: boolean;
    }
  | { readonly kind: "dense"; readonly units: number; readonly relu?: boolean }
  | { readonly kind: "max-pool"; readonly size: number; readonly stride?: number; readonly relu?: boolean }
  /** The mean over all pixels. */
  | { readonly kind: "average-pool" }
  | { readonly kind: "batch-norm"; readonly relu?: boolean }
  | { readonly kind: "relu" }
  /** In training every number, or every channel of an image (Dropout2d), is 0 with probability `rate`, else / (1 - rate). */
  | { readonly kind: "dropout"; readonly rate: number; readonly of?: "numbers" | "channels" }
  /** max(0, layers(x) + x); where the shapes differ, every stride-th pixel of x with zero channels before and after. */
  | { readonly kind: "residual"; readonly layers: readonly KnownLayer[] }
  /** Every token becomes its row of a table. */
  | { readonly kind: "embedding"; readonly vocabulary: number; readonly units: number; readonly deviation?: number }
  /** The same around other layers, which end in scores by the same table. */
  | {
      readonly kind: "tied";
      readonly vocabulary: number;
      readonly units: number;
      readonly deviation?: number;
      readonly layers: readonly KnownLayer[];
    }
  /** A row of its own added to every position. */
  | { readonly kind: "positions"; readonly deviation?: number }
  /** Dense at every pixel by itself, without a shift. */
  | { readonly kind: "linear"; readonly units: number; readonly deviation?: number }
  | { readonly kind: "layer-norm" }
  /** Causal; reads queries, keys and values one after another. */
  | { readonly kind: "attention"; readonly heads?: number; readonly dropout?: number }
  | { readonly kind: "gelu" }
  /** x + layers(x) */
  | { readonly kind: "skip"; readonly layers: readonly KnownLayer[] };

/** How a parameter begins; fanIn is the number of inputs that one output sums over, "normal" has a deviation of its own. */
export type Initialisation = "zeros" | "ones" | "uniform" | "he" | "normal";

export interface Parameter {
  /** The path of its layer and its own name: "0.weight", "3.1.bias". */
  readonly name: string;
  /** Convolution weights are (height, width, in, out), dense ones (in, out): the last axis varies fastest. */
  readonly shape: readonly number[];
  readonly size: number;
  /** Where it begins in the flat vector. */
  readonly offset: number;
  readonly fanIn: number;
  readonly start: Initialisation;
  /** Of a "normal" start. */
  readonly deviation?: number;
}
