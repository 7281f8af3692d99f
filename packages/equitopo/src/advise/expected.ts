/**
 * The expected error of forecasts for each gradient method: the share of rows whose iterations are within a fifth of what a
 * simulation takes, over 506 random requests. Found by `equitopo reproduce adviser`, which checks that they still hold.
 */
export const expectedErrors: Readonly<Record<string, number>> = {
  dsgd: 0.799,
  "push-sum": 0.787,
  epidemic: 0.82,
  "dsgd-ceca": 0.886,
  dsgt: 0.957,
  diging: 0.986,
  "atc-gt": 0.966,
  d2: 0.958,
  "exact-diffusion": 0.978,
  nids: 0.989,
  extra: 0.984,
};
