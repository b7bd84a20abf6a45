ALTER TABLE coupon
  ADD COLUMN stock_backend text COLLATE "C" NOT NULL DEFAULT 'REDIS'
    CHECK (stock_backend IN ('REDIS', 'POSTGRES')),
  ADD CONSTRAINT coupon_waits_in_redis
    CHECK (stock_backend = 'REDIS' OR waiting_room_admissions_per_second IS NULL);
COMMENT ON COLUMN coupon.stock_backend IS
  'Who gives the slots. POSTGRES: this database does, row by row, and nothing else knows of them.';

ALTER TABLE user_coupon
  ADD COLUMN slot_free boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT user_coupon_offers_a_slot_that_is_in_stock CHECK (slot_released OR NOT slot_free);
CREATE UNIQUE INDEX user_coupon_free_slot ON user_coupon (coupon_id, slot) WHERE slot_free;
COMMENT ON COLUMN user_coupon.slot_free IS
  'Of coupons whose stock is here: the slot went back and can be claimed; false again once somebody has it.';
