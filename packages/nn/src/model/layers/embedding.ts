/** Every token becomes its row of a table: y = E[x]. Tokens are whole numbers in the one channel of a pixel. */

import { InputError, option } from "equitopo/internal/input";
import { pitchOf } from "../../kernel/kernels.ts";
import { type Activation, bare, defineLayer, type LayerParameter, type Pass, type Place } from "../layer.ts";

export const tableOptions = {
  vocabulary: option.required(option.whole(1, 1)),
  units: option.required(option.whole(1, 1)),
  deviation: option.about(option.positive(0.02), "of the numbers that the table begins with"),
};

export const embedding = defineLayer({
  name: "embedding",
  summary: "every token becomes its row of a table",
  options: tableOptions,
  packed: true,
  build(options, input) {
    const table = tableOf(options, input);
    return {
      ...{ ...bare, output: table.output, parameters: [table.parameter] },
      forward: (pass, { x, y, parameters }) => table.look(pass, x, parameters, y),
      backward(pass, { x, dy, gradient }) {
        new Uint8Array(pass.memory, gradient, table.bytes).fill(0);
        table.add(pass, x, dy, gradient);
      },
    };
  },
});

/** A table of rows of `units` numbers, and its two passes: rows looked up, and gradients of rows added up. */
export function tableOf(
  { vocabulary, units, deviation }: Readonly<Record<keyof typeof tableOptions, number>>,
  input: Activation,
) {
  if (input.channels !== 1) {
    throw new InputError("tokens are one channel", input.channels, "let the table be the first layer");
  }
  const positions = input.height * input.width;
  const pitch = pitchOf(units);
  const [from, to] = [4 * units, 4 * pitch];
  const tokensOf = ({ memory, images }: Pass, x: Place["x"]) =>
    new Float32Array(memory, x, images * positions * input.pitch);
  const parameter: LayerParameter = {
    ...{ name: "weight", shape: [vocabulary, units], fanIn: 1, start: "normal", deviation },
  };
  return {
    ...{ output: { ...input, channels: units, pitch }, parameter, bytes: from * vocabulary },
    look(pass: Pass, x: number, table: number, y: number): void {
      const tokens = tokensOf(pass, x);
      if (pitch !== units) new Float32Array(pass.memory, y, (tokens.length / input.pitch) * pitch).fill(0);
      for (let k = 0; k < tokens.length; k += input.pitch, y += to) {
        pass.call.copyRows(table + from * tokens[k], units, y, units, units, 1);
      }
    },
    add(pass: Pass, x: number, dy: number, gradient: number): void {
      const tokens = tokensOf(pass, x);
      for (let k = 0; k < tokens.length; k += input.pitch, dy += to) {
        const row = gradient + from * tokens[k];
        pass.call.addRows(row, dy, row, units, 0);
      }
    },
  };
}
