/** Data sets: formats, splits over nodes, schedules of minibatches. */

export { type Augmentation, type BatchFiller, type BatchOptions, batchFiller } from "./batch.ts";
export { parseCifar10 } from "./cifar10.ts";
export { type CsvOptions, parseCsv } from "./csv.ts";
export { checkedDataset, type Dataset, firstImages, type Normalisation, normalisations } from "./dataset.ts";
export { type IdxArray, parseIdx } from "./idx.ts";
export { type NamedBytes, parseMnist } from "./mnist.ts";
export { type NpyArray, parseNpy, parseNpyDataset } from "./npy.ts";
export { type BatchSchedule, dealtSchedule, shareSchedule } from "./schedule.ts";
export { labelCounts, type Shares, type Split, splitData } from "./split.ts";
export { type SyntheticOptions, syntheticImages } from "./synthetic.ts";
