"""nanoGPT's network and its gradient in PyTorch: reads {vocabulary, layers, heads, width, context, parameters, tokens,
labels} as JSON, the parameters in the order of Model.parameters, and prints {loss, gradient, seconds}: of one thread, the
best of `repeats` passes forward and backward; with `adamw` each of them ends with nanoGPT's step: the gradient's norm cut to
1, AdamW with a decay of 0.1 of matrices alone."""

import json, math, sys, time
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
given = json.load(sys.stdin)
V, L, H, C, T = (given[name] for name in ("vocabulary", "layers", "heads", "width", "context"))
shapes = [(V, C), (T, C)] + L * [(C,), (C, 3 * C), (C, C), (C,), (C, 4 * C), (4 * C, C)] + [(C,)]
flat = torch.tensor(given["parameters"], dtype=torch.float32)
parameters = []
for shape in shapes:
    size = math.prod(shape)
    parameters.append(flat[:size].reshape(shape).clone().requires_grad_())
    flat = flat[size:]
tokens = torch.tensor(given["tokens"]).reshape(-1, T)
labels = torch.tensor(given["labels"])
later = torch.triu(torch.ones(T, T, dtype=torch.bool), 1)


def norm(x, gain):
    return F.layer_norm(x, (C,), gain, None, 1e-5)


def attention(x):
    heads = lambda part: part.reshape(-1, T, H, C // H).transpose(1, 2)
    q, k, v = (heads(part) for part in x.split(C, 2))
    scores = (q @ k.transpose(2, 3)) / math.sqrt(C // H)
    return (torch.softmax(scores.masked_fill(later, -math.inf), 3) @ v).transpose(1, 2).reshape(-1, T, C)


def loss_of(parameters):
    rest = iter(parameters)
    table = next(rest)
    x = F.embedding(tokens, table) + next(rest)
    for _ in range(L):
        x = x + attention(norm(x, next(rest)) @ next(rest)) @ next(rest)
        x = x + F.gelu(norm(x, next(rest)) @ next(rest)) @ next(rest)
    return F.cross_entropy((norm(x, next(rest)) @ table.t()).reshape(-1, V), labels)


decay, keep = ([p for p in parameters if (p.dim() > 1) == matrix] for matrix in (True, False))
groups = [{"params": decay, "weight_decay": 0.1}, {"params": keep, "weight_decay": 0.0}]
optimiser = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.99))

seconds = []
for _ in range(given.get("repeats", 1)):
    for parameter in parameters:
        parameter.grad = None
    start = time.perf_counter()
    loss = loss_of(parameters)
    loss.backward()
    if given.get("adamw"):
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
    seconds.append(time.perf_counter() - start)
gradient = torch.cat([parameter.grad.flatten() for parameter in parameters])
print(json.dumps({"loss": loss.item(), "gradient": gradient.tolist(), "seconds": min(seconds)}))
