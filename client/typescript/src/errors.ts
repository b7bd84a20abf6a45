import { type Problem, ProblemFromJSON } from './generated/index.js';

const URN = 'urn:firstcome:problem:';

/**
 * The service has refused the call, and a repeat would not help. This attempt has changed nothing; an earlier one whose
 * answer was lost may have.
 */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** The name of the problem, such as `sold-out`, from the page of all problems. */
  readonly type: string;

  constructor(
    readonly problem: Problem,
    cause: unknown,
  ) {
    super(`${problem.title}: ${problem.detail}`, { cause });
    this.type = problemName(problem);
  }
}

/**
 * No final answer came within the time that the caller was willing to wait. The call may have been executed;
 * to repeat it has no second effect.
 */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';

  /** @param millis when the next attempt would have begun */
  constructor(attempts: number, millis: number, cause: unknown) {
    super(`no final answer after ${attempts} attempts; the next would be in ${Math.round(millis)} ms`, { cause });
  }
}

/** Credentials could not be had, for example because a login has expired. The call was not sent. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError';

  constructor(cause: unknown) {
    super('no credentials', { cause });
  }
}

export function problemName(problem: Problem): string {
  return problem.type.startsWith(URN) ? problem.type.substring(URN.length) : problem.type;
}

/**
 * The problem that an answer has as its body (RFC 9457). A gateway may have answered in place of the service: then
 * the problem has the type `about:blank` and the status.
 */
export async function readProblem(response: Response): Promise<Problem> {
  try {
    const body: unknown = await response.clone().json();
    if (typeof body === 'object' && body !== null && typeof (body as Problem).type === 'string') {
      return ProblemFromJSON(body);
    }
  } catch {
    // Not from the service.
  }
  return {
    type: 'about:blank',
    title: `HTTP ${response.status}`,
    status: response.status,
    detail: 'not answered by Firstcome',
  };
}
