"""
Local AdamW with an outer step: ten steps alone, then DiLoCo's step by Nesterov's momentum, its models mixed in two rounds.

    python3 -m equitopo.torch.launch 4 local_adamw.py
"""

import equitopo
import torch
import torch.distributed as dist
from equitopo.torch import OuterStep, consensus_distance, mean_of

dist.init_process_group("gloo")
rank, n = dist.get_rank(), dist.get_world_size()
torch.manual_seed(1)
target = torch.nn.Sequential(torch.nn.Linear(20, 30), torch.nn.Tanh(), torch.nn.Linear(30, 1)).requires_grad_(False)
model = torch.nn.Sequential(torch.nn.Linear(20, 60), torch.nn.Tanh(), torch.nn.Linear(60, 1))
inner = torch.optim.AdamW(model.parameters(), lr=3e-3)
optimizer = OuterStep(inner, equitopo.od_equidyn(n), rule="gossip-diloco", every=10, rounds=2, rate=0.7, momentum=0.6)

draw = torch.Generator().manual_seed(rank)
for step in range(600):
    # Every rank looks at another corner of the world.
    x = torch.randn(32, 20, generator=draw) + 0.5 * (rank - n / 2) / n
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(model(x), target(x)).backward()
    optimizer.step()

apart = consensus_distance(model)
model.load_state_dict(mean_of(model))
x = torch.randn(2000, 20, generator=torch.Generator().manual_seed(99))
if rank == 0:
    loss = torch.nn.functional.mse_loss(model(x), target(x)).item()
    print(f"{optimizer.k // 2} outer steps, {optimizer.k} rounds: loss of the mean model {loss:.4f}, apart by {apart:.4f}")
