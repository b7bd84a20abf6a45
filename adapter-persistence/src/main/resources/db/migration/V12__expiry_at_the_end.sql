-- What a coupon gives ends together, or in the order in which it was given. By time and slot each new
-- one comes behind those before it; by time and id, which is random, it came anywhere among them.
DROP INDEX user_coupon_not_yet_ended;
CREATE INDEX user_coupon_not_yet_ended ON user_coupon (expires_at, slot) WHERE state IN ('ISSUED', 'HELD');
COMMENT ON INDEX user_coupon_not_yet_ended IS
  'Finds those whose validity is over and that are not yet recorded as expired.';
