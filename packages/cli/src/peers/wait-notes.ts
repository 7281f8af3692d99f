/** Notes on the peer that a peer waits for at the start: the first after 3 s, the next 6 s, 12 s, ... up to a minute apart. */

const [first, longest] = [3000, 60_000];

/** To be called about once a second with the peer that is waited for. */
export function waitNotes(
  { rank, nameOf, limit }: { rank: number; nameOf: (peer: number) => string; limit: number },
  say: (text: string) => void,
  now: () => number = () => performance.now(),
): (peer: number) => void {
  const begun = now();
  let gap = first;
  let next = begun + first;
  return (peer) => {
    const time = now();
    if (time < next) return;
    gap = Math.min(2 * gap, longest);
    next = time + gap;
    const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;
    say(`peer ${rank} waits for ${nameOf(peer)}: ${seconds(time - begun)} so far, ${seconds(limit)} at most`);
  };
}
