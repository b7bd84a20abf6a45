/**
 * The page of a coupon and the web component in Chromium, against a running service: FIRSTCOME_URL and
 * FIRSTCOME_GATEWAY_SECRET name it, SCREENSHOTS the folder for pictures. Each context adds the headers that a gateway
 * adds, so the page itself has no credentials.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';

import AxeBuilder from '@axe-core/playwright';

import { Firstcome, gateway } from '../../client/typescript/dist/src/index.js';
import { faultsOf, launchChromium } from './chromium.mjs';

const PATIENCE = { millis: 30_000 };
const service = process.env.FIRSTCOME_URL;
const secret = process.env.FIRSTCOME_GATEWAY_SECRET;
const pictures = process.env.SCREENSHOTS;
const prefix = `CARD-${Date.now()}`;
const olga = new Firstcome(
  service,
  gateway(secret, { user: 'olga', scopes: ['coupon:define', 'coupon:operate', 'coupon:revoke'] }),
);

let coupons = 0;
let users = 0;
let browser;
let context;
/** Those of each page of a test. */
let faults = [];

before(async () => {
  browser = await launchChromium();
  mkdirSync(pictures, { recursive: true });
});

after(() => browser?.close());

afterEach(async () => {
  await context?.close();
  context = undefined;
  const reported = faults.flat();
  faults = [];
  assert.deepEqual(reported, []);
});

const customer = (user) => new Firstcome(service, gateway(secret, { user }));

const inSeconds = (seconds) => new Date(Date.now() + 1_000 * seconds);

/** Defines a coupon, and waits until its room can be joined if it has one that is to be open. */
async function define(more = {}, waitsFor = 'serving') {
  const couponId = `${prefix}-${++coupons}`;
  const definition = {
    couponId,
    name: 'Coffee for two',
    totalQuantity: 100,
    discount: { type: 'PERCENT', basisPoints: 1_250, currency: 'EUR', cap: { minorUnits: 1_000, currency: 'EUR' } },
    minimumOrder: { minorUnits: 2_000, currency: 'EUR' },
    opensAt: new Date('2026-01-01T00:00:00Z'),
    closesAt: new Date('2036-01-01T00:00:00Z'),
    validity: { days: 30 },
    returnsToStock: true,
    ...more,
  };
  await olga.repeat(PATIENCE, () => olga.coupons.defineCoupon({ definition }));
  if (definition.waitingRoom && waitsFor !== null) {
    const somebody = customer('somebody');
    while ((await somebody.rooms.getWaitingRoom({ couponId }))[waitsFor] === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  return couponId;
}

const room = (more = {}) => ({ mode: 'ADMIT', admissionsPerSecond: 1_000, admissionTime: 'PT2M', ...more });

/** Opens a page as a customer, or as somebody who is not signed in. */
async function open(couponId, { user = `user-${++users}`, ...options } = {}) {
  context = await browser.newContext({
    viewport: { width: 640, height: 480 },
    locale: 'en-GB',
    ...options,
  });
  await signIn(user);
  return openTab(couponId);
}

async function signIn(user) {
  await context.setExtraHTTPHeaders({ 'X-Gateway-Secret': secret, ...(user ? { 'X-User-Id': user } : {}) });
}

async function openTab(couponId) {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  // Chromium reports each refusal of the service, which the page shows to the customer.
  faults.push(faultsOf(page, /Failed to load resource/));
  await page.goto(`${service}/c/${couponId}`);
  return page;
}

const said = (page, text) => page.getByRole('status').filter({ hasText: text }).waitFor();
const button = (page, name) => page.getByRole('button', { name });
const fact = (page, name) => page.locator('dl > div').filter({ hasText: name }).locator('dd');

/** The text of a fact once it has one. */
async function factOf(page, name) {
  await fact(page, name).waitFor();
  return fact(page, name).textContent();
}

async function checkAndPicture(page, name) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), [], name);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `${name}: ${overflow} pixels too wide`);
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

const CODE = /^([0-9A-Z]{4} ){3}[0-9A-Z]{4}$/;

describe('a coupon without a waiting room', () => {
  test('is claimed with one press, and the code is there again after a reload', async () => {
    const page = await open(await define());
    await page.getByRole('heading', { name: 'Coffee for two', level: 1 }).waitFor();
    await page.getByText('12.5% off, up to €10.00, from €20.00').waitFor();
    assert.equal(await page.title(), 'Coffee for two');
    await checkAndPicture(page, 'open');

    await button(page, 'Get my coupon').click();

    await said(page, 'The coupon is yours.');
    const code = await factOf(page, 'Code');
    assert.match(code, CODE);
    await fact(page, 'Valid until').waitFor();
    await checkAndPicture(page, 'yours');
    await page.reload();
    assert.equal(await factOf(page, 'Code'), code);
  });

  test('is claimed with the keyboard alone', async () => {
    const page = await open(await define());
    await button(page, 'Get my coupon').waitFor();

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    await said(page, 'The coupon is yours.');
    // The button is gone, and the focus is not lost with it.
    assert.equal(await page.evaluate(() => document.activeElement.shadowRoot?.activeElement?.id), 'name');
  });

  test('shows a countdown until it opens', async () => {
    const page = await open(await define({ opensAt: inSeconds(6) }));
    await said(page, 'The coupon can be claimed later.');
    assert.match(await factOf(page, 'Opens in'), /^00:0\d$/);
    await checkAndPicture(page, 'countdown');

    await button(page, 'Get my coupon').click();

    await said(page, 'The coupon is yours.');
  });

  test('says that it is sold out, and since when', async () => {
    const couponId = await define({ totalQuantity: 1 });
    const page = await open(couponId);
    await button(page, 'Get my coupon').waitFor();
    await customer('faster').claim(couponId, PATIENCE);

    await button(page, 'Get my coupon').click();

    await said(page, 'All coupons are taken.');
    assert.match(await factOf(page, 'As of'), /\d\d:\d\d:\d\d\.\d/);
    await checkAndPicture(page, 'sold-out');
    await page.reload();
    await said(page, 'All coupons are taken.');
  });

  test('says that it is paused', async () => {
    const couponId = await define();
    await olga.repeat(PATIENCE, () => olga.coupons.pauseCoupon({ couponId }));
    const page = await open(couponId);
    await said(page, 'This is paused');
    await checkAndPicture(page, 'paused');
  });

  test('says that it is over', async () => {
    const couponId = await define();
    await olga.repeat(PATIENCE, () => olga.coupons.closeCoupon({ couponId }));
    const page = await open(couponId);
    await said(page, 'This coupon can no longer be claimed.');
  });

  test('is claimed once more and not lost if the answer is', async () => {
    const page = await open(await define());
    await button(page, 'Get my coupon').waitFor();
    let lost = 0;
    await page.route('**/claims', async (route) => {
      if (lost++ < 2) {
        await route.fetch();
        await route.abort();
      } else {
        await route.continue();
      }
    });

    await button(page, 'Get my coupon').click();

    await said(page, 'There is no answer yet.');
    await checkAndPicture(page, 'retry');
    await said(page, 'The coupon is yours.');
    assert.equal(lost, 3);
  });

  test('is claimed again while the service is overloaded', async () => {
    const page = await open(await define());
    await button(page, 'Get my coupon').waitFor();
    let refused = 0;
    await page.route('**/claims', (route) =>
      refused++ < 2
        ? route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, contentType: 'application/problem+json', body: '{}' })
        : route.continue(),
    );

    await button(page, 'Get my coupon').click();

    await said(page, 'The service is busy.');
    await said(page, 'The coupon is yours.');
    assert.equal(refused, 3);
  });

  test('is offered again when slots are added after the sell-out', async () => {
    const couponId = await define({ totalQuantity: 1 });
    await customer('faster').claim(couponId, PATIENCE);
    const page = await open(couponId);
    await said(page, 'All coupons are taken.');

    await olga.repeat(PATIENCE, () => olga.coupons.raiseQuantity({ couponId, quantityRequest: { totalQuantity: 2 } }));
    await page.waitForTimeout(6_000);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

    await button(page, 'Get my coupon').click();
    await said(page, 'The coupon is yours.');
  });

  test('of a service that answers with a page of a proxy is retried', async () => {
    const page = await open(await define());
    await button(page, 'Get my coupon').waitFor();
    let refused = 0;
    await page.route('**/claims', (route) =>
      refused++ < 1
        ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
        : route.continue(),
    );

    await button(page, 'Get my coupon').click();

    await said(page, 'The service is busy.');
    await said(page, 'The coupon is yours.');
  });
});

describe('a coupon that the customer has claimed', () => {
  for (const [state, text, more = {}] of [
    ['ACCEPTED', 'It can be used in a moment.'],
    ['HELD', 'Your coupon is held for an order.', { redemption: { orderId: 'order-1', heldUntil: inSeconds(600) } }],
    ['USED', 'You have used this coupon.'],
    ['EXPIRED', 'Your coupon has expired.'],
    ['RETURNED', 'You had this coupon and gave it back'],
    ['REVOKED', 'You had this coupon and gave it back'],
    ['REJECTED', 'Your claim was lost by a failure'],
  ]) {
    test(`is shown as ${state}, also after a reload`, async () => {
      const couponId = await define();
      const user = `user-${++users}`;
      await customer(user).claim(couponId, PATIENCE);
      const page = await open('NO-SUCH-COUPON', { user });
      await page.route('**/claims/me', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ status: 200, json: { ...(await answer.json()), state, ...more } });
      });
      await page.goto(`${service}/c/${couponId}`);

      await said(page, text);
      await checkAndPicture(page, state.toLowerCase());
      await page.reload();
      await said(page, text);
    });
  }
});

test('a customer with as many coupons of the campaign as possible is told so', async () => {
  const page = await open(await define());
  await page.route('**/claims', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      json: { type: 'urn:firstcome:problem:campaign-limit', status: 409 },
    }),
  );
  await button(page, 'Get my coupon').click();
  await said(page, 'You have as many coupons of this campaign');
  await checkAndPicture(page, 'limit');
});

test('a page is loaded with two calls, or three in a room', async () => {
  for (const [couponId, wanted] of [
    [await define(), 2],
    [await define({ waitingRoom: room() }), 3],
  ]) {
    const page = await open('NO-SUCH-COUPON');
    let calls = 0;
    page.on('request', (request) => (calls += request.url().includes('/api/') ? 1 : 0));
    await page.goto(`${service}/c/${couponId}`);
    await page.getByRole('button').waitFor();
    await page.waitForTimeout(1_500);
    assert.equal(calls, wanted);
    await context.close();
    context = undefined;
  }
});

test('a customer who is not signed in is asked to, and goes on after signing in', async () => {
  const page = await open(await define(), { user: null });
  await said(page, 'Sign in to get this coupon.');
  await page.getByRole('heading', { name: 'Coffee for two' }).waitFor();
  await checkAndPicture(page, 'signed-out');

  await signIn('signed-in-later');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

  await button(page, 'Get my coupon').waitFor();
});

test('a coupon that does not exist', async () => {
  const page = await open('NO-SUCH-COUPON');
  await said(page, 'There is no such coupon.');
  await checkAndPicture(page, 'unknown');
});

describe('a waiting room', () => {
  test('with a challenge is joined after the page has solved it, and again with a new one', async () => {
    const couponId = await define({ waitingRoom: room({ challenge: true, admissionsPerSecond: 1, paused: true }) });
    const page = await open(couponId);
    let answer;
    const held = new Promise((resolve) => (answer = resolve));
    await page.route('**/waiting-room/challenge', async (route) => {
      await held;
      await route.continue();
    });
    const refused = [];
    page.on('response', (answer) => {
      if (answer.status() === 403) {
        refused.push(answer.url());
      }
    });
    await button(page, 'Join the queue').click();
    await said(page, 'Your browser is being checked.');
    await checkAndPicture(page, 'checking');
    answer();
    await said(page, 'You keep your place.');
    assert.deepEqual(refused, []);

    const other = await openTab(couponId);
    await said(other, 'You keep your place.');
    await other.evaluate(() => localStorage.clear());
    let wrong = 0;
    await other.route('**/waiting-room/challenge', async (route) => {
      const answer = await route.fetch();
      const challenge = await answer.json();
      // The first solution is not one of the service's challenge.
      await route.fulfill({ json: wrong++ === 0 ? { ...challenge, signature: '00' } : challenge });
    });
    await other.reload();
    await button(other, 'Join the queue').click();
    await said(other, 'You keep your place.');
    assert.equal(wrong, 2);
  });

  test('admits a customer, who claims in time', async () => {
    const couponId = await define({ waitingRoom: room() });
    const page = await open(couponId);
    await said(page, 'There is a queue for this coupon.');
    await checkAndPicture(page, 'join');

    await button(page, 'Join the queue').click();

    await said(page, 'It is your turn.');
    assert.match(await factOf(page, 'Time left'), /^0[12]:\d\d$/);
    await checkAndPicture(page, 'your-turn');
    await page.reload();
    await button(page, 'Get my coupon').click();
    await said(page, 'The coupon is yours.');
    assert.match(await factOf(page, 'Code'), CODE);
  });

  test('that claims gives the coupon without another press', async () => {
    const page = await open(await define({ waitingRoom: room({ mode: 'CLAIM' }) }));

    await button(page, 'Join the queue').click();

    await said(page, 'The coupon is yours.');
    assert.match(await factOf(page, 'Code'), CODE);
  });

  test('shows number, place and wait, keeps them over a reload and shows them in each tab', async () => {
    const couponId = await define({ waitingRoom: room({ admissionsPerSecond: 1 }) });
    for (let i = 0; i < 60; i++) {
      await customer(`before-${i}`).rooms.joinWaitingRoom({ couponId });
    }
    const page = await open(couponId);
    await button(page, 'Join the queue').click();
    await said(page, 'You are in the queue.');
    assert.equal(await factOf(page, 'Your number'), '61');
    const ahead = Number(await factOf(page, 'Ahead of you'));
    assert.ok(ahead > 20 && ahead <= 60, ahead);
    assert.match(await factOf(page, 'Expected wait'), /^\d+–\d+ (seconds|minutes)$/);
    assert.equal(await factOf(page, 'Chance'), 'You will probably get one');
    await checkAndPicture(page, 'queue');

    await page.reload();
    assert.equal(await factOf(page, 'Your number'), '61');
    const tab = await openTab(couponId);
    assert.equal(await factOf(tab, 'Your number'), '61');
    await page.waitForFunction(
      (before) => Number(document.querySelector('firstcome-coupon').shadowRoot.querySelectorAll('dd')[1].textContent) < before,
      ahead,
    );
  });

  test('is shown in another tab as soon as one has joined', async () => {
    const couponId = await define({ waitingRoom: room({ paused: true }) });
    const page = await open(couponId);
    const other = await openTab(couponId);
    await button(other, 'Join the queue').waitFor();

    await button(page, 'Join the queue').click();

    await said(page, 'You keep your place.');
    await said(other, 'You keep your place.');
    await checkAndPicture(other, 'paused-queue');
  });

  test('is joined by the page itself when it opens', async () => {
    const opensAt = inSeconds(600);
    const page = await open(
      await define({ opensAt, waitingRoom: room({ joinsFrom: inSeconds(8) }) }, null),
    );
    await said(page, 'The queue opens later.');
    assert.match(await factOf(page, 'Opens in'), /^00:0\d$/);
    await page.reload();
    await said(page, 'The queue opens later.');

    await said(page, 'You are in the queue.');
    assert.equal(await factOf(page, 'Your number'), '1');
    assert.match(await factOf(page, 'Opens in'), /^09:\d\d$/);
  });

  test('that draws its order says so before the draw', async () => {
    const page = await open(
      await define({ opensAt: inSeconds(600), waitingRoom: room({ order: 'DRAW', joinsFrom: new Date('2026-01-01T00:00:00Z') }) }),
    );
    await button(page, 'Join the queue').click();
    await said(page, 'You take part in the draw of the order.');
    await checkAndPicture(page, 'draw');
  });

  test('goes on after the network was away, and says so meanwhile', async () => {
    const couponId = await define({ waitingRoom: room({ paused: true }) });
    const page = await open(couponId);
    await button(page, 'Join the queue').click();
    await said(page, 'You keep your place.');

    await context.setOffline(true);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await said(page, 'No connection.');
    await said(page, 'You keep your place.');
    await checkAndPicture(page, 'offline');
    await olga.repeat(PATIENCE, () => olga.coupons.changeWaitingRoom({ couponId, waitingRoomChange: { paused: false } }));
    await context.setOffline(false);

    await said(page, 'It is your turn.');
    assert.equal(await page.getByText('No connection.').count(), 0);
  });

  test('goes on in a page that nobody sees, so that no turn is missed', async () => {
    const couponId = await define({ waitingRoom: room({ paused: true }) });
    const page = await open(couponId);
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }));
    await button(page, 'Join the queue').click();
    await said(page, 'You keep your place.');

    await olga.repeat(PATIENCE, () => olga.coupons.changeWaitingRoom({ couponId, waitingRoomChange: { paused: false } }));

    await said(page, 'It is your turn.');
  });

  test('is joined again by another customer who uses the same browser', async () => {
    const couponId = await define({ waitingRoom: room({ admissionsPerSecond: 1, paused: true }) });
    const page = await open(couponId);
    await button(page, 'Join the queue').click();
    await said(page, 'You keep your place.');

    await signIn(`user-${++users}`);
    await page.reload();

    await button(page, 'Join the queue').click();
    await said(page, 'You keep your place.');
  });

  test('keeps the place if a proxy refuses to read it, and says so', async () => {
    const couponId = await define({ waitingRoom: room({ paused: true }) });
    const page = await open(couponId);
    await button(page, 'Join the queue').click();
    await said(page, 'You keep your place.');
    await page.route('**/waiting-room/me', (route) => route.fulfill({ status: 403, body: 'blocked' }));

    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

    await said(page, 'The service is busy.');
    await said(page, 'You keep your place.');
    await page.unroute('**/waiting-room/me');
    await page.getByText('The service is busy.').waitFor({ state: 'detached' });
    await said(page, 'You keep your place.');
  });

  test('shows the coupon to a customer whose claim was not answered in time', async () => {
    const couponId = await define({ waitingRoom: room({ admissionTime: 'PT10S' }) });
    const page = await open(couponId);
    await button(page, 'Join the queue').click();
    await said(page, 'It is your turn.');
    await page.route('**/claims', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Get my coupon').click();
    await said(page, 'There is no answer yet.');
    assert.equal(await page.locator('dl > div').count(), 0);
    await page.waitForTimeout(12_000);
    await page.unroute('**/claims');

    await said(page, 'The coupon is yours.');
  });

  test('offers to join again after a turn that was missed', async () => {
    const page = await open(await define({ waitingRoom: room({ admissionTime: 'PT10S' }) }));
    await button(page, 'Join the queue').click();
    await said(page, 'It is your turn.');

    await said(page, 'Your turn is over.');
    await checkAndPicture(page, 'missed');
    await button(page, 'Join again').click();

    await said(page, 'It is your turn.');
  });

  test('tells who waits that all is taken', async () => {
    const couponId = await define({ totalQuantity: 1, waitingRoom: room({ paused: true }) });
    const first = customer('admitted-first');
    await first.rooms.joinWaitingRoom({ couponId });
    const page = await open(couponId);
    await button(page, 'Join the queue').click();
    await said(page, 'You keep your place.');
    await olga.repeat(PATIENCE, () => olga.coupons.changeWaitingRoom({ couponId, waitingRoomChange: { paused: false } }));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

    await button(page, 'Get my coupon').waitFor();
    const { ticket } = await first.rooms.joinWaitingRoom({ couponId });
    const { admission } = await first.rooms.getStanding({ couponId, xTicket: ticket });
    await first.claim(couponId, PATIENCE, admission);
    await button(page, 'Get my coupon').click();

    await said(page, 'All coupons are taken.');
  });
});

test('a customer in a queue whose coupons are all taken keeps the place', async () => {
  const couponId = await define({ totalQuantity: 1, waitingRoom: room({ mode: 'CLAIM', paused: true }) });
  await customer('claimed-for').rooms.joinWaitingRoom({ couponId });
  const page = await open(couponId);
  await button(page, 'Join the queue').click();
  await said(page, 'You keep your place.');
  await olga.repeat(PATIENCE, () => olga.coupons.changeWaitingRoom({ couponId, waitingRoomChange: { paused: false } }));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

  await said(page, 'All coupons are taken. You keep your place');
  await checkAndPicture(page, 'sold-out-queue');
  await page.reload();
  await said(page, 'All coupons are taken. You keep your place');
});

describe('the web component', () => {
  test('in a page of another origin with a strict policy calls with the credentials that the page gives it', async () => {
    const couponId = await define();
    const shop = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.setHeader('Content-Security-Policy', `default-src 'none'; script-src ${service}; connect-src ${service}`);
      response.end(`<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>
        <script type="module" src="${service}/assets/firstcome-coupon.js"></script>
        <firstcome-coupon id="card" coupon="${couponId}" use="javascript:alert(1)"></firstcome-coupon></main></html>`);
    });
    await new Promise((resolve) => shop.listen(0, '127.0.0.1', resolve));
    try {
      context = await browser.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      faults.push(faultsOf(page, /Failed to load resource|CORS/));
      // What the service answers to scripts of this origin, which is not among those that it allows.
      await page.route(`${service}/api/**`, async (route) => {
        const { 'x-shop-test': user } = route.request().headers();
        if (user === undefined) {
          await route.fulfill({ status: 401, headers: { 'Access-Control-Allow-Origin': '*' }, body: '{}' });
          return;
        }
        const response = await route.fetch({
          headers: { 'X-Gateway-Secret': secret, 'X-User-Id': user },
        });
        await route.fulfill({ response, headers: { ...response.headers(), 'Access-Control-Allow-Origin': '*' } });
      });
      await page.addInitScript(() => {
        customElements.whenDefined('firstcome-coupon').then(() => {
          document.getElementById('card').credentials = async () => ({ 'X-Shop-Test': 'shop-user' });
        });
      });
      await page.goto(`http://127.0.0.1:${shop.address().port}/`);

      await page.getByRole('heading', { name: 'Coffee for two', level: 2 }).waitFor();
      await button(page, 'Get my coupon').click();
      await said(page, 'The coupon is yours.');
      assert.equal(await page.getByRole('link').count(), 0);
    } finally {
      shop.close();
    }
  });

  test('shows another coupon when its attribute changes, and nothing after it was removed', async () => {
    const couponId = await define();
    const other = await define({ name: 'Garden chair' });
    const page = await open(couponId);
    await page.getByRole('heading', { name: 'Coffee for two' }).waitFor();

    await page.locator('firstcome-coupon').evaluate((card, id) => card.setAttribute('coupon', id), other);

    await page.getByRole('heading', { name: 'Garden chair' }).waitFor();
    let calls = 0;
    page.on('request', () => calls++);
    await page.locator('firstcome-coupon').evaluate((card) => card.remove());
    await page.waitForTimeout(2_000);
    assert.equal(calls, 0);
  });
});

describe('in Korean, dark, and on a narrow or enlarged page', () => {
  for (const [name, options] of [
    ['korean-narrow', { locale: 'ko-KR', viewport: { width: 320, height: 640 } }],
    ['dark', { locale: 'en-GB', colorScheme: 'dark' }],
    ['wide', { locale: 'en-GB', viewport: { width: 1600, height: 900 } }],
    // What 200 % zoom makes of a window of 800 pixels.
    ['zoomed', { locale: 'en-GB', viewport: { width: 400, height: 300 }, deviceScaleFactor: 2, reducedMotion: 'reduce' }],
  ]) {
    test(name, async () => {
      const couponId = await define({ waitingRoom: room({ admissionsPerSecond: 1 }) });
      for (let i = 0; i < 90; i++) {
        await customer(`before-${i}`).rooms.joinWaitingRoom({ couponId });
      }
      const page = await open(couponId, options);
      const korean = options.locale === 'ko-KR';
      await checkAndPicture(page, `${name}-join`);
      await button(page, korean ? '대기열 참여' : 'Join the queue').click();
      await said(page, korean ? '대기열에 참여했습니다' : 'You are in the queue.');
      await checkAndPicture(page, `${name}-queue`);
    });
  }
});
