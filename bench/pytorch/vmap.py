"""PyTorch's vmap over 17 replicas of ResNet-20 at batch 8: forward, backward, momentum, a gossip round. Prints ms a step."""

import time, torch, torch.nn as nn, torch.nn.functional as F
from torch.func import functional_call, grad, stack_module_state, vmap
assert torch.cuda.is_available()
def norm(c): return nn.BatchNorm2d(c, track_running_stats=False)
class Block(nn.Module):
    def __init__(self, i, o, s):
        super().__init__()
        self.a = nn.Conv2d(i, o, 3, s, 1, bias=False); self.p = norm(o)
        self.b = nn.Conv2d(o, o, 3, 1, 1, bias=False); self.q = norm(o)
        self.s = s; self.grow = (o - i) // 2
    def forward(self, x):
        y = self.q(self.b(F.relu(self.p(self.a(x)))))
        return F.relu(y + F.pad(x[:, :, ::self.s, ::self.s], (0, 0, 0, 0, self.grow, self.grow)))
def resnet():
    layers = [nn.Conv2d(3, 16, 3, 1, 1, bias=False), norm(16), nn.ReLU()]
    i = 16
    for o in (16, 32, 64):
        for k in range(3):
            layers.append(Block(i, o, 2 if k == 0 and o > 16 else 1)); i = o
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))
n = 17
models = [resnet().cuda() for _ in range(n)]
params, buffers = stack_module_state(models)
base = models[0]
def loss(p, x, y): return F.cross_entropy(functional_call(base, p, (x,)), y)
x = torch.randn(n, 8, 3, 32, 32, device="cuda"); y = torch.randint(0, 10, (n, 8), device="cuda")
momentum = {k: torch.zeros_like(v) for k, v in params.items()}
def step():
    g = vmap(grad(loss))(params, x, y)
    for k in params:
        momentum[k].mul_(0.9).add_(g[k])
        ahead = params[k] - 1e-3 * momentum[k]
        params[k] = 0.5 * ahead + 0.5 * ahead.roll(1, 0)
for _ in range(10): step()
torch.cuda.synchronize()
times = []
for _ in range(3):
    start = time.perf_counter()
    for _ in range(20): step()
    torch.cuda.synchronize(); times.append((time.perf_counter() - start) / 20)
print(1000 * min(times))
