/** The numbers of a seat, as terms with their values: what the pictures show is here in words, too. */

import { countLinks, type Shown } from "./shown.ts";
import { bytesInWords, linksInWords, seatsInWords } from "./words.ts";

export function Numbers({ shown }: { readonly shown: Shown }) {
  const { here, size, open, wanted, standing, accuracy, points, runs } = shown;
  const { relay, rtc } = countLinks(open);
  const run = runs[standing?.run ?? 0];
  return (
    <dl>
      <dt>Here</dt>
      <dd id="here">
        {here.length} of {size}
      </dd>
      <dt>Connected</dt>
      <dd id="links" data-open={open.size} data-rtc={rtc} data-relay={relay}>
        {open.size} of {wanted}
        <small>{linksInWords(open)}</small>
        {relay > 0 && (
          <small>What goes through the server is sealed: it cannot read it. Other pairs do without the server.</small>
        )}
      </dd>
      {standing !== undefined && run !== undefined && (
        <>
          <dt>Round</dt>
          <dd id="round">
            {standing.updates} of {run.rounds}
            {runs.length > 1 && `, run ${standing.run + 1} of ${runs.length}`}
            {standing.lag > 1 && <small>The others are {standing.lag} rounds ahead.</small>}
          </dd>
          <dt>Partners now</dt>
          <dd id="partners">{seatsInWords(standing.partners)}</dd>
          {points.length > 0 && (
            <>
              <dt>{run.measure}</dt>
              <dd id="loss">{points[points.length - 1][1].toPrecision(4)}</dd>
            </>
          )}
          {accuracy !== undefined && (
            <>
              <dt>Accuracy</dt>
              <dd id="accuracy">
                {(100 * accuracy.value).toFixed(1)} %<small>{accuracy.what}</small>
              </dd>
            </>
          )}
          <dt>Sent, received</dt>
          <dd id="bytes">
            {bytesInWords(standing.sentBytes)}, {bytesInWords(standing.receivedBytes)}
          </dd>
          <dt>Missed</dt>
          <dd id="missed" data-missed={standing.missed}>
            {standing.missed} {standing.missed === 1 ? "exchange" : "exchanges"}
          </dd>
        </>
      )}
    </dl>
  );
}
