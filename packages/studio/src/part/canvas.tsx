/**
 * A canvas that draws a picture: sharp on every screen, drawn again when its size, the theme or the picture changes. It is
 * an image to a screen reader, with a label that says what is on it.
 */

import type { Paper, Pen } from "equitopo/picture";
import { useLayoutEffect, useRef } from "preact/hooks";
import { theme } from "../store.ts";
import { useWidth } from "./use-width.ts";

interface CanvasProps {
  /** Changes when the picture does. */
  readonly draw: (pen: Pen, paper: Paper) => void;
  /** What the picture says, in words. */
  readonly label: string;
  /** Width by height, as CSS has it: "1 / 1". */
  readonly ratio: string;
  readonly id?: string;
  /** Where it was clicked, and how large it is there. */
  onPoint?(x: number, y: number, paper: Paper): void;
}

export function Canvas({ draw, label, ratio, id, onPoint }: CanvasProps) {
  const place = useRef<HTMLCanvasElement>(null);
  const shade = theme();
  const width = useWidth(place);
  // At once: what plays changes with every frame, and a picture put off to the next would be given up for its successor.
  useLayoutEffect(() => {
    if (place.current !== null) paint(place.current, draw, shade);
  }, [draw, shade, width]);

  return (
    <canvas
      ref={place}
      id={id}
      class="picture"
      role="img"
      aria-label={label}
      style={{ aspectRatio: ratio }}
      onPointerDown={
        onPoint === undefined
          ? undefined
          : ({ currentTarget, offsetX, offsetY }) => {
              const { clientWidth: width, clientHeight: height } = currentTarget;
              onPoint(offsetX, offsetY, { width, height, theme: shade });
            }
      }
    />
  );
}

function paint(canvas: HTMLCanvasElement, draw: CanvasProps["draw"], shade: "light" | "dark"): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return;
  // More than two pixels for one cost four times the time and are not seen.
  const scale = Math.min(2, devicePixelRatio);
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  draw(context as Pen, { width, height, theme: shade });
}
