/** The machine's limit for reading: a SIMD sum over doubles in WebAssembly memory, the fastest that wasm can read them. */

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
  Memory: new (limits: { initial: number }) => { buffer: ArrayBuffer };
};

/** Eight sums, so that loads and not the latency of additions set the pace. */
const STREAM = `
export function stream(at: usize, end: usize): f64 {
  let a = f64x2.splat(0), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  for (; at < end; at += 128) {
    a = f64x2.add(a, v128.load(at)); b = f64x2.add(b, v128.load(at, 16));
    c = f64x2.add(c, v128.load(at, 32)); d = f64x2.add(d, v128.load(at, 48));
    e = f64x2.add(e, v128.load(at, 64)); f = f64x2.add(f, v128.load(at, 80));
    g = f64x2.add(g, v128.load(at, 96)); h = f64x2.add(h, v128.load(at, 112));
  }
  a = f64x2.add(f64x2.add(f64x2.add(a, b), f64x2.add(c, d)), f64x2.add(f64x2.add(e, f), f64x2.add(g, h)));
  return f64x2.extract_lane(a, 0) + f64x2.extract_lane(a, 1);
}`;

/** What is used of AssemblyScript's compiler; its own types would put its globals in the place of Node's. */
interface Compiler {
  compileString(source: string, options: object): Promise<{ binary: Uint8Array | null; error: Error | null }>;
}

/** A function that makes, for a number of bytes, the work of reading them once. */
export async function streamer(): Promise<(bytes: number) => () => void> {
  const { default: asc }: { default: Compiler } = await import("assemblyscript/asc" as string);
  const { binary, error } = await asc.compileString(STREAM, {
    optimizeLevel: 3,
    runtime: "stub",
    importMemory: true,
    enable: ["simd"],
  });
  if (error !== null || binary === null) throw error ?? new Error("the streaming kernel did not compile");
  const module = new WebAssembly.Module(binary);
  return (bytes) => {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) });
    // Written once, or the pages would all be the one page of zeros.
    new Float64Array(memory.buffer).fill(1);
    const { stream } = new WebAssembly.Instance(module, { env: { memory } }).exports as {
      stream(at: number, end: number): number;
    };
    const whole = Math.floor(bytes / 128) * 128;
    return () => stream(0, whole);
  };
}
