/** `equitopo predict`: what a trained network says of images, and how often it is right where labels are given. */

import * as nn from "@equitopo/nn";
import { folderFiles } from "@equitopo/node";
import { defined, InputError, tableLines } from "equitopo/internal/input";
import { readNamed } from "../input/file.ts";
import { contextOf, dataVariable, watched } from "../run/context.ts";
import { csv } from "../terminal/csv-text.ts";
import { type CommonOptions, choice, type Given, word } from "../terminal/flags.ts";
import { note, print, printJson, requireWritable, writeAtomically } from "../terminal/output.ts";

export const flags = {
  data: word("<DIR|FILE>", `the data set's folder (or ${dataVariable}), or a .csv or .npy file of your own`),
  labels: word("<FILE>", "the labels of a .npy file, where they are known"),
  set: choice("<SET>", "of a folder: test (default) or train", ["test", "train"]),
  out: word("<FILE>", "write the classes as CSV: image, predicted, label where there is one"),
};

interface Options extends CommonOptions, Given<typeof flags> {}

export const words = { "<model>": "a model.safetensors that `equitopo train` wrote" };

export const help = `
The network, the shape of its images and their normalisation stand in the file. A .csv file has as many columns as an
image has numbers, or one more, the last, for the label.

Examples:
  equitopo predict runs/od/model.safetensors --data DIR
  equitopo predict runs/od/model.safetensors --data mine.csv --out predictions.csv
  equitopo predict runs/od/model.safetensors --data images.npy --labels labels.npy --json
`;

export async function act(file: string, options: Options): Promise<void> {
  if (options.out !== undefined) requireWritable(options.out);
  const { model, saved, metadata } = nn.decodeModel(readNamed(file, "the model must be a file that can be read"), file);
  const { data, labelled } = imagesOf(saved, metadata, options);
  const answers = nn.predictClasses(model, saved, data);
  const right = answers.reduce((sum, answer, k) => sum + (answer === data.labels[k] ? 1 : 0), 0);
  if (options.out !== undefined) {
    const label = (image: number) => (labelled ? { label: data.labels[image] } : {});
    const rows = Array.from(answers, (predicted, image) => ({ image, predicted, ...label(image) }));
    await writeAtomically(options.out, [csv(rows)]);
  }
  const counts = new Array<number>(saved.classes).fill(0);
  for (const answer of answers) counts[answer]++;
  if (options.json) {
    const accuracy = labelled ? right / data.count : undefined;
    const list = options.out === undefined ? { predictions: [...answers] } : { out: options.out };
    await printJson({ model: model.name, images: data.count, accuracy, counts, ...list });
    return;
  }
  const score = labelled ? `, ${((100 * right) / data.count).toFixed(2)}% right` : "";
  await print([`${data.count} images${score}\n`, ...counts.map((count, c) => `  class ${c}: ${count}\n`)]);
  if (options.out !== undefined) note(`predictions written to ${options.out}`, options);
}

interface Images {
  readonly data: nn.Dataset;
  readonly labelled: boolean;
}

/** The images to look at, and whether their labels are known. */
function imagesOf(
  saved: nn.SavedModel,
  metadata: Readonly<Record<string, string>>,
  { data: place, labels, set }: Options,
): Images {
  const ending = /\.(csv|npy)(\.gz)?$/.exec(place ?? "")?.[1];
  if (labels !== undefined && ending !== "npy") {
    throw new InputError("--labels belongs to a .npy file", place, "leave it out: other data has its labels within");
  }
  if (place !== undefined && ending !== undefined) {
    if (set !== undefined) throw new InputError("--set belongs to a folder", place, "leave out --set");
    return ending === "csv" ? table(place, saved) : array(place, labels, saved);
  }
  const { source, seed, images } = JSON.parse(metadata["data"] ?? "{}") as {
    readonly source: nn.DataSpec;
    readonly seed: number;
    readonly images?: number;
  };
  const { context, sums } = watched(contextOf({ data: place }));
  const opened = nn.openData(source, { seed, ...defined({ files: context.files, images }) });
  const data = set === "train" ? opened.train() : opened.test();
  if (place !== undefined && Object.keys(sums).length === 0) {
    const rule = "--data must be files that the model's own data set reads, or a .csv or .npy file";
    throw new InputError(rule, place, "leave it out");
  }
  return { data, labelled: true };
}

function table(file: string, { shape }: nn.SavedModel): Images {
  const text = Buffer.from(folderFiles(undefined).read(file)).toString();
  const columns = tableLines(text)[0]?.cells.length ?? 0;
  const labelled = columns > shape.height * shape.width * shape.channels;
  const data = nn.parseCsv(text, file, labelled ? {} : { label: null });
  if (data.words === undefined) return { data, labelled };
  const rule = `${file}: labels are numbers of classes, which is all that a model knows of them`;
  throw new InputError(rule, data.words[0], "number them as training did: its words in alphabetical order, from 0 on");
}

function array(file: string, labels: string | undefined, saved: nn.SavedModel): Images {
  const files = folderFiles(undefined);
  const images = { name: file, bytes: files.read(file) };
  if (labels !== undefined) {
    return { data: nn.parseNpyDataset(images, { name: labels, bytes: files.read(labels) }), labelled: true };
  }
  const { values, shape } = nn.parseNpy(images);
  const numbers = values instanceof Uint8Array ? values : Float32Array.from(values);
  const [count, ...sizes] = shape;
  // How the numbers of an image lie is the model's affair; how many there are is checked against it.
  const row = { height: 1, width: 1, channels: sizes.reduce((a, b) => a * b, 1) };
  const data = { name: file, shape: row, classes: saved.classes, count, images: numbers };
  return { data: { ...data, labels: new Int32Array(count) }, labelled: false };
}
