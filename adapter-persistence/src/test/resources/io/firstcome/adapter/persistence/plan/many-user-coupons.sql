-- Fills the empty tables with as many user coupons as the setting firstcome.rows says and with their related rows: the
-- same rows each time, in the order of issue, over 500 days up to "today", 2026-05-16. User coupons whose validity was
-- over by then are recorded as expired, except for the last few.
--
-- Every tenth user coupon is of WELCOME, which is issued during the whole time. The promotions follow one after the
-- other, each larger than the one before. The collector has all user coupons of SOLO-1, SOLO-2, …; every other user has
-- 1 to about 20.

CREATE TEMP VIEW size AS
  SELECT n AS row_count, greatest(n / 5000, 200) AS promotions, greatest(n / 1000, 300) AS solos, n / 5 AS people,
      -- Of so many user coupons two go back: enough that it matters for a plan which of them it reads.
      least(4000, n / 250) AS cycle, timestamptz '2026-05-16Z' AS today, interval '500 days' / n AS step
    FROM (SELECT current_setting('firstcome.rows')::bigint AS n) given;

-- For each row: its place, its coupon's number (0 is WELCOME, negative ones are the collector's), its slot, its owner.
CREATE TEMP VIEW issue AS
  SELECT i, number, slot, (number * 104729 + slot * 7919) % people AS person
    FROM size, generate_series(1, row_count - solos) i,
      -- The k-th promotion has k shares of 1 + 2 + … + promotions; rank counts the rows of all promotions.
      LATERAL (SELECT i - i / 10 AS rank, (row_count - solos) * 9 / 10 / (promotions * (promotions + 1) / 2) + 1 AS share)
        promotion,
      LATERAL (SELECT ceil((sqrt(1 + 8.0::float8 * rank / share) - 1) / 2)::bigint AS k) found,
      LATERAL (SELECT CASE WHEN i % 10 = 0 THEN 0 ELSE k END AS number,
        CASE WHEN i % 10 = 0 THEN i / 10 ELSE rank - share * k * (k - 1) / 2 END AS slot) placed
  UNION ALL
  SELECT row_count - solos + s, -s, 1, -1 FROM size, generate_series(1, solos) s;

CREATE TEMP VIEW promotion AS
  SELECT number,
      CASE WHEN number = 0 THEN 'WELCOME' WHEN number < 0 THEN 'SOLO' || number
        ELSE 'SALE-' || upper(substr(md5(number::text), 1, 8)) END AS coupon_id,
      abs(number) % 8 AS partition_id,
      CASE WHEN number = 0 THEN 90 WHEN number < 0 THEN 3650 ELSE 30 + number % 300 END AS valid_days
    FROM size, generate_series(-solos, promotions) number;

INSERT INTO stock_partition (partition_id, epoch) SELECT partition_id, 1 FROM generate_series(0, 7) partition_id;

-- Of deleted drafts.
INSERT INTO campaign (campaign_id, limit_per_user, coupon_ids, defined_at)
  SELECT 'CAMPAIGN-' || n, 1, ARRAY['ONE-' || n, 'OTHER-' || n], '2020-01-01Z' FROM generate_series(1, 20000) n;

INSERT INTO coupon (coupon_id, name, total_quantity, currency, discount_type, discount_minor_units, opens_at, closes_at,
    valid_days, returns_to_stock, stock_backend, status, revision, stock_revision, partition_id, code_key_version, defined_at)
  SELECT coupon_id, coupon_id, 100000000, 'EUR', 'AMOUNT', 500, '2020-01-01Z', '2100-01-01Z',
      valid_days, true, 'REDIS', 'ACTIVE', 1, 1, partition_id, 1, '2020-01-01Z'
    FROM promotion;

-- A code is ten bytes of a hash of its text; the tag is derived from the code as by the service.
CREATE FUNCTION pg_temp.code_of(text text) RETURNS bytea IMMUTABLE LANGUAGE SQL
  AS $$ SELECT decode(substr(md5(text), 1, 20), 'hex') $$;
CREATE FUNCTION pg_temp.tag_of(code bytea) RETURNS bytea IMMUTABLE LANGUAGE SQL
  AS $$ SELECT substr(sha256('firstcome user coupon id'::bytea || '\x00'::bytea || code), 1, 10) $$;

INSERT INTO user_coupon (tag, code, coupon_number, slot, user_id, state, live, slot_released, issued_at, expires_at,
    order_id, ended_at, revocation_reason)
  SELECT pg_temp.tag_of(secret), secret, coupon_number, slot,
      CASE person WHEN -1 THEN 'collector' ELSE md5('person ' || person)::uuid::text END,
      state, state NOT IN ('RETURNED', 'REVOKED'),
      -- A few slots have not gone back to the stock yet.
      state IN ('RETURNED', 'REVOKED') AND i / cycle % 500 <> 7,
      issued_at, expires_at,
      CASE WHEN state IN ('USED', 'HELD') THEN 'order-' || i END,
      CASE WHEN state IN ('RETURNED', 'REVOKED') THEN issued_at + interval '1 day' END,
      CASE WHEN state = 'REVOKED' THEN 'taken by mistake' END
    FROM size, issue JOIN promotion USING (number) JOIN coupon USING (coupon_id),
      LATERAL (SELECT pg_temp.code_of(number || '/' || slot) AS secret, i * 7919 % 1000 AS luck,
        today - (row_count - CASE WHEN number < 0 THEN i / 5 * 5 ELSE i END) * step AS issued_at) generated,
      LATERAL (SELECT issued_at + promotion.valid_days * interval '24 hours' AS expires_at) timed,
      LATERAL (SELECT CASE
        WHEN i % cycle IN (cycle / 4, cycle / 4 + 1) AND number >= 0 THEN CASE WHEN i / cycle % 2 = 0 THEN 'RETURNED' ELSE 'REVOKED' END
        WHEN luck < 350 THEN 'USED'
        WHEN expires_at < today - 1000 * step THEN 'EXPIRED'
        WHEN luck < 380 THEN 'HELD'
        ELSE 'ISSUED' END AS state) lived;

-- Slots that went back to WELCOME have new owners.
INSERT INTO user_coupon (tag, code, coupon_number, slot, user_id, generation, issued_at, expires_at)
  SELECT pg_temp.tag_of(secret), secret, coupon_number, slot, 'next-' || slot, 2,
      ended_at, ended_at + interval '90 days'
    FROM user_coupon JOIN coupon USING (coupon_number), LATERAL (SELECT pg_temp.code_of('next ' || slot) AS secret) generated
    WHERE coupon_id = 'WELCOME' AND slot_released;

INSERT INTO redemption (tag, order_id, currency, order_minor_units, discount_minor_units, shop_id, state,
    held_until, changed_at)
  SELECT tag, order_id, 'EUR', 5000, 500, 'shop-' || slot % 7, CASE state WHEN 'HELD' THEN 'HELD' ELSE 'CONFIRMED' END,
      -- One hold in ten ended a minute ago.
      CASE WHEN state = 'HELD' THEN today + CASE WHEN slot % 10 = 0 THEN interval '-1 minute' ELSE '10 minutes' END END,
      issued_at + interval '1 day'
    FROM user_coupon, size WHERE order_id IS NOT NULL
  UNION ALL
  SELECT tag, 'earlier', 'EUR', 5000, 500, NULL, 'RELEASED', NULL, issued_at + interval '1 hour'
    FROM user_coupon WHERE slot % 20 = 0;

INSERT INTO audit_entry (at, actor_kind, actor_name, action, coupon_id)
  SELECT '2020-01-01Z', 'OPERATOR', 'unnamed', action, coupon_id
    FROM coupon, unnest(ARRAY['DEFINE', 'PAUSE', 'RESUME']) action;

-- Every fifth user coupon has an entry, under an id that is not its own, and the collector's first one a long list of
-- them, under its id.
INSERT INTO audit_entry (at, actor_kind, actor_name, action, coupon_id, user_coupon_id, detail)
  SELECT issued_at + interval '1 day', 'CUSTOMER', user_id, 'HOLD', coupon_id,
      coupon_id || '.' || upper(substr(encode(tag, 'hex'), 1, 16)), order_id
    FROM user_coupon JOIN coupon USING (coupon_number) WHERE slot % 5 = 0
  UNION ALL
  SELECT issued_at + n * interval '1 minute', 'SHOP', 'till', 'HOLD', coupon_id,
      coupon_id || '.' || crockford_base32(tag), 'order-' || n
    FROM user_coupon JOIN coupon USING (coupon_number), generate_series(1, 1000) n WHERE coupon_id = 'SOLO-1';

-- The broker was not reachable for a while: the event of every tenth user coupon is not published yet.
INSERT INTO event_outbox (type, coupon_id, events, coupon_number, slots, generation)
  SELECT 'ISSUED', coupon_id, count(*), coupon_number, array_agg(slot), generation
    FROM user_coupon JOIN coupon USING (coupon_number) WHERE slot % 10 = 0
    GROUP BY coupon_id, coupon_number, generation, slot / 2000 ORDER BY count(*) DESC, coupon_id, min(slot);

-- Two early promotions, all of whose user coupons have ended, are archived; the rows of the second one are being removed.
UPDATE coupon SET status = 'ARCHIVED', opens_at = '2019-01-01Z', closes_at = '2019-02-01Z', changed_at = '2021-01-01Z',
    removal_begun_at = CASE number WHEN 101 THEN timestamptz '2026-01-01Z' END
  FROM promotion WHERE promotion.coupon_id = coupon.coupon_id AND number IN (100, 101);
DELETE FROM event_outbox USING promotion WHERE promotion.coupon_id = event_outbox.coupon_id AND number IN (100, 101);
UPDATE user_coupon SET slot_released = true FROM coupon
  WHERE coupon.coupon_number = user_coupon.coupon_number AND status = 'ARCHIVED' AND NOT live;

-- Many coupons are of earlier years: archived, and their rows are removed.
INSERT INTO coupon (coupon_id, name, total_quantity, currency, discount_type, discount_minor_units, opens_at, closes_at,
    valid_days, returns_to_stock, stock_backend, status, revision, stock_revision, partition_id, code_key_version,
    defined_at, changed_at, removal_begun_at, removal_ended_at, removed_user_coupons)
  SELECT 'XMAS-' || n, 'XMAS-' || n, 1000, 'EUR', 'AMOUNT', 500, '2018-12-01Z', '2018-12-24Z',
      30, true, 'REDIS', 'ARCHIVED', 2, 2, n % 8, 1, '2018-11-01Z', '2019-03-01Z', '2020-01-01Z', '2020-01-02Z', 1000
    FROM size, generate_series(1, row_count / 1000) n;

-- Claims that have no row, and erasures that have ended.
INSERT INTO rejected_claim (coupon_id, user_id, reason, rejected_at)
  SELECT coupon_id, 'rejected-' || n, 'NO_SLOT_LEFT', today
    FROM size, generate_series(1, row_count / 20) n JOIN promotion ON number = -1 - n % 300;
INSERT INTO late_claim (coupon_id, user_id, promised_slot, partition_id, accepted_at)
  SELECT coupon_id, 'late-' || n, n, partition_id, today
    FROM size, generate_series(1, row_count / 20) n JOIN promotion ON number = -1 - n % 300;
INSERT INTO dead_letter (content_sha256, reason, attempts, first_failed_at, last_tried_at, partition_id, entry_id, epoch,
    coupon_id, accepted_at, user_ids, slots)
  SELECT sha256(n::text::bytea), 'there is no such coupon', 1, today, today, 0, n || '-0', 1, 'UNKNOWN', today,
      array_agg('lost-' || n || '-' || slot), array_agg(slot)
    FROM size, generate_series(1, 2000) n, generate_series(1, 50) slot GROUP BY n, today;
INSERT INTO erasure (requested_at, user_coupons, ended_at) SELECT today, 1, today FROM size, generate_series(1, 20000);

-- Two coupons of the collector are a campaign.
INSERT INTO campaign (campaign_id, limit_per_user, coupon_ids, defined_at) VALUES ('SOLO', 1, ARRAY['SOLO-3', 'SOLO-4'], '2020-01-01Z');
UPDATE coupon SET campaign_id = 'SOLO' WHERE coupon_id IN ('SOLO-3', 'SOLO-4');

-- Webhooks that were disabled, more than there can be, so that an index pays. The first one has many deliveries, and an early
-- promotion has users in some that were not made.
INSERT INTO webhook_endpoint (url, state, secret, revision, created_at, changed_at)
  SELECT 'https://hooks.example/' || n, 'DISABLED', 'whsec_' || repeat('A', 43) || '=', 1, today, today FROM size, generate_series(1, 1000) n;
INSERT INTO webhook_lane (webhook_id, lane, due_at) SELECT webhook_id, lane, today FROM size, webhook_endpoint, generate_series(0, 16) lane;
INSERT INTO webhook_delivery (webhook_id, lane, type, coupon_id, events, created_at, state, attempts, attempted_at, result)
  SELECT 1, n % 16, 'user-coupon.issued', 'SALE-' || n % 100, 100, today, 'DELIVERED', 1, today, '204'
    FROM size, generate_series(1, row_count / 5) n;
INSERT INTO webhook_delivery (webhook_id, lane, type, coupon_id, events, body, created_at, state)
  SELECT 1 + n % 7, n % 16, 'user-coupon.issued', 'SALE-' || n % 100, 100, '[]', today, CASE n % 10 WHEN 0 THEN 'GIVEN_UP' ELSE 'PENDING' END
    FROM size, generate_series(1, row_count / 20) n;
