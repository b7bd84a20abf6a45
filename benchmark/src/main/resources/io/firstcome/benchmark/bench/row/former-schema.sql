-- The row of a user coupon and its event before coupons had numbers (ADR 41), for comparison.

CREATE TABLE stock_partition (
  partition_id integer PRIMARY KEY CHECK (partition_id BETWEEN 0 AND 1023),
  epoch bigint NOT NULL DEFAULT 0 CHECK (epoch >= 0)
);

CREATE TABLE coupon (
  coupon_id text COLLATE "C" PRIMARY KEY CHECK (coupon_id ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  total_quantity integer NOT NULL CHECK (total_quantity BETWEEN 1 AND 100000000),
  currency text COLLATE "C" NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  discount_type text COLLATE "C" NOT NULL CHECK (discount_type IN ('AMOUNT', 'PERCENT')),
  discount_minor_units bigint CHECK (discount_minor_units > 0),
  discount_basis_points integer CHECK (discount_basis_points BETWEEN 1 AND 10000),
  discount_cap_minor_units bigint CHECK (discount_cap_minor_units > 0),
  minimum_order_minor_units bigint CHECK (minimum_order_minor_units >= 0),
  opens_at timestamptz NOT NULL,
  closes_at timestamptz NOT NULL,
  valid_until timestamptz,
  valid_days integer CHECK (valid_days BETWEEN 1 AND 3650),
  returns_to_stock boolean NOT NULL,
  waiting_room_admissions_per_second integer CHECK (waiting_room_admissions_per_second > 0),
  stock_backend text COLLATE "C" NOT NULL CHECK (stock_backend IN ('REDIS', 'POSTGRES')),
  status text COLLATE "C" NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED', 'CLOSED', 'ARCHIVED')),
  revision integer NOT NULL CHECK (revision >= 1),
  stock_revision integer NOT NULL DEFAULT 0,
  partition_id integer NOT NULL REFERENCES stock_partition,
  code_key_version integer NOT NULL CHECK (code_key_version >= 1),
  defined_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT coupon_discount_matches_its_type CHECK (
    CASE discount_type
      WHEN 'AMOUNT' THEN discount_minor_units IS NOT NULL
        AND discount_basis_points IS NULL AND discount_cap_minor_units IS NULL
      ELSE discount_minor_units IS NULL AND discount_basis_points IS NOT NULL
    END),
  CONSTRAINT coupon_closes_after_it_opens CHECK (closes_at > opens_at),
  CONSTRAINT coupon_has_one_validity CHECK (num_nonnulls(valid_until, valid_days) = 1),
  -- PostgreSQL has the times 'infinity' and '-infinity', which the service cannot read.
  CONSTRAINT coupon_times_are_finite CHECK (
    isfinite(opens_at) AND isfinite(closes_at) AND isfinite(defined_at)
      AND (valid_until IS NULL OR isfinite(valid_until))),
  CONSTRAINT coupon_stock_revision_exists CHECK (stock_revision BETWEEN 0 AND revision),
  CONSTRAINT coupon_with_waiting_room_is_in_redis
    CHECK (stock_backend = 'REDIS' OR waiting_room_admissions_per_second IS NULL)
);

CREATE TABLE user_coupon (
  user_coupon_id text COLLATE "C" PRIMARY KEY,
  coupon_id text COLLATE "C" NOT NULL REFERENCES coupon,
  slot integer NOT NULL CHECK (slot >= 1),
  user_id text COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 128),
  code text COLLATE "C" NOT NULL CHECK (char_length(code) = 16),
  state text COLLATE "C" NOT NULL DEFAULT 'ISSUED'
    CHECK (state IN ('ISSUED', 'HELD', 'USED', 'EXPIRED', 'RETURNED', 'REVOKED')),
  live boolean NOT NULL DEFAULT true,
  issued_at timestamptz NOT NULL,
  revision integer NOT NULL DEFAULT 1 CHECK (revision >= 1),
  generation integer NOT NULL DEFAULT 1 CHECK (generation >= 1),
  expires_at timestamptz NOT NULL,
  order_id text COLLATE "C",
  ended_at timestamptz,
  revocation_reason text,
  slot_released boolean NOT NULL DEFAULT false,
  slot_free boolean NOT NULL DEFAULT false,
  CONSTRAINT user_coupon_id_starts_with_its_coupon
    CHECK (starts_with(user_coupon_id, coupon_id || '.')),
  CONSTRAINT user_coupon_frees_slot_only_if_returned CHECK (live OR state IN ('RETURNED', 'REVOKED')),
  CONSTRAINT user_coupon_has_an_order_while_taken
    CHECK ((state IN ('HELD', 'USED')) = (order_id IS NOT NULL)),
  CONSTRAINT user_coupon_ended_at_a_time
    CHECK ((state IN ('RETURNED', 'REVOKED')) = (ended_at IS NOT NULL)),
  CONSTRAINT user_coupon_is_revoked_for_a_reason
    CHECK ((state = 'REVOKED') = (revocation_reason IS NOT NULL)),
  CONSTRAINT user_coupon_keeps_its_slot_while_live CHECK (NOT (live AND slot_released)),
  CONSTRAINT user_coupon_free_slot_is_released CHECK (slot_released OR NOT slot_free),
  CONSTRAINT user_coupon_one_per_user UNIQUE (coupon_id, user_id),
  CONSTRAINT user_coupon_code_is_unique UNIQUE (code)
);
CREATE UNIQUE INDEX user_coupon_one_live_per_slot ON user_coupon (coupon_id, slot) WHERE live;
CREATE UNIQUE INDEX user_coupon_earlier_holders ON user_coupon (coupon_id, slot, generation) WHERE NOT live;
CREATE UNIQUE INDEX user_coupon_free_slot ON user_coupon (coupon_id, slot) WHERE slot_free;
CREATE INDEX user_coupon_unreleased_slot ON user_coupon (user_coupon_id) WHERE NOT live AND NOT slot_released;
CREATE INDEX user_coupon_of_user ON user_coupon (user_id, issued_at);
CREATE INDEX user_coupon_unexpired ON user_coupon (expires_at, slot) WHERE state IN ('ISSUED', 'HELD');

CREATE TABLE event_outbox (
  event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text COLLATE "C" NOT NULL
    CHECK (type IN ('ISSUED', 'USED', 'RESTORED', 'EXPIRED', 'RETURNED', 'REVOKED', 'SOLD_OUT')),
  at timestamptz,
  coupon_id text COLLATE "C" NOT NULL,
  user_coupon_id text COLLATE "C",
  revision integer,
  user_id text COLLATE "C",
  order_id text COLLATE "C",
  currency text COLLATE "C",
  order_minor_units bigint,
  discount_minor_units bigint,
  slot_went_back boolean,
  reason text,
  total_quantity integer,
  events integer NOT NULL DEFAULT 1 CHECK (events >= 1),
  -- Random ids do not compress, so that trying it takes longer than writing them.
  user_coupon_ids text[] COLLATE "C",
  user_ids text[] COLLATE "C",
  slots integer[],
  issued_ats timestamptz[],
  expires_ats timestamptz[],
  CONSTRAINT event_has_its_user_coupons CHECK (
    num_nonnulls(user_coupon_ids, user_ids, slots, issued_ats, expires_ats)
        = CASE type WHEN 'ISSUED' THEN 5 ELSE 0 END
      AND num_nonnulls(user_coupon_id, user_id)
        = CASE WHEN type IN ('ISSUED', 'SOLD_OUT') THEN 0 ELSE 2 END
      AND (revision IS NULL) = (type = 'SOLD_OUT')
      AND (total_quantity IS NOT NULL) = (type = 'SOLD_OUT')),
  CONSTRAINT event_has_the_columns_of_its_type CHECK (
    (at IS NULL) = (type = 'ISSUED')
      AND (events = 1 OR type = 'ISSUED')
      AND (order_id IS NOT NULL) = (type IN ('USED', 'RESTORED'))
      AND num_nonnulls(currency, order_minor_units, discount_minor_units)
        = CASE type WHEN 'USED' THEN 3 ELSE 0 END
      AND (slot_went_back IS NOT NULL) = (type IN ('RETURNED', 'REVOKED'))
      AND (reason IS NOT NULL) = (type = 'REVOKED'))
);
ALTER TABLE event_outbox
  ALTER COLUMN user_coupon_ids SET STORAGE EXTERNAL,
  ALTER COLUMN user_ids SET STORAGE EXTERNAL,
  ALTER COLUMN slots SET STORAGE EXTERNAL,
  ALTER COLUMN issued_ats SET STORAGE EXTERNAL,
  ALTER COLUMN expires_ats SET STORAGE EXTERNAL;

INSERT INTO stock_partition (partition_id, epoch) VALUES (0, 1);

INSERT INTO coupon (coupon_id, name, total_quantity, currency, discount_type, discount_minor_units, opens_at, closes_at,
    valid_days, returns_to_stock, stock_backend, status, revision, stock_revision, partition_id, code_key_version, defined_at)
  VALUES ('BENCH', 'Benchmark', 100000000, 'EUR', 'AMOUNT', 500, now() - interval '1 day', now() + interval '1 day',
      30, false, 'REDIS', 'ACTIVE', 1, 1, 0, 1, now() - interval '1 day');
