/** A link that is not open yet, as a promise: settled by the opening, by the end, or by our own clock. */

import type { Link } from "./link.ts";
import { LinkRefused } from "./refused.ts";

/** Milliseconds that a link has to open: WebRTC itself gives up after 15 s, or never. */
export const openTimeout = 5000;

export function whenOpen(
  link: Link,
  source: { onopen: ((event: never) => void) | null },
  timeout: number,
): Promise<Link> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      clearTimeout(timer);
      link.listen(undefined);
      link.close();
      reject(new LinkRefused("unconnected"));
    };
    const timer = setTimeout(fail, timeout);
    link.listen({ message: () => {}, drained: () => {}, closed: fail });
    source.onopen = () => {
      clearTimeout(timer);
      link.listen(undefined);
      resolve(link);
    };
  });
}
