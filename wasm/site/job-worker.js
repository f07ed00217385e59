// The worker of a lane: it does jobs, one after the other. What it is told: {module, job}. What it
// says: {report}, as often as there is one, and then {done} or {fault}.

import { Machine } from "./machine.js";

/** @type {Machine | undefined} */
let machine;

self.onmessage = ({ data: { module, job } }) => {
  try {
    machine ??= new Machine(module);
    machine.runJob(job, (report) => self.postMessage({ report }));
    self.postMessage({ done: true });
  } catch (error) {
    self.postMessage({ fault: error instanceof Error ? error.message : String(error) });
  }
};
