/** What came of it: files to take away, and the hash by which this seat's row is compared with others. */

import { useEffect, useMemo } from "preact/hooks";
import type { Accuracy, Result } from "./shown.ts";

interface EndingProps {
  readonly result: Result;
  readonly accuracy: Accuracy | undefined;
}

export function Ending({ result, accuracy }: EndingProps) {
  const { files, rowHashes, done, skipped, rejoined } = result;
  const links = useMemo(
    () => Object.entries(files).map(([name, bytes]) => ({ name, href: URL.createObjectURL(new Blob([bytes])) })),
    [files],
  );
  useEffect(
    () => () => {
      for (const { href } of links) URL.revokeObjectURL(href);
    },
    [links],
  );
  return (
    <section class="panel" id="result">
      <h2>What came of it</h2>
      <dl>
        <dt>Rounds</dt>
        <dd>
          {done} done{skipped > 0 && `, ${skipped} skipped to keep up with the others`}
          {rejoined !== undefined && `, back since round ${rejoined}`}
        </dd>
        {accuracy !== undefined && (
          <>
            <dt>Accuracy</dt>
            <dd>
              {(100 * accuracy.value).toFixed(1)} %<small>{accuracy.what}</small>
            </dd>
          </>
        )}
        <dt>Row hash</dt>
        <dd>
          {rowHashes.map((hash, run) => (
            <code key={`${run} ${hash}`} class="row-hash">
              {hash}
            </code>
          ))}
          <small>SHA-256 of this seat's model; the simulator's where no exchange was missed.</small>
        </dd>
      </dl>
      {links.map(({ name, href }) => (
        <a key={name} class="button primary" href={href} download={name}>
          Download {name}
        </a>
      ))}
    </section>
  );
}
