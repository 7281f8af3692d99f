/**
 * The way to a GPU: WebGPU, which browsers have built in and Node gets from the npm package `webgpu` (Dawn), an optional
 * dependency. Nothing falls back to anything: without an adapter there is an error that says what is missing.
 */

import { InputError } from "equitopo/internal/input";

declare const navigator: { readonly gpu?: GPU } | undefined;

/** A device that was opened, and what it is. */
export interface Gpu {
  readonly device: GPUDevice;
  /** The adapter, in words. */
  readonly name: string;
  readonly limits: GPUSupportedLimits;
  /** What `precision: mixed` needs and this adapter lacks; nothing where it has it all. */
  readonly lacks: readonly string[];
  /** Where it is given, buffers are listed here, so that whoever made them all can free them all. */
  readonly held?: GPUBuffer[];
}

export interface GpuOptions {
  /** Part of the adapter's name, where there are several; Node only. */
  readonly name?: string;
  /**
   * Every access to memory is checked by the device (default). false leaves that out where the engine allows it (Node):
   * some per cent faster, for kernels that were tested with it.
   */
  readonly checked?: boolean;
}

/** Dawn's instances must stay reachable for as long as the process lives: when one is collected, the process ends. */
const instances = new Map<string, GPU>();

/** What more than WebGPU's guaranteed limits training needs: as much as the adapter has. */
const limits = [
  ...["maxBufferSize", "maxStorageBufferBindingSize", "maxStorageBuffersPerShaderStage"],
  ...["maxComputeWorkgroupStorageSize", "maxComputeInvocationsPerWorkgroup", "maxComputeWorkgroupSizeX"],
] as const;

/**
 * Opens the adapter that a `--device` names: "gpu", or "gpu:NAME" with a part of its name.
 *
 * @throws InputError where the word is another, or where there is no such adapter.
 */
export async function openDevice(word: string, options: Omit<GpuOptions, "name"> = {}): Promise<Gpu> {
  const [kind, ...rest] = word.split(":");
  const name = rest.join(":");
  if (kind !== "gpu" || (rest.length > 0 && name === "")) {
    throw new InputError("--device must be gpu or gpu:NAME", word, "try --device gpu, or leave it out for the CPU");
  }
  return openGpu({ ...options, ...(name === "" ? {} : { name }) });
}

/** Opens a GPU with the largest buffers that it allows. */
export async function openGpu(options: GpuOptions = {}): Promise<Gpu> {
  const adapter = await findAdapter(options);
  const wanted = limits.map((limit) => [limit, adapter.limits[limit]] as const);
  const lacks = lackingOf(adapter);
  const timestamps = adapter.features.has("timestamp-query") ? ["timestamp-query"] : [];
  const device = await adapter.requestDevice({
    requiredLimits: Object.fromEntries(wanted),
    requiredFeatures: [...timestamps, ...(lacks.length === 0 ? matrixFeatures : [])] as GPUFeatureName[],
  });
  return { device, name: nameOf(adapter.info), limits: device.limits, lacks };
}

/** Halves, subgroups, and products of matrices that a subgroup holds together: no released browser has the last. */
const matrixFeatures = ["shader-f16", "subgroups", "chromium-experimental-subgroup-matrix"];

interface MatrixInfo {
  readonly subgroupMinSize?: number;
  readonly subgroupMaxSize?: number;
  readonly subgroupMatrixConfigs?: readonly Readonly<Record<string, unknown>>[];
}

/** What of `precision: mixed` an adapter lacks: features, subgroups of 32, or products of 16 x 16 halves with float32 sums. */
function lackingOf({ features, info }: GPUAdapter): string[] {
  const lacks = matrixFeatures.filter((feature) => !(features as ReadonlySet<string>).has(feature));
  if (lacks.length > 0) return lacks;
  const { subgroupMinSize, subgroupMaxSize, subgroupMatrixConfigs = [] } = info as MatrixInfo;
  if (subgroupMinSize !== 32 || subgroupMaxSize !== 32) lacks.push("subgroups of 32");
  const product = { componentType: "f16", resultComponentType: "f32", M: 16, N: 16, K: 16 };
  const has = subgroupMatrixConfigs.some((config) =>
    Object.entries(product).every(([key, value]) => config[key] === value),
  );
  return has ? lacks : [...lacks, "16 x 16 x 16 products of f16 with f32 sums"];
}

/** Refuses `precision: mixed` where the adapter cannot do it. */
export function requireMatrices({ name, lacks }: Gpu): void {
  if (lacks.length === 0) return;
  throw new InputError(`precision mixed needs ${lacks.join(", ")}`, name, "use precision: float32, or another adapter");
}

/** What the adapter that `openGpu` would take is called, or why there is none. */
export async function describeGpu(options: GpuOptions = {}) {
  try {
    const adapter = await findAdapter(options);
    const gibibytes = (adapter.limits.maxStorageBufferBindingSize / 2 ** 30).toFixed(1);
    const lacks = lackingOf(adapter);
    const mixed = lacks.length === 0 ? "float32 and mixed" : `float32 (mixed needs ${lacks.join(", ")})`;
    return { ok: true, detail: `${nameOf(adapter.info)}, buffers of up to ${gibibytes} GiB, ${mixed}` };
  } catch (error) {
    return { ok: false, detail: (error as Error).message };
  }
}

async function findAdapter({ name, checked = true }: GpuOptions): Promise<GPUAdapter> {
  const gpu = await findInstance(name, checked);
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  if (adapter !== null) return adapter;
  throw new InputError(
    "WebGPU needs an adapter: a GPU with a Vulkan, Metal or Direct3D 12 driver",
    name ?? "none",
    "on Linux install the Vulkan loader (Debian: libvulkan1) and the driver's Vulkan file, or train on the CPU",
  );
}

async function findInstance(name: string | undefined, checked: boolean): Promise<GPU> {
  if (typeof navigator !== "undefined" && navigator.gpu !== undefined) return navigator.gpu;
  // Halves are hidden on NVIDIA without the first, matrices everywhere without the second.
  const features = ["vulkan_enable_f16_on_nvidia", "allow_unsafe_apis"];
  if (!checked) features.push("disable_robustness", "skip_validation");
  const flags = [`enable-dawn-features=${features.join()}`, ...(name === undefined ? [] : [`adapter=${name}`])];
  const found = instances.get(flags.join());
  if (found !== undefined) return found;
  const { create } = await importDawn();
  // Exact timestamps: they are rounded otherwise, and kernels are shorter than the rounding.
  const instance = create([...flags, "disable-dawn-features=timestamp_quantization"]);
  instances.set(flags.join(), instance);
  return instance;
}

async function importDawn() {
  // Not written as a literal, so that bundlers for browsers leave it alone.
  const name = "webgpu";
  try {
    const dawn = (await import(/* @vite-ignore */ name)) as { create(flags: readonly string[]): GPU; globals: object };
    Object.assign(globalThis, dawn.globals);
    return dawn;
  } catch (error) {
    const rule = "a GPU in Node needs the optional package webgpu";
    throw new InputError(rule, (error as Error).message.split("\n")[0], "npm install webgpu, or train on the CPU");
  }
}

const nameOf = ({ description, vendor, architecture, device }: GPUAdapterInfo) =>
  [description || [vendor, architecture].filter(Boolean).join(" "), device]
    .filter((word, k, all) => word !== "" && all.indexOf(word) === k)
    .join(", ") || "an adapter without a name";
