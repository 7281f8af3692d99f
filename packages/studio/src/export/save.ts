/** A file made on the page and kept by the browser's own download. */

import { type Pen, type Picture, svgOf } from "equitopo/picture";
import type { Figure } from "../page.ts";

function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has begun by then; without it the bytes stay for as long as the page.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveText(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }));
}

export function saveSvg(picture: Picture | Figure, theme: "light" | "dark"): void {
  saveText(`${picture.name}.svg`, "svg" in picture ? picture.svg(theme) : svgOf(picture, theme), "image/svg+xml");
}

/** Two pixels for one, so that it is sharp in print. */
export async function savePng(picture: Picture | Figure, theme: "light" | "dark"): Promise<void> {
  const [width, height] = picture.size;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 2 * width, height: 2 * height });
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(2, 2);
  if ("svg" in picture) {
    const image = new Image(width, height);
    image.src = `data:image/svg+xml,${encodeURIComponent(picture.svg(theme))}`;
    await image.decode();
    context.drawImage(image, 0, 0, width, height);
  } else picture.draw(context as Pen, { width, height, theme });
  canvas.toBlob((blob) => blob !== null && saveBlob(`${picture.name}.png`, blob), "image/png");
}
