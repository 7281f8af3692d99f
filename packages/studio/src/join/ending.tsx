/** What came of it: files to take away, and the hash by which this seat's row is compared with others. */

import { useEffect, useMemo } from "preact/hooks";
import { Facts } from "../part/facts.tsx";
import { accuracyFact } from "./numbers.tsx";
import type { Accuracy } from "./page-state.ts";
import type { Result } from "./training.ts";

export function Ending({ result, accuracy }: { result: Result; accuracy: Accuracy | undefined }) {
  const { files, rowHashes, done, skipped, rejoined } = result;
  const links = useMemo(
    () => Object.entries(files).map(([name, bytes]) => ({ name, href: URL.createObjectURL(new Blob([bytes])) })),
    [files],
  );
  useEffect(() => () => links.forEach(({ href }) => void URL.revokeObjectURL(href)), [links]);
  const skippedInWords = skipped > 0 ? `, ${skipped} skipped to keep up with the others` : "";
  const back = rejoined === undefined ? "" : `, back since round ${rejoined}`;
  const hashes = (
    <>
      {rowHashes.map((hash, run) => (
        <code key={`${run} ${hash}`} class="row-hash">
          {hash}
        </code>
      ))}
      <small>SHA-256 of this seat's model; the simulator's where no exchange was missed.</small>
    </>
  );
  const rounds = `${done} done${skippedInWords}${back}`;
  return (
    <section class="panel" id="result">
      <h2>What came of it</h2>
      <Facts facts={[["Rounds", rounds], accuracyFact(accuracy), ["Row hash", hashes]]} />
      {links.map(({ name, href }) => (
        <a key={name} class="button main" href={href} download={name}>
          Download {name}
        </a>
      ))}
    </section>
  );
}
