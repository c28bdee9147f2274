import { RequestError } from "@octokit/request-error";

export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** GitHub's `errors` array, as text. */
  readonly errors: string;
}

/** What GitHub said no with; fails when it said yes. */
export async function refusalOf(request: Promise<unknown>): Promise<Refusal> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const data = error.response?.data as { message?: string; errors?: unknown } | undefined;
    return { status: error.status, message: data?.message ?? "", errors: JSON.stringify(data?.errors ?? []) };
  }
  throw new Error("the request was not refused");
}
