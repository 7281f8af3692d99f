/** A window over the page until it is closed: the browser's own dialog, which keeps the focus and closes on Escape. */

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

type DialogProps = { title: string; children: ComponentChildren; onClose(): void };

export function Dialog({ title, children, onClose }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before anything is painted: an Escape right after the key that opened it closes it.
  useLayoutEffect(() => place.current?.showModal(), []);
  return (
    <dialog ref={place} aria-labelledby={id} onClose={onClose}>
      <header class="row">
        <h2 id={id}>{title}</h2>
        <button type="button" aria-label="Close" onClick={() => place.current?.close()}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}
