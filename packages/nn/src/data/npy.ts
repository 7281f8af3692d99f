/** Data sets from NumPy arrays (equitopo/input reads the arrays). */

import { InputError, type NamedBytes, parseNpy } from "equitopo/internal/input";
import { checkedDataset, type Dataset } from "./dataset.ts";

/** A data set from an array of images (count x height x width [x channels], or count x features) and one of labels. */
export function parseNpyDataset(images: NamedBytes, labels: NamedBytes): Dataset {
  const x = parseNpy(images);
  const y = parseNpy(labels);
  const [count, ...rest] = x.shape;
  if (rest.length < 1 || rest.length > 3) {
    throw new InputError(
      `${images.name}: the shape is count x features, count x height x width or count x height x width x channels`,
      x.shape.join(" x "),
      "reshape it",
    );
  }
  if (y.shape.length !== 1 || y.shape[0] !== count) {
    const rule = `${labels.name}: ${images.name} holds ${count} examples, so it must hold ${count} labels`;
    throw new InputError(rule, y.shape.join(" x "), "save the labels that belong to the images");
  }
  const shape =
    rest.length === 1
      ? { height: 1, width: 1, channels: rest[0] }
      : { height: rest[0], width: rest[1], channels: rest[2] ?? 1 };
  for (let k = 0; k < count; k++) {
    if (Number.isInteger(y.values[k]) && y.values[k] >= 0) continue;
    throw new InputError(`${labels.name}: labels are integers from 0 on`, y.values[k], `look at number ${k}`);
  }
  const answers = Int32Array.from(y.values);
  const classes = answers.reduce((a, b) => Math.max(a, b), 0) + 1;
  const values = x.values instanceof Uint8Array ? x.values : Float32Array.from(x.values);
  return checkedDataset({ name: images.name, shape, classes, count, images: values, labels: answers });
}
