// The worker of a lane: it does jobs, one after the other. What it is told: {module, job}, or
// {module, film} with the order of one. What it says: {report} or {piece}, as often as there is one, and
// then {done} or {fault}.

import { Machine } from "./machine.js";

/** @type {Machine | undefined} */
let machine;

self.onmessage = ({ data: { module, job, film } }) => {
  try {
    machine ??= new Machine(module);
    if (film) machine.makeFilm(film, (piece) => self.postMessage({ piece }, { transfer: [piece.buffer] }));
    else machine.runJob(job, (report) => self.postMessage({ report }));
    self.postMessage({ done: true });
  } catch (error) {
    self.postMessage({ fault: error instanceof Error ? error.message : String(error) });
  }
};
