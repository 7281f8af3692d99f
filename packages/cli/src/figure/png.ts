/**
 * SVG to PNG by resvg (its binaries come inside the package, no browser). System fonts are left alone: text is set in
 * Arimo from an npm package, so that the picture is the same on a machine with no fonts at all. Loaded on first use.
 */

import { InputError } from "equitopo";
import { fontFile } from "./font.ts";

/** The PNG's bytes, `scale` pixels to one of the SVG. */
export async function svgToPng(svg: string, { scale = 2 }: { scale?: number } = {}): Promise<Uint8Array> {
  if (!(scale > 0 && scale <= 16)) throw new InputError("scale must lie in (0, 16]", scale, "try scale = 2");
  const { renderAsync } = await import("@resvg/resvg-js");
  const image = await renderAsync(svg, {
    fitTo: { mode: "zoom", value: scale },
    font: {
      loadSystemFonts: false,
      fontFiles: [fontFile("normal"), fontFile("bold")],
      defaultFontFamily: "Arimo",
      sansSerifFamily: "Arimo",
    },
  });
  return image.asPng();
}
