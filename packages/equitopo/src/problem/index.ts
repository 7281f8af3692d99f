/** Problems by name, on data that is given, and your own: the subpath `equitopo/problem`. */

export { type CustomProblemOptions, customProblem } from "./custom.ts";
export { type LeastSquares, type LeastSquaresOptions, leastSquares, leastSquaresFrom } from "./least-squares.ts";
export { type Logistic, type LogisticOptions, logistic, logisticFrom } from "./logistic.ts";
export * from "./problem.ts";
export { buildProblem, checkProblem, createProblem, type ProblemSpec, problems } from "./registry.ts";
export type { Share } from "./share.ts";
