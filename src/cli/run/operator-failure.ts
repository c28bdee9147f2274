import { GitHubFailure, UserError } from "../../contracts/errors.ts";
import { StoreFailure } from "../../store/store-failure.ts";

/** Failures whose message is all a person at the terminal needs; anything else is a defect and keeps its stack. */
export function isOperatorFailure(error: unknown): error is Error {
  return error instanceof UserError || error instanceof StoreFailure || error instanceof GitHubFailure;
}
