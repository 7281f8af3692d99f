"""
BlueFog's MNIST example (examples/pytorch_mnist.py) as it reads here; lines with # bf say what was written there.

    python3 -m equitopo.torch.launch 4 from_bluefog.py --enable-dynamic-topology
"""

import argparse

import equitopo
import torch
import torch.distributed as dist
import torch.nn.functional as F
from equitopo.torch import DecentralizedOptimizer
from mnist import mnist, network
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=64)
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--lr", type=float, default=0.01)
parser.add_argument("--momentum", type=float, default=0.5)
parser.add_argument("--enable-dynamic-topology", action="store_true")
args = parser.parse_args()

dist.init_process_group("gloo")  # bf: bf.init()
rank, size = dist.get_rank(), dist.get_world_size()  # bf: bf.rank(), bf.size()
torch.manual_seed(42)

train_dataset, test_dataset = (TensorDataset(*part) for part in mnist())
train_sampler = DistributedSampler(train_dataset, num_replicas=size, rank=rank)
train_loader = DataLoader(train_dataset, batch_size=args.batch_size, sampler=train_sampler)
test_sampler = DistributedSampler(test_dataset, num_replicas=size, rank=rank)
test_loader = DataLoader(test_dataset, batch_size=1000, sampler=test_sampler)

model = network()
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr * size, momentum=args.momentum)

# bf: bf.broadcast_parameters(model.state_dict(), root_rank=0); bf.broadcast_optimizer_state(optimizer, root_rank=0)
# bf: bf.set_topology(topology_util.ExponentialTwoGraph(bf.size())), and for dynamic topologies before every step:
# bf:     send, recv = next(topology_util.GetDynamicOnePeerSendRecvRanks(bf.load_topology(), bf.rank()))
# bf:     optimizer.dst_weights, optimizer.src_weights, optimizer.self_weight = send, {r: 1/2 for r in recv}, 1/2
# bf: optimizer = bf.DistributedAdaptWithCombineOptimizer(optimizer, model=model)
topology = equitopo.one_peer_exp(size) if args.enable_dynamic_topology else equitopo.static_exp(size)
optimizer = DecentralizedOptimizer(optimizer, topology, order="combine-then-adapt")


def train(epoch):
    model.train()
    train_sampler.set_epoch(epoch)
    for data, target in train_loader:
        optimizer.zero_grad()
        F.cross_entropy(model(data), target).backward()
        optimizer.step()


def metric_average(value):  # bf: bf.allreduce(tensor, name=name)
    tensor = torch.tensor(value)
    dist.all_reduce(tensor)
    return tensor.item() / size


def test():
    model.eval()
    loss = right = 0.0
    with torch.no_grad():
        for data, target in test_loader:
            output = model(data)
            loss += F.cross_entropy(output, target, reduction="sum").item()
            right += (output.argmax(1) == target).sum().item()
    return metric_average(loss / len(test_sampler)), metric_average(right / len(test_sampler))


for epoch in range(1, args.epochs + 1):
    train(epoch)
    loss, accuracy = test()
    if rank == 0:
        print(f"Test set: Average loss: {loss:.4f}, Accuracy: {100 * accuracy:.2f}%", flush=True)
dist.barrier()  # bf: bf.barrier()
