ALTER TABLE user_coupon
  ADD COLUMN slot_released boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT user_coupon_keeps_its_slot_while_live CHECK (NOT (live AND slot_released));

CREATE INDEX user_coupon_slot_to_go_back ON user_coupon (user_coupon_id) WHERE NOT live AND NOT slot_released;

COMMENT ON COLUMN user_coupon.slot_released IS
  'Whether the stock backend is known to have the slot back. A row that is not live is a work item until then.';
