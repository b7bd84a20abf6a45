WITH inserted AS (
  INSERT INTO user_coupon (user_coupon_id, coupon_id, slot, user_id, code, issued_at, expires_at, generation)
  SELECT incoming.user_coupon_id, coupon.coupon_id, incoming.slot, incoming.user_id, incoming.code,
      CASE WHEN incoming.accepted_at > date_trunc('milliseconds', now()) + 5 * interval '1 second'
            THEN greatest(date_trunc('milliseconds', now()), coupon.defined_at)
          WHEN incoming.accepted_at < greatest(coupon.opens_at, coupon.defined_at) - 5 * interval '1 second'
            THEN greatest(coupon.opens_at, coupon.defined_at)
          ELSE incoming.accepted_at END,
      coalesce(coupon.valid_until, CASE WHEN incoming.accepted_at > date_trunc('milliseconds', now()) + 5 * interval '1 second'
            THEN greatest(date_trunc('milliseconds', now()), coupon.defined_at)
          WHEN incoming.accepted_at < greatest(coupon.opens_at, coupon.defined_at) - 5 * interval '1 second'
            THEN greatest(coupon.opens_at, coupon.defined_at)
          ELSE incoming.accepted_at END
        + coupon.valid_days * interval '24 hours'),
      coalesce((SELECT max(earlier.generation) FROM user_coupon AS earlier
        WHERE earlier.coupon_id = incoming.coupon_id AND earlier.slot = incoming.slot AND NOT earlier.live), 0) + 1
    FROM unnest(?::text[], ?::integer[], ?::text[], ?::integer[], ?::timestamptz[], ?::text[], ?::text[])
        WITH ORDINALITY AS incoming (coupon_id, partition_id, user_id, slot, accepted_at, user_coupon_id, code, place)
      JOIN coupon ON coupon.coupon_id = incoming.coupon_id AND coupon.coupon_id = ANY ('{BENCH}'::text[])
        AND coupon.partition_id = incoming.partition_id AND incoming.slot BETWEEN 1 AND coupon.total_quantity
    ORDER BY incoming.place
  ON CONFLICT (coupon_id, slot) WHERE live DO NOTHING
  RETURNING *),
events AS (
  INSERT INTO event_outbox (type, coupon_id, revision, events, user_coupon_ids, user_ids, slots, issued_ats, expires_ats,
      at, total_quantity)
  SELECT 'ISSUED', coupon_id, revision, count(*), array_agg(user_coupon_id), array_agg(user_id), array_agg(slot),
      array_agg(issued_at), array_agg(expires_at), NULL::timestamptz, NULL::integer
    FROM inserted GROUP BY coupon_id, revision
  UNION ALL
  SELECT 'SOLD_OUT', coupon.coupon_id, NULL, 1, NULL, NULL, NULL, NULL, NULL, inserted.issued_at, inserted.slot
    FROM inserted JOIN coupon ON coupon.coupon_id = inserted.coupon_id AND coupon.total_quantity = inserted.slot
    WHERE inserted.generation = 1
  RETURNING event_id)
SELECT coupon_id, user_id, issued_at FROM inserted
