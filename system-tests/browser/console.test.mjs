/**
 * The console in Chromium, against a running service: FIRSTCOME_URL and FIRSTCOME_GATEWAY_SECRET name it.
 * DEAD_LETTERS has two ids of coupons that do not exist, separated by a comma; there is a dead letter with a claim of each.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, afterEach, before, describe, test } from 'node:test';

import { Firstcome, gateway } from '../../client/typescript/dist/src/index.js';
import { faultsOf, launchChromium } from './chromium.mjs';
import {
  assertAccessible,
  change,
  checkAndPicture,
  enter,
  fillDefinition,
  lines,
  local,
  lookAt,
  PASSWORD,
  WIDE,
} from './console-pages.mjs';

const service = process.env.FIRSTCOME_URL;
const secret = process.env.FIRSTCOME_GATEWAY_SECRET;
const prefix = `CONSOLE-${Date.now()}`;

let coupons = 0;
let browser;
let contexts = [];
let faults = [];

before(async () => {
  browser = await launchChromium();
});

after(() => browser?.close());

afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  contexts = [];
  const reported = faults.flat();
  faults = [];
  assert.deepEqual(reported, []);
});

/** Opens the console as nobody, without any header of a gateway. */
async function open(path, { expected, ...options } = {}) {
  const context = await browser.newContext({ viewport: WIDE, locale: 'en-GB', ...options });
  contexts.push(context);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  faults.push(faultsOf(page, expected));
  await page.goto(`${service}${path}`);
  return page;
}

async function signIn(name, { path = '/console', ...options } = {}) {
  const page = await open(path, options);
  await enter(page, name);
  return page;
}

async function define(page) {
  const couponId = `${prefix}-${++coupons}`;
  await page.getByRole('link', { name: 'New coupon' }).click();
  await fillDefinition(page, couponId);
  await page.getByRole('button', { name: 'Define it as a draft' }).click();
  await page.getByText('It is a draft.').waitFor();
  return couponId;
}

async function publish(page, couponId) {
  await change(page, couponId, 'Publish');
  await page.getByText('It is in revision 2 now.').waitFor();
}

/** Waits for something that is not on the page, for half a minute at most. */
async function until(page, condition) {
  for (let i = 0; i < 100; i++) {
    if (await condition()) {
      return;
    }
    await page.waitForTimeout(300);
  }
  assert.fail(`not in time: ${condition}`);
}

const claim = (couponId, user) =>
  new Firstcome(service, gateway(secret, { user })).claims.claimCoupon({ couponId });

/** A POST of an operator to the API. */
const operate = (path, body) =>
  fetch(`${service}/api/v1/admin/${path}`, {
    method: 'POST',
    headers: {
      'X-Gateway-Secret': secret,
      'X-User-Id': 'oscar',
      'X-Scopes': 'coupon:operate coupon:revoke',
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });

describe('signing in', () => {
  test('a visitor is sent to the page for it, and back to where they were going', async () => {
    const page = await open('/console/coupons?section=ended');
    assert.equal(new URL(page.url()).pathname, '/console/login');
    await lookAt(page, 'sign-in');

    await page.getByLabel('Name').fill('operator');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Coupons' }).waitFor();
    assert.match(page.url(), /section=ended/);
  });

  test('a wrong password is refused', async () => {
    const page = await open('/console/login');
    await page.getByLabel('Name').fill('operator');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();

    await page.getByRole('alert').getByText('Signing in failed.').waitFor();
  });

  test('who signs out has to sign in again', async () => {
    const page = await signIn('viewer');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();

    await page.goto(`${service}/console/coupons`);
    assert.equal(new URL(page.url()).pathname, '/console/login');
  });
});

describe('a viewer', () => {
  test('sees everything and can change nothing', async () => {
    const operator = await signIn('operator');
    const couponId = await define(operator);
    const page = await signIn('viewer', { path: `/console/coupons/${couponId}`, expected: /403/ });

    await page.getByRole('heading', { name: couponId }).waitFor();
    assert.equal(await page.getByText('Publish').count(), 0);
    assert.equal(await page.getByRole('link', { name: 'New coupon' }).count(), 0);

    for (const path of ['/console/new', `/console/coupons/${couponId}/edit`]) {
      await page.goto(`${service}${path}`);
      await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
      await assertAccessible(page, 'not allowed');
    }
  });
});

describe('an operator', () => {
  test('defines a coupon, publishes it, watches its claims, and changes it until it is archived', async () => {
    const page = await signIn('operator');
    const couponId = await define(page);
    await publish(page, couponId);
    await lookAt(page, 'coupon');

    await page.getByRole('link', { name: 'Watch it live' }).click();
    await page.getByText('Live. Server time').waitFor();
    assert.equal(await page.locator('[data-value="remaining"]').textContent(), '3 of 3');
    await claim(couponId, 'ann');
    await claim(couponId, 'bob');
    await page.getByText('1 of 3').waitFor({ timeout: 5_000 });
    await page.getByText('2 accepted').waitFor({ timeout: 15_000 });
    await lookAt(page, 'live');

    await page.getByRole('link', { name: couponId }).click();
    await change(page, couponId, 'Pause');
    await page.getByText('It is in revision 3 now.').waitFor();
    await page.locator('.phase', { hasText: 'paused' }).waitFor();
    await change(page, couponId, 'Resume');
    await page.getByText('It is in revision 4 now.').waitFor();
    await page.locator('.phase', { hasText: 'open' }).waitFor();
    await page.locator('summary', { hasText: 'Raise the quantity' }).click();
    await page.getByLabel('New quantity').fill('5');
    await page.locator('details[open]').getByLabel('To confirm').fill(couponId);
    await page.getByRole('button', { name: 'Raise' }).click();
    await page.getByText('It is in revision 5 now.').waitFor();
    await change(page, couponId, 'Close');
    await page.locator('.phase', { hasText: 'ended' }).waitFor();
    for (const action of ['pause', 'resume', 'raise', 'close']) {
      await page.getByRole('cell', { name: action, exact: true }).waitFor();
    }
    // Once the rows of all claims are written.
    await until(page, async () => {
      await page.goto(`${service}/console/coupons/${couponId}`);
      await change(page, couponId, 'Archive');
      return (await page.locator('.phase', { hasText: 'archived' }).count()) > 0;
    });
  });

  test('finds a coupon by a part of its name or id, in the section that it is in', async () => {
    const page = await signIn('operator');
    const couponId = await define(page);

    await page.goto(`${service}/console/coupons?section=draft`);
    await page.getByRole('searchbox').fill(couponId.toLowerCase());
    await page.getByRole('link', { name: couponId, exact: true }).waitFor();
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    assert.equal(await page.locator('tbody tr').count(), 1);
    await lookAt(page, 'coupons');

    // The list is renewed every two seconds; the link keeps the focus.
    await page.getByRole('link', { name: couponId, exact: true }).focus();
    await page.waitForResponse((response) => response.url().includes('rows=1'));
    await page.waitForResponse((response) => response.url().includes('rows=1'));
    assert.equal(await page.evaluate(() => document.activeElement.textContent), couponId);

    await page.getByRole('searchbox').fill('no coupon is called like this');
    await page.getByText('No coupon here has this text').waitFor();
    await lookAt(page, 'no-coupons');
  });

  test('is told what is wrong with a definition while it is written, and nothing is defined', async () => {
    const page = await signIn('operator', { path: '/console/new', expected: /422/ });
    await fillDefinition(page, `${prefix}-WRONG`);
    await page.getByLabel('Quantity').fill('many');
    await page.getByLabel('Quantity').blur();
    await page.getByText("not a whole number: 'many'").waitFor();
    await page.getByLabel('Quantity').fill('0');
    await page.getByLabel('Quantity').blur();
    await page.getByText("not a whole number: 'many'").waitFor({ state: 'detached' });
    await page.getByText('One thing is missing or wrong').waitFor();
    await lookAt(page, 'definition');

    await page.getByRole('button', { name: 'Define it as a draft' }).click();
    await page.getByText('One thing is missing or wrong').waitFor();
    assert.equal(await page.getByLabel('Quantity').inputValue(), '0');

    await page.getByLabel('Quantity').fill('10');
    await page.getByLabel('Quantity').blur();
    await page.getByText('One thing is missing or wrong').waitFor({ state: 'detached' });
  });

  test('sees what customers would see of a coupon while it is written', async () => {
    const page = await signIn('operator', { path: '/console/new' });
    await page.getByText('Shown when all fields are right.').waitFor();
    await fillDefinition(page, `${prefix}-PREVIEW`);
    await page.getByLabel('Opens').fill('2035-01-01T00:00');
    await page.getByLabel('Opens').blur();

    const preview = page.locator('#preview');
    await preview.getByRole('heading', { name: 'Coffee for two' }).waitFor();
    await preview.getByText('€5.50').waitFor();
    await preview.getByText('Opens in').waitFor();

    await page.getByLabel('Name, as customers see it').fill('Tea for two');
    await page.getByLabel('Opens').fill('2026-01-01T00:00');
    await page.getByLabel('Opens').blur();
    await preview.getByRole('heading', { name: 'Tea for two' }).waitFor();
    await preview.locator('button:disabled').waitFor();
    await lookAt(page, 'preview');

    await page.getByLabel('Quantity').fill('0');
    await page.getByLabel('Quantity').blur();
    await page.getByText('Shown when all fields are right.').waitFor();
    await preview.waitFor({ state: 'hidden' });
  });

  test('sees what would change before it is saved, and can go back to the form', async () => {
    const page = await signIn('operator');
    const couponId = await define(page);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.locator('#preview').getByRole('heading', { name: 'Coffee for two' }).waitFor();
    await page.getByRole('button', { name: 'Review the changes' }).click();
    await page.getByText('The form changes nothing.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);

    await page.getByRole('button', { name: 'Back to the form' }).click();
    await page.getByLabel('Name, as customers see it').fill('Tea for two');
    await page.getByLabel('A percentage').check();
    await page.getByLabel('Percent', { exact: true }).fill('10');
    await page.getByRole('button', { name: 'Review the changes' }).click();
    await page.getByRole('row', { name: 'Name Coffee for two Tea for two' }).waitFor();
    await page.getByRole('row', { name: 'Amount 5.5 –' }).waitFor();
    await page.getByRole('row', { name: 'Percent – 10' }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 4);
    await lookAt(page, 'review');

    await page.getByRole('button', { name: 'Back to the form' }).click();
    assert.equal(await page.getByLabel('Name, as customers see it').inputValue(), 'Tea for two');
    await page.getByRole('button', { name: 'Review the changes' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It is in revision 2 now.').waitFor();
    await page.getByText('10 %', { exact: true }).waitFor();
  });

  test('sees what another operator has changed in the meantime, and saves nothing without seeing it', async () => {
    const page = await signIn('operator', { expected: /412/ });
    const couponId = await define(page);
    const other = await signIn('operator', { path: `/console/coupons/${couponId}/edit` });
    await page.getByRole('link', { name: 'Edit' }).click();
    assert.equal(await page.getByLabel('Amount', { exact: true }).inputValue(), '5.50');
    const save = async (one) => {
      await one.getByRole('button', { name: 'Review the changes' }).click();
      await one.getByRole('button', { name: 'Save' }).click();
    };

    await other.getByLabel('Name, as customers see it').fill('Tea for two');
    await save(other);
    await other.getByText('It is in revision 2 now.').waitFor();
    await page.getByLabel('Quantity').fill('5');
    await page.getByRole('button', { name: 'Review the changes' }).click();
    await page.getByText('Another operator has changed the coupon since you opened the form.').waitFor();
    await page.getByRole('row', { name: 'Name Tea for two Coffee for two' }).waitFor();
    await page.getByRole('row', { name: 'Quantity 3 5' }).waitFor();
    await lookAt(page, 'review-overtaken');

    // The coupon changes once more, after the operator has seen the changes.
    await other.getByRole('link', { name: 'Edit' }).click();
    await other.getByLabel('Name, as customers see it').fill('Milk for two');
    await save(other);
    await other.getByText('It is in revision 3 now.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: 'Name Milk for two Coffee for two' }).waitFor();
    await page.getByText('Another operator has changed the coupon since you opened the form.').waitFor();
    await other.reload();
    await other.getByText('Milk for two').waitFor();
  });

  test('reads all changes of a coupon, and comes from one to the user coupon', async () => {
    const page = await signIn('operator');
    const couponId = await define(page);
    await publish(page, couponId);
    for (let i = 0; i < 13; i++) {
      for (const action of ['pause', 'resume']) {
        assert.equal((await operate(`coupons/${couponId}/${action}`)).status, 200);
      }
    }
    const { userCouponId } = await claim(couponId, 'ann');
    const revocation = `user-coupons/${userCouponId}/revocation`;
    // Until its row is written.
    await until(page, async () => (await operate(revocation, { reason: 'fraud' })).status !== 404);

    await page.reload();
    assert.equal(await page.locator('tbody tr').count(), 20);
    await page.getByRole('link', { name: 'All changes' }).click();
    await page.getByRole('heading', { name: `Changes of ${couponId}` }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 29);
    await page.getByRole('row', { name: /define/ }).waitFor();
    await lookAt(page, 'audit');
    await page.getByRole('link', { name: userCouponId }).click();
    await page.getByRole('row', { name: /customer ann claim slot 1/ }).waitFor();

    await page.goto(`${service}/console/coupons`);
    await page.getByRole('link', { name: 'Changes by operators' }).click();
    await page.getByRole('heading', { name: 'Changes by operators' }).waitFor();
    await page.getByRole('row', { name: new RegExp(`operator oscar revoke ${userCouponId}`) }).waitFor();
    assert.equal(await page.getByRole('row', { name: /customer/ }).count(), 0);
    await page.getByRole('link', { name: couponId, exact: true }).first().click();
    await page.getByRole('heading', { name: couponId }).waitFor();
  });

  test('reads the manual of this version', async () => {
    const page = await signIn('viewer', { path: '/console/incidents' });
    await page.getByRole('link', { name: 'What to do about dead letters' }).click();
    await page.getByRole('heading', { name: 'FirstcomeDeadLetters' }).waitFor();
    await lookAt(page, 'document');
    await page.getByRole('link', { name: 'health', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Health' }).waitFor();
    await page.getByRole('link', { name: 'All documents' }).click();
    await page.getByRole('link', { name: 'Runbook', exact: true }).waitFor();
    await lookAt(page, 'manual');
  });

  test('changes the kind of the discount and of the validity, and clears what is not wanted', async () => {
    const page = await signIn('operator');
    const couponId = await define(page);
    const edit = async (fill) => {
      await page.getByRole('link', { name: 'Edit' }).click();
      await fill();
      await page.getByRole('button', { name: 'Review the changes' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It is in revision').waitFor();
    };
    await edit(async () => {
      await page.getByLabel('A percentage').check();
      await page.getByLabel('Percent', { exact: true }).fill('12.5');
      await page.getByLabel('At most', { exact: true }).fill('9.99');
      await page.getByLabel('Valid for days from the claim').check();
      await page.getByLabel('Days', { exact: true }).fill('30');
    });
    await page.getByText('12.5 %, at most 9.99 EUR').waitFor();
    await page.getByText('30 days from the claim').waitFor();
    await edit(() => page.getByLabel('At most', { exact: true }).fill(''));
    await page.getByText('12.5 %', { exact: true }).waitFor();
    await edit(async () => {
      await page.getByLabel('An amount').check();
      await page.getByLabel('Amount', { exact: true }).fill('3.00');
    });
    await page.getByText('3.00 EUR', { exact: true }).waitFor();
  });

  test('sees that a page is not renewed, and sees it renewed again', async () => {
    const page = await signIn('operator', { expected: /503|ERR_FAILED|401/ });
    const couponId = await define(page);
    await page.goto(`${service}/console/coupons?section=draft&text=${couponId}`);
    await page.getByRole('link', { name: couponId, exact: true }).waitFor();

    await page.route('**/console/coupons?*rows=1*', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.getByText('The service cannot renew this page now (503).').waitFor();
    await page.getByRole('link', { name: couponId, exact: true }).waitFor();
    await lookAt(page, 'stale');
    await page.unroute('**/console/coupons?*rows=1*');
    await page.getByText('cannot renew').waitFor({ state: 'hidden' });

    await page.context().clearCookies();
    await page.getByText('You are signed out.').waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/coupons');
  });

  test('makes a change once, though the button is pressed twice', async () => {
    const page = await signIn('operator');
    const couponId = await define(page);
    await page.locator('summary', { hasText: 'Publish' }).click();
    await page.locator('details[open]').getByLabel('To confirm').fill(couponId);
    await page.locator('details[open]').getByRole('button').dblclick();
    await page.getByText('It is in revision 2 now.').waitFor();
    await page.reload();
    assert.equal(await page.getByRole('cell', { name: 'publish', exact: true }).count(), 1);
  });

  test('does not change a coupon that another operator has changed in the meantime', async () => {
    const page = await signIn('operator');
    const couponId = await define(page);
    await publish(page, couponId);
    const other = await signIn('operator', { path: `/console/coupons/${couponId}`, expected: /412/ });
    await change(page, couponId, 'Pause');
    await page.getByText('It is in revision 3 now.').waitFor();

    await change(other, couponId, 'Close');
    await other.getByText('was changed since you read it').waitFor();
    await page.reload();
    await page.locator('.phase', { hasText: 'paused' }).waitFor();
  });

  test('sees that a live page is silent, and sees it live again', async () => {
    const page = await signIn('operator', { expected: /503|ERR_/ });
    const couponId = await define(page);
    await page.route('**/live/events', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.goto(`${service}/console/coupons/${couponId}/live`);
    await page.getByText('The service has sent nothing for').waitFor({ timeout: 15_000 });
    await lookAt(page, 'silent');
    await page.unroute('**/live/events');
    await page.getByText('Live. Server time').waitFor({ timeout: 15_000 });
  });

  test('has to type the id to confirm a change', async () => {
    const page = await signIn('operator', { expected: /400/ });
    const couponId = await define(page);
    await change(page, 'ANOTHER', 'Publish');
    await page.getByText(`To confirm, type the id of the coupon: ${couponId}.`).waitFor();

    await page.goto(`${service}/console/coupons/${couponId}`);
    await page.getByText('draft', { exact: true }).waitFor();
  });

  test('sees whether all is ready for a drop, and what to do where it is not', async () => {
    const page = await signIn('operator', { path: '/console/ready' });
    await page.getByRole('heading', { name: 'Instances of the last hour' }).waitFor();
    await page.getByRole('row', { name: /Broker and recorders.*ready/ }).waitFor();
    await page.getByRole('row', { name: /Partitions of the stock.*ready/ }).waitFor();
    // With one instance, or with one that was stopped in the last hour, as by another test.
    await page.getByRole('row', { name: /Instances.*check.*(Start a second one|has stopped reporting)/ }).waitFor();
    await page.getByText(/^(Go|No go)/).waitFor();
    await page.getByRole('row', { name: /health\/wallets up/ }).waitFor();
    await page.getByRole('link', { name: 'More about Instances' }).waitFor();
    await page.getByRole('row', { name: /running.*0\.1\.0/ }).waitFor();
    await lookAt(page, 'ready');
  });

  test('reads dead letters, records one once its coupon exists, and discards another one', async () => {
    const [couponId, unwanted] = process.env.DEAD_LETTERS.split(',');
    const page = await signIn('operator', { path: '/console/incidents', expected: /409/ });
    const act = async (id, title) => {
      await page.goto(`${service}/console/incidents`);
      const letter = page.locator('article.letter', { has: page.getByRole('link', { name: id, exact: true }) });
      const number = (await letter.getByRole('heading').textContent()).replace('Dead letter ', '');
      await letter.locator('summary', { hasText: title }).click();
      const form = letter.locator('form', { hasText: title });
      await form.getByLabel('To confirm').fill(number);
      await form.getByRole('button').click();
      return number;
    };
    await page.getByText('unknown coupon').first().waitFor();
    await lookAt(page, 'dead-letters');
    // After each failure the service waits longer until it records it by itself.
    for (let i = 0; i < 3; i++) {
      await act(couponId, 'Replay');
      await page.getByText('could not be recorded and is kept: unknown coupon').waitFor();
    }
    await page.goto(`${service}/console/new`);
    await fillDefinition(page, couponId);
    await page.getByRole('button', { name: 'Define it as a draft' }).click();
    await publish(page, couponId);

    const replayed = await act(couponId, 'Replay');
    await page.getByText(`The dead letter ${replayed} is recorded.`).waitFor();
    const discarded = await act(unwanted, 'Discard');
    await page.getByText(`The dead letter ${discarded} is discarded.`).waitFor();
  });

  test('sees that nothing is wrong', async () => {
    const page = await signIn('viewer', { path: '/console/incidents' });
    await page.getByRole('heading', { name: 'Dead letters' }).waitFor();
    assert.ok((await page.getByText('There are none.').count()) >= 3);
    await lookAt(page, 'incidents');
  });

  test('adds a webhook, sees its secret once, disables and deletes it', async () => {
    const page = await signIn('operator', { path: '/console/webhooks' });
    await page.locator('summary', { hasText: 'Add a webhook' }).click();
    await page.getByLabel('Address').fill(`http://127.0.0.1:9/${prefix}`);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('It is not shown again.').waitFor();
    assert.match(await page.locator('#secret').textContent(), /^whsec_/);
    await lookAt(page, 'webhook');
    await page.reload();
    assert.equal(await page.locator('#secret').count(), 0);

    const id = (await page.getByRole('heading', { level: 1 }).textContent()).replace('Webhook ', '');
    await change(page, id, 'Disable');
    await page.getByText('The webhook is changed.').waitFor();
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await page.getByRole('link', { name: `Webhook ${id}` }).waitFor();
    await lookAt(page, 'webhooks');
    await page.getByRole('link', { name: `Webhook ${id}` }).click();
    await change(page, id, 'Delete');
    await page.getByText(`The webhook ${id} is deleted.`).waitFor();
  });

  test('sends a test to a webhook, and sees in its log that it was delivered', async () => {
    const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()));
    await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    try {
      const page = await signIn('operator', { path: '/console/webhooks' });
      await page.locator('summary', { hasText: 'Add a webhook' }).click();
      await page.getByLabel('Address').fill(`http://127.0.0.1:${receiver.address().port}/${prefix}`);
      await page.getByRole('button', { name: 'Add' }).click();
      await page.locator('summary', { hasText: 'Send a test' }).click();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('is the test. Load the page again to see it.').waitFor();
      const delivered = page.getByRole('row', { name: /webhook\.test.*delivered.*204/ });
      await until(page, async () => {
        await page.reload();
        return (await delivered.count()) > 0;
      });
      await lookAt(page, 'deliveries');
      await page.getByRole('link', { name: 'Given up' }).click();
      await page.getByText('There are none.').waitFor();
      const id = (await page.getByRole('heading', { level: 1 }).textContent()).replace('Webhook ', '');
      await change(page, id, 'Delete');
      await page.getByText(`The webhook ${id} is deleted.`).waitFor();
    } finally {
      receiver.close();
    }
  });

  test('finds the user coupon of an order', async () => {
    const page = await signIn('viewer', { path: '/console/customers' });
    const operator = await signIn('operator');
    const couponId = await define(operator);
    await publish(operator, couponId);
    const { code } = await claim(couponId, 'ann');
    const order = `order-${couponId.toLowerCase()}`;
    const use = () =>
      fetch(`${service}/api/v1/redemptions`, {
        method: 'POST',
        headers: {
          'X-Gateway-Secret': secret,
          'X-Shop-Id': 'berlin',
          'X-Scopes': 'coupon:redeem',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ code, orderId: order, amount: { minorUnits: 3000, currency: 'EUR' } }),
      });
    // Until its row is written.
    await until(page, async () => (await use()).status === 201);

    await page.getByLabel('Shop').fill('berlin');
    await page.getByLabel('Order').fill(order);
    await page.getByRole('button', { name: 'Find by order' }).click();
    await page.getByRole('row', { name: new RegExp(`${couponId} ann used .* ${order}`) }).waitFor();
    await page.locator('tbody').getByRole('link').first().click();
    await page.getByRole('row', { name: new RegExp(`shop berlin .*${order}`) }).first().waitFor();
  });

  test('finds the user coupon of a customer and revokes it', async () => {
    const page = await signIn('operator', { expected: /400/ });
    const couponId = await define(page);
    await publish(page, couponId);
    const user = `${prefix.toLowerCase()}-ann`;
    const { code } = await claim(couponId, user);
    await claim(couponId, `${user}-2`);

    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await page.getByLabel('User id').fill(user);
    await page.getByRole('button', { name: 'Find by user' }).click();
    await page.getByRole('cell', { name: user, exact: true }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 1);
    await lookAt(page, 'customers');
    await page.getByLabel('Code that').fill(code.toLowerCase());
    await page.getByRole('button', { name: 'Find by code' }).click();
    await page.getByRole('heading', { name: 'The user coupon of that code' }).waitFor();
    assert.ok(!page.url().includes(code.toLowerCase()));
    assert.ok(!(await page.content()).includes(code));
    await page.locator('tbody').getByRole('link').first().click();

    await page.locator('summary', { hasText: 'Revoke' }).click();
    await page.getByLabel('Reason').fill('bought by a program');
    await page.getByLabel('To confirm').fill('somebody else');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('To confirm, type the id of the user.').waitFor();
    await page.goBack();
    await page.locator('details').evaluate((details) => (details.open = true));
    await page.getByLabel('Reason').fill('bought by a program');
    await page.getByLabel('To confirm').fill(user);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('It is revoked.').waitFor();
    await page.getByRole('cell', { name: 'revoke', exact: true }).waitFor();
    await lookAt(page, 'user-coupon');

    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await page.getByLabel('User id').fill('of nobody');
    await page.getByRole('button', { name: 'Find by user' }).click();
    await page.getByText('The user id is not valid').waitFor();
  });

  test('reads the report of a drop, and takes it along', async () => {
    const page = await signIn('operator');
    const couponId = await define(page);
    await publish(page, couponId);
    for (const user of ['=ann', 'bob', 'carol', 'dave']) {
      await claim(couponId, user).catch((failure) => assert.equal(failure.response?.status, 409));
    }
    await page.waitForTimeout(3_000);
    await page.goto(`${service}/console/coupons/${couponId}/report`);
    await page.getByText('Exact: stock, hand-off log and rows agree.').waitFor();
    await page.getByText(/^within .* s of its definition$/).waitFor();
    await page.getByText('3 (75.00 %)').waitFor();
    assert.equal(await page.getByText(/^≤ [\d,]+ ms$/).count(), 3);
    await page.getByText('3 user coupons were issued.').waitFor();
    await page.locator('#curve canvas').waitFor();
    await lookAt(page, 'report');
    await page.emulateMedia({ media: 'print' });
    await page.locator('header').first().waitFor({ state: 'hidden' });
    await page.getByText('Exact: stock, hand-off log and rows agree.').waitFor();
    await checkAndPicture(page, 'report-printed');
    await page.emulateMedia({ media: 'screen' });

    const issued = await lines(page, 'User coupons as CSV');
    assert.equal(issued[0], 'slot,userId,userCouponId,state,issuedAt,expiresAt,orderId,shopId,discountMinorUnits,currency,usedAt,reason');
    assert.equal(issued.length, 4);
    assert.match(issued[1], /^1,'=ann,.*,ISSUED,/);
    await page.getByText('The last file was sent, with 3 user coupons.').waitFor();
    const curve = await lines(page, 'Curve as CSV');
    assert.equal(curve[0], 'at,issued,accepted,alreadyClaimed,soldOut,refused,recovering,overloaded,outcomeUnknown');
    assert.equal(curve.slice(1).reduce((sum, line) => sum + Number(line.split(',')[1]), 0), 3);
  });

  test('rehearses a drop, reads its result, and what is expected of a larger one', async () => {
    const page = await signIn('operator');
    const couponId = await define(page);
    await page.goto(`${service}/console/coupons/${couponId}`);
    await page.getByRole('link', { name: 'Rehearse' }).click();
    await page.getByText('This coupon was not rehearsed yet.').waitFor();
    const begin = page.locator('form', { hasText: 'Begin the rehearsal' });
    await begin.getByLabel('Users').fill('2000');
    await begin.getByLabel('Quantity').fill('200');
    await begin.getByLabel('Also while customers can claim').check();
    await begin.getByRole('button').click();
    await page.getByText('The rehearsal has begun.').waitFor();
    await page.getByRole('progressbar').waitFor();
    await assertAccessible(page, 'rehearsal in progress');
    await page.getByText('200, 1,800').waitFor({ timeout: 60_000 });
    await page.getByText(/^(Go: exact, and fast enough\.|No go\.)$/).waitFor();

    const calculate = page.locator('form', { hasText: 'Calculate' });
    await calculate.getByLabel('Users').fill('100000');
    await calculate.getByLabel('Quantity').fill('20000');
    await calculate.getByRole('button').click();
    await page.getByText(/so that no user waits longer than a second|is enough: Redis limits it/).waitFor();
    await page.getByText(/^rehearsal \d+, for 2 instances/).waitFor();
    await lookAt(page, 'rehearsal');
    await calculate.getByLabel('Users').fill('0');
    await calculate.getByRole('button').click();
    await page.getByRole('alert').filter({ hasText: 'users must be 1 to 1000000' }).waitFor();
  });

  test('changes the rate of a waiting room while it serves, and pauses it', async () => {
    const page = await signIn('operator', { expected: /422/ });
    await page.getByRole('link', { name: 'New coupon' }).click();
    const couponId = `${prefix}-${++coupons}`;
    await fillDefinition(page, couponId);
    await page.getByLabel('Customers wait in a room').check();
    await page.getByLabel('Customers join from').fill(local(new Date(Date.now() - 120_000)));
    await page.getByLabel('Served in a second').fill('100');
    await page.getByRole('button', { name: 'Define it as a draft' }).click();
    await page.getByText('It is a draft.').waitFor();
    await publish(page, couponId);
    await page.getByRole('link', { name: 'Watch it live' }).click();
    await page.getByText('Live. Server time').waitFor();
    await page.locator('[data-value="joined"]', { hasText: '0' }).waitFor();

    await page.getByLabel('Customers to serve each second', { exact: true }).fill('250');
    assert.equal(await page.getByLabel('Customers to serve each second, slider').inputValue(), '250');
    await page.getByRole('button', { name: 'Change the rate' }).click();
    await page.getByText('The waiting room serves 250 a second.').waitFor();
    await lookAt(page, 'live-room');
    await page.getByRole('button', { name: 'Pause serving' }).click();
    await page.getByText('The waiting room is paused.').waitFor();
    await page.getByRole('button', { name: 'Resume serving' }).click();
    await page.getByText('The waiting room serves 250 a second.').waitFor();

    await page.getByLabel('Customers to serve each second', { exact: true }).fill('0');
    await page.getByRole('button', { name: 'Change the rate' }).click();
    await page.getByRole('alert').waitFor();
  });

  test('uses the console with the keyboard alone', async () => {
    const page = await signIn('operator');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'content');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Open');

    const couponId = await define(page);
    const tabTo = async (found) => {
      for (let i = 0; i < 60 && !(await page.evaluate(found)); i++) {
        await page.keyboard.press('Tab');
      }
      assert.ok(await page.evaluate(found), String(found));
    };
    await page.goto(`${service}/console/coupons/${couponId}`);
    await tabTo(() => document.activeElement.matches('summary') && document.activeElement.textContent === 'Publish');
    await page.keyboard.press('Enter');
    await tabTo(() => document.activeElement.name === 'confirmation');
    await page.keyboard.type(couponId);
    await tabTo(() => document.activeElement.matches('button') && document.activeElement.textContent === 'Publish');
    await page.keyboard.press('Enter');
    await page.getByText('It is in revision 2 now.').waitFor();
  });

  test('sees times in UTC and in a chosen time zone', async () => {
    const page = await signIn('operator');
    const couponId = await define(page);
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByText('1 Jan 2036, 09:00:00 Asia/Tokyo').first().waitFor();
    await page.getByText('2036-01-01 00:00:00 UTC').first().waitFor();

    await page.reload();
    await page.getByText('1 Jan 2036, 09:00:00 Asia/Tokyo').first().waitFor();
    assert.ok(couponId);
  });

  test('sees that a coupon does not exist', async () => {
    const page = await signIn('operator', { expected: /404/ });
    await page.goto(`${service}/console/coupons/UNKNOWN`);
    await page.getByText('There is no coupon with this id.').waitFor();
    await lookAt(page, 'problem');
  });
});
