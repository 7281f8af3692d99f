/** Names and their values, in two columns. */

import type { ComponentChildren, JSX } from "preact";

/** A name, its value, and attributes for whoever reads the page by program. */
export type Fact = readonly [name: ComponentChildren, value: ComponentChildren, attributes?: object];

/** Facts that are false or undefined are left out. */
export function Facts({
  facts,
  ...list
}: { facts: readonly (Fact | false | undefined)[] } & JSX.IntrinsicElements["dl"]) {
  return (
    <dl class="facts" {...list}>
      {facts.map((fact, k) =>
        fact ? (
          <div key={k}>
            <dt>{fact[0]}</dt>
            <dd {...fact[2]}>{fact[1]}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
