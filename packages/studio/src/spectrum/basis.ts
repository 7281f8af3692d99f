/** Editing a basis by hand: indices typed, dragged, added and left out; always at least one, each in [1, n). */

/** The indices of a text: numbers with anything between them, -u meaning n - u. */
export function parseBasis(text: string, n: number): number[] | undefined {
  const words = text.match(/-?\d+/g) ?? [];
  const indices = words.map(Number).map((u) => (u < 0 ? u + n : u));
  return indices.length > 0 && indices.every((u) => u >= 1 && u < n) ? indices : undefined;
}

/** One more: the smallest index that is not there yet. */
export function withOneMore(basis: readonly number[], n: number): number[] {
  for (let u = 1; u < n; u++) if (!basis.includes(u)) return [...basis, u];
  return [...basis];
}

/** The basis that fits another n: indices that are too large are brought in from the other side. */
export function fitted(basis: readonly number[], n: number): number[] {
  return basis.map((u) => (u < n ? u : 1 + (u % (n - 1))));
}
