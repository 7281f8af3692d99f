/** The width that an element has on the page, in whole pixels: 0 until it is there. */

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

export function useWidth(place: RefObject<Element | null>): number {
  const width = useSignal(0);
  useEffect(() => {
    const watch = new ResizeObserver(([{ contentRect }]) => {
      width.value = Math.round(contentRect.width);
    });
    if (place.current !== null) watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  return width.value;
}
