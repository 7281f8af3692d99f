/** Who holds what: a row a node, a column a class, a disc as large as the number of images. */

import { heading, pixel, standalone, text, themes } from "equitopo/internal/picture";

const CELL = 34;
const [LEFT, RIGHT] = [60, 90];

/** `counts` has a row for every node: its images of each class. */
export function sharesPicture(title: string, counts: readonly (readonly number[])[]): string {
  const theme = themes.light;
  const classes = counts[0].length;
  const width = LEFT + CELL * classes + RIGHT;
  const head = heading(title, "images of each class, node by node; discs by area", width, theme);
  const top = head.height + 26;
  const most = Math.max(...counts.flat(), 1);
  const parts = counts[0].map((_, c) => text(String(c), x(c), top - 6, 11, theme.quiet, "", "middle"));
  counts.forEach((row, node) => {
    const y = top + CELL * (node + 0.5);
    parts.push(text(`node ${node}`, LEFT - 8, y + 4, 11, theme.ink, "", "end"));
    row.forEach((count, c) => {
      if (count === 0) return;
      const radius = Math.max(0.8, (CELL / 2 - 1) * Math.sqrt(count / most));
      const words = `node ${node} holds ${count} images of class ${c}`;
      parts.push(
        `<circle cx="${pixel(x(c))}" cy="${pixel(y)}" r="${pixel(radius)}" fill="#0072b2" fill-opacity="0.8"><title>${words}</title></circle>`,
      );
    });
    const sum = row.reduce((total, count) => total + count, 0);
    parts.push(text(sum.toLocaleString("en-GB"), LEFT + CELL * classes + 8, y + 4, 11, theme.quiet));
  });
  return standalone(title, width, top + CELL * counts.length + 14, "light", head.svg + parts.join(""));
}

const x = (c: number) => LEFT + CELL * (c + 0.5);
