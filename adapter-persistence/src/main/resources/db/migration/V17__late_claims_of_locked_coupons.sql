-- A foreign key takes a lock on the row that it names. The claims of a coupon whose row somebody else has
-- locked are kept here, so nothing here may wait for that lock. Coupons and partitions are never deleted.
ALTER TABLE late_claim
  DROP CONSTRAINT late_claim_coupon_id_fkey,
  DROP CONSTRAINT late_claim_partition_id_fkey;
COMMENT ON COLUMN late_claim.coupon_id IS 'Of a coupon that exists; without a foreign key, which would wait for locks.';

-- One row that cannot be read would keep the late claims behind it from being settled.
ALTER TABLE late_claim
  ADD CONSTRAINT late_claim_can_be_read CHECK (
    coupon_id ~ '^[A-Z0-9][A-Z0-9-]{1,39}$' AND user_id ~ '^[A-Za-z0-9._@-]{1,64}$'
      AND promised_slot <= 100000000 AND isfinite(accepted_at));
