/**
 * The files that a seat's data comes from: which are needed, and those that a person picked, read in this page (unpacked
 * where they are packed, pictures decoded and scaled to what the network takes). They leave this page only for its worker.
 */

import { classFolders, type DataSpec, encodeNpy, type NeededFiles, neededFiles } from "@equitopo/nn";
import { type Files, InputError, type RunSpec } from "equitopo";

/** A file under the name that the problem asks for it by. */
export interface Picked {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The files that a seat must be given for its runs, one entry for each data set: none where all draw their own data. */
export function filesNeeded(runs: readonly RunSpec[], rank: number): NeededFiles[] {
  const named = runs.flatMap(({ problem }) => {
    const { data } = problem as { readonly data?: DataSpec };
    return problem.name === "classification" && data !== undefined ? [JSON.stringify(data)] : [];
  });
  const needed = [...new Set(named)].map((text) => neededFiles(JSON.parse(text), rank));
  return needed.filter(({ kind }) => kind !== "none");
}

/** Picked files as a problem sees them: by the name it asks for, in whichever of the picked folders that is. */
export function pickedFiles(picked: readonly Picked[]): Files {
  const find = (name: string) =>
    picked.find((one) => one.name === name) ?? picked.find((one) => one.name.endsWith(`/${name}`));
  return {
    place: "the files that were picked",
    has: (name) => find(name) !== undefined,
    read: (name) => find(name)?.bytes ?? new Uint8Array(0),
  };
}

/** The path inside the folder that was picked, or the file's own name. */
const pathOf = (file: File) => file.webkitRelativePath || file.name;

/** One file, unpacked, under the name given or its own without .gz. */
export async function readPicked(file: File, name?: string): Promise<Picked> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const packed = head[0] === 0x1f && head[1] === 0x8b;
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  let bytes: ArrayBuffer;
  try {
    bytes = await new Response(stream).arrayBuffer();
  } catch {
    throw new InputError("the file must be readable and whole", pathOf(file), "pick it again, or fetch it again");
  }
  return { name: name ?? pathOf(file).replace(/\.gz$/, ""), bytes: new Uint8Array(bytes) };
}

/** Pictures in folders by class as the two .npy files that the spec asks for: examples and labels. O(pixels). */
export async function picturesAs(
  files: readonly File[],
  { files: wanted, pictures }: Extract<NeededFiles, { kind: "files" }>,
): Promise<Picked[]> {
  if (pictures === undefined) return [];
  const { shape, classes } = pictures;
  const [height, width, channels] = shape;
  const byPath = new Map(files.map((file) => [pathOf(file), file]));
  const found = classFolders([...byPath.keys()], classes);
  const size = height * width * channels;
  const values = new Uint8Array(found.length * size);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
  for (const [k, { path }] of found.entries()) {
    let image: ImageBitmap;
    try {
      image = await createImageBitmap(byPath.get(path) as File);
    } catch {
      throw new InputError("a picture must be one that this browser can show", path, "save it again as .png");
    }
    // White where it is transparent, as it is seen on paper.
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, width, height);
    context.drawImage(image, 0, 0, width, height);
    image.close();
    values.set(pixels(context.getImageData(0, 0, width, height).data, channels), k * size);
  }
  const named = (what: string) => wanted.find((file) => file.what === what)?.name as string;
  const labels = Int32Array.from(found, ({ label }) => label);
  return [
    { name: named("examples"), bytes: encodeNpy({ shape: [found.length, ...shape], values }) },
    { name: named("labels"), bytes: encodeNpy({ shape: [found.length], values: labels }) },
  ];
}

/** Red, green and blue as they are, or their brightness where there is one channel (ITU-R BT.601). */
export function pixels(rgba: Uint8ClampedArray, channels: number): Uint8Array {
  const out = new Uint8Array((rgba.length / 4) * channels);
  for (let from = 0, to = 0; from < rgba.length; from += 4) {
    if (channels === 1) out[to++] = Math.round(0.299 * rgba[from] + 0.587 * rgba[from + 1] + 0.114 * rgba[from + 2]);
    else for (let c = 0; c < channels; c++) out[to++] = rgba[from + c];
  }
  return out;
}
