/**
 * The life of a coupon through this client, against a running service: FIRSTCOME_URL is its address and
 * FIRSTCOME_GATEWAY_SECRET the secret of its gateway. Ends with status 0 if every answer was as expected.
 */
import assert from 'node:assert/strict';

import {
  ClaimOutcomeEnum,
  type Coupon,
  CouponPhaseEnum,
  CouponStatus,
  DefinitionStockBackendEnum,
  DiscountTypeEnum,
  Firstcome,
  gateway,
  RedemptionStateEnum,
  RefusedError,
  RevokedUserCouponStateEnum,
  UserCouponStateEnum,
} from '../src/index.js';

const PATIENCE = { millis: 30_000 };

function setting(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} is missing`);
  return value;
}

const service = setting('FIRSTCOME_URL');
const secret = setting('FIRSTCOME_GATEWAY_SECRET');
const couponId = `WALK-${Date.now()}`;

const customer = (user: string) => new Firstcome(service, gateway(secret, { user }));
const olga = new Firstcome(
  service,
  gateway(secret, {
    user: 'olga',
    scopes: ['coupon:read', 'coupon:define', 'coupon:operate', 'coupon:revoke'],
  }),
);
const berlin = new Firstcome(service, gateway(secret, { shop: 'berlin', scopes: ['coupon:redeem'] }));

const eur = (minorUnits: number) => ({ minorUnits, currency: 'EUR' });
const revisionOf = (coupon: Coupon) => `"${coupon.revision}"`;

/** Until a call that is answered from rows shows the expected answer. */
async function eventually<T>(read: () => Promise<T>, expected: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE.millis;
  for (;;) {
    const answer = await read();
    if (expected(answer) || Date.now() > end) {
      assert.ok(expected(answer), JSON.stringify(answer));
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof RefusedError, String(error));
    return error.type;
  }
  return assert.fail('not refused');
}

async function define(id: string, totalQuantity: number, draft = false): Promise<Coupon> {
  return olga.repeat(PATIENCE, () =>
    olga.coupons.defineCoupon({
      definition: {
        couponId: id,
        name: 'Summer sale',
        totalQuantity,
        discount: { type: DiscountTypeEnum.Amount, amountOff: eur(500) },
        minimumOrder: eur(2_000),
        opensAt: new Date('2026-01-01T00:00:00Z'),
        closesAt: new Date('2036-01-01T00:00:00Z'),
        validity: { days: 30 },
        returnsToStock: true,
        stockBackend: DefinitionStockBackendEnum.Redis,
        draft,
      },
    }),
  );
}

async function claimed(user: string, id = couponId) {
  const result = await customer(user).claim(id, PATIENCE);
  assert.ok(result.claimed, JSON.stringify(result));
  return result.claim;
}

async function refused(user: string, id = couponId): Promise<string> {
  const result = await customer(user).claim(id, PATIENCE);
  assert.ok(!result.claimed, JSON.stringify(result));
  return result.reason;
}

/** Two customers get the two coupons, a third one does not. */
async function claim() {
  const defined = await define(couponId, 2);
  assert.equal(defined.phase, CouponPhaseEnum.Open);

  const ann = await claimed('ann');
  assert.equal(ann.slot, 1);
  const again = await claimed('ann');
  assert.ok([ClaimOutcomeEnum.AlreadyAccepted, ClaimOutcomeEnum.AlreadyIssued].includes(again.outcome as never));
  assert.equal(again.code, ann.code);
  assert.equal((await claimed('bob')).slot, 2);
  assert.equal(await refused('cleo'), 'sold-out');

  const page = await customer('ann').claims.listCoupons({ ids: [couponId, 'NOWHERE'] });
  assert.equal(page.items.length, 1);
  assert.equal(page.items[0]?.mine?.userCouponId, ann.userCouponId);
  return ann;
}

/** The customer holds the coupon, the shop uses it and undoes that; then a till uses it by its code. */
async function redeem(userCouponId: string, code: string): Promise<void> {
  const { wallet } = customer('ann');
  const order = { orderId: 'order-1', amount: eur(3_000) };
  await eventually(
    () => wallet.listUserCoupons({ limit: 20 }),
    (page) => page.items.some((mine) => mine.userCouponId === userCouponId),
  );
  const quote = await wallet.quote({ order });
  assert.deepEqual(quote.all.find((one) => one.userCouponId === userCouponId)?.discount, eur(500));

  const held = await wallet.takeUserCoupon({ userCouponId, takeRequest: { ...order, hold: 'PT10M' } });
  assert.equal(held.state, RedemptionStateEnum.Held);
  const taken = await berlin.shops.redeem({ redeemRequest: { userCouponId, ...order, hold: 'PT10M' } });
  assert.equal(taken.shop, 'berlin');
  const { redemptionId } = taken;
  assert.equal((await berlin.shops.confirm({ redemptionId })).state, RedemptionStateEnum.Confirmed);
  await berlin.shops.cancel({ redemptionId, reason: { reason: 'out of stock' } });
  assert.equal((await berlin.shops.getRedemption({ redemptionId })).state, RedemptionStateEnum.Undone);

  const used = await berlin.shops.redeem({
    redeemRequest: { code: code.toLowerCase(), orderId: 'order-2', amount: eur(2_990) },
  });
  assert.equal(used.state, RedemptionStateEnum.Confirmed);
  const other = { code, orderId: 'order-3', amount: eur(2_990) };
  assert.equal(
    await refusal(berlin.repeat(PATIENCE, () => berlin.shops.redeem({ redeemRequest: other }))),
    'already-used',
  );
  await berlin.shops.cancel({ redemptionId: used.redemptionId, reason: { reason: 'returned goods' } });
  const ofOrder = await berlin.shops.listRedemptionsOfOrder({ orderId: 'order-2' });
  assert.ok(ofOrder.items.some((one) => one.redemptionId === used.redemptionId));
}

/** The slot of a returned coupon goes to the next customer, from whom it is revoked. */
async function giveBack(userCouponId: string): Promise<void> {
  const ann = customer('ann');
  await ann.repeat(PATIENCE, () => ann.wallet.returnUserCoupon({ userCouponId }));
  const state = await ann.claims.getClaim({ couponId });
  assert.equal(state.state, UserCouponStateEnum.Returned);

  const cleos = await eventually(
    () => customer('cleo').claim(couponId, PATIENCE),
    (result) => result.claimed,
  );
  assert.ok(cleos.claimed && cleos.claim.slot === 1);
  const id = cleos.claim.userCouponId;
  await eventually(
    () => customer('cleo').claims.getClaim({ couponId }),
    (claim) => claim.state === UserCouponStateEnum.Issued,
  );
  const revoked = await olga.repeat(PATIENCE, () =>
    olga.operations.revokeUserCoupon({ userCouponId: id, reason: { reason: 'stolen account' } }),
  );
  assert.equal(revoked.state, RevokedUserCouponStateEnum.Revoked);
}

/** Changes, the proof, the audit trail and the archive. */
async function operate(): Promise<void> {
  const { coupons, operations } = olga;
  assert.equal((await coupons.pauseCoupon({ couponId })).phase, CouponPhaseEnum.Paused);
  assert.equal(await refused('dora'), 'paused');
  const resumed = await coupons.resumeCoupon({ couponId });
  const edited = await coupons.editCoupon({
    couponId,
    ifMatch: revisionOf(resumed),
    requestBody: { name: 'Long summer sale' },
  });
  assert.equal(edited.name, 'Long summer sale');
  assert.equal(
    await refusal(
      olga.repeat(PATIENCE, () =>
        coupons.editCoupon({ couponId, ifMatch: revisionOf(resumed), requestBody: { name: 'Too late' } }),
      ),
    ),
    'overtaken',
  );
  await coupons.raiseQuantity({ couponId, quantityRequest: { totalQuantity: 3 } });
  assert.equal((await coupons.closeCoupon({ couponId })).status, CouponStatus.Closed);

  const proof = await eventually(
    () => operations.proveExactness({ couponId }),
    (answer) => answer.exact && answer.unrecorded === 0,
  );
  assert.equal(proof.slotsUsed, 1);
  const audit = await operations.listAuditOfCoupon({ couponId, limit: 20 });
  assert.ok(audit.items.some((entry) => entry.actor.name === 'olga'));
  const archived = await olga.repeat(PATIENCE, () => coupons.archiveCoupon({ couponId }));
  assert.equal(archived.status, CouponStatus.Archived);
}

/** Of two coupons of a campaign each customer gets one. */
async function campaign(): Promise<void> {
  const ids = [`${couponId}-2`, `${couponId}-3`];
  await define(ids[0]!, 10, true);
  await olga.coupons.copyCoupon({ couponId: ids[0]!, copyRequest: { couponId: ids[1]! } });
  const defined = await olga.coupons.defineCampaign({
    campaign: { campaignId: `${couponId}-C`, limitPerUser: 1, couponIds: new Set(ids) },
  });
  assert.equal(defined.limitPerUser, 1);
  for (const id of ids) {
    await olga.repeat(PATIENCE, () => olga.coupons.publishCoupon({ couponId: id }));
  }
  await claimed('ann', ids[0]);
  assert.equal(await refused('ann', ids[1]), 'campaign-limit');
}

const ann = await claim();
await redeem(ann.userCouponId, ann.code);
await giveBack(ann.userCouponId);
await operate();
await campaign();
console.log(`${couponId}: every answer was as expected`);
