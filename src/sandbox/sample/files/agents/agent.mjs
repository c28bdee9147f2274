/**
 * The agent of this repository: reads one request from standard input, does the work of its role, writes
 * one JSON value to standard output. It is a program, not a model: it knows a few parts of tally by heart
 * (recipes), is careless at the first try where a recipe says so, and reviews by reading.
 */
import { text } from "node:stream/consumers";
import { implement } from "./implementer.mjs";
import { reviewPlan } from "./plan-reviewer.mjs";
import { plan } from "./planner.mjs";
import { review } from "./reviewer.mjs";

const roles = {
  plan,
  "plan-review": reviewPlan,
  implement: (request) => implement(request, process.cwd()),
  review: (request) => review(request, process.cwd()),
  "final-review": (request) => review(request, process.cwd()),
};

const request = JSON.parse(await text(process.stdin));
const answer = await roles[request.role](request);
process.stdout.write(typeof answer === "string" ? answer : `${JSON.stringify(answer)}\n`);
