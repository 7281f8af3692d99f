/** A classification problem before anybody computes: its settings, its network, its data, and who sees what when. */

import type { ProblemContext } from "equitopo";
import { InputError } from "equitopo/internal/input";
import type { Dataset } from "../data/dataset.ts";
import type { OpenData } from "../data/member.ts";
import { openData } from "../data/registry.ts";
import type { BatchSchedule } from "../data/schedule.ts";
import type { Images } from "../model/member.ts";
import type { Model } from "../model/model.ts";
import { createModel } from "../model/registry.ts";
import { named } from "../options.ts";
import { type Holdings, holdingsOf, scheduleOf } from "./holdings.ts";
import { decodeModel, encodeModel, type SavedModel } from "./model-file.ts";
import { type ClassificationOptions, type Settings, settingsOf } from "./settings.ts";

export interface PreparedClassification {
  readonly settings: Settings;
  readonly model: Model;
  readonly test: Dataset;
  readonly holdings: Holdings;
  readonly schedule: BatchSchedule;
  readonly start: Pick<SavedModel, "parameters" | "statistics">;
  /** The network with these numbers as a file, model.safetensors. */
  file(numbers: PreparedClassification["start"]): Uint8Array;
}

/** A problem's network in a file; `spread` where every node has files of its own, and no spec says what the data was. */
export function trainedFile(
  { model: spec, normalisation, data: source, seed, images }: Settings,
  model: Model,
  { shape, classes }: Images,
  numbers: PreparedClassification["start"],
  spread = false,
): Uint8Array {
  const data = spread ? {} : { data: JSON.stringify({ source, seed, images }) };
  const more = { dataset: named("data", source).name, ...data };
  return encodeModel(model, { spec, shape, classes, normalisation, ...numbers }, more);
}

/**
 * What an engine needs to train by these options: the one here (classification), or one of your own.
 *
 * @example
 * ```ts
 * import { prepareClassification } from "@equitopo/nn";
 * const { model, schedule } = prepareClassification({ n: 4, data: "synthetic", images: 200, batch: 10 });
 * model.parameterCount // => 101770
 * schedule.stepsPerEpoch // => 5
 * ```
 */
export function prepareClassification(
  given: ClassificationOptions,
  context: ProblemContext = {},
): PreparedClassification {
  const settings = settingsOf(given);
  const { first = 0, count = settings.n } = context;
  const data = openProblemData(settings, context);
  const test = data.test();
  const holdings = holdingsOf(settings, data, first, count);
  const model = createModel(settings.model, test);
  const start = startOf(settings, model, context);
  return {
    ...{ settings, model, test, holdings, schedule: scheduleOf(settings, holdings), start },
    file: (numbers) => trainedFile(settings, model, test, numbers),
  };
}

export function openProblemData(settings: Settings, { files }: ProblemContext): OpenData {
  const { data, seed, images, tests } = settings;
  return openData(data, {
    ...{ seed, ...(files === undefined ? {} : { files }) },
    ...{ ...(images === undefined ? {} : { images }), ...(tests === undefined ? {} : { tests }) },
  });
}

/** Where all nodes start: the model's own beginning, or a saved model. */
export function startOf({ start, seed }: Pick<Settings, "start" | "seed">, model: Model, { files }: ProblemContext) {
  if (start === undefined) {
    return { parameters: model.initialParameters(seed), statistics: model.initialStatistics() };
  }
  if (files === undefined || !files.has(start)) {
    throw new InputError("the model to start from must be there", start, "check its name, and --data DIR");
  }
  const { saved } = decodeModel(files.read(start), start);
  if (saved.parameters.length === model.parameterCount && saved.statistics.length === model.statisticsCount) {
    return saved;
  }
  const rule = `the model to start from has this network's ${model.parameterCount} parameters`;
  throw new InputError(rule, saved.parameters.length, "choose the model that it was saved from");
}
