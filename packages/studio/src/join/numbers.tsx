/** The numbers of a seat, as terms with their values: what the pictures show is here in words, too. */

import { showBytes } from "equitopo/internal/picture";
import { Facts } from "../part/facts.tsx";
import { showShare } from "../part/numbers.ts";
import { type Accuracy, countLinks, type Shown } from "./page-state.ts";
import { linksInWords, seatsInWords } from "./words.ts";

export const accuracyFact = (accuracy: Accuracy | undefined) =>
  accuracy &&
  ([
    "Accuracy",
    <>
      {showShare(accuracy.value)}
      <small>{accuracy.what}</small>
    </>,
    { id: "accuracy" },
  ] as const);

export function Numbers({ shown }: { readonly shown: Shown }) {
  const { here, size, open, wanted, standing, accuracy, points, runs } = shown;
  const { relay, rtc } = countLinks(open);
  const run = runs[standing?.run ?? 0];
  const links = (
    <>
      {open.size} of {wanted}
      <small>{linksInWords(open)}</small>
      {relay > 0 && (
        <small>What goes through the server is sealed: it cannot read it. Other pairs do without the server.</small>
      )}
    </>
  );
  const facts = [
    ["Here", `${here.length} of ${size}`, { id: "here" }],
    ["Connected", links, { id: "links", "data-open": open.size, "data-rtc": rtc, "data-relay": relay }],
  ] as const;
  if (standing === undefined || run === undefined) return <Facts facts={facts} />;
  const { updates, lag, partners, sentBytes, receivedBytes, missed } = standing;
  const round = (
    <>
      {updates} of {run.rounds}
      {runs.length > 1 && `, run ${standing.run + 1} of ${runs.length}`}
      {lag > 1 && <small>The others are {lag} rounds ahead.</small>}
    </>
  );
  return (
    <Facts
      facts={[
        ...facts,
        ["Round", round, { id: "round" }],
        ["Partners now", seatsInWords(partners), { id: "partners" }],
        points.length > 0 && [run.measure, points[points.length - 1][1].toPrecision(4), { id: "loss" }],
        accuracyFact(accuracy),
        ["Sent, received", `${showBytes(sentBytes)}, ${showBytes(receivedBytes)}`, { id: "bytes" }],
        ["Missed", `${missed} ${missed === 1 ? "exchange" : "exchanges"}`, { id: "missed", "data-missed": missed }],
      ]}
    />
  );
}
