/** The rules of local steps as linear models, written down apart from the algorithms: eta, mu, and the pull. */

import type { OuterModel } from "../../src/rate/outer-model.ts";

/** W (phi + d). */
export const averaging: OuterModel = {
  ...{ vectors: 1, stay: [0], mix: [1], drift: { stay: [0], mix: [1] } },
  ...{ rounds: 1, speed: 1 },
};

/** m+ = mu m + rate W d - pull (phi - W phi), phi+ = phi + m+. */
export const noloco = (mu: number, rate: number, pull: number): OuterModel => ({
  ...{ vectors: 2, stay: [1 - pull, mu, -pull, mu], mix: [pull, 0, pull, 0] },
  ...{ drift: { stay: [0, 0], mix: [rate, rate] }, rounds: 1, speed: rate / (1 - mu) },
});

/** y+ = phi + eta d, phi+ = (1 - pull) y+ + pull W y+ + mu (y+ - y), of (phi, y). */
export const gasloc = (eta: number, mu: number, pull: number): OuterModel => ({
  ...{ vectors: 2, stay: [1 - pull + mu, -mu, 1, 0], mix: [pull, 0, 0, 0] },
  drift: { stay: [eta * (1 - pull + mu), eta], mix: [eta * pull, 0] },
  ...{ rounds: 1, speed: eta / (1 - mu) },
});

/** y+ = W (phi + eta d), phi+ = y+ + mu (y+ - y). */
export const gaslocMixFirst = (eta: number, mu: number): OuterModel => ({
  ...{ vectors: 2, stay: [0, -mu, 0, 0], mix: [1 + mu, 0, 1, 0] },
  drift: { stay: [0, 0], mix: [eta * (1 + mu), eta] },
  ...{ rounds: 1, speed: eta / (1 - mu) },
});

/** m+ = mu m + d, phi+ = W (phi + eta (d + mu m+)); with mixMomentum m+ = W (mu m + d). */
export const gossipDiloco = (eta: number, mu: number, mixMomentum = false): OuterModel => ({
  vectors: 2,
  stay: [0, 0, 0, mixMomentum ? 0 : mu],
  mix: [1, eta * mu * mu, 0, mixMomentum ? mu : 0],
  drift: { stay: [0, mixMomentum ? 0 : 1], mix: [eta * (1 + mu), mixMomentum ? 1 : 0] },
  ...{ rounds: 1, speed: eta / (1 - mu) },
});
