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

/** y = (a + b) / 2, y = a, or (reads = 0) a and b changing places, over so many doubles: what a round reads and writes. */
const MOVE = `
export function move(a: usize, b: usize, y: usize, reads: i32, count: i32): void {
  const half = f64x2.splat(0.5);
  for (; count >= 8; count -= 8) {
    for (let k: usize = 0; k < 64; k += 16) {
      const v = v128.load(a + k);
      if (reads == 2) v128.store(y + k, f64x2.add(f64x2.mul(half, v), f64x2.mul(half, v128.load(b + k))));
      else {
        if (reads == 0) v128.store(a + k, v128.load(b + k));
        v128.store(y + k, v);
      }
    }
    a += 64; b += 64; y += 64;
  }
}`;

/** What is used of AssemblyScript's compiler; its own types would put its globals in the place of Node's. */
interface Compiler {
  compileString(source: string, options: object): Promise<{ binary: Uint8Array | null; error: Error | null }>;
}

/** A function that makes, for a number of bytes, the work of reading them once. */
export async function streamer(): Promise<(bytes: number) => () => void> {
  const module = await compiled(STREAM);
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

/** The mover over a memory of its own, of so many bytes. */
export async function mover(bytes: number) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) });
  const { exports } = new WebAssembly.Instance(await compiled(MOVE), { env: { memory } });
  const { move } = exports as { move(a: number, b: number, y: number, reads: number, count: number): void };
  return { memory, move };
}

async function compiled(source: string): Promise<object> {
  const { default: asc }: { default: Compiler } = await import("assemblyscript/asc" as string);
  const { binary, error } = await asc.compileString(source, {
    optimizeLevel: 3,
    runtime: "stub",
    importMemory: true,
    enable: ["simd"],
  });
  if (error !== null || binary === null) throw error ?? new Error("the streaming kernel did not compile");
  return new WebAssembly.Module(binary);
}
