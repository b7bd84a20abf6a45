-- Ids are compared and paged byte by byte, hence COLLATE "C": the order is the same on every server
-- and in Java, and a change of the operating system's collation cannot corrupt an index.

CREATE TABLE stock_partition (
  partition_id integer PRIMARY KEY CHECK (partition_id BETWEEN 0 AND 1023),
  epoch bigint NOT NULL DEFAULT 0 CHECK (epoch >= 0)
);
COMMENT ON TABLE stock_partition IS
  'Shares of all coupons whose stock lives and is recovered together. Writers of claims hold the row FOR SHARE.';
COMMENT ON COLUMN stock_partition.epoch IS
  'Generation of the stock; each recovery raises it. Claims of any other epoch are late. 0: never opened.';

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
  status text COLLATE "C" NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED', 'CLOSED')),
  revision integer NOT NULL CHECK (revision >= 1),
  stock_revision integer NOT NULL DEFAULT 0,
  partition_id integer NOT NULL REFERENCES stock_partition,
  code_key_version integer NOT NULL CHECK (code_key_version >= 1),
  defined_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT coupon_discount_is_of_its_type CHECK (
    CASE discount_type
      WHEN 'AMOUNT' THEN discount_minor_units IS NOT NULL
        AND discount_basis_points IS NULL AND discount_cap_minor_units IS NULL
      ELSE discount_minor_units IS NULL AND discount_basis_points IS NOT NULL
    END),
  CONSTRAINT coupon_closes_after_it_opens CHECK (closes_at > opens_at),
  CONSTRAINT coupon_has_one_validity CHECK (num_nonnulls(valid_until, valid_days) = 1),
  CONSTRAINT coupon_stock_is_not_ahead CHECK (stock_revision BETWEEN 0 AND revision)
);
CREATE INDEX coupon_by_partition ON coupon (partition_id, coupon_id);
CREATE INDEX coupon_not_yet_in_stock ON coupon (defined_at, coupon_id) WHERE stock_revision < revision;
COMMENT ON TABLE coupon IS 'Promotions: what is given away, how many, when and on what terms.';
COMMENT ON COLUMN coupon.total_quantity IS 'Pieces. Slots are 1 to this; it only ever grows.';
COMMENT ON COLUMN coupon.currency IS 'ISO 4217; of the discount, its cap and the minimum order.';
COMMENT ON COLUMN coupon.opens_at IS 'First instant of the issuance window, judged by the stock''s clock.';
COMMENT ON COLUMN coupon.closes_at IS 'First instant after the issuance window.';
COMMENT ON COLUMN coupon.valid_until IS 'First instant at which its user coupons cannot be used; or null, see valid_days.';
COMMENT ON COLUMN coupon.valid_days IS 'Times 24 hours from issued_at; or null, see valid_until.';
COMMENT ON COLUMN coupon.revision IS 'Counts the operators'' changes, from 1.';
COMMENT ON COLUMN coupon.stock_revision IS 'The revision that the stock backend is known to have; 0: none.';
COMMENT ON COLUMN coupon.code_key_version IS 'The key that ids and codes of its user coupons are derived with.';

CREATE TABLE user_coupon (
  user_coupon_id text COLLATE "C" PRIMARY KEY,
  coupon_id text COLLATE "C" NOT NULL REFERENCES coupon,
  slot integer NOT NULL CHECK (slot >= 1),
  user_id text COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 64),
  code text COLLATE "C" NOT NULL CHECK (char_length(code) = 16),
  state text COLLATE "C" NOT NULL DEFAULT 'ISSUED'
    CHECK (state IN ('ISSUED', 'HELD', 'USED', 'EXPIRED', 'RETURNED', 'REVOKED')),
  live boolean NOT NULL DEFAULT true,
  issued_at timestamptz NOT NULL,
  CONSTRAINT user_coupon_is_named_after_its_coupon
    CHECK (starts_with(user_coupon_id, coupon_id || '.')),
  CONSTRAINT user_coupon_gave_its_slot_back CHECK (live OR state IN ('RETURNED', 'REVOKED')),
  CONSTRAINT user_coupon_one_per_user UNIQUE (coupon_id, user_id),
  CONSTRAINT user_coupon_code_is_unique UNIQUE (code)
);
CREATE UNIQUE INDEX user_coupon_one_live_per_slot ON user_coupon (coupon_id, slot) WHERE live;
COMMENT ON TABLE user_coupon IS
  'Slots that belong to users: the system of record. Rows are never deleted while their coupon can be claimed.';
COMMENT ON COLUMN user_coupon.slot IS
  '1 to the coupon''s total_quantity, in order of acceptance; the inserting statement checks the upper end.';
COMMENT ON COLUMN user_coupon.live IS 'Whether the row occupies its slot: false once the slot went back to stock.';
COMMENT ON COLUMN user_coupon.issued_at IS 'When the stock backend accepted the claim.';

CREATE TABLE late_claim (
  coupon_id text COLLATE "C" NOT NULL REFERENCES coupon,
  user_id text COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 64),
  promised_slot integer NOT NULL CHECK (promised_slot >= 1),
  partition_id integer NOT NULL REFERENCES stock_partition,
  accepted_at timestamptz NOT NULL,
  PRIMARY KEY (coupon_id, user_id)
);
CREATE INDEX late_claim_by_partition ON late_claim (partition_id, coupon_id, promised_slot, user_id);
COMMENT ON TABLE late_claim IS
  'Accepted claims that cannot be recorded as they stand; a worker gets a slot for each, or rejects it.';

CREATE TABLE rejected_claim (
  coupon_id text COLLATE "C" NOT NULL REFERENCES coupon,
  user_id text COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 64),
  reason text COLLATE "C" NOT NULL CHECK (reason IN ('NO_SLOT_LEFT')),
  rejected_at timestamptz NOT NULL,
  PRIMARY KEY (coupon_id, user_id)
);
COMMENT ON TABLE rejected_claim IS 'Accepted claims that ended without a slot. Final.';
