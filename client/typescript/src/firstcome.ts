import { type Credentials } from './credentials.js';
import { CredentialsError, problemName, readProblem, RefusedError, UnansweredError } from './errors.js';
import {
  type Claim,
  ClaimsApi,
  Configuration,
  CouponsApi,
  FetchError,
  OperationsApi,
  type Problem,
  ResponseError,
  RoomsApi,
  ShopsApi,
  WalletApi,
} from './generated/index.js';

/** Longer than the service takes, unless it is asked to wait for longer by `Prefer`. */
const ANSWER_TIMEOUT_MILLIS = 10_000;

/** Of the random time after the first failure; doubled after each further one. */
const FIRST_SPREAD_MILLIS = 1_000;
const MAX_DOUBLINGS = 4;

const CONFLICT = 409;
const TOO_MANY_REQUESTS = 429;
const FIRST_SERVER_ERROR = 500;

/** Refusals that end by themselves within moments. */
const PASSING = new Set(['concurrent-change', 'not-yet-issued']);

/** The final answer to a claim. */
export type ClaimResult =
  /**
   * The customer has the coupon: by this claim, or by an earlier one, which `outcome` says. While its `state` is
   * ACCEPTED, it cannot be used yet, usually for some milliseconds.
   */
  | { claimed: true; claim: Claim }
  /**
   * The customer does not get it, at least not now. `reason` is the name of the problem, such as `sold-out`,
   * `campaign-limit`, `not-open`, `paused` or `closed`.
   */
  | { claimed: false; reason: string; problem: Problem };

export interface Patience {
  /**
   * How long to repeat a call while the service cannot answer it. At least one attempt is made, and the last one can
   * take 10 s longer.
   */
  millis: number;
  /** Ends the waiting between two attempts with the reason of the signal; an attempt under way is not ended. */
  signal?: AbortSignal;
}

/** What tests replace. */
export interface Environment {
  fetch: typeof fetch;
  random: () => number;
  now: () => number;
  sleep: (millis: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * One caller's access to a Firstcome service.
 *
 * The generated calls (`wallet`, `shops` and so on) are sent once. `repeat` sends one until its answer is final: every
 * call can be repeated without a second effect, as long as nobody else changes the same thing, except a redemption
 * after its cancellation.
 */
export class Firstcome {
  /** Calls of a customer who claims coupons, and of the pages that show them. */
  readonly claims: ClaimsApi;
  /** Calls of a customer who waits in the waiting room of a coupon. */
  readonly rooms: RoomsApi;
  /** Calls of a customer about their user coupons. */
  readonly wallet: WalletApi;
  /** Calls of an order service or a till. */
  readonly shops: ShopsApi;
  /** Calls of operators who define and change coupons. */
  readonly coupons: CouponsApi;
  /** Calls of operators who prove, audit, revoke and recover. */
  readonly operations: OperationsApi;

  private readonly environment: Environment;

  /** @param service the address, such as `https://coupons.example.com` */
  constructor(service: string, credentials: Credentials, environment: Partial<Environment> = {}) {
    this.environment = {
      fetch: (input, init) => fetch(input, init),
      random: Math.random,
      now: () => performance.now(),
      sleep,
      ...environment,
    };
    const configuration = new Configuration({
      basePath: service.replace(/\/+$/, ''),
      fetchApi: (input, init) => this.send(input, init, credentials),
    });
    this.claims = new ClaimsApi(configuration);
    this.rooms = new RoomsApi(configuration);
    this.wallet = new WalletApi(configuration);
    this.shops = new ShopsApi(configuration);
    this.coupons = new CouponsApi(configuration);
    this.operations = new OperationsApi(configuration);
  }

  /** Sends one request, and reads the whole answer within the timeout. */
  private async send(
    input: RequestInfo | URL,
    init: RequestInit | undefined,
    credentials: Credentials,
  ): Promise<Response> {
    const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MILLIS);
    let who: Record<string, string>;
    try {
      who = await credentials();
    } catch (error) {
      throw new CredentialsError(error);
    }
    const response = await this.environment.fetch(input, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), ...who },
      // The service never redirects, and the credentials are for it alone.
      redirect: 'manual',
      signal: init?.signal ? AbortSignal.any([timeout, init.signal]) : timeout,
    });
    if (response.body === null || response.status < 200) {
      return response;
    }
    const { status, statusText, headers } = response;
    return new Response(await response.arrayBuffer(), { status, statusText, headers });
  }

  /**
   * Claims the coupon for the caller, again until the answer is final. A repeated claim is answered with the same
   * coupon.
   *
   * @param admission of the caller's standing in the waiting room, if the coupon has one
   * @throws CredentialsError if there are no credentials
   * @throws RefusedError if the call is wrong: there is no such coupon, the credentials are refused, or the waiting
   *     room has not admitted the caller
   * @throws UnansweredError if it could not be answered within that time; the customer may have the coupon, and a
   *     later claim says so
   */
  async claim(couponId: string, patience: Patience, admission?: string): Promise<ClaimResult> {
    try {
      const claim = await this.repeat(patience, () =>
        this.claims.claimCoupon({ couponId, xAdmission: admission }),
      );
      return { claimed: true, claim };
    } catch (error) {
      if (error instanceof RefusedError && error.problem.status === CONFLICT) {
        return { claimed: false, reason: error.type, problem: error.problem };
      }
      throw error;
    }
  }

  /**
   * Sends a call until its answer is final.
   *
   * @throws CredentialsError if there are no credentials
   * @throws RefusedError if the service refuses it
   * @throws UnansweredError if it could not be answered within that time
   */
  async repeat<T>(patience: Patience, call: () => Promise<T>): Promise<T> {
    const end = this.environment.now() + patience.millis;
    for (let failures = 1; ; failures++) {
      try {
        return await call();
      } catch (error) {
        const millis = (await this.retryAfter(error)) + this.randomMillis(failures);
        if (this.environment.now() + millis > end) {
          throw new UnansweredError(failures, millis, error);
        }
        await this.environment.sleep(millis, patience.signal);
      }
    }
  }

  /**
   * How long to wait at least before the next attempt, in milliseconds.
   *
   * @throws RefusedError if a repeat makes no sense
   */
  private async retryAfter(error: unknown): Promise<number> {
    if (error instanceof FetchError) {
      if (error.cause instanceof CredentialsError) {
        throw error.cause;
      }
      return 0;
    }
    if (!(error instanceof ResponseError)) {
      throw error;
    }
    const { response } = error;
    const problem = await readProblem(response);
    const isOfUse =
      response.status === TOO_MANY_REQUESTS ||
      response.status >= FIRST_SERVER_ERROR ||
      PASSING.has(problemName(problem));
    if (!isOfUse) {
      throw new RefusedError(problem, error);
    }
    const seconds = response.headers.get('Retry-After');
    return seconds !== null && /^[0-9]{1,9}$/.test(seconds) ? Number(seconds) * 1_000 : 0;
  }

  /** A random time, so that many clients do not return at once. */
  private randomMillis(failures: number): number {
    const spread = FIRST_SPREAD_MILLIS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS);
    return Math.floor(this.environment.random() * spread);
  }
}

async function sleep(millis: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, millis);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
