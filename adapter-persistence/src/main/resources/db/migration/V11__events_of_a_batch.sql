-- What one statement issues of a coupon is told of in one row, which takes the recorder less time and
-- less WAL than a row each.
ALTER TABLE event_outbox
  DROP CONSTRAINT event_tells_of_a_user_coupon_or_a_sold_out_coupon,
  DROP CONSTRAINT event_says_what_its_type_does,
  ALTER COLUMN at DROP NOT NULL,
  ADD COLUMN events integer NOT NULL DEFAULT 1 CHECK (events >= 1),
  ADD COLUMN user_coupon_ids text[] COLLATE "C",
  ADD COLUMN user_ids text[] COLLATE "C",
  ADD COLUMN slots integer[],
  ADD COLUMN issued_ats timestamptz[],
  ADD COLUMN expires_ats timestamptz[];

UPDATE event_outbox
  SET at = NULL, user_coupon_id = NULL, user_id = NULL,
    user_coupon_ids = ARRAY[user_coupon_id],
    user_ids = ARRAY[user_id],
    slots = ARRAY[slot],
    issued_ats = ARRAY[at],
    expires_ats = ARRAY[expires_at]
  WHERE type = 'ISSUED';

ALTER TABLE event_outbox
  DROP COLUMN slot,
  DROP COLUMN expires_at,
  -- Ids are random: compressing them takes longer than writing them.
  ALTER COLUMN user_coupon_ids SET STORAGE EXTERNAL,
  ALTER COLUMN user_ids SET STORAGE EXTERNAL,
  ALTER COLUMN slots SET STORAGE EXTERNAL,
  ALTER COLUMN issued_ats SET STORAGE EXTERNAL,
  ALTER COLUMN expires_ats SET STORAGE EXTERNAL,
  ADD CONSTRAINT event_tells_of_user_coupons_or_a_sold_out_coupon CHECK (
    num_nonnulls(user_coupon_ids, user_ids, slots, issued_ats, expires_ats)
        = CASE type WHEN 'ISSUED' THEN 5 ELSE 0 END
      AND num_nonnulls(user_coupon_id, user_id)
        = CASE WHEN type IN ('ISSUED', 'SOLD_OUT') THEN 0 ELSE 2 END
      AND (revision IS NULL) = (type = 'SOLD_OUT')
      AND (total_quantity IS NOT NULL) = (type = 'SOLD_OUT')),
  ADD CONSTRAINT event_says_what_its_type_does CHECK (
    (at IS NULL) = (type = 'ISSUED')
      AND (events = 1 OR type = 'ISSUED')
      AND (order_id IS NOT NULL) = (type IN ('USED', 'RESTORED'))
      AND num_nonnulls(currency, order_minor_units, discount_minor_units)
        = CASE type WHEN 'USED' THEN 3 ELSE 0 END
      AND (slot_went_back IS NOT NULL) = (type IN ('RETURNED', 'REVOKED'))
      AND (reason IS NOT NULL) = (type = 'REVOKED'));
COMMENT ON COLUMN event_outbox.at IS 'When it happened; of those that were issued see issued_ats.';
COMMENT ON COLUMN event_outbox.events IS
  'How many the row is: elements of each of its arrays, or 1. Here, as the arrays are stored apart.';
COMMENT ON COLUMN event_outbox.user_coupon_ids IS
  'Those that were issued; user_ids, slots, issued_ats and expires_ats say of each in the same place what it is.';
COMMENT ON COLUMN event_outbox.revision IS 'That the user coupon came to, or each of them.';
