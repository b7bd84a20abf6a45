/**
 * What takes long for a coupon with many user coupons: LARGE_COUPON is its id, LARGE_COUPON_ROWS their number. Redis was
 * killed before they had rows, and is started again here. FIRSTCOME_HOME is the folder of the `./firstcome up`.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { checkAndPicture, enter, lines, newPage } from './console-pages.mjs';
import { restartRedis, serviceUrl } from './up.mjs';

const couponId = process.env.LARGE_COUPON;
const rows = Number(process.env.LARGE_COUPON_ROWS);
const number = (value) => value.toLocaleString('en-GB');

const service = serviceUrl();
let browser;
let page;
let faults;

before(async () => {
  ({ browser, page, faults } = await newPage({ timeout: 60_000 }));
  await page.goto(`${service}/console`);
  await enter(page, 'operator');
});

after(() => browser?.close());

/** The values of a progress bar from now until it is gone, each once. */
async function percents(bar) {
  const seen = [];
  while ((await bar.count()) > 0) {
    const value = await bar.getAttribute('value', { timeout: 1_000 }).catch(() => null);
    if (value !== null && value !== seen.at(-1)) {
      seen.push(value);
    }
    await page.waitForTimeout(50);
  }
  return seen.map(Number);
}

/** Waits for a progress bar, checks the page while it is there, and watches it until its end. */
async function watch(bar, name) {
  await bar.waitFor();
  const checked = checkAndPicture(page, name);
  const seen = await percents(bar);
  await checked;
  assert.ok(seen.length >= 2, `it was seen to advance: ${seen}`);
  assert.deepEqual(seen, seen.toSorted((a, b) => a - b));
}

test('a recovery is shown with the number of rows that are rebuilt, and with an estimate', { timeout: 120_000 }, async () => {
  await page.goto(`${service}/console/incidents`);
  const figures = new RegExp(`^Coupon ${couponId}: [\\d,]+ of at most ${number(rows)} rows are rebuilt, at most [\\d,]+ s are left\\.$`);
  const restarted = restartRedis();
  await watch(page.getByRole('progressbar', { name: figures }), 'large-recovery');
  await restarted;
});

test('a proof is shown with the number of rows that are compared, and with an estimate', { timeout: 120_000 }, async () => {
  await page.goto(`${service}/console/coupons/${couponId}/report`);
  await page.getByText(new RegExp(`^[\\d,]+ of about ${number(rows)}, about [\\d,]+ s left for this part$`)).waitFor();
  await watch(page.getByRole('progressbar', { name: /^Comparing rows/ }), 'large-proof');
  await page.getByText('Exact: stock, hand-off log and rows agree.').waitFor();
  // The numbers of its axis have seven digits.
  await checkAndPicture(page, 'large-report');
});

test('a file is shown with the number of user coupons that are sent, and with an estimate', { timeout: 120_000 }, async () => {
  const file = lines(page, 'User coupons as CSV');
  await page.getByText(new RegExp(`^[\\d,]+ of about ${number(rows)}, about [\\d,]+ s left$`)).waitFor();
  await watch(page.getByRole('progressbar', { name: 'Sending the user coupons' }), 'large-export');
  await page.getByText(`The last file was sent, with ${number(rows)} user coupons.`).waitFor();
  assert.equal((await file).length, 1 + rows);
  assert.deepEqual(faults, []);
});
