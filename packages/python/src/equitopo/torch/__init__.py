"""PyTorch models mixed by rounds of a topology, over torch.distributed.

    dist.init_process_group("gloo")
    topology = equitopo.ou_equidyn(dist.get_world_size(), construction="euclid")
    optimizer = DecentralizedOptimizer(optimizer, topology)

The rest is plain PyTorch, started by torchrun, Slurm or MPI; no Node is needed. gloo is tested; NCCL and MPI are written by
their documents, and untested.
"""

from .averager import GossipAverager
from .batch_norm import estimate_batch_norm
from .link import PeerGone
from .mean import broadcast, consensus_distance, mean_of
from .mixer import Exchange, Mixer
from .optimizer import DecentralizedOptimizer, evenly
from .outer import OuterStep
from .tracking import GradientTracking

__all__ = [
    "DecentralizedOptimizer",
    "Exchange",
    "GossipAverager",
    "GradientTracking",
    "Mixer",
    "OuterStep",
    "PeerGone",
    "broadcast",
    "consensus_distance",
    "estimate_batch_norm",
    "evenly",
    "mean_of",
]
