/**
 * The worker that trains on the GPU: a file of its own beside the page, fetched when somebody asks for it, since it brings
 * the kernels of a whole package. It speaks as the other workers do, with one job.
 */

import { classificationFamily } from "@equitopo/nn";
import { problems } from "equitopo";
import { startWorker } from "../worker.ts";
import { learningWork } from "./frame.ts";
import { gpuTrainer } from "./gpu-training.ts";

problems.add(classificationFamily);
startWorker({ learning: learningWork(gpuTrainer) });
