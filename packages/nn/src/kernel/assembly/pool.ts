/** Pooling over windows, and the parameter-free shortcut of residual networks. Channels in lanes. */
import { addRows } from "./rows";

/** Lanes where v takes the place of the maximum so far; NaN always does. */
@inline
function larger(v: v128, best: v128): v128 {
  return v128.or(f32x4.gt(v, best), f32x4.ne(v, v));
}

/** y = max over k x k windows, or max(0, .); index: which of the window's pixels it was (the first of equals). */
export function maxPool(
  x: usize, images: i32, h: i32, w: i32, pitch: i32, k: i32, stride: i32,
  y: usize, index: usize, oh: i32, ow: i32, relu: bool,
): void {
  const pixel = <usize>pitch << 2;
  const line = <usize>w * pixel;
  const floor = f32x4.splat(relu ? 0 : -Infinity);
  for (let n: i32 = 0; n < images; n++) {
    for (let oy: i32 = 0; oy < oh; oy++) {
      for (let ox: i32 = 0; ox < ow; ox++) {
        const corner = x + <usize>(oy * stride) * line + <usize>(ox * stride) * pixel;
        for (let j: usize = 0; j < pixel; j += 16) {
          let best = v128.load(corner + j);
          let which = i32x4.splat(0);
          let tap: i32 = 0;
          for (let ky: i32 = 0; ky < k; ky++) {
            let p = corner + j + <usize>ky * line;
            for (let kx: i32 = 0; kx < k; kx++) {
              const v = v128.load(p);
              const take = larger(v, best);
              best = v128.bitselect(v, best, take);
              which = v128.bitselect(i32x4.splat(tap), which, take);
              p += pixel;
              tap++;
            }
          }
          v128.store(y + j, f32x4.pmax(best, floor));
          v128.store(index + j, which);
        }
        y += pixel;
        index += pixel;
      }
    }
    x += <usize>h * line;
  }
}

/** dx, overwritten: every gradient goes to the pixel its window's maximum came from (nowhere where y is 0 after ReLU). */
export function maxPoolGradient(
  dy: usize, y: usize, index: usize, images: i32, h: i32, w: i32, pitch: i32, k: i32, stride: i32,
  dx: usize, oh: i32, ow: i32, relu: bool,
): void {
  const pixel = <usize>pitch << 2;
  const line = <usize>w * pixel;
  const apart = k == stride; // windows do not overlap: every pixel is written once
  const zero = f32x4.splat(0);
  if (!apart || oh * k != h || ow * k != w) memory.fill(dx, 0, <usize>(images * h) * line);
  for (let n: i32 = 0; n < images; n++) {
    for (let oy: i32 = 0; oy < oh; oy++) {
      for (let ox: i32 = 0; ox < ow; ox++) {
        const corner = dx + <usize>(oy * stride) * line + <usize>(ox * stride) * pixel;
        for (let j: usize = 0; j < pixel; j += 16) {
          let g = v128.load(dy + j);
          if (relu) g = v128.and(g, f32x4.gt(v128.load(y + j), zero));
          const which = v128.load(index + j);
          let tap: i32 = 0;
          for (let ky: i32 = 0; ky < k; ky++) {
            let p = corner + j + <usize>ky * line;
            for (let kx: i32 = 0; kx < k; kx++) {
              const part = v128.and(g, i32x4.eq(which, i32x4.splat(tap)));
              v128.store(p, apart ? part : f32x4.add(v128.load(p), part));
              p += pixel;
              tap++;
            }
          }
        }
        dy += pixel;
        y += pixel;
        index += pixel;
      }
    }
    dx += <usize>h * line;
  }
}

/** The mean over all pixels of an image. */
export function averagePool(x: usize, images: i32, pixels: i32, pitch: i32, y: usize): void {
  const pixel = <usize>pitch << 2;
  const share = f32x4.splat(1 / <f32>pixels);
  for (let n: i32 = 0; n < images; n++) {
    for (let j: usize = 0; j < pixel; j += 16) {
      let sum = f32x4.splat(0);
      let p = x + j;
      for (let i: i32 = 0; i < pixels; i++) {
        sum = f32x4.add(sum, v128.load(p));
        p += pixel;
      }
      v128.store(y + j, f32x4.mul(sum, share));
    }
    x += <usize>pixels * pixel;
    y += pixel;
  }
}

export function averagePoolGradient(dy: usize, images: i32, pixels: i32, pitch: i32, dx: usize): void {
  const pixel = <usize>pitch << 2;
  const share = f32x4.splat(1 / <f32>pixels);
  for (let n: i32 = 0; n < images; n++) {
    for (let i: i32 = 0; i < pixels; i++) {
      for (let j: usize = 0; j < pixel; j += 16) v128.store(dx + j, f32x4.mul(v128.load(dy + j), share));
      dx += pixel;
    }
    dy += pixel;
  }
}

/** Every stride-th pixel, its ic channels moved up by `front` among zeros. */
export function shortcut(
  x: usize, images: i32, h: i32, w: i32, pitch: i32, ic: i32, stride: i32, y: usize, oh: i32, ow: i32, outPitch: i32, front: i32,
): void {
  for (let n: i32 = 0; n < images; n++) {
    for (let oy: i32 = 0; oy < oh; oy++) {
      for (let ox: i32 = 0; ox < ow; ox++) {
        memory.fill(y, 0, <usize>outPitch << 2);
        memory.copy(y + (<usize>front << 2), x + (<usize>((oy * stride * w + ox * stride) * pitch) << 2), <usize>ic << 2);
        y += <usize>outPitch << 2;
      }
    }
    x += <usize>(h * w * pitch) << 2;
  }
}

/** dx += what the shortcut hands back. */
export function shortcutGradient(
  dy: usize, images: i32, h: i32, w: i32, pitch: i32, ic: i32, stride: i32, dx: usize, oh: i32, ow: i32, outPitch: i32, front: i32,
): void {
  for (let n: i32 = 0; n < images; n++) {
    for (let oy: i32 = 0; oy < oh; oy++) {
      for (let ox: i32 = 0; ox < ow; ox++) {
        const to = dx + (<usize>((oy * stride * w + ox * stride) * pitch) << 2);
        addRows(to, dy + (<usize>front << 2), to, ic, false);
        dy += <usize>outPitch << 2;
      }
    }
    dx += <usize>(h * w * pitch) << 2;
  }
}
