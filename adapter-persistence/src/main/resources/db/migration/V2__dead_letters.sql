CREATE TABLE dead_letter (
  dead_letter_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  content_sha256 bytea NOT NULL CHECK (octet_length(content_sha256) = 32),
  reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 200),
  attempts integer NOT NULL CHECK (attempts >= 1),
  first_failed_at timestamptz NOT NULL,
  last_tried_at timestamptz NOT NULL,
  partition_id integer CHECK (partition_id BETWEEN 0 AND 1023),
  entry_id text COLLATE "C",
  epoch bigint CHECK (epoch >= 0),
  coupon_id text COLLATE "C",
  accepted_at timestamptz,
  user_ids text[],
  slots integer[],
  body bytea,
  CONSTRAINT dead_letter_content_comes_once UNIQUE (content_sha256),
  CONSTRAINT dead_letter_holds_claims_or_a_body CHECK (
    num_nonnulls(partition_id, entry_id, epoch, coupon_id, accepted_at, user_ids, slots)
      = CASE WHEN body IS NULL THEN 7 ELSE 0 END),
  CONSTRAINT dead_letter_has_a_slot_for_each_user CHECK (cardinality(user_ids) = cardinality(slots))
);
CREATE INDEX dead_letter_by_last_try ON dead_letter (last_tried_at);
COMMENT ON TABLE dead_letter IS
  'Claims and messages that could not be recorded. A row goes when all that it holds has come to rest elsewhere.';
COMMENT ON COLUMN dead_letter.content_sha256 IS 'Of what the letter holds: the same never becomes two letters.';
COMMENT ON COLUMN dead_letter.attempts IS 'Tries to record it, counted before they are made.';
COMMENT ON COLUMN dead_letter.coupon_id IS 'May be that of a coupon that does not exist; that is then why the letter is here.';
COMMENT ON COLUMN dead_letter.body IS 'The message as it came, where it could not be read; the columns of claims are null then.';
