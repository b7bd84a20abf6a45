/**
 * The page of the API in Chromium, against a running service: FIRSTCOME_MANAGEMENT_URL is the address of its management
 * port and FIRSTCOME_GATEWAY_SECRET the secret of its gateway.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { faultsOf, launchChromium } from './chromium.mjs';

const address = `${process.env.FIRSTCOME_MANAGEMENT_URL}/actuator/apipage`;
let browser;

before(async () => {
  browser = await launchChromium();
});

after(() => browser?.close());

test('a call is sent from the page with the credentials that were entered', async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(15_000);
  const faults = faultsOf(page);
  await page.goto(address);
  await page.getByRole('heading', { name: /^Firstcome/ }).waitFor();

  await page.locator('.auth-wrapper').getByRole('button', { name: 'Authorize' }).click();
  const gateway = page.locator('.auth-container').filter({ hasText: 'X-Gateway-Secret' });
  await gateway.getByRole('textbox').fill(process.env.FIRSTCOME_GATEWAY_SECRET);
  await gateway.getByRole('button', { name: 'Apply credentials' }).click();
  await page.getByRole('button', { name: 'Close' }).first().click();
  const operation = page.locator('#operations-claims-listCoupons');
  await operation.getByRole('button').first().click();
  await operation.getByRole('button', { name: 'Execute' }).click();

  const status = operation.locator('.live-responses-table .response-col_status').last();
  await status.getByText('200').waitFor();
  assert.equal(await page.locator('.errors-wrapper, .version-pragma__message').count(), 0);
  assert.equal(await page.getByText('not supported').count(), 0);
  assert.deepEqual(faults, []);
});

test('only the files of the page are served', async () => {
  for (const name of ['application.yaml', 'index.html', '..%2Fapplication.yaml', 'index.js', 'a'.repeat(1_000)]) {
    const { status } = await fetch(`${address}/${name}`);
    assert.ok([400, 404].includes(status), `${name}: ${status}`);
  }
});
