-- What recovers or compares a partition reads the coupons that have stock, however many were archived before.
CREATE INDEX coupon_with_stock ON coupon (partition_id, coupon_id) WHERE status <> 'ARCHIVED';
