/** The laws of transports (equitopo/testing), as tests of this runner. */

import { describe, it } from "vitest";
import { type Open, transportLaws } from "../../src/testing/transport.ts";

export type { Open, Opened } from "../../src/testing/transport.ts";

export function conformance(name: string, open: Open): void {
  describe(`${name}: conformance`, () => {
    for (const law of transportLaws(open)) it(law.name, () => law.run());
  });
}
