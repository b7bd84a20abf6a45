-- A foreign key takes a lock on the row that it names. The claims of a coupon whose row somebody else has
-- locked are kept here, so nothing here may wait for that lock. Coupons and partitions are never deleted.
ALTER TABLE late_claim
  DROP CONSTRAINT late_claim_coupon_id_fkey,
  DROP CONSTRAINT late_claim_partition_id_fkey;
COMMENT ON COLUMN late_claim.coupon_id IS 'Of a coupon that exists; without a foreign key, which would wait for locks.';
