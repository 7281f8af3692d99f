/** Rows of numbers: copying between pitches, padding images, sums of columns, sums of rows. */

/** `count` rows of `columns` numbers from one pitch to another (both in numbers). */
export function copyRows(from: usize, fromPitch: i32, to: usize, toPitch: i32, columns: i32, count: i32): void {
  if (fromPitch == columns && toPitch == columns) {
    memory.copy(to, from, <usize>columns * count << 2);
    return;
  }
  for (let i: i32 = 0; i < count; i++) {
    let j: i32 = 0;
    for (; j + 4 <= columns; j += 4) v128.store(to + (<usize>j << 2), v128.load(from + (<usize>j << 2)));
    for (; j < columns; j++) store<f32>(to + (<usize>j << 2), load<f32>(from + (<usize>j << 2)));
    from += <usize>fromPitch << 2;
    to += <usize>toPitch << 2;
  }
}

/**
 * An image of height x width pixels into the middle of one with padY zero lines and padX zero pixels on either side. Answers
 * where it now is: where it was if nothing is to be added.
 */
export function padImage(from: usize, height: i32, width: i32, pitch: i32, padY: i32, padX: i32, to: usize): usize {
  if (!(padY | padX)) return from;
  const padded = to;
  const line = <usize>(width * pitch) << 2;
  const edge = <usize>(padX * pitch) << 2;
  const border = <usize>padY * (line + 2 * edge);
  memory.fill(to, 0, border);
  to += border;
  for (let y: i32 = 0; y < height; y++) {
    memory.fill(to, 0, edge);
    memory.copy(to + edge, from, line);
    memory.fill(to + edge + line, 0, edge);
    to += line + 2 * edge;
    from += line;
  }
  memory.fill(to, 0, border);
  return padded;
}

/** The middle of a padded image. */
export function cropImage(from: usize, height: i32, width: i32, pitch: i32, pad: i32, to: usize): void {
  const line = <usize>(width * pitch) << 2;
  const edge = <usize>(pad * pitch) << 2;
  from += <usize>pad * (line + 2 * edge) + edge;
  for (let y: i32 = 0; y < height; y++) {
    memory.copy(to, from, line);
    to += line;
    from += line + 2 * edge;
  }
}

/**
 * The sum of `count` vectors `step` bytes apart, or (S is two bytes) of the squares of their distances to `centre`. Groups of
 * 32 first: less rounding.
 */
@inline
export function sumColumn<S>(p: usize, count: i32, step: usize, centre: v128): v128 {
  let total = f32x4.splat(0);
  for (let i: i32 = 0; i < count; ) {
    const end = min(count, i + 32);
    let sum = f32x4.splat(0);
    for (; i < end; i++) {
      const d = sizeof<S>() > 1 ? f32x4.sub(v128.load(p), centre) : v128.load(p);
      sum = f32x4.add(sum, sizeof<S>() > 1 ? f32x4.mul(d, d) : d);
      p += step;
    }
    total = f32x4.add(total, sum);
  }
  return total;
}

/** out[j] = sum of column j, j < columns; pitch a multiple of four. */
export function columnSums(x: usize, count: i32, pitch: i32, columns: i32, out: usize): void {
  for (let j: i32 = 0; j < columns; j += 4) {
    const at = <usize>j << 2;
    storeLanes(out + at, sumColumn<u8>(x + at, count, <usize>pitch << 2, f32x4.splat(0)), columns - j);
  }
}

/** The first `count` numbers, the other lanes zero. */
@inline
export function loadLanes(p: usize, count: i32): v128 {
  if (count >= 4) return v128.load(p);
  let v = v128.load32_zero(p);
  if (count > 1) v = v128.load32_lane(p, v, 1, 4);
  if (count > 2) v = v128.load32_lane(p, v, 2, 8);
  return v;
}

/** The first `count` lanes (all four where it is more). */
@inline
export function storeLanes(out: usize, value: v128, count: i32): void {
  if (count >= 4) {
    v128.store(out, value);
  } else {
    v128.store32_lane(out, value, 0);
    if (count > 1) v128.store32_lane(out, value, 1, 4);
    if (count > 2) v128.store32_lane(out, value, 2, 8);
  }
}

/** out = x + y, or max(x + y, 0); `count` numbers. */
export function addRows(x: usize, y: usize, out: usize, count: i32, relu: bool): void {
  const floor = f32x4.splat(relu ? 0 : -Infinity);
  for (; count >= 4; count -= 4) {
    v128.store(out, f32x4.pmax(f32x4.add(v128.load(x), v128.load(y)), floor));
    x += 16; y += 16; out += 16;
  }
  if (count > 0) storeLanes(out, f32x4.pmax(f32x4.add(loadLanes(x, count), loadLanes(y, count)), floor), count);
}

/** out = x times scale, one scale for every channel of every image: Dropout2d forward and backward. */
export function scaleColumns(x: usize, scale: usize, out: usize, images: i32, pixels: i32, pitch: i32): void {
  for (let n: i32 = 0; n < images; n++) {
    for (let i: i32 = 0; i < pixels; i++) {
      for (let j: usize = 0; j < <usize>pitch << 2; j += 16) {
        v128.store(out + j, f32x4.mul(v128.load(x + j), v128.load(scale + j)));
      }
      x += <usize>pitch << 2;
      out += <usize>pitch << 2;
    }
    scale += <usize>pitch << 2;
  }
}
