/** A window over the page until it is closed: the browser's own dialog, which keeps the focus and closes on Escape. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

type DialogProps = { title: string; children: ComponentChildren; onClose(): void };

export function Dialog({ title, children, onClose }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => place.current?.showModal(), []);
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
