CREATE INDEX user_coupon_not_yet_ended ON user_coupon (expires_at, user_coupon_id)
  WHERE state IN ('ISSUED', 'HELD');
COMMENT ON INDEX user_coupon_not_yet_ended IS
  'Finds those whose validity is over and that are not yet recorded as expired.';
