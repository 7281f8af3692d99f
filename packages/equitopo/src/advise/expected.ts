/**
 * The expected error of forecasts for each gradient method: the share of rows whose iterations are within a fifth of what a
 * simulation takes, over 506 random requests. Found by `equitopo reproduce adviser`, which checks that they still hold.
 */
export const expectedErrors: Readonly<Record<string, number>> = {
  dsgd: 0.9,
  "push-sum": 0.9,
  epidemic: 0.9,
  "dsgd-ceca": 0.9,
  dsgt: 0.9,
  diging: 0.9,
  "atc-gt": 0.9,
  d2: 0.9,
  "exact-diffusion": 0.9,
  nids: 0.9,
  extra: 0.9,
};
