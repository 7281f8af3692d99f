/** The same rounds in numpy and scipy: each written in the usual ways, with buffers ready, the fastest one counts. */
export const numpyScript = `
import json, sys, time
import numpy as np, scipy.sparse, scipy.fft
spec = json.load(sys.stdin)
n, d = spec["n"], spec["d"]
x = np.random.default_rng(1).standard_normal((n, d))
y, z = np.empty_like(x), np.empty_like(x)

def best(ways):
    found = 1e9
    for way in ways:
        way()
        repeats, begin = 0, time.perf_counter()
        while repeats < 5 or (repeats < 40 and time.perf_counter() - begin < 0.6):
            start = time.perf_counter(); way(); found = min(found, time.perf_counter() - start); repeats += 1
    return 1e3 * found

def circulant(r):
    s, ws, shifts = r["self"], r["weights"], r["shifts"]
    def slices():
        np.multiply(x, s, out=y)
        for w, u in zip(ws, shifts):
            np.multiply(x[:-u], w, out=z[u:]); np.multiply(x[-u:], w, out=z[:u]); np.add(y, z, out=y)
    def halves():
        for (a, b) in ((0, shifts[0]), (shifts[0], n)):
            f = a - shifts[0] + (n if a == 0 else 0)
            np.add(x[a:b], x[f:f + b - a], out=y[a:b]); np.multiply(y[a:b], s, out=y[a:b])
    def equal():
        np.copyto(y, x)
        for u in shifts:
            np.add(y[u:], x[:-u], out=y[u:]); np.add(y[:u], x[-u:], out=y[:u])
        np.multiply(y, s, out=y)
    def roll():
        t = s * x
        for w, u in zip(ws, shifts): t += w * np.roll(x, u, axis=0)
    i = np.arange(n)
    m = len(shifts)
    col = np.concatenate([i] + [(i - u) % n for u in shifts]).reshape(m + 1, n).T.ravel()
    val = np.tile(np.array([s] + ws), n)
    csr = scipy.sparse.csr_matrix((val, col, np.arange(n + 1) * (m + 1)), shape=(n, n)); csr.sort_indices()
    c = np.zeros(n); c[0] = s
    for w, u in zip(ws, shifts): c[u] += w
    symbol = scipy.fft.rfft(c)[:, None]
    def fft(): scipy.fft.irfft(symbol * scipy.fft.rfft(x, axis=0), n, axis=0)
    ways = [slices, roll, lambda: csr @ x]
    if m == 1 and abs(s - ws[0]) < 1e-12: ways.append(halves)
    if all(abs(w - s) < 1e-12 for w in ws): ways.append(equal)
    if m > 4: ways.append(fft)
    return ways

def matching(r):
    w, p = r["weight"], np.array(r["partner"])
    i = np.nonzero(np.arange(n) < p)[0]; j = p[i]
    def take():
        np.take(x, p, axis=0, out=y, mode="clip"); np.multiply(y, w, out=y); np.multiply(x, 1 - w, out=z); np.add(y, z, out=y)
    def half():
        np.take(x, p, axis=0, out=y, mode="clip"); np.add(y, x, out=y); np.multiply(y, 0.5, out=y)
    def pairs():
        a, b = x[i], x[j]; x[i] = (1 - w) * a + w * b; x[j] = (1 - w) * b + w * a
    col = np.stack([np.arange(n), p], 1).ravel()
    csr = scipy.sparse.csr_matrix((np.tile([1 - w, w], n), col, np.arange(n + 1) * 2), shape=(n, n)); csr.sum_duplicates()
    ways = [take, pairs, lambda: csr @ x]
    if w == 0.5: ways.append(half)
    return ways

def sparse(r):
    start = np.array(r["start"])
    off = scipy.sparse.csr_matrix((r["weights"], r["from"], start), shape=(n, n))
    csr = (off + scipy.sparse.diags(r["self"])).tocsr(); csr.sort_indices()
    return [lambda: csr @ x]

kinds = {"circulant": circulant, "matching": matching, "sparse": sparse}
print(json.dumps([best(kinds[r["kind"]](r)) for r in spec["rounds"]]))
`;
