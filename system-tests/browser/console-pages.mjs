/** What tests do on pages of the console: CONSOLE_PASSWORD is that of its users, SCREENSHOTS the folder for pictures. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import AxeBuilder from '@axe-core/playwright';

import { faultsOf, launchChromium } from './chromium.mjs';

export const PASSWORD = process.env.CONSOLE_PASSWORD ?? 'local';
export const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const pictures = process.env.SCREENSHOTS;

/** A page of a browser of its own, and what goes wrong on it. */
export async function newPage({ timeout = 20_000 } = {}) {
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport: WIDE, locale: 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(timeout);
  return { browser, page, faults: faultsOf(page) };
}

export async function enter(page, name) {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(name, { exact: true }).waitFor();
}

export async function assertAccessible(page, name) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes.map((node) => node.html).join(' ')}`),
    [],
  );
}

/** Takes a picture of a page as it is now, and checks it. */
export async function checkAndPicture(page, name) {
  if (pictures) {
    await page.screenshot({ path: join(pictures, `console-${name}.png`), fullPage: true });
  }
  await assertAccessible(page, name);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overflow, 0, `${name} is wider than the window`);
}

/** Looks at a page in both widths and both colour schemes. */
export async function lookAt(page, name) {
  for (const [size, viewport] of Object.entries({ wide: WIDE, narrow: NARROW })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await checkAndPicture(page, `${name}-${size}-${colorScheme}`);
    }
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** A time in UTC as a field for it has it, which is without seconds if they are zero. */
export const local = (date) => date.toISOString().slice(0, 19).replace(/:00$/, '');

/** Fills the form of a new coupon, whose window is open if no other begin is given. */
export async function fillDefinition(page, couponId, { quantity = 3, opensAt = new Date(Date.now() - 60_000) } = {}) {
  // A change before the scripts are there is not checked.
  await page.waitForLoadState();
  await page.getByLabel('Id', { exact: true }).fill(couponId);
  await page.getByLabel('Name, as customers see it').fill('Coffee for two');
  await page.getByLabel('Quantity').fill(String(quantity));
  await page.getByLabel('Amount', { exact: true }).fill('5.50');
  await page.getByLabel('Opens').fill(local(opensAt));
  await page.getByLabel('Closes').fill('2036-01-01T00:00');
  await page.getByLabel('Valid until', { exact: true }).fill('2036-02-01T00:00');
}

/** Makes a change that is confirmed by an id, such as that of the coupon. */
export async function change(page, id, title) {
  await page.locator('summary', { hasText: title }).click();
  await page.locator('details[open]').getByLabel('To confirm').fill(id);
  await page.locator('details[open]').getByRole('button').click();
}

/** The lines of the file behind a link. */
export async function lines(page, link) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: link }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8').trim().split('\r\n');
}
