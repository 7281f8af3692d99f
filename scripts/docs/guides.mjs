/**
 * The pages of the site beside the API, in the order of its navigation. A page's title is its first heading, so that the
 * same file reads well on a code host; its address is its file name.
 */

export const guides = [
  {
    title: "Start",
    pages: ["docs/start.md", "docs/learn.md", "docs/tour.md", "docs/advise.md", "docs/studio.md"],
  },
  {
    title: "Your own",
    pages: [
      "docs/your-own-topology.md",
      "docs/your-own-algorithm.md",
      "docs/your-own-problem.md",
      "docs/your-own-model.md",
      "docs/plugins.md",
    ],
  },
  {
    title: "Real peers",
    pages: [
      "docs/real-peers.md",
      "docs/python.md",
      "docs/pytorch.md",
      "docs/browser.md",
      "docs/cluster.md",
      "docs/async.md",
      "docs/threat-model.md",
    ],
  },
  {
    title: "The paper and its mathematics",
    pages: [
      "docs/paper.md",
      "docs/figures/README.md",
      "docs/mathematics.md",
      "docs/errata.md",
      "docs/designs.md",
      "docs/glossary.md",
    ],
  },
  {
    title: "Reference",
    pages: [
      "docs/spec.md",
      "docs/formats.md",
      "docs/coming-from.md",
      "docs/training.md",
      "docs/outer.md",
      "docs/language.md",
      "docs/gpu.md",
      "docs/architecture.md",
    ],
  },
  {
    title: "Results",
    pages: [
      "docs/results/mnist.md",
      "docs/results/cifar10.md",
      "docs/results/rivals-consensus.md",
      "docs/results/rivals-faults.md",
      "docs/results/rivals-learning.md",
      "docs/results/rivals-relabelled.md",
      "docs/results/outer.md",
      "docs/results/adviser.md",
      "docs/results/liars.md",
    ],
  },
  {
    title: "The project",
    pages: ["CONTRIBUTING.md", "docs/mutants.md", "CHANGELOG.md", "SECURITY.md"],
  },
];
