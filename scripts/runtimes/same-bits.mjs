/**
 * A few runs of every kind, and the hashes of their final rows: equal on every engine, in every browser. Copied into a
 * project and bundled into a page, so it imports packages and nothing else.
 */

import { classificationFamily } from "@equitopo/nn";
import { createTopology, expandSpec, gossip, problems, runSpecAsync, stateHash } from "equitopo";

/** The exact rate and the hashes, by what was run. */
export async function answer() {
  if (!problems.has("classification")) problems.add(classificationFamily);
  const learned = async (algorithm, problem, more) => {
    const topologies = [{ name: "od-equidyn", n: 17, seed: 3 }];
    const [run] = expandSpec({ topologies, algorithms: [algorithm], problem, seeds: [7], ...more });
    return (await runSpecAsync(run)).stateHash;
  };
  return {
    rate: createTopology({ name: "d-equistatic", n: 1000, m: 9 }).rate().rate,
    "gossip on grids": stateHash(gossip(createTopology({ name: "grid", n: 100 }), { d: 5, rounds: 50, drop: 0.1 }).x),
    "gradient tracking": await learned(
      { name: "dsgt", learningRate: 0.01 },
      { name: "least-squares" },
      { rounds: 100 },
    ),
    "logistic regression": await learned({ name: "dsgd", learningRate: 0.1 }, { name: "logistic" }, { rounds: 50 }),
    "a network": await learned(
      { name: "dmsgd", learningRate: 0.05 },
      { name: "classification", data: "synthetic", images: 340, tests: 50, batch: 10, model: "softmax-regression" },
      { rounds: 20, type: "float32" },
    ),
  };
}
