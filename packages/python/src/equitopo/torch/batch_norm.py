"""
Running statistics of BatchNorm are buffers, not parameters: rounds leave them on their rank, where they describe that rank's
model and data. The mean model has none that fit; they are estimated again by running data through it.
"""

from typing import Any, Iterable, List, cast

import torch
from torch.nn.modules.batchnorm import _BatchNorm

from .link import Link
from .mean import _means


def estimate_batch_norm(model: torch.nn.Module, batches: Iterable[Any], process_group: Any = None) -> None:
    """New running statistics for a model that all ranks hold alike (after `mean_of`), from each rank's own batches.

    Each rank takes plain means over its batches (inputs, or tuples that begin with them), without gradients and with all other
    layers in evaluation mode, and the ranks average what they found: the same bits everywhere.
    """
    norms = [layer for layer in model.modules() if isinstance(layer, _BatchNorm) and layer.track_running_stats]
    if not norms:
        return
    before = [layer.momentum for layer in norms]
    training = [layer.training for layer in model.modules()]
    model.eval()
    for layer in norms:
        layer.reset_running_stats()
        layer.momentum = cast(float, None)  # a plain mean over all batches
        layer.train()
    device = next(model.parameters()).device
    try:
        with torch.no_grad():
            for batch in batches:
                inputs = batch[0] if isinstance(batch, (tuple, list)) else batch
                model(inputs.to(device))
    finally:
        for layer, was in zip(model.modules(), training):
            layer.training = was
        for layer, momentum in zip(norms, before):
            layer.momentum = momentum
    buffers: List[torch.Tensor] = []
    for layer in norms:
        buffers += [cast(torch.Tensor, layer.running_mean), cast(torch.Tensor, layer.running_var)]
    for buffer, mean in zip(buffers, _means(Link(process_group), buffers)):
        buffer.copy_(mean)
