/**
 * The sample shop page in Chromium, against a running service: FIRSTCOME_URL and FIRSTCOME_GATEWAY_SECRET name it, SCREENSHOTS the
 * folder for pictures.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import AxeBuilder from '@axe-core/playwright';

import { Firstcome, gateway } from '../../client/typescript/dist/src/index.js';
import { faultsOf, launchChromium } from './chromium.mjs';

const PATIENCE = { millis: 30_000 };
const service = process.env.FIRSTCOME_URL;
const secret = process.env.FIRSTCOME_GATEWAY_SECRET;
const pictures = process.env.SCREENSHOTS;

const prefix = `PAGE-${Date.now()}`;
const id = (name) => `${prefix}-${name}`;
const names = ['SOON', 'OPEN', 'PAUSED', 'GONE', 'LEFT', 'RIGHT'];

const olga = new Firstcome(service, gateway(secret, { user: 'olga', scopes: ['coupon:define', 'coupon:operate'] }));

async function define(name, title, more = {}) {
  const definition = {
    couponId: id(name),
    name: title,
    totalQuantity: 100,
    discount: { type: 'AMOUNT', amountOff: { minorUnits: 500, currency: 'EUR' } },
    minimumOrder: { minorUnits: 2_000, currency: 'EUR' },
    opensAt: new Date('2026-01-01T00:00:00Z'),
    closesAt: new Date('2036-01-01T00:00:00Z'),
    validity: { days: 30 },
    returnsToStock: true,
    ...more,
  };
  await olga.repeat(PATIENCE, () => olga.coupons.defineCoupon({ definition }));
}

async function claim(name, user) {
  const result = await new Firstcome(service, gateway(secret, { user })).claim(id(name), PATIENCE);
  assert.ok(result.claimed, JSON.stringify(result));
}

let server;
let address;
let browser;
let context;
let page;
let faults;

before(async () => {
  await define('SOON', 'Garden chair', { opensAt: new Date(Date.now() + 3_600_000) });
  await define('OPEN', 'Coffee for two');
  await define('PAUSED', 'Bicycle repair', {
    discount: { type: 'PERCENT', basisPoints: 1_250, currency: 'EUR', cap: { minorUnits: 1_000, currency: 'EUR' } },
    minimumOrder: undefined,
  });
  await olga.repeat(PATIENCE, () => olga.coupons.pauseCoupon({ couponId: id('PAUSED') }));
  await define('GONE', 'Concert ticket with a name that is much longer than the others', { totalQuantity: 1 });
  await claim('GONE', 'somebody');
  await define('LEFT', 'Left shoe', { draft: true });
  await define('RIGHT', 'Right shoe', { draft: true });
  const campaign = { campaignId: id('SHOES'), limitPerUser: 1, couponIds: new Set([id('LEFT'), id('RIGHT')]) };
  await olga.coupons.defineCampaign({ campaign });
  for (const name of ['LEFT', 'RIGHT']) {
    await olga.repeat(PATIENCE, () => olga.coupons.publishCoupon({ couponId: id(name) }));
  }

  server = spawn(process.execPath, [fileURLToPath(new URL('../../examples/shop-page/server.mjs', import.meta.url))], {
    env: { ...process.env, PORT: '0', COUPONS: names.map(id).join(',') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = await new Promise((resolve) => server.stdout.once('data', resolve));
  address = /http:\S+/.exec(String(printed))[0];
  browser = await launchChromium();
  mkdirSync(pictures, { recursive: true });
});

after(async () => {
  await browser?.close();
  server?.kill();
});

afterEach(async () => {
  await context.close();
  assert.deepEqual(faults, []);
});

async function open(options = {}) {
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  // Chromium reports each refusal of the service, which the page shows to the customer.
  faults = faultsOf(page, /409/);
  await page.goto(address);
  await page.getByRole('heading', { name: 'Coffee for two' }).waitFor();
}

async function signIn(name) {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(`You are ${name}.`).waitFor();
  assert.equal(await page.getByLabel('Your name').isVisible(), false);
}

const card = (title) => page.getByRole('listitem').filter({ hasText: title });
const button = (title) => page.getByRole('button', { name: `Get it: ${title}` });
const said = (text) => page.getByRole('status').filter({ hasText: text }).waitFor();

test('each coupon shows what can be done with it', async () => {
  await open();

  await card('Garden chair').getByText(/Opens in 00:59:\d\d/).waitFor();
  await card('Coffee for two').getByText(/Open now: \d+ left/).waitFor();
  await card('Coffee for two').getByText('€5.00 off, from €20.00').waitFor();
  await card('Bicycle repair').getByText('Paused. It may go on soon.').waitFor();
  await card('Bicycle repair').getByText('12.5 % off, at most €10.00').waitFor();
  await card('Concert ticket').getByText('All gone.').waitFor();
});

test('who is not signed in is asked to', async () => {
  await open();

  await button('Coffee for two').click();

  await said('Sign in first.');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'name');
});

test('a customer signs in and gets a coupon with the keyboard alone', async () => {
  await open();
  await page.keyboard.press('Tab');
  await page.keyboard.type('keyboard-user');
  await page.keyboard.press('Enter');
  await page.getByText('You are keyboard-user.').waitFor();
  const wanted = button('Coffee for two');
  for (let i = 0; i < 10 && !(await wanted.evaluate((node) => node === document.activeElement)); i++) {
    await page.keyboard.press('Tab');
  }

  await page.keyboard.press('Enter');

  await said('It is yours.');
  await card('Coffee for two').getByText(/It is yours. Code: [0-9A-Z]{16}/).waitFor();
  assert.equal(await wanted.isVisible(), false);
});

test('the coupon is still there after the page is loaded again', async () => {
  await open();
  await signIn('returning-user');
  await button('Coffee for two').click();
  await said('It is yours.');

  await page.reload();

  await card('Coffee for two').getByText('It is yours.').waitFor();
});

const LIMIT_REACHED = 'You already have as many of these coupons as each customer can get.';

test('the limit of a campaign is explained', async () => {
  await open();
  await signIn('shoe-lover');
  await button('Left shoe').click();
  await said('It is yours.');

  await card('Right shoe').getByText(LIMIT_REACHED).waitFor();
  assert.equal(await button('Right shoe').getAttribute('aria-disabled'), 'true');
});

test('the limit of a campaign is explained to a customer who has claimed elsewhere since the page was read', async () => {
  await open();
  await signIn('other-shoe-lover');
  // From here on the page does not read the coupons again. The alert shows that no read before it is still in progress.
  await page.evaluate(() => {
    globalThis.fetch = ((original) => (input, init) =>
      String(input).includes('ids=') ? Promise.reject(new TypeError('no answer')) : original(input, init))(fetch);
  });
  await page.getByRole('alert').getByText('cannot be read').waitFor();
  await claim('LEFT', 'other-shoe-lover');

  await button('Right shoe').click();

  await said(LIMIT_REACHED);
});

test('the page says that coupons cannot be read, and reads them again', async () => {
  await open();
  await page.route('**/api/v1/coupons?**', (route) => route.abort());
  faults.length = 0;
  await page.getByRole('alert').getByText('cannot be read at the moment').waitFor();

  await page.unroute('**/api/v1/coupons?**');

  await page.getByRole('alert').getByText('cannot be read').waitFor({ state: 'detached' });
  faults.length = 0;
});

test('what customers may not call is not forwarded', async () => {
  for (const path of ['/api/v1/admin/coupons', '/api/v1/coupons/%2e%2e/admin/coupons', '//api/v1/admin/coupons', '/api/v1/redemptions']) {
    const { status } = await fetch(`${address.replace(/\/$/, '')}${path}`);
    assert.ok([400, 404].includes(status), `${path}: ${status}`);
  }
  await open();
});

test('a coupon that cannot be claimed is not', async () => {
  await open();
  await signIn('impatient-user');

  for (const title of ['Garden chair', 'Bicycle repair', 'Concert ticket']) {
    const disabled = page.getByRole('button', { name: new RegExp(`^Get it: ${title}`) });
    assert.equal(await disabled.getAttribute('aria-disabled'), 'true');
  }
});

for (const width of [390, 1280]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`the page is accessible and fits, ${width} pixels wide, ${colorScheme}`, async () => {
      await open({ viewport: { width, height: 800 }, colorScheme });
      await signIn(`user-${width}-${colorScheme}`);
      await button('Coffee for two').click();
      await card('Coffee for two').getByText('It is yours.').waitFor();

      const { violations } = await new AxeBuilder({ page }).analyze();

      assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `${overflow} pixels too wide`);
      await page.screenshot({ path: join(pictures, `${width}-${colorScheme}.png`), fullPage: true });
    });
  }
}
