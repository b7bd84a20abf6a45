import { Firstcome, UnansweredError } from '/client/index.js';

const REFRESH_MILLIS = 2_000;
const PATIENCE = { millis: 60_000 };

/** The states in which the customer has the coupon, and what the page says then. */
const HAS = {
  ACCEPTED: 'It is yours.',
  ISSUED: 'It is yours.',
  HELD: 'It is yours, held for an order.',
  USED: 'You have used it.',
  EXPIRED: 'Yours has expired.',
};
const HAD = {
  RETURNED: 'You gave it back.',
  REVOKED: 'It was taken back.',
  REJECTED: 'Sorry: it was lost in a failure.',
  UNKNOWN: 'Whether it is yours cannot be read at the moment.',
};
/** The states in which the code is of use. */
const USABLE = new Set(['ACCEPTED', 'ISSUED', 'HELD']);
const LIMIT_REACHED = 'You already have as many of these coupons as each customer can get.';

const PHASES = { PAUSED: 'Paused. It may go on soon.', SOLD_OUT: 'All gone.', ENDED: 'Over.', ARCHIVED: 'Over.' };
const REFUSALS = {
  'sold-out': 'All gone.',
  'campaign-limit': LIMIT_REACHED,
  'not-open': 'It is not open yet.',
  paused: 'Paused. Try again in a minute.',
  closed: 'Over.',
  returned: 'You gave this coupon back, so you cannot get it again.',
  rejected: 'Sorry: it was lost in a failure.',
};

const element = (id) => document.getElementById(id);
const say = (text) => {
  element('message').textContent = text;
};

/** The server of the page adds the credentials. */
const firstcome = new Firstcome(location.origin, () => ({}));
const claiming = new Set();
const items = new Map();

function customer() {
  return /(?:^|; )customer=([^;]*)/.exec(document.cookie)?.[1];
}

function discountOf({ discount, minimumOrder }) {
  const money = ({ minorUnits, currency }) => {
    const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
    return format.format(minorUnits / 10 ** format.resolvedOptions().maximumFractionDigits);
  };
  const values = {
    AMOUNT: () => `${money(discount.amountOff)} off`,
    PERCENT: () => `${discount.basisPoints / 100} % off`,
  };
  const value = values[discount.type]?.() ?? 'A discount';
  const cap = discount.cap ? `, at most ${money(discount.cap)}` : '';
  return `${value}${cap}${minimumOrder ? `, from ${money(minimumOrder)}` : ''}`;
}

/** The time until the opening, by the service's clock. */
function countdown(coupon, received) {
  const serverNow = coupon.serverTime.getTime() + (performance.now() - received);
  const seconds = Math.max(0, Math.ceil((coupon.opensAt.getTime() - serverNow) / 1_000));
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function phaseOf(coupon, received) {
  if (coupon.phase === 'SCHEDULED') {
    return `Opens in ${countdown(coupon, received)}`;
  }
  if (coupon.phase === 'OPEN') {
    return coupon.remaining === undefined ? 'Open now.' : `Open now: ${coupon.remaining} left.`;
  }
  return PHASES[coupon.phase] ?? '';
}

/** Whether the customer has as many coupons of the campaign of this one as it allows. */
function isLimited({ campaign }) {
  if (campaign === undefined) {
    return false;
  }
  const has = shown.filter((one) => one.campaign?.campaignId === campaign.campaignId && HAS[one.mine?.state]);
  return has.length >= campaign.limitPerUser;
}

/** Writes only what has changed, so that a screen reader is not disturbed. */
function write(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

function itemOf(couponId) {
  let item = items.get(couponId);
  if (item === undefined) {
    item = element('coupon').content.firstElementChild.cloneNode(true);
    item.querySelector('button').addEventListener('click', () => claim(couponId));
    items.set(couponId, item);
    element('coupons').append(item);
  }
  return item;
}

function show(coupon, received) {
  const item = itemOf(coupon.couponId);
  const has = HAS[coupon.mine?.state];
  const had = HAD[coupon.mine?.state];
  write(item.querySelector('h2'), coupon.name);
  write(item.querySelector('.discount'), discountOf(coupon));
  const limited = !has && !had && isLimited(coupon);
  write(item.querySelector('.phase'), has || had ? '' : phaseOf(coupon, received));
  const code = USABLE.has(coupon.mine?.state) ? ` Code: ${coupon.mine.code}` : '';
  write(item.querySelector('.mine'), limited ? LIMIT_REACHED : `${has ?? had ?? ''}${code}`);
  const button = item.querySelector('button');
  button.hidden = Boolean(has || had);
  const possible = coupon.phase === 'OPEN' && !limited && !claiming.has(coupon.couponId);
  button.setAttribute('aria-disabled', String(!possible));
  button.setAttribute('aria-label', `Get it: ${coupon.name}`);
}

async function claim(couponId) {
  const button = items.get(couponId).querySelector('button');
  if (customer() === undefined) {
    say('Sign in first.');
    element('name').focus();
    return;
  }
  if (button.getAttribute('aria-disabled') === 'true') {
    return;
  }
  claiming.add(couponId);
  button.setAttribute('aria-disabled', 'true');
  say('One moment …');
  try {
    const result = await firstcome.claim(couponId, PATIENCE);
    if (result.claimed) {
      say(HAS[result.claim.state] ?? 'It is yours.');
    } else {
      say(REFUSALS[result.reason] ?? result.problem.detail);
    }
  } catch (error) {
    say(error instanceof UnansweredError ? 'The service is busy. Try again: if you already have the coupon, you keep it.' : 'That did not work.');
  } finally {
    claiming.delete(couponId);
    await refresh();
  }
}

let ids;
let shown = [];
let received = 0;

let reads = 0;

/** The answer to an earlier read does not replace that to a later one. */
async function refresh() {
  const read = ++reads;
  try {
    ids ??= await (await fetch('/coupons.json')).json();
    const { items: coupons } = await firstcome.claims.listCoupons({ ids });
    if (read === reads) {
      shown = coupons;
      received = performance.now();
      draw();
      write(element('trouble'), '');
    }
  } catch {
    write(element('trouble'), 'The coupons cannot be read at the moment. The page tries again.');
  }
}

/** One read at a time; the next one when it has ended. */
async function keepFresh() {
  await refresh();
  setTimeout(keepFresh, REFRESH_MILLIS);
}

function draw() {
  for (const coupon of shown) {
    show(coupon, received);
  }
}

function greet() {
  const name = customer();
  element('who').textContent = name === undefined ? 'You are not signed in.' : `You are ${name}.`;
  element('sign-in').hidden = name !== undefined;
}

element('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  document.cookie = `customer=${element('name').value}; SameSite=Strict; path=/`;
  greet();
  say('');
  await refresh();
});

greet();
keepFresh();
setInterval(draw, 250);
