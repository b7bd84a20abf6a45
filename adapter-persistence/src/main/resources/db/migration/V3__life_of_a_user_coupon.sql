ALTER TABLE user_coupon
  ADD COLUMN revision integer NOT NULL DEFAULT 1 CHECK (revision >= 1),
  ADD COLUMN generation integer NOT NULL DEFAULT 1 CHECK (generation >= 1),
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN order_id text COLLATE "C",
  ADD COLUMN ended_at timestamptz,
  ADD COLUMN revocation_reason text,
  ADD CONSTRAINT user_coupon_is_taken_for_an_order
    CHECK ((state IN ('HELD', 'USED')) = (order_id IS NOT NULL)),
  ADD CONSTRAINT user_coupon_was_taken_away_at_a_time
    CHECK ((state IN ('RETURNED', 'REVOKED')) = (ended_at IS NOT NULL)),
  ADD CONSTRAINT user_coupon_is_revoked_for_a_reason
    CHECK ((state = 'REVOKED') = (revocation_reason IS NOT NULL));

UPDATE user_coupon SET expires_at = coalesce(valid_until, issued_at + valid_days * interval '24 hours')
  FROM coupon WHERE coupon.coupon_id = user_coupon.coupon_id;

ALTER TABLE user_coupon ALTER COLUMN expires_at SET NOT NULL;

CREATE UNIQUE INDEX user_coupon_earlier_holders ON user_coupon (coupon_id, slot, generation) WHERE NOT live;

COMMENT ON COLUMN user_coupon.state IS
  'What was last recorded. A hold ends with its limit and an issued coupon with expires_at, before that is recorded.';
COMMENT ON COLUMN user_coupon.revision IS 'Counts the recorded changes, from 1; each change names the one before.';
COMMENT ON COLUMN user_coupon.generation IS 'Counts the holders of the slot, from 1.';
COMMENT ON COLUMN user_coupon.expires_at IS 'First instant at which it cannot be used.';
COMMENT ON COLUMN user_coupon.order_id IS 'The order that it is held for or was used on; see redemption.';
COMMENT ON COLUMN user_coupon.ended_at IS 'When it was returned or revoked.';
COMMENT ON COLUMN user_coupon.revocation_reason IS 'What the operator said who revoked it.';

CREATE TABLE redemption (
  user_coupon_id text COLLATE "C" NOT NULL REFERENCES user_coupon,
  order_id text COLLATE "C" NOT NULL CHECK (char_length(order_id) BETWEEN 1 AND 64),
  currency text COLLATE "C" NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  order_minor_units bigint NOT NULL,
  discount_minor_units bigint NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('HELD', 'CONFIRMED', 'RELEASED', 'UNDONE')),
  held_until timestamptz,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (user_coupon_id, order_id),
  CONSTRAINT redemption_discount_is_within_the_order
    CHECK (discount_minor_units BETWEEN 1 AND order_minor_units),
  CONSTRAINT redemption_is_held_for_a_time CHECK ((state = 'HELD') = (held_until IS NOT NULL))
);
COMMENT ON TABLE redemption IS 'User coupons taken for orders, now or before. Each once for an order.';
COMMENT ON COLUMN redemption.state IS
  'HELD or CONFIRMED while the user coupon is taken for this order; RELEASED from a hold, or UNDONE after a use.';
COMMENT ON COLUMN redemption.held_until IS 'First instant at which the hold is over.';
COMMENT ON COLUMN redemption.changed_at IS 'When it came into its state.';
