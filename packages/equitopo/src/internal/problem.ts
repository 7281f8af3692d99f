/** What `equitopo/problem` exported before it was cut down to what programs need; outside semantic versioning. */

export * from "../problem/custom.ts";
export * from "../problem/index.ts";
export { type LeastSquares, type LeastSquaresOptions, leastSquares } from "../problem/least-squares.ts";
export { type Logistic, type LogisticOptions, logistic } from "../problem/logistic.ts";
export * from "../problem/problem.ts";
export { buildProblem, checkProblem, createProblem, type ProblemSpec, problems } from "../problem/registry.ts";
