CREATE TABLE event_outbox (
  event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text COLLATE "C" NOT NULL
    CHECK (type IN ('ISSUED', 'USED', 'RESTORED', 'EXPIRED', 'RETURNED', 'REVOKED', 'SOLD_OUT')),
  at timestamptz NOT NULL,
  coupon_id text COLLATE "C" NOT NULL,
  user_coupon_id text COLLATE "C",
  revision integer,
  user_id text COLLATE "C",
  slot integer,
  expires_at timestamptz,
  order_id text COLLATE "C",
  currency text COLLATE "C",
  order_minor_units bigint,
  discount_minor_units bigint,
  slot_went_back boolean,
  reason text,
  total_quantity integer,
  CONSTRAINT event_tells_of_a_user_coupon_or_a_sold_out_coupon CHECK (
    num_nonnulls(user_coupon_id, revision, user_id) = CASE type WHEN 'SOLD_OUT' THEN 0 ELSE 3 END
      AND (total_quantity IS NOT NULL) = (type = 'SOLD_OUT')),
  CONSTRAINT event_says_what_its_type_does CHECK (
    (slot IS NOT NULL) = (type = 'ISSUED')
      AND (expires_at IS NOT NULL) = (type = 'ISSUED')
      AND (order_id IS NOT NULL) = (type IN ('USED', 'RESTORED'))
      AND num_nonnulls(currency, order_minor_units, discount_minor_units)
        = CASE type WHEN 'USED' THEN 3 ELSE 0 END
      AND (slot_went_back IS NOT NULL) = (type IN ('RETURNED', 'REVOKED'))
      AND (reason IS NOT NULL) = (type = 'REVOKED'))
);
COMMENT ON TABLE event_outbox IS
  'Events for other systems, not published yet. Rows are added by the transaction that they tell of, and deleted when the broker has confirmed them.';
COMMENT ON COLUMN event_outbox.event_id IS
  'Order of publication. Transactions of one user coupon follow one another, so its events are in the order of its revisions.';
COMMENT ON COLUMN event_outbox.revision IS 'That the user coupon came to.';
COMMENT ON COLUMN event_outbox.total_quantity IS 'Pieces of the coupon when it sold out.';
