/**
 * ln, exp, and cos and sin of a fraction of a turn, from additions, multiplications and divisions alone (fdlibm's
 * polynomials: one unit in the last place, four for the sigmoid and softplus built on them). Math's may differ between
 * engines in the last digit; what decides who talks to whom, every random number and every gradient goes through these.
 */

const { LN2, SQRT2 } = Math;
const TURN = 1.4629180792671596e-9; // 2 pi / 2^32

const bits = new DataView(new ArrayBuffer(8));

/** ln x for a positive normal number: x = m 2^e with m in [sqrt(1/2), sqrt(2)), and ln m by the series of atanh. */
export function log(x: number): number {
  bits.setFloat64(0, x);
  const high = bits.getInt32(0);
  let exponent = (high >>> 20) - 1023;
  bits.setInt32(0, (high & 0xfffff) | 0x3ff00000);
  let m = bits.getFloat64(0);
  if (m > SQRT2) {
    m *= 0.5;
    exponent += 1;
  }
  const f = m - 1;
  const s = f / (2 + f);
  const z = s * s;
  let tail = 0.14798198605116586;
  tail = 0.15313837699209373 + z * tail;
  tail = 0.1818357216161805 + z * tail;
  tail = 0.22222198432149784 + z * tail;
  tail = 0.2857142874366239 + z * tail;
  tail = 0.3999999999940942 + z * tail;
  tail = 0.6666666666666735 + z * tail;
  tail = z * tail;
  const half = 0.5 * f * f;
  return exponent * LN2 + (f - (half - s * (half + tail)));
}

/** cos and sin of 2 pi b / 2^32 for a 32-bit word b. */
export function cosSinTurn(b: number, out: Float64Array): void {
  // The nearest quarter turn, and the rest in [-pi/4, pi/4).
  const quarter = (b + 0x20000000) >>> 30;
  const x = ((b - (quarter << 30)) | 0) * TURN;
  const z = x * x;
  let sin = 1.58969099521155e-10;
  sin = -2.5050760253406863e-8 + z * sin;
  sin = 2.7557313707070068e-6 + z * sin;
  sin = -0.0001984126982985795 + z * sin;
  sin = 0.00833333333332249 + z * sin;
  sin = -0.16666666666666632 + z * sin;
  sin = x + x * z * sin;
  let cos = -1.1359647557788195e-11;
  cos = 2.087572321298175e-9 + z * cos;
  cos = -2.7557314351390663e-7 + z * cos;
  cos = 2.480158728947673e-5 + z * cos;
  cos = -0.001388888888887411 + z * cos;
  cos = 0.0416666666666666 + z * cos;
  cos = 1 - 0.5 * z + z * z * cos;
  const turned = (quarter & 1) !== 0;
  const c = turned ? sin : cos;
  const s = turned ? cos : sin;
  out[0] = quarter === 1 || quarter === 2 ? -c : c;
  out[1] = quarter >= 2 ? -s : s;
}

/** Adding 1.5 2^52 rounds to the nearest integer. */
const ROUND = 6755399441055744;
/** ln 2 in two parts, the first short enough that k LN2_HIGH is exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** 2^k for k in [-1022, 1023]. */
function power(k: number): number {
  bits.setInt32(0, (k + 1023) << 20);
  bits.setInt32(4, 0);
  return bits.getFloat64(0);
}

/** 2 - c of e^r = 1 + 2 r / (2 - c), for |r| <= ln 2 / 2. */
function denominator(r: number): number {
  const t = r * r;
  let tail = 4.1381367970572385e-8;
  tail = -0.0000016533902205465252 + t * tail;
  tail = 0.00006613756321437934 + t * tail;
  tail = -0.0027777777777015593 + t * tail;
  tail = 0.16666666666666602 + t * tail;
  return 2 - (r - t * tail);
}

/** e^x: x = k ln 2 + r, e^x = 2^k (1 + 2 r / (2 - c)). */
export function exp(x: number): number {
  if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
  if (x < -745.1332191019412) return 0;
  const k = ROUND + x * Math.LOG2E - ROUND;
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  const half = Math.floor(k / 2);
  // In two steps, for the largest and the smallest results; exact where the result is normal.
  return (1 + (r + r) / denominator(r)) * power(half) * power(k - half);
}

/** 1 / (1 + e^-x) with one division; beyond +-708 as at +-708. */
export function sigmoid(x: number): number {
  const bounded = Math.max(-708, Math.min(708, -x));
  const k = ROUND + bounded * Math.LOG2E - ROUND;
  const r = bounded - k * LN2_HIGH - k * LN2_LOW;
  const below = denominator(r);
  return below / (below + power(k) * (below + (r + r)));
}

/** ln(1 + e^x) = max(x, 0) + ln(1 + u), u = e^-|x|; ln(1 + u) = ln w + u - (w - 1), w = 1 + u as rounded. */
export function softplus(x: number): number {
  const u = exp(-Math.min(708, Math.abs(x)));
  const w = 1 + u;
  return Math.max(0, x) + (log(w) + (u - (w - 1)));
}
