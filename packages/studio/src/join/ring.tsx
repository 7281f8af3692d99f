/** The peers on a circle: who is here, how this seat is connected to whom, and its partners of the round. */

import type { Shown } from "./page-state.ts";
import { linksInWords, seatsInWords } from "./words.ts";

const [middle, radius] = [160, 132];

/** Seats that are drawn one by one; more would be a blur. */
const most = 400;

export function placeOf(rank: number, size: number): readonly [number, number] {
  const angle = (2 * Math.PI * rank) / size - Math.PI / 2;
  return [middle + radius * Math.cos(angle), middle + radius * Math.sin(angle)];
}

export function Ring({ shown }: { readonly shown: Shown }) {
  const { rank, size, here, open, standing, phase } = shown;
  const present = new Set(here.map((one) => one.rank));
  const browsers = new Set(here.flatMap((one) => (one.runtime === "browser" ? [one.rank] : [])));
  const partners = phase === "training" ? (standing?.partners ?? []) : [];
  const missing = new Set(phase === "training" ? (standing?.missing ?? []) : []);
  const label =
    `${size} seats on a circle, this is seat ${rank}. Here: ${present.size}. Connected: ${linksInWords(open)}.` +
    (partners.length === 0 ? "" : ` Partners of this round: ${seatsInWords(partners)}.`);
  if (size > most) return <p>{label}</p>;
  const dot = Math.max(2, Math.min(9, (2.2 * radius) / size + 2));
  const line = (to: number, kind: string) => {
    const [[x1, y1], [x2, y2]] = [placeOf(rank, size), placeOf(to, size)];
    return <line key={`${kind}-${to}`} class={kind} x1={x1} y1={y1} x2={x2} y2={y2} />;
  };
  return (
    <svg class="ring" viewBox="0 0 320 320" role="img" aria-label={label}>
      {[...open].map(([peer, kind]) => line(peer, `link ${kind}`))}
      {partners.map((peer) => line(peer, missing.has(peer) ? "partner missing" : "partner"))}
      {Array.from({ length: size }, (_, one) => {
        const [x, y] = placeOf(one, size);
        const state = one === rank ? "self" : !present.has(one) ? "free" : browsers.has(one) ? "browser" : "node";
        return (
          <g key={one} class={`seat ${state}`}>
            <circle cx={x} cy={y} r={one === rank ? dot + 2 : dot} />
            {size <= 40 && (
              <text x={middle + (x - middle) * 1.13} y={middle + (y - middle) * 1.13 + 4}>
                {one}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
