/**
 * A drop as its operator sees it, in which Redis is killed: FIRSTCOME_HOME is the folder of a running `./firstcome up`
 * that no other test uses meanwhile, and FIRSTCOME_GATEWAY_SECRET the secret of its gateway.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { Firstcome, gateway } from '../../client/typescript/dist/src/index.js';
import { change, checkAndPicture, enter, fillDefinition, lines, newPage } from './console-pages.mjs';
import { killRedis, restartRedis, serviceUrl } from './up.mjs';

const PATIENCE = { millis: 60_000 };
const UNTIL_OPEN = 20_000;
const QUANTITY = 400;
const CUSTOMERS = 480;
const AT_A_TIME = 60;
const ANSWERED_BEFORE_THE_KILL = 100;

const secret = process.env.FIRSTCOME_GATEWAY_SECRET;
const couponId = `DROP-${Date.now()}`;
const service = serviceUrl();
const statuses = [];
let browser;
let page;
let faults;

before(async () => ({ browser, page, faults } = await newPage()));

after(() => browser?.close());

async function recorded(input, init) {
  const response = await fetch(input, init);
  statuses.push(response.status);
  return response;
}

/** Claims until the answer is final. */
async function claim(user) {
  const customer = new Firstcome(service, gateway(secret, { user }), { fetch: recorded });
  return { user, ...(await customer.claim(couponId, PATIENCE)) };
}

/** Each customer claims; `onAnswered` is called at each final answer with the number of those until then. */
async function claimAll(onAnswered) {
  const waiting = Array.from({ length: CUSTOMERS }, (_, i) => `customer-${i}`);
  const results = [];
  const claimOneAfterTheOther = async () => {
    while (waiting.length > 0) {
      onAnswered(results.push(await claim(waiting.shift())));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, claimOneAfterTheOther));
  return results;
}

async function until(condition) {
  while (!(await condition())) {
    await setTimeout(100);
  }
}

const value = (name) => page.locator(`[data-value="${name}"]`);
const shows = (name, text) => value(name).filter({ hasText: text }).waitFor();
const fact = (name) => page.locator(`dt:text-is("${name}") + dd`).textContent();
const count = async (name) => Number((await fact(name)).replace(/ .*/, '').replaceAll(',', ''));

/** The number of answers of each kind, by the text below the curve. */
async function answers() {
  const text = await value('curve-text').textContent();
  const counts = [...text.matchAll(/([\d,]+) ([a-z ]+)/g)];
  return Object.fromEntries(counts.map(([, number, kind]) => [kind, Number(number.replaceAll(',', ''))]));
}

async function prepare() {
  await page.goto(`${service}/console`);
  await enter(page, 'operator');
  await page.getByRole('link', { name: 'New coupon' }).click();
  await fillDefinition(page, couponId, { quantity: QUANTITY, opensAt: new Date(Date.now() + UNTIL_OPEN) });
  await page.getByRole('button', { name: 'Define it as a draft' }).click();
  await page.getByText('It is a draft.').waitFor();
  await change(page, couponId, 'Publish');
  await page.getByText('It is in revision 2 now.').waitFor();
  await page.getByRole('link', { name: 'Ready?' }).click();
  await page.getByRole('row', { name: new RegExp(`${couponId}.*scheduled.* ${QUANTITY} ${QUANTITY}`) }).waitFor();
  await page.locator('.verdict', { hasText: /^Go/ }).waitFor();
  await checkAndPicture(page, 'drop-ready');
  await page.getByRole('link', { name: couponId }).click();
  await page.getByRole('link', { name: 'Watch it live' }).click();
  await shows('connection', 'Live. Server time');
  await shows('phase', 'open');
  await shows('remaining', `${QUANTITY} of ${QUANTITY}`);
}

async function watchWithoutRedis() {
  await shows('remaining', 'not known');
  await shows('partitions', /[1-9]/);
  await shows('log', 'not known');
  await shows('curve-text', /[1-9][\d,]* unavailable/);
  await shows('connection', 'Live. Server time');
  await checkAndPicture(page, 'drop-without-redis');
}

async function assertReport(results) {
  const issuedTo = results.filter(({ claimed }) => claimed);
  await page.getByRole('link', { name: 'Report', exact: true }).click();
  await page.getByText('Exact: stock, hand-off log and rows agree.').waitFor();
  assert.equal(await fact('Slots used'), `${QUANTITY} of ${QUANTITY}`);
  assert.equal(await fact('Missing, extra, lost'), '0, 0, 0');
  assert.equal(await fact('Users with two'), '0');
  assert.equal(await fact('Slots left'), '0');
  assert.match(await fact('All slots issued'), /^within \d+ s of the opening$/);
  assert.equal(await count('issued'), QUANTITY);
  assert.equal((await count('accepted')) + (await count('already claimed')), QUANTITY);
  assert.equal(await count('sold out'), CUSTOMERS - QUANTITY);
  await page.locator('#curve canvas').waitFor();
  await page.getByText(`${QUANTITY} user coupons were issued.`).waitFor();
  const points = JSON.parse(await page.locator('#report').getAttribute('data-curve'));
  assert.ok(points.length > 1);
  assert.equal(points.reduce((sum, { issued }) => sum + issued, 0), QUANTITY);
  await checkAndPicture(page, 'drop-report');

  const [, ...rows] = (await lines(page, 'User coupons as CSV')).map((line) => line.split(','));
  assert.deepEqual(
    rows.map(([slot]) => Number(slot)),
    Array.from({ length: QUANTITY }, (_, i) => i + 1),
  );
  assert.deepEqual(rows.map(([, user]) => user).sort(), issuedTo.map(({ user }) => user).sort());
}

test('an operator prepares a drop, sees Redis fail and work again, closes the coupon and reads the report', { timeout: 90_000 }, async () => {
  await prepare();
  await page.evaluate(() => (window.isTheSame = true));

  let claims;
  await new Promise((resolve, reject) => {
    claims = claimAll((answered) => {
      if (answered === ANSWERED_BEFORE_THE_KILL) {
        killRedis();
        resolve();
      }
    });
    claims.catch(reject);
  });
  try {
    await watchWithoutRedis();
  } finally {
    await restartRedis();
  }
  const results = await claims;

  const refusals = results.filter(({ claimed }) => !claimed).map(({ reason }) => reason);
  assert.deepEqual(refusals, Array(CUSTOMERS - QUANTITY).fill('sold-out'));
  assert.ok(statuses.includes(503), 'claims were refused while Redis was away');
  await shows('remaining', `0 of ${QUANTITY}`);
  await shows('partitions', /^0$/);
  await shows('log', /^0$/);
  await until(async () => {
    const { accepted, 'already claimed': repeated, 'sold out': soldOut } = await answers();
    return accepted + repeated === QUANTITY && soldOut === refusals.length;
  });
  assert.ok(await page.evaluate(() => window.isTheSame), 'the live page was not loaded again');
  await checkAndPicture(page, 'drop-sold-out');

  await page.getByRole('link', { name: couponId }).click();
  await change(page, couponId, 'Close');
  await page.getByText('ended').first().waitFor();
  await assertReport(results);
  assert.deepEqual(faults, []);
});
