/**
 * Philox 4x32-10 in WGSL, word for word the library's (equitopo/random): what happens to a node's images and activations
 * in a step is a function of (seed, stream, round, index), round = t n + node, on the CPU and here.
 *
 * The table of replicas has two entries a replica: (run, node, n, row of the order of images), (seed low, seed high, 0, 0).
 */

export const philox = `
fn multiply(a: u32, b: u32) -> vec2u {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let m1 = (a >> 16u) * (b & 0xffffu);
  let m2 = (a & 0xffffu) * (b >> 16u);
  let carry = (m1 & 0xffffu) + (m2 & 0xffffu) + (low >> 16u);
  return vec2u(a * b, (a >> 16u) * (b >> 16u) + (m1 >> 16u) + (m2 >> 16u) + (carry >> 16u));
}
fn randomWords(replica: u32, stream: u32, index: u32) -> vec4u {
  let who = replicaTable[2u * replica];
  let seed = replicaTable[2u * replica + 1u];
  let product = multiply(step.tLow, who.z);
  let low = product.x + who.y;
  let high = product.y + step.tHigh * who.z + select(0u, 1u, low < product.x);
  var c = vec4u(index, low, stream, high);
  var k0 = seed.x;
  var k1 = seed.y;
  for (var round = 0u; round < 10u; round++) {
    let p = multiply(0xd2511f53u, c.x);
    let q = multiply(0xcd9e8d57u, c.z);
    c = vec4u(q.y ^ c.y ^ k0, q.x, p.y ^ c.w ^ k1, p.x);
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  return c;
}
`;
