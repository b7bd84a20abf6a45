-- PostgreSQL knows the times 'infinity' and '-infinity', which no reader of these rows does.
ALTER TABLE coupon
  ADD CONSTRAINT coupon_times_are_finite CHECK (
    isfinite(opens_at) AND isfinite(closes_at) AND isfinite(defined_at)
      AND (valid_until IS NULL OR isfinite(valid_until)));
