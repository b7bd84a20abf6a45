CREATE INDEX coupon_code_key_in_use ON coupon (code_key_version) WHERE status <> 'ARCHIVED';
COMMENT ON INDEX coupon_code_key_in_use IS
  'Finds the code keys that an instance must have, without reading every archived coupon.';

CREATE INDEX wrong_code_by_since ON wrong_code (since);
COMMENT ON INDEX wrong_code_by_since IS 'Finds the counts whose time is over, which are deleted.';
