/** Written by `npm run designs --workspace equitopo`; see table.ts. */

export const tableText: Readonly<Record<number, string>> = {};
