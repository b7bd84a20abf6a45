import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import {
  ClaimOutcomeEnum,
  ClaimStateEnum,
  CredentialsError,
  Firstcome,
  gateway,
  RefusedError,
  token,
  UnansweredError,
} from '../src/index.js';

const PATIENCE = { millis: 60_000 };
const CLAIMED = {
  outcome: 'ACCEPTED',
  couponId: 'SUMMER',
  userCouponId: 'SUMMER.0000000000000000',
  slot: 7,
  code: '0000000000000000',
  state: 'A_LATER_STATE',
  memberOfALaterVersion: 1,
};

let answers: (() => Response)[];
let requests: { url: string; headers: Headers }[];
let redirects: (RequestRedirect | undefined)[];
let pauses: number[];
let clock: number;
let random: number;
let ann: Firstcome;

function client(credentials = gateway('secret', { user: 'ann' })): Firstcome {
  return new Firstcome('http://service/', credentials, {
    fetch: async (input, init) => {
      requests.push({ url: `${init?.method} ${String(input)}`, headers: new Headers(init?.headers) });
      redirects.push(init?.redirect);
      const answer = answers.shift();
      assert.ok(answer, 'an unexpected request');
      return answer();
    },
    random: () => random,
    now: () => clock,
    sleep: async (millis) => {
      pauses.push(millis);
      clock += millis;
    },
  });
}

beforeEach(() => {
  answers = [];
  requests = [];
  redirects = [];
  pauses = [];
  clock = 0;
  random = 0;
  ann = client();
});

function willAnswer(status: number, body: unknown, headers: Record<string, string> = {}): void {
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  answers.push(() => new Response(status === 204 ? null : content, { status, headers }));
}

function willRefuse(status: number, name: string, headers: Record<string, string> = {}): void {
  const problem = { type: `urn:firstcome:problem:${name}`, title: 'A title', status, detail: 'A detail.' };
  willAnswer(status, problem, headers);
}

function willCloseTheConnection(): void {
  answers.push(() => {
    throw new TypeError('fetch failed');
  });
}

test('a claim is sent with the credentials and answered with slot and code', async () => {
  willAnswer(202, CLAIMED);

  const result = await ann.claim('SUMMER', PATIENCE);

  assert.ok(result.claimed);
  assert.equal(result.claim.slot, 7);
  assert.equal(result.claim.outcome, ClaimOutcomeEnum.Accepted);
  assert.equal(requests[0]?.url, 'POST http://service/api/v1/coupons/SUMMER/claims');
  assert.equal(requests[0]?.headers.get('X-Gateway-Secret'), 'secret');
  assert.equal(requests[0]?.headers.get('X-User-Id'), 'ann');
});

test('a token is asked for before each request', async () => {
  let asked = 0;
  const withToken = client(token(() => `token-${++asked}`));
  willRefuse(503, 'recovering');
  willAnswer(202, CLAIMED);

  await withToken.claim('SUMMER', PATIENCE);

  const sent = requests.map((request) => request.headers.get('Authorization'));
  assert.deepEqual(sent, ['Bearer token-1', 'Bearer token-2']);
});

test('what a later service adds is ignored', async () => {
  willAnswer(202, CLAIMED);

  const result = await ann.claim('SUMMER', PATIENCE);

  assert.ok(result.claimed);
  assert.ok(!Object.values<string>(ClaimStateEnum).includes(result.claim.state as string));
});

test('a claim is repeated until its answer is final', async () => {
  willRefuse(503, 'outcome-unknown');
  willRefuse(503, 'recovering');
  willRefuse(429, 'too-many-requests');
  willRefuse(500, 'internal-error');
  willAnswer(502, '<html>no service</html>');
  willCloseTheConnection();
  willAnswer(200, CLAIMED);

  const result = await ann.claim('SUMMER', PATIENCE);

  assert.ok(result.claimed);
  assert.equal(requests.length, 7);
});

test('a definitive refusal is a result', async () => {
  willRefuse(409, 'sold-out');

  const result = await ann.claim('SUMMER', PATIENCE);

  assert.ok(!result.claimed);
  assert.equal(result.reason, 'sold-out');
  assert.equal(result.problem.detail, 'A detail.');
  assert.equal(requests.length, 1);
});

test('a wrong call is an error', async () => {
  willRefuse(404, 'unknown-coupon');

  await assert.rejects(
    ann.claim('NOWHERE', PATIENCE),
    (error) => error instanceof RefusedError && error.type === 'unknown-coupon',
  );
  assert.equal(requests.length, 1);
});

test('an answer of a gateway without a problem is an error with its status', async () => {
  willAnswer(403, '<html>forbidden</html>');

  await assert.rejects(
    ann.claim('SUMMER', PATIENCE),
    (error) => error instanceof RefusedError && error.problem.status === 403,
  );
});

test('refusals that end by themselves are repeated', async () => {
  willRefuse(409, 'not-yet-issued');
  willRefuse(409, 'concurrent-change');
  willAnswer(204, '');

  await ann.repeat(PATIENCE, () => ann.wallet.returnUserCoupon({ userCouponId: CLAIMED.userCouponId }));

  assert.equal(requests.length, 3);
});

test('the pause is Retry-After and a random time that is doubled up to sixteen seconds', async () => {
  random = 0.5;
  for (let i = 0; i < 7; i++) {
    willRefuse(503, 'overloaded', { 'Retry-After': '1' });
  }
  willAnswer(200, CLAIMED);

  await ann.claim('SUMMER', PATIENCE);

  assert.deepEqual(pauses, [1_500, 2_000, 3_000, 5_000, 9_000, 9_000, 9_000]);
});

test('without time for another attempt the call is given up at once', async () => {
  willRefuse(503, 'overloaded', { 'Retry-After': '61' });

  await assert.rejects(ann.claim('SUMMER', PATIENCE), UnansweredError);
  assert.deepEqual(pauses, []);
});

test('an answer that breaks off is repeated', async () => {
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"outcome":'));
      controller.error(new TypeError('terminated'));
    },
  });
  answers.push(() => new Response(broken, { status: 202 }));
  willAnswer(200, CLAIMED);

  const result = await ann.claim('SUMMER', PATIENCE);

  assert.ok(result.claimed);
  assert.equal(requests.length, 2);
});

test('without credentials nothing is sent or repeated', async () => {
  const expired = client(async () => {
    throw new RangeError('the login has expired');
  });

  await assert.rejects(
    expired.claim('SUMMER', PATIENCE),
    (error) => error instanceof CredentialsError && error.cause instanceof RangeError,
  );
  assert.deepEqual(requests, []);
});

test('a redirect is not followed', async () => {
  willAnswer(302, '', { Location: 'https://elsewhere.example/' });

  await assert.rejects(ann.claim('SUMMER', PATIENCE), RefusedError);
  assert.equal(redirects[0], 'manual');
});

test('an error in the calling code is not repeated', async () => {
  await assert.rejects(
    ann.repeat(PATIENCE, async () => {
      throw new RangeError('a bug');
    }),
    RangeError,
  );
});
