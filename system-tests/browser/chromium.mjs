import { chromium } from 'playwright-core';

/** Debian's Chromium, without its background connections. */
export function launchChromium() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** What the page reports as an error, except messages that match. */
export function faultsOf(page, expected = /^$/) {
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) {
      faults.push(message.text());
    }
  });
  return faults;
}
