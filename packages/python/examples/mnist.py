"""MNIST for the examples: its files in EQUITOPO_DATA, or a drawn data set of the same shape where that is not set; a network."""

import gzip
import os
from typing import Tuple

import torch
from torch import nn

Data = Tuple[torch.Tensor, torch.Tensor]


def mnist(images: int = 60_000, tests: int = 10_000) -> Tuple[Data, Data]:
    """(training images and labels), (test images and labels)."""
    folder = os.environ.get("EQUITOPO_DATA")
    if folder is None:
        return drawn(min(images, 4000), 1), drawn(min(tests, 1000), 2)
    return (
        tuple(read(folder, f"train-{kind}")[:images] for kind in ("images-idx3", "labels-idx1")),
        tuple(read(folder, f"t10k-{kind}")[:tests] for kind in ("images-idx3", "labels-idx1")),
    )


def read(folder: str, name: str) -> torch.Tensor:
    """An IDX file, packed or not: images normalised, labels as they are."""
    path = os.path.join(folder, f"{name}-ubyte")
    with gzip.open(path + ".gz") if os.path.exists(path + ".gz") else open(path, "rb") as file:
        content = bytearray(file.read())
    rank = content[3]
    values = torch.frombuffer(content, dtype=torch.uint8, offset=4 + 4 * rank)
    if rank == 1:
        return values.long()
    return ((values.float() / 255 - 0.1307) / 0.3081).view(-1, 1, 28, 28)


def drawn(count: int, seed: int) -> Data:
    """Ten blurred patterns under noise: easy, but not for one class alone."""
    patterns = nn.functional.avg_pool2d(torch.randn(10, 1, 30, 30, generator=torch.Generator().manual_seed(0)), 3, 1)
    draw = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 10, (count,), generator=draw)
    return 3 * patterns[labels] + torch.randn(count, 1, 28, 28, generator=draw), labels


def network(dropout: float = 0.5) -> nn.Module:
    """The network of the paper's MNIST experiments, 21,840 parameters."""
    return nn.Sequential(
        nn.Conv2d(1, 10, 5),
        nn.MaxPool2d(2),
        nn.ReLU(),
        nn.Conv2d(10, 20, 5),
        nn.Dropout2d(dropout),
        nn.MaxPool2d(2),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(320, 50),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(50, 10),
    )


def accuracy(model: nn.Module, data: Data) -> float:
    """The share of images that the model is right about."""
    was = model.training
    model.eval()
    with torch.no_grad():
        right = sum(int((model(x).argmax(1) == y).sum()) for x, y in zip(*(part.split(1000) for part in data)))
    model.train(was)
    return right / len(data[1])
