/**
 * Direct convolution of NHWC images, y[oy, ox, o] = bias[o] + sum x[oy s + ky - pad, ox s + kx - pad, i] w[ky, kx, i, o],
 * and its two gradients, image by image. Padding is a zero border in scratch. A dense layer is the case of 1 x 1 kernels
 * on one image whose pixels are the rows of a batch. Scratch: convolveScratch of kernels.ts.
 */
import { pack } from "./pack";
import { outer } from "./outer";
import { copyRows, cropImage, padImage } from "./rows";
import { tiles } from "./tiles";

@inline
function bytes(numbers: i32): usize {
  return <usize>numbers << 2;
}

export function convolve(
  x: usize, images: i32, h: i32, w: i32, pitch: i32, ic: i32, pad: i32, stride: i32, kh: i32, kw: i32,
  weights: usize, bias: usize, y: usize, oh: i32, ow: i32, oc: i32, outPitch: i32, relu: bool, scratch: usize,
): void {
  pack(weights, 1, 0, kh * kw * ic, bytes(oc), oc, 4, bias, scratch);
  const image = scratch + bytes((kh * kw * ic + 1) * outPitch);
  correlate(x, images, h, w, pitch, ic, pad, pad, stride, kh, kw, scratch, y, oh, ow, oc, outPitch, relu, image);
}

/** The convolution with packed weights; padY and padX zero pixels around the image, laid out at `padded`. */
function correlate(
  x: usize, images: i32, h: i32, w: i32, pitch: i32, ic: i32, padY: i32, padX: i32, stride: i32, kh: i32, kw: i32,
  packed: usize, y: usize, oh: i32, ow: i32, oc: i32, outPitch: i32, relu: bool, padded: usize,
): void {
  const pixel = bytes(pitch);
  const line = <usize>(w + 2 * padX) * pixel;
  const together = pitch == ic; // a line of the kernel is one run of numbers
  const runs = together ? 1 : kw;
  const length = together ? kw * ic : ic;
  const skip = together ? 0 : bytes(pitch - ic);
  const skipRow = line - <usize>kw * pixel;
  const outPixel = bytes(outPitch);
  for (let n: i32 = 0; n < images; n++) {
    const from = padImage(x, h, w, pitch, padY, padX, padded);
    tiles(
      from, stride * line, stride * pixel, y, ow * outPixel, outPixel, oh, ow,
      packed, (oc + 3) >> 2, kh, runs, length, skip, skipRow, false, relu,
    );
    x += <usize>h * w * pixel;
    y += <usize>oh * ow * outPixel;
  }
}

/**
 * dx, overwritten; pitch is ic rounded up to four. Where the border costs little it is itself a convolution, of dy with
 * the kernel turned round; otherwise every output pixel adds its part to the pixels it saw.
 */
export function convolveInputGradient(
  dy: usize, images: i32, h: i32, w: i32, pitch: i32, ic: i32, pad: i32, stride: i32, kh: i32, kw: i32,
  weights: usize, dx: usize, oh: i32, ow: i32, oc: i32, outPitch: i32, scratch: usize,
): void {
  if (stride == 1 && pad < min(kh, kw) && 4 * h * w <= 5 * oh * ow) {
    const tap = bytes(ic * oc);
    pack(weights + <usize>(kh * kw - 1) * tap, kh * kw, 0 - tap, oc, 4, ic, bytes(oc), 0, scratch);
    const padded = scratch + bytes((kh * kw * oc + 1) * pitch);
    correlate(
      dy, images, oh, ow, outPitch, oc, kh - 1 - pad, kw - 1 - pad, 1, kh, kw, scratch, dx, h, w, ic, pitch, false, padded,
    );
    return;
  }
  const pixel = bytes(pitch);
  const line = <usize>(w + 2 * pad) * pixel;
  const outPixel = bytes(outPitch);
  // All kx of a ky at once where the columns of a tile's pixels do not overlap in one panel (at most 12 numbers wide).
  const together = stride * pitch >= 12;
  const groups = together ? kh : kh * kw;
  const taps = together ? kw : 1;
  const columns = taps * pitch;
  const turned = scratch; // oc x columns, one group at a time
  const packed = turned + bytes(oc * columns);
  const size = bytes((oc + 1) * columns);
  const padded = packed + <usize>groups * size;
  memory.fill(turned, 0, bytes(oc * columns));
  for (let group: i32 = 0; group < groups; group++) {
    for (let t: i32 = 0; t < taps; t++) {
      for (let i: i32 = 0; i < ic; i++) {
        const from = weights + bytes(((group * taps + t) * ic + i) * oc);
        for (let o: i32 = 0; o < oc; o++) {
          store<f32>(turned + bytes(o * columns + t * pitch + i), load<f32>(from + bytes(o)));
        }
      }
    }
    pack(turned, 1, 0, oc, bytes(columns), columns, 4, 0, packed + <usize>group * size);
  }
  for (let n: i32 = 0; n < images; n++) {
    const to = pad ? padded : dx;
    memory.fill(to, 0, <usize>(h + 2 * pad) * line);
    for (let group: i32 = 0; group < groups; group++) {
      const ky = together ? group : group / kw;
      const kx = together ? 0 : group % kw;
      tiles(
        dy, ow * outPixel, outPixel, to + ky * line + kx * pixel, stride * line, stride * pixel, oh, ow,
        packed + <usize>group * size, columns >> 2, 1, 1, oc, 0, 0, true, false,
      );
    }
    if (pad) cropImage(padded, h, w, pitch, pad, dx);
    dy += <usize>oh * ow * outPixel;
    dx += <usize>h * w * pixel;
  }
}

/** dw, overwritten. */
export function convolveWeightGradient(
  x: usize, images: i32, h: i32, w: i32, pitch: i32, ic: i32, pad: i32, stride: i32, kh: i32, kw: i32,
  dy: usize, dw: usize, oh: i32, ow: i32, oc: i32, outPitch: i32, scratch: usize,
): void {
  const pixel = bytes(pitch);
  const line = <usize>(w + 2 * pad) * pixel;
  const length = kw * pitch;
  const outPixel = bytes(outPitch);
  const vectors = (oc + 3) >> 2;
  const aRow = stride * line, aStep = stride * pixel;
  // The gradient with padded channels, unless that is what the weights look like.
  const direct = pitch == ic && outPitch == oc;
  const sums = direct ? dw : scratch;
  memory.fill(sums, 0, <usize>(kh * length) * outPixel);
  const padded = scratch + (direct ? 0 : <usize>(kh * length) * outPixel);
  // Bands of lines that stay in the first-level cache while every tile of dw passes over them.
  const band = max<i32>(1, 16384 / <i32>(ow * outPixel + aRow));
  const height = length % 4 != 0 && length % 5 == 0 ? 5 : 4;
  for (let n: i32 = 0; n < images; n++) {
    const from = padImage(x, h, w, pitch, pad, pad, padded);
    for (let first: i32 = 0; first < oh; first += band) {
      const rows = min(band, oh - first);
      const gradient = dy + <usize>(first * ow) * outPixel;
      let out = sums;
      for (let ky: i32 = 0; ky < kh; ky++) {
        let a = from + <usize>(first * stride + ky) * line;
        for (let k: i32 = 0; k < length; ) {
          const step = length - k >= height ? height : 1;
          for (let v: i32 = 0; v < vectors; v++) {
            const b = gradient + (<usize>v << 4), c = out + (<usize>v << 4);
            if (step == 5) outer<u64, u8>(a, aRow, aStep, b, outPixel, rows, ow, c);
            else if (step == 1) outer<u8, u8>(a, aRow, aStep, b, outPixel, rows, ow, c);
            else if (v + 1 == vectors) outer<u32, u8>(a, aRow, aStep, b, outPixel, rows, ow, c);
            else {
              outer<u32, u16>(a, aRow, aStep, b, outPixel, rows, ow, c);
              v++;
            }
          }
          k += step;
          a += bytes(step);
          out += <usize>step * outPixel;
        }
      }
    }
    x += <usize>h * w * pixel;
    dy += <usize>oh * ow * outPixel;
  }
  if (!direct) {
    for (let tap: i32 = 0; tap < kh * kw; tap++) {
      copyRows(sums + <usize>(tap * pitch) * outPixel, outPitch, dw + bytes(tap * ic * oc), oc, oc, ic);
    }
  }
}
