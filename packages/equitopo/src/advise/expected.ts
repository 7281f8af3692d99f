/**
 * The expected error of forecasts for each gradient method: the share of rows whose iterations are within a fifth of what a
 * simulation takes, over 506 random requests. Found by `equitopo reproduce adviser`, which checks that they still hold.
 */
export const expectedErrors: Readonly<Record<string, number>> = {
  dsgd: 0.808,
  "push-sum": 0.756,
  epidemic: 0.839,
  "dsgd-ceca": 0.905,
  dsgt: 0.961,
  diging: 0.988,
  "atc-gt": 0.972,
  d2: 0.967,
  "exact-diffusion": 0.971,
  nids: 0.99,
  extra: 0.99,
};
