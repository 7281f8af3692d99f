/**
 * ln, and cos and sin of a fraction of a turn, from additions, multiplications and divisions alone (fdlibm's
 * polynomials, below one unit in the last place). Math's may differ between engines in the last digit; what decides who
 * talks to whom, and every random number, goes through these.
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
