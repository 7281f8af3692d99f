/**
 * Nodes into K groups whose data together look like everybody's, for D-Cliques. The distance of a group is
 *
 *   sum over labels of |share of the label in the group - its share in all data|.
 *
 * Nodes are sorted by their commonest label and dealt out in turn; then pairs of nodes of two groups change
 * places wherever that lowers the sum of the two groups' distances, until no pair does (Greedy Swap of the
 * D-Cliques paper, with groups in turn in place of random ones: nothing is drawn). O(passes n size labels).
 */

/** It ends when all pairs of groups have been looked at in vain, or here. */
const MOST_PASSES = 200;

/** order[place]: the node at each place; place mod K is its group. */
export function dealByLabel(K: number, counts: readonly (readonly number[])[]): Int32Array {
  const n = counts.length;
  const commonest = counts.map((row) => row.indexOf(Math.max(...row)));
  const order = Int32Array.from({ length: n }, (_, i) => i).sort((a, b) => commonest[a] - commonest[b] || a - b);
  const labels = counts[0].length;
  const total = new Float64Array(labels);
  const groups = Array.from({ length: K }, () => new Float64Array(labels));
  order.forEach((node, place) => {
    for (let l = 0; l < labels; l++) {
      total[l] += counts[node][l];
      groups[place % K][l] += counts[node][l];
    }
  });
  const all = total.reduce((sum, count) => sum + count, 0);
  /** The distance of a group that gives away `less` and gets `more`. */
  const distance = (group: Float64Array, less?: readonly number[], more?: readonly number[]) => {
    let size = 0;
    for (let l = 0; l < labels; l++) size += group[l] - (less?.[l] ?? 0) + (more?.[l] ?? 0);
    let sum = 0;
    for (let l = 0; l < labels; l++) {
      sum += Math.abs((group[l] - (less?.[l] ?? 0) + (more?.[l] ?? 0)) / size - total[l] / all);
    }
    return sum;
  };
  for (let pass = 0, idle = 0; idle < K - 1 && pass < MOST_PASSES; pass++) {
    idle++;
    for (let first = 0; first < K; first++) {
      // Another distance in every pass: K - 1 of them look at every pair of groups.
      const second = (first + 1 + (pass % (K - 1))) % K;
      for (let a = first; a < n; a += K) {
        for (let b = second; b < n; b += K) {
          const [gives, gets] = [counts[order[a]], counts[order[b]]];
          const before = distance(groups[first]) + distance(groups[second]);
          const after = distance(groups[first], gives, gets) + distance(groups[second], gets, gives);
          if (!(after < before - 1e-12)) continue;
          for (let l = 0; l < labels; l++) {
            groups[first][l] += gets[l] - gives[l];
            groups[second][l] += gives[l] - gets[l];
          }
          [order[a], order[b]] = [order[b], order[a]];
          idle = 0;
        }
      }
    }
  }
  return order;
}
