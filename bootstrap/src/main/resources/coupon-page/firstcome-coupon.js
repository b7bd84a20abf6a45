/**
 * The element <firstcome-coupon>: one coupon as a customer sees it, from the countdown to the code.
 *
 * <script type="module" src="https://coupons.example.com/assets/firstcome-coupon.js"></script>
 * <firstcome-coupon coupon="WELCOME2026"></firstcome-coupon>
 *
 * Attributes
 *   coupon         the id of the coupon
 *   service        address of the service; by default that of this script
 *   sign-in        address where customers sign in; without it they are only told to do so
 *   use            address where the coupon is used, such as the cart; without it there is no link
 *   heading-level  level of the heading, 2 by default
 *   scheme         'light' or 'dark'; by default that of the browser
 *   lang           language, 'en' or 'ko'; by default that of the nearest element with one, then that of the browser
 * Property
 *   credentials    a function that returns the headers which authenticate the customer, or a promise of them, such as
 *                  { Authorization: 'Bearer …' }. Without it the cookies of the same origin are sent.
 * Event
 *   firstcome-screen   the element shows another screen; detail: { screen, name, status }, where name is that of the
 *                      coupon, and status the sentence below it
 * Custom properties of CSS
 *   --firstcome-accent, --firstcome-on-accent, --firstcome-text, --firstcome-background, --firstcome-border
 *
 * It is one file without imports, so that an upgrade of the service never mixes two versions of it.
 */

// ---------------------------------------------------------------- texts

const LANGUAGES = {
  en: {
    LOADING: 'Loading…',
    UNKNOWN: 'There is no such coupon.',
    SIGNED_OUT: 'Sign in to get this coupon.',
    COUNTDOWN: 'The coupon can be claimed later.',
    COUNTDOWN_ROOM: 'The queue opens later. Keep this page open: you will join it automatically.',
    OPEN: 'The coupon can be claimed now.',
    JOIN: 'There is a queue for this coupon.',
    JOIN_DRAW: 'There is a queue for this coupon. The order of those who join before it opens is drawn by lot.',
    CHECKING: 'Your browser is being checked. This takes a few seconds.',
    JOINING: 'Joining the queue…',
    QUEUE_ADMIT: 'You are in the queue. Keep this page open: the time of your turn is limited.',
    QUEUE_CLAIM: 'You are in the queue. You can close this page: when it is your turn, the coupon is yours.',
    DRAW: 'You take part in the draw of the order.',
    YOUR_TURN: 'It is your turn.',
    CLAIMING: 'Getting your coupon…',
    SECURING: 'The coupon is yours. It can be used in a moment.',
    YOURS: 'The coupon is yours.',
    USED: 'You have used this coupon.',
    EXPIRED: 'Your coupon has expired.',
    HELD: 'Your coupon is held for an order.',
    SOLD_OUT: 'All coupons are taken.',
    SOLD_OUT_QUEUE: 'All coupons are taken. You keep your place: if a coupon is returned, it goes to the next one in the queue.',
    PAUSED: 'This is paused, and may go on later.',
    PAUSED_QUEUE: 'This is paused, and may go on later. You keep your place.',
    MISSED: 'Your turn is over.',
    MISSED_WAIT: 'Your turn is over. You will join again automatically, as soon as the turns of the draw are over.',
    ENDED: 'This coupon can no longer be claimed.',
    RETRY: 'There is no answer yet. This page keeps trying, and you lose nothing.',
    LIMIT: 'You have as many coupons of this campaign as each customer can have.',
    RETURNED: 'You had this coupon and gave it back, or it was withdrawn. Nobody gets it twice.',
    REJECTED: 'Your claim was lost by a failure, and no other coupon is left. We are sorry.',
    FAILED: 'Something is wrong with this page. Please reload it.',
    offline: 'No connection. This page goes on when it is back.',
    busy: 'The service is busy. This page keeps trying.',
    signIn: 'Sign in',
    join: 'Join the queue',
    claim: 'Get my coupon',
    rejoin: 'Join again',
    again: 'Try again',
    use: 'Use the coupon',
    opensIn: 'Opens in',
    opensAt: 'Opens at',
    number: 'Your number',
    ahead: 'Ahead of you',
    wait: 'Expected wait',
    chance: 'Chance',
    LIKELY: 'You will probably get one',
    UNLIKELY: 'Probably none is left when it is your turn',
    left: 'Time left',
    code: 'Code',
    validUntil: 'Valid until',
    at: 'As of',
    progress: 'Progress in the queue',
    off: (amount) => `${amount} off`,
    upTo: (amount) => `up to ${amount}`,
    from: (amount) => `from ${amount}`,
  },
  ko: {
    LOADING: '불러오는 중…',
    UNKNOWN: '없는 쿠폰입니다.',
    SIGNED_OUT: '쿠폰을 받으려면 로그인해 주세요.',
    COUNTDOWN: '아직 쿠폰을 받을 수 없습니다.',
    COUNTDOWN_ROOM: '아직 대기열이 열리지 않았습니다. 이 페이지를 열어 두면 자동으로 대기열에 참여합니다.',
    OPEN: '지금 쿠폰을 받을 수 있습니다.',
    JOIN: '이 쿠폰은 대기열을 통해 받을 수 있습니다.',
    JOIN_DRAW: '이 쿠폰은 대기열을 통해 받을 수 있습니다. 시작 전에 참여한 고객의 순서는 추첨으로 정해집니다.',
    CHECKING: '브라우저를 확인하고 있습니다. 몇 초 정도 걸립니다.',
    JOINING: '대기열에 참여하는 중…',
    QUEUE_ADMIT: '대기열에 참여했습니다. 차례가 되면 제한 시간 안에 받아야 하니 이 페이지를 열어 두세요.',
    QUEUE_CLAIM: '대기열에 참여했습니다. 페이지를 닫아도 차례가 되면 쿠폰이 발급됩니다.',
    DRAW: '순서 추첨에 참여했습니다.',
    YOUR_TURN: '차례가 되었습니다.',
    CLAIMING: '쿠폰을 받는 중…',
    SECURING: '쿠폰을 받았습니다. 잠시 후 사용할 수 있습니다.',
    YOURS: '쿠폰을 받았습니다.',
    USED: '이미 사용한 쿠폰입니다.',
    EXPIRED: '쿠폰의 유효 기간이 지났습니다.',
    HELD: '쿠폰이 주문에 적용되어 있습니다.',
    SOLD_OUT: '쿠폰이 모두 소진되었습니다.',
    SOLD_OUT_QUEUE: '쿠폰이 모두 소진되었습니다. 순서는 유지되며, 반환된 쿠폰은 다음 순서의 고객에게 돌아갑니다.',
    PAUSED: '쿠폰 발급이 일시 중지되었습니다. 나중에 다시 시작될 수 있습니다.',
    PAUSED_QUEUE: '쿠폰 발급이 일시 중지되었습니다. 나중에 다시 시작될 수 있으며, 순서는 유지됩니다.',
    MISSED: '받을 수 있는 시간이 지났습니다.',
    MISSED_WAIT: '받을 수 있는 시간이 지났습니다. 추첨 순서가 모두 끝나면 자동으로 다시 참여합니다.',
    ENDED: '더 이상 받을 수 없는 쿠폰입니다.',
    RETRY: '아직 응답이 없습니다. 자동으로 다시 시도하며, 불이익은 없습니다.',
    LIMIT: '이 행사에서 받을 수 있는 쿠폰을 모두 받았습니다.',
    RETURNED: '반환했거나 회수된 쿠폰입니다. 같은 쿠폰은 다시 받을 수 없습니다.',
    REJECTED: '장애로 신청이 유실되었고 남은 쿠폰이 없습니다. 죄송합니다.',
    FAILED: '페이지에 문제가 있습니다. 새로고침해 주세요.',
    offline: '연결이 끊겼습니다. 다시 연결되면 계속됩니다.',
    busy: '접속자가 많습니다. 자동으로 다시 시도합니다.',
    signIn: '로그인',
    join: '대기열 참여',
    claim: '쿠폰 받기',
    rejoin: '다시 참여',
    again: '다시 시도',
    use: '쿠폰 사용하기',
    opensIn: '시작까지',
    opensAt: '시작 시각',
    number: '내 번호',
    ahead: '내 앞 대기 인원',
    wait: '예상 대기 시간',
    chance: '수령 전망',
    LIKELY: '받을 가능성이 높습니다',
    UNLIKELY: '차례가 오기 전에 소진될 가능성이 높습니다',
    left: '남은 시간',
    code: '쿠폰 번호',
    validUntil: '사용 기한',
    at: '기준 시각',
    progress: '대기 진행률',
    off: (amount) => `${amount} 할인`,
    upTo: (amount) => `최대 ${amount}`,
    from: (amount) => `${amount} 이상`,
  },
};

/** Texts in one language; numbers, times and amounts as its region writes them. */
class Language {
  /** @param tag a language tag (BCP 47), such as 'en-GB' */
  constructor(tag) {
    this.tag = tag;
    this.texts = LANGUAGES[Language.#primary(tag)];
  }

  static #isKnown(tag) {
    try {
      return Intl.getCanonicalLocales(tag).length > 0 && Object.hasOwn(LANGUAGES, Language.#primary(tag));
    } catch {
      return false;
    }
  }

  static #primary(tag) {
    return tag.toLowerCase().split('-')[0];
  }

  /** The first of the tags whose language is known, else English. */
  static of(tags) {
    return new Language(tags.find(Language.#isKnown) ?? 'en');
  }

  number(value) {
    return new Intl.NumberFormat(this.tag).format(value);
  }

  /** A range of durations in one unit, rounded up; exact to the second below two minutes. */
  durations(fromMillis, toMillis) {
    const [unit, millis] = toMillis < 120 * SECOND ? ['second', SECOND] : toMillis < 7_200 * SECOND ? ['minute', 60 * SECOND] : ['hour', 3_600 * SECOND];
    const format = new Intl.NumberFormat(this.tag, { style: 'unit', unit, unitDisplay: 'long' });
    return format.formatRange(Math.ceil(fromMillis / millis), Math.ceil(toMillis / millis));
  }

  /** What a clock shows that counts down, such as 1:02:03. */
  clock(millis) {
    const seconds = Math.max(0, Math.ceil(millis / 1000));
    const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
    const hours = Math.floor(seconds / 3600);
    return hours > 0 ? `${hours}:${parts.join(':')}` : parts.join(':');
  }

  date(millis) {
    return new Intl.DateTimeFormat(this.tag, { dateStyle: 'medium', timeStyle: 'short' }).format(millis);
  }

  /** A time of day with tenths of a second. */
  exactTime(millis) {
    return new Intl.DateTimeFormat(this.tag, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 1,
    }).format(millis);
  }

  /** What the coupon is worth, and from which amount on. */
  discount({ discount, minimumOrder }) {
    const parts = [this.texts.off(discount.type === 'AMOUNT' ? this.money(discount.amountOff) : this.percent(discount))];
    if (discount.cap) {
      parts.push(this.texts.upTo(this.money(discount.cap)));
    }
    if (minimumOrder) {
      parts.push(this.texts.from(this.money(minimumOrder)));
    }
    return parts.join(', ');
  }

  percent({ basisPoints }) {
    return new Intl.NumberFormat(this.tag, { style: 'percent', maximumFractionDigits: 2 }).format(basisPoints / 10000);
  }

  /** An amount in minor units, of which ISO 4217 defines the number; browsers show some currencies with other digits. */
  money({ minorUnits, currency }) {
    const digits = MINOR_DIGITS.findIndex((currencies) => currencies.includes(currency));
    const fraction = digits < 0 ? 2 : digits;
    return new Intl.NumberFormat(this.tag, {
      style: 'currency',
      currency,
      minimumFractionDigits: fraction,
      maximumFractionDigits: fraction,
    }).format(minorUnits / 10 ** fraction);
  }
}

/** The currencies with 0, 1, 2, 3 and 4 digits in ISO 4217; all others have 2. */
const MINOR_DIGITS = [
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  [],
  [],
  'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  'CLF UYW'.split(' '),
];

// ---------------------------------------------------------------- calls

const SECOND = 1000;
const ANSWER_TIMEOUT_MILLIS = 15 * SECOND;
const PROBLEM = 'urn:firstcome:problem:';

/** The call had no final answer, and is to be repeated. */
class NoAnswer extends Error {
  /** @param retryAfterMillis the shortest time until then, which the service asks for */
  constructor(retryAfterMillis, cause) {
    super('no answer', { cause });
    this.retryAfterMillis = retryAfterMillis;
    this.isOffline = cause instanceof TypeError;
  }
}

/** The caller is not known: the customer has to sign in. */
class SignedOut extends Error {}

/** The calls of one customer about one coupon. */
class Service {
  constructor(address, couponId, credentials) {
    this.path = new URL(`api/v1/coupons/${encodeURIComponent(couponId)}`, address).href;
    this.credentials = credentials;
  }

  coupon() {
    return this.#call('GET', '');
  }

  room() {
    return this.#call('GET', '/waiting-room');
  }

  challenge() {
    return this.#call('GET', '/waiting-room/challenge');
  }

  join(solution) {
    return this.#call('POST', '/waiting-room', solution ? { 'X-Solution': solution } : {});
  }

  standing(ticket) {
    return this.#call('GET', '/waiting-room/me', { 'X-Ticket': ticket });
  }

  ownClaim() {
    return this.#call('GET', '/claims/me');
  }

  claim(admission) {
    return this.#call('POST', '/claims', admission ? { 'X-Admission': admission } : {});
  }

  /**
   * Sends a call.
   *
   * @returns { status, body, problem }: the body of a success, or the name of the problem
   * @throws NoAnswer, SignedOut
   */
  async #call(method, path, headers = {}) {
    const who = await this.#headers();
    let response;
    let body;
    try {
      response = await fetch(this.path + path, {
        method,
        headers: { ...headers, ...who },
        // A gateway sends customers who are not signed in to another page.
        redirect: 'manual',
        // A cached document would have an old time; caches between the browser and the service may answer.
        cache: 'no-store',
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MILLIS),
      });
      if (response.type !== 'opaqueredirect') {
        body = await response.json();
      }
    } catch (error) {
      // The status of a refusal is enough, whatever its body is.
      if (response === undefined || response.ok) {
        throw new NoAnswer(0, error);
      }
    }
    if (response.ok) {
      return { status: response.status, body };
    }
    if (response.status === 401 || response.type === 'opaqueredirect') {
      throw new SignedOut();
    }
    if (response.status === 429 || response.status >= 500) {
      throw new NoAnswer(SECOND * (Number(response.headers.get('Retry-After')) || 0));
    }
    const type = String(body?.type ?? '');
    return {
      status: response.status,
      body,
      problem: type.startsWith(PROBLEM) ? type.substring(PROBLEM.length) : String(response.status),
    };
  }

  /** The credentials, which the page may have to fetch. */
  async #headers() {
    let timer;
    try {
      return await Promise.race([
        this.credentials(),
        new Promise((_, reject) => {
          timer = setTimeout(reject, ANSWER_TIMEOUT_MILLIS, new Error('no credentials in time'));
        }),
      ]);
    } catch (error) {
      throw new NoAnswer(0, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The answers about a coupon that need not exist: a customer of it has no claim and has not joined its room. */
class Preview {
  constructor(coupon) {
    this.body = coupon;
  }

  async coupon() {
    return { status: 200, body: this.body };
  }

  async room() {
    const { joinsFrom, order } = this.body.waitingRoom;
    const { phase, serverTime } = this.body;
    const isBefore = Date.parse(serverTime) < Date.parse(joinsFrom);
    return {
      status: 200,
      body: { phase: isBefore ? 'BEFORE' : phase === 'CLOSED' ? 'ENDED' : 'OPEN', joinsFrom, order, serverTime },
    };
  }

  async ownClaim() {
    return { status: 404 };
  }
}

/** The tickets of a preview: there are none. */
const NO_TICKETS = { get: () => null };

/** The ticket of a waiting room, which this browser keeps. It is not secret from other tabs of the same origin. */
class TicketStore {
  constructor(service, couponId) {
    this.key = `firstcome:ticket:${service}:${couponId}`;
    this.memory = null;
  }

  get() {
    try {
      return localStorage.getItem(this.key) ?? this.memory;
    } catch {
      return this.memory;
    }
  }

  set(ticket) {
    this.memory = ticket;
    try {
      if (ticket === null) {
        localStorage.removeItem(this.key);
      } else {
        localStorage.setItem(this.key, ticket);
      }
    } catch {
      // Storage is full or not permitted: a reload joins again, and gets the same ticket.
    }
  }
}

// ---------------------------------------------------------------- challenge

/** So many hashes are computed at a time; between two groups the page can react. */
const HASHES_TOGETHER = 100;

/**
 * Solves a challenge of ALTCHA, version 1: finds the number whose hash with the salt is the challenge. `crypto.subtle`
 * computes outside the page's thread, and exists only on https and loopback addresses.
 *
 * @returns the solution as the service expects it, or null if no number is one
 */
async function solve({ algorithm, challenge, salt, maxnumber, signature }) {
  const encoder = new TextEncoder();
  const wanted = challenge.match(/../g).map((byte) => parseInt(byte, 16));
  for (let first = 0; first <= maxnumber; first += HASHES_TOGETHER) {
    const hashes = await Promise.all(
      Array.from({ length: HASHES_TOGETHER }, (_, i) =>
        crypto.subtle.digest(algorithm, encoder.encode(salt + (first + i))),
      ),
    );
    const found = hashes.findIndex((hash) => {
      const bytes = new Uint8Array(hash);
      return wanted.every((byte, i) => byte === bytes[i]);
    });
    if (found >= 0) {
      return btoa(JSON.stringify({ algorithm, challenge, number: first + found, salt, signature }));
    }
  }
  return null;
}

// ---------------------------------------------------------------- flow

/** Longest random delay of pages that act when the same countdown ends. */
const SPREAD_MILLIS = 2 * SECOND;

const SHORTEST_RETRY_MILLIS = SECOND;
const LONGEST_RETRY_MILLIS = 30 * SECOND;

/** A page that becomes visible, or is online again, does not read more often than this. */
const SHORTEST_PAUSE_MILLIS = SECOND;

/** There is no next step until something happens. */
const NEVER = null;

/** The screens that a hidden page does not update, unless the customer has a ticket: the turn may come. */
const IDLE = ['OPEN', 'JOIN', 'SOLD_OUT', 'PAUSED', 'SIGNED_OUT'];

/** Parses an ISO 8601 duration of hours, minutes and seconds. */
function millisOf(duration) {
  const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(duration);
  const [days, hours, minutes, seconds] = (parts ?? []).slice(1).map((part) => Number(part ?? 0));
  return parts ? (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * SECOND : 0;
}

/**
 * What a customer's page does: it reads, joins and claims, and says which screen is to be shown. One step after the
 * other; each returns the screen and the time until the next step.
 */
class Flow {
  #service;
  #tickets;
  #show;
  #clock = { offset: null, origin: 0 };
  #coupon = null;
  #isCouponFresh = false;
  #claim = null;
  #isClaimRead = false;
  /** What the customer wants, until it has a final answer: 'join', 'claim' or null. */
  #wish = null;
  /** With which the customer can join a room with a challenge. */
  #solution = null;
  /** With which the customer can claim, in a room. */
  #admission = null;
  #soldOutAt = null;
  /** The most customers who were ahead. */
  #first = null;
  #failures = 0;
  /** How often an accepted claim was read that is not recorded yet. */
  #securing = 0;
  #isStopped = false;
  #view = { screen: 'LOADING' };
  /** Ends the pause between two steps; null during a step. */
  #endPause = null;
  #isWoken = false;
  #isUrgent = false;

  /** @param show is called with each view: { screen, … } */
  constructor(service, tickets, show) {
    this.#service = service;
    this.#tickets = tickets;
    this.#show = show;
  }

  /** The present time by the service's clock. */
  now() {
    return Date.now() + (this.#clock.offset ?? 0);
  }

  async run() {
    while (!this.#isStopped) {
      let pause;
      try {
        const [view, millis] = await this.#step();
        this.#failures = 0;
        this.#view = { coupon: this.#coupon, ...view };
        pause = millis;
      } catch (error) {
        pause = this.#failed(error);
      }
      if (this.#isStopped) {
        return;
      }
      this.#show(this.#view);
      const isIdle = document.hidden && this.#tickets.get() === null && IDLE.includes(this.#view.screen);
      await this.#sleep(isIdle ? NEVER : pause);
    }
  }

  stop() {
    this.#isStopped = true;
    this.#wake(true);
  }

  /** Something may have changed outside. */
  refresh() {
    this.#isClaimRead = false;
    this.#wake(false);
  }

  join() {
    this.#wish = 'join';
    this.#wake(true);
  }

  claim() {
    this.#wish = 'claim';
    this.#soldOutAt = null;
    this.#wake(true);
  }

  /** The next step follows soon, also if one is being taken now; at once if it is urgent. */
  #wake(isUrgent) {
    this.#isWoken = true;
    this.#isUrgent ||= isUrgent;
    this.#endPause?.();
  }

  /** Waits until the time is over or the next step is wanted. */
  async #sleep(millis) {
    const begun = performance.now();
    if (!this.#isWoken) {
      await this.#pause(millis);
    }
    const left = SHORTEST_PAUSE_MILLIS - (performance.now() - begun);
    if (this.#isWoken && !this.#isUrgent && left > 0) {
      await this.#pause(left);
    }
    this.#isWoken = false;
    this.#isUrgent = false;
  }

  async #pause(millis) {
    let timer;
    await new Promise((resolve) => {
      this.#endPause = resolve;
      timer = millis === NEVER ? undefined : setTimeout(resolve, millis);
    });
    clearTimeout(timer);
    this.#endPause = null;
  }

  #failed(error) {
    if (error instanceof SignedOut) {
      this.#wish = null;
      this.#claim = null;
      this.#isClaimRead = false;
      this.#view = { screen: 'SIGNED_OUT', coupon: this.#coupon };
      return Flow.#withJitter(30 * SECOND);
    }
    if (!(error instanceof NoAnswer)) {
      console.error(error);
      this.#view = { screen: 'FAILED', coupon: this.#coupon };
      return NEVER;
    }
    const most = Math.min(LONGEST_RETRY_MILLIS, SHORTEST_RETRY_MILLIS * 2 ** this.#failures);
    this.#failures += 1;
    const isRetry = this.#wish !== null || this.#view.screen === 'LOADING';
    this.#view = {
      ...(isRetry ? { screen: 'RETRY', coupon: this.#coupon } : this.#view),
      trouble: error.isOffline ? 'offline' : 'busy',
    };
    // Full jitter, so that pages which failed together do not return together.
    return Math.max(error.retryAfterMillis, SHORTEST_RETRY_MILLIS / 2) + Math.random() * most;
  }

  static #withJitter(millis) {
    return millis * (0.8 + 0.4 * Math.random());
  }

  /** Takes over the service's clock. An answer that took long makes it late, so the earliest reading counts. */
  #setClock({ serverTime }) {
    const offset = Date.parse(serverTime) - Date.now();
    const origin = Date.now() - performance.now();
    const isOwnClockChanged = Math.abs(origin - this.#clock.origin) > SECOND;
    if (this.#clock.offset === null || isOwnClockChanged || offset > this.#clock.offset) {
      this.#clock = { offset, origin };
    }
  }

  /** Reads the coupon; returns whether it exists. */
  async #readCoupon() {
    const { status, body, problem } = await this.#service.coupon();
    if (status === 200) {
      this.#coupon = body;
      this.#setClock(body);
    } else if (problem !== 'unknown-coupon') {
      throw new NoAnswer(0);
    }
    return status === 200;
  }

  async #readClaim() {
    const { status, body } = await this.#service.ownClaim();
    this.#claim = status === 200 ? body : null;
    this.#isClaimRead = true;
  }

  async #step() {
    this.#isCouponFresh = this.#coupon === null;
    if (this.#isCouponFresh && !(await this.#readCoupon())) {
      return [{ screen: 'UNKNOWN' }, NEVER];
    }
    const needsAdmission = this.#coupon.waitingRoom !== undefined;
    if (this.#wish === 'claim' && (this.#admission !== null || !needsAdmission)) {
      // Before anything is read: a claim that was not answered is repeated, also after the admission is over.
      return this.#send();
    }
    if (!this.#isClaimRead) {
      await this.#readClaim();
    }
    if (this.#claim !== null) {
      return this.#withClaim();
    }
    return needsAdmission ? this.#inRoom() : this.#withoutRoom();
  }

  /** The claim if the customer has one by now, else the view. */
  async #unlessClaimed(view, pause) {
    if (this.#view.screen !== view.screen) {
      await this.#readClaim();
    }
    return this.#claim === null ? [view, pause] : this.#withClaim();
  }

  #withClaim() {
    const claim = this.#claim;
    this.#wish = null;
    this.#isClaimRead = claim.state !== 'ACCEPTED';
    switch (claim.state) {
      case 'ACCEPTED':
        this.#securing += 1;
        return [{ screen: 'SECURING', claim }, Flow.#withJitter(Math.min(30, 2 ** this.#securing / 2) * SECOND)];
      case 'ISSUED':
        return [{ screen: 'YOURS', claim }, this.#until(claim.expiresAt)];
      case 'HELD':
        return [{ screen: 'HELD', claim }, this.#until(claim.redemption?.heldUntil)];
      case 'USED':
      case 'EXPIRED':
        return [{ screen: claim.state, claim }, NEVER];
      case 'REJECTED':
        return [{ screen: 'REJECTED' }, NEVER];
      default:
        return [{ screen: 'RETURNED' }, NEVER];
    }
  }

  /** The pause until a time at which the claim changes by itself; it is read again then. */
  #until(time) {
    this.#isClaimRead = false;
    const left = time === undefined ? Infinity : Date.parse(time) - this.now();
    return Math.max(5 * SECOND, Math.min(left, 3_600 * SECOND)) + Math.random() * 5 * SECOND;
  }

  /** Whether a countdown is over. All pages would read at that moment, so nothing is read then. */
  #hasJustOpened() {
    return this.#view.screen === 'COUNTDOWN' && this.now() >= this.#view.until;
  }

  async #withoutRoom() {
    if (!this.#isCouponFresh && !this.#hasJustOpened()) {
      await this.#readCoupon();
    }
    switch (this.#coupon.phase) {
      case 'SCHEDULED':
        return this.#beforeOpening(Date.parse(this.#coupon.opensAt)) ?? this.#open();
      case 'OPEN':
        // A document that is older than the refusal does not end it.
        if (this.#coupon.remaining !== 0 && Date.parse(this.#coupon.serverTime) > this.#soldOutAt + 5 * SECOND) {
          this.#soldOutAt = null;
        }
        return this.#soldOutAt === null ? this.#open() : this.#soldOut('SOLD_OUT');
      case 'PAUSED':
        return [{ screen: 'PAUSED' }, Flow.#withJitter(15 * SECOND)];
      case 'SOLD_OUT':
        this.#soldOutAt ??= this.now();
        return this.#soldOut('SOLD_OUT');
      default:
        return [{ screen: 'ENDED' }, NEVER];
    }
  }

  #open() {
    return [{ screen: 'OPEN' }, Flow.#withJitter(10 * SECOND)];
  }

  #beforeOpening(until) {
    const left = until - this.now();
    return left > 0 ? [{ screen: 'COUNTDOWN', until }, Math.min(left, Flow.#withJitter(60 * SECOND))] : null;
  }

  #soldOut(text) {
    return [{ screen: 'SOLD_OUT', text, at: this.#soldOutAt }, this.#inTime(60 * SECOND)];
  }

  /** A pause with jitter in which a customer with a ticket does not miss the turn. */
  #inTime(millis) {
    const admissionTime = this.#coupon.waitingRoom?.admissionTime;
    return Flow.#withJitter(admissionTime ? Math.min(millis, millisOf(admissionTime) / 3) : millis);
  }

  async #inRoom() {
    if (this.#wish === 'join' || this.#hasJustOpened()) {
      return this.#joinRoom();
    }
    const ticket = this.#tickets.get();
    if (ticket !== null) {
      return this.#withTicket(ticket, false);
    }
    const { status, body: room } = await this.#service.room();
    if (status !== 200) {
      this.#coupon = null;
      throw new NoAnswer(0);
    }
    this.#setClock(room);
    switch (room.phase) {
      case 'ENDED':
        return [{ screen: 'ENDED' }, NEVER];
      case 'BEFORE':
        return this.#beforeJoining(Date.parse(room.joinsFrom));
      case 'SOLD_OUT':
        this.#soldOutAt ??= this.now();
        return this.#soldOut('SOLD_OUT');
      default:
        return [
          { screen: 'JOIN', text: room.order === 'DRAW' ? 'JOIN_DRAW' : 'JOIN' },
          Flow.#withJitter(20 * SECOND),
        ];
    }
  }

  /** A countdown, after which the page joins; not all pages in the same moment. */
  #beforeJoining(until) {
    const left = Math.max(0, until - this.now());
    const pause = left < 60 * SECOND ? left + Math.random() * SPREAD_MILLIS : left - 30 * SECOND;
    return [{ screen: 'COUNTDOWN', text: 'COUNTDOWN_ROOM', until }, Math.min(pause, Flow.#withJitter(60 * SECOND))];
  }

  async #joinRoom() {
    this.#wish = 'join';
    if (this.#coupon.waitingRoom.challenge && this.#solution === null) {
      await this.#solveChallenge();
    }
    this.#showWhileSending('JOINING');
    const { status, body, problem } = await this.#service.join(this.#solution);
    if (status === 200) {
      const isOther = body.ticket !== this.#tickets.get();
      this.#wish = null;
      this.#tickets.set(body.ticket);
      if (isOther) {
        this.#first = null;
      }
      return this.#withTicket(body.ticket, true);
    }
    switch (problem) {
      case 'has-claim':
        await this.#readClaim();
        return this.#claim === null ? this.#refused(problem) : this.#withClaim();
      case 'challenge-required':
      case 'invalid-solution':
        // The definition has changed, or the solution is too old.
        this.#coupon = null;
        this.#solution = null;
        throw new NoAnswer(0);
      case 'not-open':
        this.#wish = null;
        return this.#beforeJoining(Date.parse(body.joinsFrom));
      default:
        return this.#refused(problem, body);
    }
  }

  async #solveChallenge() {
    this.#showWhileSending('CHECKING');
    const { status, body } = await this.#service.challenge();
    this.#solution = status === 200 ? await solve(body) : null;
    if (this.#solution === null) {
      throw new NoAnswer(0);
    }
  }

  #showWhileSending(screen) {
    if (this.#view.screen !== 'RETRY') {
      this.#show({ screen, coupon: this.#coupon });
    }
  }

  async #withTicket(ticket, hasJustJoined) {
    const { status, body: standing, problem } = await this.#service.standing(ticket);
    if (problem === 'invalid-ticket') {
      // Of another customer who has used this browser.
      this.#tickets.set(null);
      return this.#inRoom();
    }
    if (status !== 200) {
      throw new NoAnswer(0);
    }
    switch (standing.state) {
      case 'ADMITTED':
        return this.#admitted(standing);
      case 'MISSED':
        return this.#missed(hasJustJoined);
      case 'ENDED':
        return this.#unlessClaimed({ screen: 'ENDED' }, NEVER);
      default:
        return this.#waiting(standing);
    }
  }

  #admitted({ admission, admissionRemaining, phase }) {
    this.#admission = admission;
    if (this.#coupon.waitingRoom.mode === 'CLAIM' || this.#wish === 'claim') {
      this.#wish = 'claim';
      return this.#send();
    }
    if (phase === 'SOLD_OUT') {
      this.#soldOutAt ??= this.now();
      return this.#soldOut('SOLD_OUT');
    }
    this.#soldOutAt = null;
    return [{ screen: 'YOUR_TURN', until: this.now() + millisOf(admissionRemaining) }, Flow.#withJitter(5 * SECOND)];
  }

  /** In a room with a draw the same ticket is given again until all turns of the draw are over. */
  #missed(hasJustJoined) {
    this.#admission = null;
    if (hasJustJoined) {
      this.#wish = 'join';
      return [{ screen: 'MISSED', text: 'MISSED_WAIT' }, Flow.#withJitter(60 * SECOND)];
    }
    return this.#unlessClaimed({ screen: 'MISSED' }, Flow.#withJitter(60 * SECOND));
  }

  #waiting(standing) {
    this.#wish = null;
    if (standing.phase === 'SOLD_OUT') {
      this.#soldOutAt ??= this.now();
      return this.#soldOut('SOLD_OUT_QUEUE');
    }
    this.#soldOutAt = null;
    if (standing.phase === 'PAUSED') {
      return [{ screen: 'PAUSED', text: 'PAUSED_QUEUE' }, this.#inTime(15 * SECOND)];
    }
    this.#first = Math.max(this.#first ?? 0, standing.ahead ?? 0);
    const least = standing.estimatedWait ? millisOf(standing.estimatedWait.atLeast) : 0;
    const opensAt = Date.parse(this.#coupon.opensAt);
    const pause = least > 120 * SECOND ? 30 * SECOND : least > 15 * SECOND ? 5 * SECOND : 2 * SECOND;
    return [
      {
        screen: 'QUEUE',
        text: standing.place === undefined ? 'DRAW' : `QUEUE_${this.#coupon.waitingRoom.mode}`,
        standing,
        first: this.#first,
        until: this.now() < opensAt ? opensAt : undefined,
      },
      this.#inTime(pause),
    ];
  }

  async #send() {
    this.#showWhileSending('CLAIMING');
    const { status, body, problem } = await this.#service.claim(this.#admission);
    if (status < 300) {
      this.#claim = { ...body, state: body.state ?? 'ACCEPTED' };
      const [view, pause] = this.#withClaim();
      // The validity is in the row.
      this.#isClaimRead = false;
      return [view, view.screen === 'YOURS' ? 0 : pause];
    }
    return this.#refused(problem, body);
  }

  #refused(problem, body) {
    const isClaim = this.#wish === 'claim';
    this.#wish = null;
    switch (problem) {
      case 'sold-out':
        this.#soldOutAt = this.now();
        return this.#soldOut('SOLD_OUT');
      case 'campaign-limit':
        return [{ screen: 'LIMIT' }, NEVER];
      case 'returned':
        return [{ screen: 'RETURNED' }, NEVER];
      case 'rejected':
        return [{ screen: 'REJECTED' }, NEVER];
      case 'paused':
        return [{ screen: 'PAUSED' }, Flow.#withJitter(15 * SECOND)];
      case 'closed':
        return [{ screen: 'ENDED' }, NEVER];
      case 'unknown-coupon':
        return [{ screen: 'UNKNOWN' }, NEVER];
      case 'admission-expired':
        // The turn is over: the standing says so.
        this.#admission = null;
        this.#isClaimRead = false;
        return [{ screen: 'CLAIMING' }, SECOND];
      case 'not-open': {
        // The press counts: the page claims when the coupon opens.
        this.#wish = isClaim ? 'claim' : null;
        const until = Date.parse(body.opensAt);
        return [{ screen: 'COUNTDOWN', until }, Math.max(0, until - this.now()) + Math.random() * SPREAD_MILLIS];
      }
      default:
        // An admission that is over, or a definition that has changed.
        this.#admission = null;
        this.#isClaimRead = false;
        throw new NoAnswer(SECOND);
    }
  }
}

// ---------------------------------------------------------------- element

const DARK = `
  --accent: var(--firstcome-accent, #7db8f5);
  --on-accent: var(--firstcome-on-accent, #0c1420);
  --text: var(--firstcome-text, #e8edf4);
  --background: var(--firstcome-background, #161d27);
  --border: var(--firstcome-border, #465262);
  color-scheme: dark;
`;

const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
  :host {
    --accent: var(--firstcome-accent, #0b5cad);
    --on-accent: var(--firstcome-on-accent, #ffffff);
    --text: var(--firstcome-text, #1d2733);
    --quiet: color-mix(in srgb, var(--text) 76%, var(--background));
    --background: var(--firstcome-background, #ffffff);
    --border: var(--firstcome-border, #c5ccd6);
    color-scheme: light;
    display: block;
    container-type: inline-size;
  }
  :host([scheme='dark']) { ${DARK} }
  @media (prefers-color-scheme: dark) {
    :host(:not([scheme='light'])) { ${DARK} }
  }
  :host([hidden]) { display: none; }
  section {
    box-sizing: border-box;
    color: var(--text);
    background: var(--background);
    border: 1px solid var(--border);
    border-radius: 0.75rem;
    padding: 1.5rem;
    font: 1rem/1.5 system-ui, sans-serif;
    overflow-wrap: anywhere;
  }
  .name { font-size: 1.5rem; line-height: 1.25; font-weight: 700; margin: 0; }
  .name:focus { outline: none; }
  .discount { color: var(--quiet); margin: 0.25rem 0 0; }
  .status { margin: 1.25rem 0 0; font-weight: 600; }
  dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; margin: 1rem 0 0; }
  dt { color: var(--quiet); font-size: 0.875rem; }
  dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
  .wide { grid-column: 1 / -1; }
  dd.code { font-family: ui-monospace, monospace; letter-spacing: 0.06em; user-select: all; }
  progress { width: 100%; margin-top: 1rem; accent-color: var(--accent); }
  .actions { margin-top: 1.25rem; }
  button, a.action {
    display: inline-block;
    box-sizing: border-box;
    min-height: 2.75rem;
    padding: 0.6rem 1.25rem;
    border: 0;
    border-radius: 0.5rem;
    background: var(--accent);
    color: var(--on-accent);
    font: inherit;
    font-weight: 600;
    text-decoration: none;
    cursor: pointer;
  }
  button:focus-visible, a:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
  .trouble { margin: 1rem 0 0; padding: 0.5rem 0.75rem; border-left: 4px solid var(--accent); }
  .trouble:empty, .actions:empty, dl:empty { display: none; }
  @container (max-width: 22rem) {
    section { padding: 1rem; }
    button, a.action { width: 100%; text-align: center; }
  }
`);

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

class FirstcomeCoupon extends HTMLElement {
  static observedAttributes = ['coupon', 'service', 'sign-in', 'use', 'heading-level', 'lang'];

  #credentials = () => ({});
  #preview = null;
  #flow = null;
  #tickets = null;
  #view = { screen: 'LOADING' };
  #language = null;
  #parts = null;
  #timer = null;
  #tickedAt = 0;
  #refresh = () => {
    if (document.visibilityState === 'visible') {
      this.#flow?.refresh();
    }
  };
  /** The page is shown again without being loaded. */
  #shown = ({ persisted }) => {
    if (persisted) {
      this.#refresh();
    }
  };
  #storageChanged = (event) => {
    if (event.key === this.#tickets?.key) {
      this.#flow?.refresh();
    }
  };

  /** A function that returns the headers which authenticate the customer, or a promise of them. */
  get credentials() {
    return this.#credentials;
  }

  set credentials(value) {
    this.#credentials = value;
    if (this.#flow !== null) {
      // Perhaps those of another customer.
      this.#start();
    }
  }

  /**
   * The document of a coupon, as GET /api/v1/coupons/{couponId} answers it, to show it without sending anything; its
   * buttons do nothing. Null shows the coupon of the service.
   */
  get preview() {
    return this.#preview;
  }

  set preview(value) {
    this.#preview = value;
    if (this.#parts !== null) {
      this.#start();
    }
  }

  connectedCallback() {
    for (const property of ['credentials', 'preview']) {
      if (Object.hasOwn(this, property)) {
        // Set before this script was loaded.
        const value = this[property];
        delete this[property];
        this[property] = value;
      }
    }
    if (this.shadowRoot === null) {
      this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [STYLE];
    }
    document.addEventListener('visibilitychange', this.#refresh);
    window.addEventListener('online', this.#refresh);
    window.addEventListener('pageshow', this.#shown);
    window.addEventListener('storage', this.#storageChanged);
    this.#timer = setInterval(() => this.#beat(), SECOND / 4);
    this.#start();
  }

  disconnectedCallback() {
    document.removeEventListener('visibilitychange', this.#refresh);
    window.removeEventListener('online', this.#refresh);
    window.removeEventListener('pageshow', this.#shown);
    window.removeEventListener('storage', this.#storageChanged);
    clearInterval(this.#timer);
    this.#flow?.stop();
    this.#flow = null;
  }

  attributeChangedCallback(name, before, after) {
    if (!this.isConnected || before === after || this.#parts === null) {
      return;
    }
    if (name === 'coupon' || name === 'service') {
      this.#start();
    } else {
      this.#build();
    }
  }

  #start() {
    this.#flow?.stop();
    this.#view = { screen: 'LOADING' };
    const service = this.#service();
    if (service === null) {
      this.#flow = null;
      this.#build();
      return;
    }
    const flow = new Flow(service, this.#tickets, (view) => {
      if (flow === this.#flow) {
        this.#render(view);
      }
    });
    this.#flow = flow;
    this.#build();
    void flow.run();
  }

  /** The calls about the coupon, or null if none is named; sets where its ticket is. */
  #service() {
    if (this.#preview !== null) {
      this.#tickets = NO_TICKETS;
      return new Preview(this.#preview);
    }
    const couponId = this.getAttribute('coupon');
    if (!couponId) {
      return null;
    }
    const address = new URL(this.getAttribute('service') ?? '..', import.meta.url).href.replace(/\/*$/, '/');
    this.#tickets = new TicketStore(address, couponId);
    return new Service(address, couponId, () => this.#credentials());
  }

  /** Makes the parts that all screens have. */
  #build() {
    const own = this.getAttribute('lang') ?? this.closest('[lang]')?.getAttribute('lang');
    this.#language = Language.of([...(own ? [own] : []), ...navigator.languages]);
    const name = element('div', { id: 'name', className: 'name', tabIndex: -1, role: 'heading' });
    name.setAttribute('part', 'name');
    name.ariaLevel = this.getAttribute('heading-level') ?? '2';
    this.#parts = {
      name,
      discount: element('p', { className: 'discount' }),
      status: element('p', { className: 'status', role: 'status' }),
      facts: element('dl'),
      progress: element('progress', { hidden: true }),
      actions: element('div', { className: 'actions' }),
      trouble: element('p', { className: 'trouble', role: 'status' }),
      values: new Map(),
    };
    this.#parts.progress.ariaLabel = this.#language.texts.progress;
    const { discount, status, facts, progress, actions, trouble } = this.#parts;
    const section = element('section', { lang: this.#language.tag }, name, discount, status, facts, progress, actions, trouble);
    section.setAttribute('part', 'card');
    section.setAttribute('aria-labelledby', 'name');
    this.shadowRoot.replaceChildren(section);
    this.#render(this.#view);
  }

  #render(view) {
    const { texts } = this.#language;
    const { name, discount, status, progress, actions, trouble } = this.#parts;
    const isOther = view.screen !== this.#view.screen;
    this.#view = view;
    name.textContent = view.coupon?.name ?? this.getAttribute('coupon') ?? '';
    discount.textContent = view.coupon ? this.#language.discount(view.coupon) : '';
    this.#setText(status, texts[view.text ?? view.screen]);
    this.#setText(trouble, view.trouble ? texts[view.trouble] : '');
    progress.hidden = !(view.first > 0);
    if (!progress.hidden) {
      progress.max = view.first;
      progress.value = view.first - view.standing.ahead;
    }
    this.#tick();
    this.#renderActions(view, actions, name);
    if (isOther) {
      this.dispatchEvent(
        new CustomEvent('firstcome-screen', {
          bubbles: true,
          composed: true,
          detail: { screen: view.screen, name: view.coupon?.name, status: status.textContent },
        }),
      );
    }
  }

  /** A live region is only changed if its text does, so that it is announced once. */
  #setText(part, text) {
    if (part.textContent !== text) {
      part.textContent = text;
    }
  }

  #renderActions(view, actions, name) {
    const wanted = this.#action(view);
    const key = wanted === null ? '' : `${wanted.text} ${wanted.href ?? ''}`;
    if (actions.dataset.key === key) {
      return;
    }
    const hadFocus = actions.contains(this.shadowRoot.activeElement);
    actions.dataset.key = key;
    actions.replaceChildren();
    if (wanted?.href) {
      actions.append(element('a', { className: 'action', href: wanted.href, textContent: wanted.text }));
    } else if (wanted !== null) {
      const { text: textContent, run: onclick } = wanted;
      actions.append(element('button', { type: 'button', textContent, onclick, disabled: this.#preview !== null }));
    }
    if (hadFocus) {
      // The button that had the focus is gone.
      (actions.firstElementChild ?? name).focus();
    }
  }

  /** The one thing that the customer can do on this screen, or null. */
  #action(view) {
    const { texts } = this.#language;
    const flow = this.#flow;
    switch (view.screen) {
      case 'SIGNED_OUT':
        return this.#link('sign-in', texts.signIn);
      case 'JOIN':
        return { text: texts.join, run: () => flow.join() };
      case 'MISSED':
        return { text: texts.rejoin, run: () => flow.join() };
      case 'OPEN':
      case 'YOUR_TURN':
        return { text: texts.claim, run: () => flow.claim() };
      case 'RETRY':
        return { text: texts.again, run: () => flow.refresh() };
      case 'YOURS':
        return this.#link('use', texts.use);
      default:
        return null;
    }
  }

  /** A link to an address of the page's author; none to a script. */
  #link(attribute, text) {
    const address = this.getAttribute(attribute);
    if (!address || !URL.canParse(address, document.baseURI)) {
      return null;
    }
    const url = new URL(address, document.baseURI);
    return url.protocol === 'https:' || url.protocol === 'http:' ? { text, href: url.href } : null;
  }

  /** Four times a second, unless the computer sleeps or the browser slows down hidden pages. */
  #beat() {
    const isLate = performance.now() - this.#tickedAt > 10 * SECOND;
    if (this.#tickedAt > 0 && isLate) {
      this.#refresh();
    }
    this.#tickedAt = performance.now();
    this.#tick();
  }

  /** Updates what counts down. */
  #tick() {
    const { texts } = this.#language;
    const { facts, values } = this.#parts;
    const wanted = this.#facts(this.#view, texts);
    const labels = [...wanted.keys()].join('\n');
    if (facts.dataset.labels !== labels) {
      facts.dataset.labels = labels;
      values.clear();
      facts.replaceChildren(
        ...[...wanted.keys()].map((label) => {
          const value = element('dd', { className: label === texts.code ? 'code' : '' });
          values.set(label, value);
          return element('div', { className: label === texts.code ? 'wide' : '' }, element('dt', { textContent: label }), value);
        }),
      );
    }
    wanted.forEach((value, label) => this.#setText(values.get(label), value));
  }

  /** What is known, by its label. */
  #facts({ screen, until, at, standing, claim }, texts) {
    const language = this.#language;
    const facts = new Map();
    if (until !== undefined && this.#flow !== null) {
      const left = until - this.#flow.now();
      facts.set(screen === 'YOUR_TURN' ? texts.left : texts.opensIn, language.clock(left));
      if (left > 3_600 * SECOND) {
        facts.set(texts.opensAt, language.date(until));
      }
    }
    if (at) {
      facts.set(texts.at, language.exactTime(at));
    }
    if (standing) {
      facts.set(texts.number, language.number(standing.number));
      if (standing.ahead !== undefined) {
        facts.set(texts.ahead, language.number(standing.ahead));
      }
      if (standing.estimatedWait && until === undefined) {
        const { atLeast, atMost } = standing.estimatedWait;
        facts.set(texts.wait, language.durations(millisOf(atLeast), millisOf(atMost)));
      }
      if (Object.hasOwn(texts, standing.chance)) {
        facts.set(texts.chance, texts[standing.chance]);
      }
    }
    if (claim?.code) {
      facts.set(texts.code, claim.code.replace(/(.{4})(?!$)/g, '$1 '));
    }
    if (claim?.expiresAt) {
      facts.set(texts.validUntil, language.date(Date.parse(claim.expiresAt)));
    }
    return facts;
  }
}

customElements.define('firstcome-coupon', FirstcomeCoupon);
