/** What the view of spectra remembers beside n and the seed, which it shares. */

import { option } from "equitopo";
import { type Field, of, word } from "../field.ts";
import { type Chosen, topologyField } from "../topology-field.ts";

const graph: Field<Chosen> = { ...topologyField, initial: { name: "d-equistatic" } };

export const spectrumFields = {
  /** The topology whose eigenvalues are shown. */
  graph,
  /** Of what: the matrix that tells most of it, or of one round. */
  matrix: word("telling", "round"),
  matrixRound: of(option.whole(0, 0, 5000)),
};
