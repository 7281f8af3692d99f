/** Problems by name, on data that is given, and your own: the subpath `equitopo/problem`. */

export { leastSquaresFrom } from "./least-squares.ts";
export { logisticFrom } from "./logistic.ts";
export type { Share } from "./share.ts";
