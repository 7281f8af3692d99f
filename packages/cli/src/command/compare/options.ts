/** The options of `equitopo compare`, but for those of topologies. */

import { InputError, option } from "equitopo";
import { figureFlags } from "../../figure/files.ts";
import { formatFlag } from "../../terminal/answer.ts";
import { betweenOption } from "../../terminal/arguments.ts";
import { type Given, on, parsed, preset, repeated, seedsFlag, topologyNames, whole } from "../../terminal/flags.ts";

export const flags = {
  ...figureFlags("error against rounds, one run of each topology"),
  topologies: topologyNames("only these (default: the paper's, its baselines, and some rivals)"),
  all: on("every registered topology"),
  degree: whole("<K>", "only what has at most K peers a round, with options for that", 1, 2),
  faults: parsed("<LIST>", "and over a network that fails: loss=0.05,absent=0.2,stale=0.1", () => parseFaults),
  file: repeated("<FILE>", "your own graph as well: csv, npy, json or GraphML, as for `equitopo rate`"),
  seeds: seedsFlag("draw graphs and starts with each of these seeds: means, and whether they can be distinguished"),
  tolerance: preset(
    1e-6,
    parsed("<T>", "shrink disagreement by this factor", () => toleranceOption),
  ),
  dim: preset(1000, whole("<D>", "numbers in a vector", 1, 1000)),
  float32: on("numbers of 4 bytes, not 8"),
  maxRounds: whole("<R>", "measure up to R rounds (default: a few seconds)", 1, 1e6),
  ...formatFlag,
};

export interface ComparisonOptions extends Given<typeof flags> {
  readonly seed?: number;
}

/** The shares of messages dropped, nodes absent, messages one round old. */
export interface NetworkFaults {
  readonly loss?: number;
  readonly absent?: number;
  readonly stale?: number;
}

/** Numbers of 8 bytes agree to some 1e-15 of where they started, and runs would never show less. */
const LEAST_TOLERANCE = 1e-13;

function toleranceOption(text: string): number {
  const tolerance = betweenOption("tolerance", 0, 1, 1e-6)(text);
  if (tolerance >= LEAST_TOLERANCE) return tolerance;
  const rule = `tolerance must be at least ${LEAST_TOLERANCE}, since rounding of 8-byte numbers hides what is smaller`;
  throw new InputError(rule, tolerance, "try --tolerance 1e-12");
}

const faultNames = ["loss", "absent", "stale"] as const;

/** loss=0.05,absent=0.2 */
function parseFaults(text: string): NetworkFaults {
  const faults: Record<string, number> = {};
  for (const word of text.split(",")) {
    const [name, value] = word.split("=").map((part) => part.trim());
    const share = value === undefined ? undefined : option.parseNumber(value);
    const known = faultNames.some((one) => one === name);
    if (!known || share === undefined || !(share >= 0 && share < 1) || name in faults) {
      const rule = `faults must be a list of ${faultNames.join(", ")}, each with a share in [0, 1)`;
      throw new InputError(rule, word, "try --faults loss=0.05,absent=0.2");
    }
    faults[name] = share;
  }
  return faults;
}
