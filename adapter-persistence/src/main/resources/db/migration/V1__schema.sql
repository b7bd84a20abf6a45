-- Ids are compared and paged byte by byte, hence COLLATE "C": the order is the same on every server
-- and in Java, and a change of the operating system's collation cannot corrupt an index.

CREATE TABLE stock_partition (
  partition_id integer PRIMARY KEY CHECK (partition_id BETWEEN 0 AND 1023),
  epoch bigint NOT NULL DEFAULT 0 CHECK (epoch >= 0)
);
COMMENT ON TABLE stock_partition IS
  'Groups of coupons whose stock in Redis is recovered together. The recorder of claims locks the row FOR SHARE.';
COMMENT ON COLUMN stock_partition.epoch IS
  'Version of the stock; each recovery increments it. Claims of another epoch are late claims. 0: never opened.';

CREATE TABLE campaign (
  campaign_id text COLLATE "C" PRIMARY KEY CHECK (campaign_id ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'),
  limit_per_user integer NOT NULL,
  coupon_ids text[] COLLATE "C" NOT NULL,
  defined_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT campaign_limit_is_below_the_number_of_coupons CHECK (
    array_ndims(coupon_ids) = 1 AND cardinality(coupon_ids) BETWEEN 2 AND 20
      AND limit_per_user BETWEEN 1 AND cardinality(coupon_ids) - 1)
);
COMMENT ON TABLE campaign IS
  'Coupons of which each user can have only some. A row never changes, as instances keep it with each of its coupons.';
COMMENT ON COLUMN campaign.coupon_ids IS 'Its coupons when it was defined; drafts of them may have been deleted since.';

CREATE TABLE coupon (
  coupon_id text COLLATE "C" PRIMARY KEY CHECK (coupon_id ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'),
  coupon_number integer GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  total_quantity integer NOT NULL CHECK (total_quantity BETWEEN 1 AND 100000000),
  currency text COLLATE "C" NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  discount_type text COLLATE "C" NOT NULL CHECK (discount_type IN ('AMOUNT', 'PERCENT')),
  discount_minor_units bigint CHECK (discount_minor_units > 0),
  discount_basis_points integer CHECK (discount_basis_points BETWEEN 1 AND 10000),
  discount_cap_minor_units bigint CHECK (discount_cap_minor_units > 0),
  minimum_order_minor_units bigint CHECK (minimum_order_minor_units >= 0),
  opens_at timestamptz NOT NULL,
  closes_at timestamptz NOT NULL,
  valid_until timestamptz,
  valid_days integer CHECK (valid_days BETWEEN 1 AND 3650),
  returns_to_stock boolean NOT NULL,
  waiting_room_mode text COLLATE "C" CHECK (waiting_room_mode IN ('ADMIT', 'CLAIM')),
  waiting_room_order text COLLATE "C" CHECK (waiting_room_order IN ('ARRIVAL', 'DRAW')),
  waiting_room_joins_from timestamptz,
  waiting_room_admissions_per_second integer CHECK (waiting_room_admissions_per_second BETWEEN 1 AND 1000000),
  waiting_room_admission_seconds integer CHECK (waiting_room_admission_seconds BETWEEN 10 AND 86400),
  waiting_room_is_paused boolean,
  waiting_room_is_challenged boolean,
  archive_after_seconds bigint CHECK (archive_after_seconds BETWEEN 0 AND 315360000),
  stock_backend text COLLATE "C" NOT NULL CHECK (stock_backend IN ('REDIS', 'POSTGRES')),
  status text COLLATE "C" NOT NULL CHECK (status IN ('DRAFT', 'ACTIVE', 'PAUSED', 'CLOSED', 'ARCHIVED')),
  revision integer NOT NULL CHECK (revision >= 1),
  stock_revision integer NOT NULL DEFAULT 0,
  stock_frozen_at timestamptz,
  terms_revision integer NOT NULL DEFAULT 1,
  partition_id integer NOT NULL REFERENCES stock_partition,
  campaign_id text COLLATE "C" REFERENCES campaign,
  code_key_version integer NOT NULL CHECK (code_key_version >= 1),
  defined_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  removal_begun_at timestamptz,
  removal_ended_at timestamptz,
  removed_user_coupons integer NOT NULL DEFAULT 0 CHECK (removed_user_coupons >= 0),
  has_erased_users boolean NOT NULL DEFAULT false,
  CONSTRAINT coupon_discount_matches_its_type CHECK (
    CASE discount_type
      WHEN 'AMOUNT' THEN discount_minor_units IS NOT NULL
        AND discount_basis_points IS NULL AND discount_cap_minor_units IS NULL
      ELSE discount_minor_units IS NULL AND discount_basis_points IS NOT NULL
    END),
  CONSTRAINT coupon_closes_after_it_opens CHECK (closes_at > opens_at),
  CONSTRAINT coupon_has_one_validity CHECK (num_nonnulls(valid_until, valid_days) = 1),
  CONSTRAINT coupon_is_valid_until_it_closes CHECK (valid_until >= closes_at),
  -- PostgreSQL has the times 'infinity' and '-infinity', which the service cannot read.
  CONSTRAINT coupon_times_are_finite CHECK (
    isfinite(opens_at) AND isfinite(closes_at) AND isfinite(defined_at) AND isfinite(changed_at)
      AND (valid_until IS NULL OR isfinite(valid_until))
      AND (waiting_room_joins_from IS NULL OR isfinite(waiting_room_joins_from))),
  CONSTRAINT coupon_has_a_whole_waiting_room_or_none CHECK (
    num_nonnulls(waiting_room_mode, waiting_room_order, waiting_room_joins_from,
      waiting_room_admissions_per_second, waiting_room_admission_seconds, waiting_room_is_paused,
      waiting_room_is_challenged) IN (0, 7)),
  CONSTRAINT coupon_opens_after_users_can_join CHECK (waiting_room_joins_from <= opens_at),
  CONSTRAINT coupon_whose_rows_are_removed_is_archived CHECK (
    CASE
      WHEN removal_begun_at IS NULL THEN removal_ended_at IS NULL AND removed_user_coupons = 0
      ELSE status = 'ARCHIVED'
    END),
  CONSTRAINT coupon_of_campaign_returns_to_stock CHECK (campaign_id IS NULL OR returns_to_stock),
  CONSTRAINT coupon_number_is_unique UNIQUE (coupon_number),
  CONSTRAINT coupon_stock_revision_exists CHECK (stock_revision BETWEEN 0 AND revision),
  CONSTRAINT coupon_terms_revision_exists CHECK (terms_revision BETWEEN 1 AND revision),
  CONSTRAINT coupon_with_waiting_room_is_in_redis
    CHECK (stock_backend = 'REDIS' OR waiting_room_mode IS NULL)
);
-- Recovery and comparison read the coupons of a partition that have stock, without the archived ones.
CREATE INDEX coupon_with_stock ON coupon (partition_id, coupon_id) WHERE status <> 'ARCHIVED';
-- The public list skips the archived coupons, of which there are most after some years.
CREATE INDEX coupon_listed ON coupon (coupon_id) WHERE status IN ('ACTIVE', 'PAUSED', 'CLOSED');
CREATE INDEX coupon_archived_by_itself ON coupon (coupon_id)
  WHERE archive_after_seconds IS NOT NULL AND status IN ('ACTIVE', 'PAUSED', 'CLOSED');
CREATE INDEX coupon_with_waiting_room ON coupon (coupon_id)
  WHERE waiting_room_mode IS NOT NULL AND status IN ('ACTIVE', 'PAUSED', 'CLOSED');
CREATE INDEX coupon_with_rows_of_the_past ON coupon (coupon_id)
  WHERE status = 'ARCHIVED' AND removal_ended_at IS NULL;
CREATE INDEX coupon_by_partition ON coupon (partition_id, coupon_id);
CREATE INDEX coupon_unapplied ON coupon (coupon_id)
  WHERE status <> 'DRAFT' AND (stock_revision < revision OR stock_frozen_at IS NOT NULL);
CREATE INDEX coupon_code_key_in_use ON coupon (code_key_version) WHERE status <> 'ARCHIVED';
COMMENT ON INDEX coupon_code_key_in_use IS
  'Finds the code keys that an instance must have, without reading every archived coupon.';
COMMENT ON TABLE coupon IS 'Coupons as operators defined them: discount, quantity, times and status.';
COMMENT ON COLUMN coupon.coupon_number IS 'Short form of coupon_id in the rows of its user coupons. It never leaves the database.';
COMMENT ON COLUMN coupon.total_quantity IS 'The number of slots, which are 1 to this. It never decreases after the first claim.';
COMMENT ON COLUMN coupon.currency IS 'ISO 4217; of the discount, its cap and the minimum order.';
COMMENT ON COLUMN coupon.opens_at IS 'First instant of the issuance window, by the clock of the stock backend.';
COMMENT ON COLUMN coupon.closes_at IS 'First instant after the issuance window.';
COMMENT ON COLUMN coupon.valid_until IS 'First instant at which its user coupons cannot be used; null if valid_days is set.';
COMMENT ON COLUMN coupon.valid_days IS
  'Validity of a user coupon from issued_at, in units of 24 hours; null if valid_until is set.';
COMMENT ON COLUMN coupon.waiting_room_mode IS
  'ADMIT: a user who is served can claim. CLAIM: the room claims for the user. Null: no waiting room.';
COMMENT ON COLUMN coupon.waiting_room_order IS
  'ARRIVAL: tickets are served in their order. DRAW: those given before the opening in a random order.';
COMMENT ON COLUMN coupon.waiting_room_joins_from IS 'First instant at which users can join, by the clock of the stock backend.';
COMMENT ON COLUMN coupon.waiting_room_admissions_per_second IS 'Users who are served in a second.';
COMMENT ON COLUMN coupon.waiting_room_admission_seconds IS 'How long a user who is served can claim.';
COMMENT ON COLUMN coupon.waiting_room_is_paused IS 'Whether nobody is served until an operator resumes the room.';
COMMENT ON COLUMN coupon.waiting_room_is_challenged IS 'Whether users must pass a challenge before they join.';
COMMENT ON COLUMN coupon.archive_after_seconds IS
  'How long after the end of its window and of every validity it is archived by itself; null: never.';
COMMENT ON COLUMN coupon.stock_backend IS
  'Where the stock is. POSTGRES: in the rows of user_coupon alone, without Redis and RabbitMQ.';
COMMENT ON COLUMN coupon.status IS
  'DRAFT: only operators see it, and it has no stock. ARCHIVED: closed, every claim is recorded, and its stock is removed as soon as stock_revision equals revision.';
COMMENT ON COLUMN coupon.revision IS
  'Counts the changes by operators, from 1. Raised above the revision in the stock if a restored database lost changes.';
COMMENT ON COLUMN coupon.stock_revision IS 'The latest revision noted as applied to the stock backend; 0: none.';
COMMENT ON COLUMN coupon.stock_frozen_at IS
  'When an edit before the first claim was about to stop the allocation of slots; null if none is in progress.';
COMMENT ON COLUMN coupon.terms_revision IS
  'The last revision that was edited before the first claim, or 1: what users rely on is the same since then.';
COMMENT ON COLUMN coupon.changed_at IS 'When an operator last changed it.';
COMMENT ON COLUMN coupon.removal_begun_at IS
  'When the removal of the rows of its user coupons began. Since then none is inserted.';
COMMENT ON COLUMN coupon.removal_ended_at IS 'When the last of its rows was exported and removed.';
COMMENT ON COLUMN coupon.removed_user_coupons IS 'The number of its user coupons that were exported and removed.';
COMMENT ON COLUMN coupon.has_erased_users IS
  'Whether a row of it, or of another coupon of its campaign, has a pseudonym. Claims of a stock in PostgreSQL are compared with pseudonyms then.';
COMMENT ON COLUMN coupon.code_key_version IS 'The key from which ids and codes of its user coupons are derived.';

-- Its row changes about once a second for each instance while the room is in use. Tickets are not stored.
CREATE TABLE waiting_room (
  coupon_number integer PRIMARY KEY REFERENCES coupon (coupon_number),
  reserve_version integer NOT NULL DEFAULT 0 CHECK (reserve_version >= 0),
  tickets integer NOT NULL DEFAULT 0 CHECK (tickets >= 0),
  places integer NOT NULL DEFAULT 0 CHECK (places >= 0),
  opened_in_epoch bigint NOT NULL DEFAULT 0 CHECK (opened_in_epoch >= 0),
  opened_at_ticket integer NOT NULL DEFAULT 0 CHECK (opened_at_ticket BETWEEN 0 AND tickets),
  opened_at_place integer NOT NULL DEFAULT 0 CHECK (opened_at_place BETWEEN 0 AND places),
  last_ticket integer NOT NULL DEFAULT 0 CHECK (last_ticket BETWEEN 0 AND tickets),
  counted_millis bigint NOT NULL DEFAULT 0 CHECK (counted_millis >= 0),
  marks bigint[] NOT NULL DEFAULT '{}' CHECK (cardinality(marks) % 2 = 0),
  gaps integer[] NOT NULL DEFAULT '{}' CHECK (cardinality(gaps) % 2 = 0),
  drawn_tickets integer CHECK (drawn_tickets BETWEEN 0 AND tickets)
) WITH (fillfactor = 50);
COMMENT ON TABLE waiting_room IS
  'What a waiting room that has lost its data continues from. Changed by instances that know the partition''s epoch.';
COMMENT ON COLUMN waiting_room.reserve_version IS 'Of tickets and places: each change has the next one.';
COMMENT ON COLUMN waiting_room.tickets IS 'No ticket above it was given: raised in advance.';
COMMENT ON COLUMN waiting_room.places IS 'No place above it was served: raised in advance, lowered when no place is served any more.';
COMMENT ON COLUMN waiting_room.opened_in_epoch IS 'The latest epoch in which the room was opened.';
COMMENT ON COLUMN waiting_room.opened_at_ticket IS 'The last ticket that can have been given before.';
COMMENT ON COLUMN waiting_room.opened_at_place IS 'The last place that can have been served before.';
COMMENT ON COLUMN waiting_room.last_ticket IS 'The last ticket that had been given when this was noted.';
COMMENT ON COLUMN waiting_room.counted_millis IS 'The time that had counted for admissions when this was noted.';
COMMENT ON COLUMN waiting_room.marks IS
  'Pairs: the end of an interval of the counted time, in milliseconds, and the last place that was served in it.';
COMMENT ON COLUMN waiting_room.gaps IS 'Pairs: places above the first number, up to the second, of which most have no user.';
COMMENT ON COLUMN waiting_room.drawn_tickets IS 'Among how many tickets the order was drawn; null before the draw.';

-- A row is inserted for each accepted claim, and its price limits how fast claims are recorded. Hence
-- numbers and bytes in place of texts, few indexes and constraints, and no foreign key.
CREATE TABLE user_coupon (
  issued_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  coupon_number integer NOT NULL,
  slot integer NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  revision integer NOT NULL DEFAULT 1,
  live boolean NOT NULL DEFAULT true,
  slot_released boolean NOT NULL DEFAULT false,
  slot_free boolean NOT NULL DEFAULT false,
  state text COLLATE "C" NOT NULL DEFAULT 'ISSUED',
  user_id text COLLATE "C" NOT NULL,
  tag bytea PRIMARY KEY,
  code bytea NOT NULL,
  order_id text COLLATE "C",
  ended_at timestamptz,
  revocation_reason text,
  CONSTRAINT user_coupon_one_per_user UNIQUE (user_id, coupon_number),
  CONSTRAINT user_coupon_has_the_columns_of_its_state CHECK (
    CASE state
      WHEN 'ISSUED' THEN live AND num_nonnulls(order_id, ended_at, revocation_reason) = 0
      WHEN 'HELD' THEN live AND order_id IS NOT NULL AND num_nonnulls(ended_at, revocation_reason) = 0
      WHEN 'USED' THEN live AND order_id IS NOT NULL AND num_nonnulls(ended_at, revocation_reason) = 0
      WHEN 'EXPIRED' THEN live AND num_nonnulls(order_id, ended_at, revocation_reason) = 0
      WHEN 'RETURNED' THEN ended_at IS NOT NULL AND num_nonnulls(order_id, revocation_reason) = 0
      WHEN 'REVOKED' THEN order_id IS NULL AND num_nonnulls(ended_at, revocation_reason) = 2
      ELSE false
    END),
  CONSTRAINT user_coupon_slot_is_released_after_its_return CHECK (
    NOT (live AND slot_released) AND (slot_released OR NOT slot_free)),
  CONSTRAINT user_coupon_can_be_read CHECK (
    slot >= 1 AND generation >= 1 AND revision >= 1 AND octet_length(tag) = 10 AND octet_length(code) = 10
      AND octet_length(user_id) BETWEEN 1 AND 128)
);
CREATE UNIQUE INDEX user_coupon_one_live_per_slot ON user_coupon (coupon_number, slot) WHERE live;
CREATE UNIQUE INDEX user_coupon_earlier_holders ON user_coupon (coupon_number, slot, generation) WHERE NOT live;
CREATE UNIQUE INDEX user_coupon_free_slot ON user_coupon (coupon_number, slot) WHERE slot_free;
-- In another order than user_coupon_earlier_holders, so that a page of these rows is read by this index.
CREATE INDEX user_coupon_unreleased_slot ON user_coupon (coupon_number, generation, slot)
  WHERE NOT live AND NOT slot_released;
-- User coupons of a coupon expire together, or in the order of their slots. So each new one is inserted at
-- the end of its coupon's part of the index.
CREATE INDEX user_coupon_unexpired ON user_coupon (expires_at, slot) WHERE state IN ('ISSUED', 'HELD');
COMMENT ON INDEX user_coupon_unexpired IS
  'Finds user coupons whose validity has ended and that are not recorded as expired yet.';
COMMENT ON TABLE user_coupon IS
  'Slots that belong to users: the system of record. Rows are deleted only after they were exported, at the end of their retention.';
COMMENT ON COLUMN user_coupon.coupon_number IS
  'The coupon. The inserting statement joins it, and a trigger of coupon keeps the coupons of all rows.';
COMMENT ON COLUMN user_coupon.tag IS
  'The part of its id after the coupon''s id: a hash of the code, 80 bits. So the primary key also finds a code.';
COMMENT ON COLUMN user_coupon.code IS 'What a shop enters, 80 bits.';
COMMENT ON COLUMN user_coupon.slot IS
  '1 to the coupon''s total_quantity, in order of acceptance; the inserting statement checks the upper end.';
COMMENT ON COLUMN user_coupon.state IS
  'The last recorded state. A hold ends at its limit and validity ends at expires_at, also before that is recorded.';
COMMENT ON COLUMN user_coupon.live IS 'Whether the row occupies its slot: false after the slot is returned to stock.';
COMMENT ON COLUMN user_coupon.issued_at IS 'When the stock backend accepted the claim.';
COMMENT ON COLUMN user_coupon.revision IS
  'Counts the recorded changes, from 1. An update requires the revision that was read (optimistic lock).';
COMMENT ON COLUMN user_coupon.generation IS 'Counts the holders of the slot, from 1.';
COMMENT ON COLUMN user_coupon.expires_at IS 'First instant at which it cannot be used.';
COMMENT ON COLUMN user_coupon.order_id IS 'The order that it is held for or was used on; see table redemption.';
COMMENT ON COLUMN user_coupon.ended_at IS 'When it was returned or revoked.';
COMMENT ON COLUMN user_coupon.revocation_reason IS 'Reason given by the operator who revoked it.';
COMMENT ON COLUMN user_coupon.slot_released IS
  'Whether the slot is noted as released in the stock backend. Rows that are not live are released by a worker.';
COMMENT ON COLUMN user_coupon.slot_free IS
  'Only with stock_backend POSTGRES: the slot is returned and can be claimed; false again after it is claimed.';

-- In place of a foreign key, whose check takes a tenth of the time of an inserted row and waits for locks of
-- the coupon's row. The advisory lock is that of the partition's epoch, "fcep" in ASCII, which recording shares:
-- batches in progress end first, and later ones do not find the coupon. A draft has never had a stock, so no
-- user coupons either, and its deletion need not wait for batches.
CREATE FUNCTION coupon_keeps_its_user_coupons() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(x'66636570'::integer, OLD.partition_id);
  IF EXISTS (SELECT FROM user_coupon WHERE coupon_number = OLD.coupon_number AND live)
    OR EXISTS (SELECT FROM user_coupon WHERE coupon_number = OLD.coupon_number AND NOT live)
  THEN
    RAISE EXCEPTION 'coupon % has user coupons', OLD.coupon_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER coupon_keeps_its_user_coupons AFTER DELETE OR UPDATE OF coupon_id, coupon_number ON coupon
  FOR EACH ROW WHEN (OLD.status <> 'DRAFT') EXECUTE FUNCTION coupon_keeps_its_user_coupons();

CREATE FUNCTION crockford_base32(ten_bytes bytea) RETURNS text LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT string_agg(
      substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + substring(bits FROM 1 + 5 * i FOR 5)::integer, 1), '' ORDER BY i)
    FROM (SELECT ('x' || encode(ten_bytes, 'hex'))::bit(80) AS bits) given, generate_series(0, 15) i
$$;
COMMENT ON FUNCTION crockford_base32 IS 'The text of a tag or code.';

CREATE VIEW user_coupon_text AS
  SELECT coupon_id || '.' || crockford_base32(tag) AS user_coupon_id, coupon_id, slot, user_id,
      crockford_base32(code) AS code, user_coupon.state, live, issued_at, expires_at, user_coupon.revision, generation,
      order_id, ended_at, revocation_reason, slot_released, slot_free
    FROM user_coupon JOIN coupon USING (coupon_number);
COMMENT ON VIEW user_coupon_text IS
  'User coupons with their ids and codes as the API shows them, for queries by hand. The service does not read it.';

-- Instances add rows about once a second. A foreign key would make them wait for locks of the coupon's row.
CREATE TABLE claim_count (
  coupon_number integer NOT NULL,
  begins_at timestamptz NOT NULL,
  seconds integer NOT NULL CHECK (seconds IN (1, 60)),
  counted_by uuid NOT NULL,
  accepted bigint NOT NULL CHECK (accepted >= 0),
  already_claimed bigint NOT NULL CHECK (already_claimed >= 0),
  sold_out bigint NOT NULL CHECK (sold_out >= 0),
  refused bigint NOT NULL CHECK (refused >= 0),
  recovering bigint NOT NULL CHECK (recovering >= 0),
  overloaded bigint NOT NULL CHECK (overloaded >= 0),
  outcome_unknown bigint NOT NULL CHECK (outcome_unknown >= 0),
  latencies bigint[] NOT NULL CHECK (cardinality(latencies) <= 28 AND 0 <= ALL (latencies)),
  PRIMARY KEY (coupon_number, begins_at, seconds, counted_by)
);
CREATE INDEX claim_count_by_second ON claim_count (begins_at) WHERE seconds = 1;
COMMENT ON INDEX claim_count_by_second IS 'Finds the oldest counts by second, which are merged into counts by minute.';
COMMENT ON TABLE claim_count IS
  'How many claims of a coupon were answered in an interval. Issued user coupons are counted from their rows.';
COMMENT ON COLUMN claim_count.seconds IS 'Length of the interval. Minutes: merged, or counted while very many coupons were claimed.';
COMMENT ON COLUMN claim_count.counted_by IS 'The process that has counted; all zeros: merged of several.';
COMMENT ON COLUMN claim_count.refused IS 'Refused for another reason than sold out.';
COMMENT ON COLUMN claim_count.recovering IS 'Not decided, since the coupon or its partition was being recovered.';
COMMENT ON COLUMN claim_count.overloaded IS 'Not decided, since too many claims waited.';
COMMENT ON COLUMN claim_count.outcome_unknown IS 'The stock did not reply in time: these users may have got a slot.';
COMMENT ON COLUMN claim_count.latencies IS 'These claims by the buckets of the latency, without zeros at the end.';

-- Few rows that change every second: small pages stay nearly empty, so that changes need no index entries.
CREATE TABLE instance_report (
  instance text COLLATE "C" PRIMARY KEY CHECK (char_length(instance) BETWEEN 1 AND 200),
  version text COLLATE "C" NOT NULL CHECK (char_length(version) BETWEEN 1 AND 100),
  started_at timestamptz NOT NULL,
  reported_at timestamptz NOT NULL,
  closed_partitions integer[] NOT NULL,
  recoveries text[] NOT NULL,
  recovery_percents integer[] NOT NULL CHECK (cardinality(recovery_percents) = cardinality(recoveries)),
  claim_latencies bigint[] NOT NULL
) WITH (fillfactor = 20);
COMMENT ON TABLE instance_report IS
  'What each instance has reported last, about once a second: for operators, nothing is decided by it.';
COMMENT ON COLUMN instance_report.reported_at IS 'By the clock of this database.';
COMMENT ON COLUMN instance_report.closed_partitions IS 'Partitions whose claims the instance refuses.';
COMMENT ON COLUMN instance_report.recovery_percents IS
  'What is done of each of the recoveries; null where it is not known how much is left.';
COMMENT ON COLUMN instance_report.claim_latencies IS
  'Claims that the instance has answered in the last ten seconds, as in claim_count.latencies.';

-- Few rows: one for each rehearsal that an operator has started.
CREATE TABLE rehearsal (
  rehearsal_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  coupon_id text COLLATE "C" NOT NULL CHECK (coupon_id ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'),
  clone_id text COLLATE "C" NOT NULL UNIQUE CHECK (clone_id ~ '^REHEARSAL-[A-Z0-9-]{1,30}$'),
  users integer NOT NULL CHECK (users BETWEEN 1 AND 1000000),
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 1000000),
  shape text COLLATE "C" NOT NULL CHECK (shape IN ('AT_ONCE', 'RAMP', 'BURSTS')),
  duration_millis integer NOT NULL CHECK (duration_millis BETWEEN 0 AND 600999),
  bursts integer NOT NULL CHECK (bursts BETWEEN 1 AND 1000),
  actor_kind text COLLATE "C" NOT NULL CHECK (actor_kind IN ('CUSTOMER', 'SHOP', 'OPERATOR', 'SYSTEM')),
  actor_name text COLLATE "C" NOT NULL CHECK (actor_name <> ''),
  instance text COLLATE "C" NOT NULL,
  started_at timestamptz NOT NULL,
  went_on_at timestamptz NOT NULL DEFAULT now(),
  state text COLLATE "C" NOT NULL DEFAULT 'RUNNING' CHECK (state IN ('RUNNING', 'REMOVING', 'REMOVED')),
  answered integer NOT NULL DEFAULT 0 CHECK (answered >= 0),
  accepted integer,
  sold_out integer,
  refused integer,
  failed integer,
  latency_micros bigint[],
  sold_out_millis bigint,
  answered_millis bigint,
  most_answers integer,
  processors integer,
  until_sold_out bigint[],
  after_sold_out bigint[],
  recorded_millis bigint,
  faults text[],
  stock_bytes bigint,
  CONSTRAINT rehearsal_has_a_whole_result_or_none CHECK (
    num_nonnulls(accepted, sold_out, refused, failed, latency_micros, answered_millis, most_answers, processors,
      until_sold_out, after_sold_out, faults) IN (0, 11)
      AND (accepted IS NULL OR state <> 'RUNNING')
      AND (accepted IS NOT NULL OR num_nonnulls(sold_out_millis, recorded_millis, stock_bytes) = 0)),
  CONSTRAINT rehearsal_has_all_figures CHECK (
    cardinality(latency_micros) = 4 AND cardinality(until_sold_out) = 5 AND cardinality(after_sold_out) = 5)
);
CREATE UNIQUE INDEX rehearsal_one_at_a_time ON rehearsal ((true)) WHERE state <> 'REMOVED';
CREATE INDEX rehearsal_by_coupon ON rehearsal (coupon_id, rehearsal_id);
COMMENT ON TABLE rehearsal IS
  'Drops that were rehearsed with synthetic users, and what was measured. Nothing refers to it, rows can be deleted.';
COMMENT ON COLUMN rehearsal.clone_id IS 'The coupon that was issued in place of the planned one. It stays, archived and without user coupons.';
COMMENT ON COLUMN rehearsal.went_on_at IS 'When its instance has last noted that it goes on, by the clock of this database.';
COMMENT ON COLUMN rehearsal.latency_micros IS 'Median, 95th and 99th percentile, and the slowest.';
COMMENT ON COLUMN rehearsal.until_sold_out IS
  'Answers, elapsed time, time of all processors, the part of it that sending the claims took, and that of the server of the stock; times in microseconds.';
COMMENT ON COLUMN rehearsal.after_sold_out IS 'The same as until_sold_out, of the rest.';
COMMENT ON COLUMN rehearsal.faults IS 'What the proof found wrong, in sentences.';

CREATE TABLE redemption (
  tag bytea NOT NULL REFERENCES user_coupon,
  order_id text COLLATE "C" NOT NULL CHECK (char_length(order_id) BETWEEN 1 AND 64),
  currency text COLLATE "C" NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  order_minor_units bigint NOT NULL,
  discount_minor_units bigint NOT NULL,
  shop_id text COLLATE "C" CHECK (char_length(shop_id) BETWEEN 1 AND 64),
  state text COLLATE "C" NOT NULL CHECK (state IN ('HELD', 'CONFIRMED', 'RELEASED', 'UNDONE')),
  held_until timestamptz,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (tag, order_id),
  CONSTRAINT redemption_discount_is_within_the_order
    CHECK (discount_minor_units BETWEEN 1 AND order_minor_units),
  CONSTRAINT redemption_is_held_for_a_time CHECK ((state = 'HELD') = (held_until IS NOT NULL))
);
CREATE INDEX redemption_of_order ON redemption (shop_id, order_id) WHERE shop_id IS NOT NULL;
COMMENT ON TABLE redemption IS
  'Orders for which a user coupon is or was taken. One row for each user coupon and order.';
COMMENT ON COLUMN redemption.shop_id IS
  'The shop that has taken the user coupon for the order, and may end that; null if its owner has.';
COMMENT ON COLUMN redemption.state IS
  'HELD or CONFIRMED while the user coupon is taken for this order; RELEASED after a hold; UNDONE after a use.';
COMMENT ON COLUMN redemption.held_until IS 'First instant after the hold.';
COMMENT ON COLUMN redemption.changed_at IS 'When it reached its state.';

CREATE TABLE wrong_code (
  source text COLLATE "C" PRIMARY KEY CHECK (char_length(source) BETWEEN 1 AND 250),
  since timestamptz NOT NULL,
  count integer NOT NULL CHECK (count >= 1)
);
CREATE INDEX wrong_code_by_since ON wrong_code (since);
COMMENT ON INDEX wrong_code_by_since IS 'Finds the counts whose window is over, which are deleted.';
COMMENT ON TABLE wrong_code IS
  'Wrong coupon codes by shop, and by customer and address of a shop. One with too many is locked out until the window is over.';
COMMENT ON COLUMN wrong_code.since IS
  'When the first wrong code of the window was tried. The first one after the window begins a new window.';
COMMENT ON COLUMN wrong_code.count IS 'Number of wrong codes in the window.';

CREATE TABLE late_claim (
  coupon_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  promised_slot integer NOT NULL CHECK (promised_slot >= 1),
  partition_id integer NOT NULL,
  accepted_at timestamptz NOT NULL,
  PRIMARY KEY (coupon_id, user_id),
  -- A row that cannot be read would stop the worker that settles the rows after it.
  CONSTRAINT late_claim_can_be_read CHECK (
    coupon_id ~ '^[A-Z0-9][A-Z0-9-]{1,39}$' AND user_id ~ '^[!-~]{1,128}$'
      AND promised_slot <= 100000000 AND isfinite(accepted_at))
);
CREATE INDEX late_claim_by_partition ON late_claim (partition_id, coupon_id, promised_slot, user_id);
-- This one and the next two find what keeps a user from being erased, and where the user is named.
CREATE INDEX late_claim_by_user ON late_claim (user_id);
COMMENT ON TABLE late_claim IS
  'Accepted claims that cannot be recorded with their slot now. A worker allocates a slot to each, or rejects it.';
COMMENT ON COLUMN late_claim.coupon_id IS
  'An existing coupon. There is no foreign key, because an insert would wait for locks of the coupon''s row.';

CREATE TABLE rejected_claim (
  coupon_id text COLLATE "C" NOT NULL REFERENCES coupon,
  user_id text COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 128),
  reason text COLLATE "C" NOT NULL CHECK (reason IN ('NO_SLOT_LEFT')),
  rejected_at timestamptz NOT NULL,
  PRIMARY KEY (coupon_id, user_id)
);
CREATE INDEX rejected_claim_by_user ON rejected_claim (user_id);
COMMENT ON TABLE rejected_claim IS 'Accepted claims that ended without a slot. Final.';

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
  CONSTRAINT dead_letter_content_is_unique UNIQUE (content_sha256),
  CONSTRAINT dead_letter_has_claims_or_a_body CHECK (
    num_nonnulls(partition_id, entry_id, epoch, coupon_id, accepted_at, user_ids, slots)
      = CASE WHEN body IS NULL THEN 7 ELSE 0 END),
  CONSTRAINT dead_letter_has_a_slot_for_each_user CHECK (cardinality(user_ids) = cardinality(slots))
);
CREATE INDEX dead_letter_by_last_try ON dead_letter (last_tried_at);
CREATE INDEX dead_letter_by_user ON dead_letter USING gin (user_ids);
CREATE INDEX dead_letter_unreadable ON dead_letter (dead_letter_id) WHERE body IS NOT NULL;
COMMENT ON TABLE dead_letter IS
  'Claims and messages that could not be recorded. A row is deleted when all its claims have reached a terminal state.';
COMMENT ON COLUMN dead_letter.content_sha256 IS
  'Hash of claims or body, so that a message that fails again is not stored again.';
COMMENT ON COLUMN dead_letter.attempts IS 'Attempts to record it; each is counted before it is made.';
COMMENT ON COLUMN dead_letter.coupon_id IS 'The coupon may not exist; then this is the reason of the dead letter.';
COMMENT ON COLUMN dead_letter.body IS
  'The unchanged body of a message that could not be decoded; the columns of claims are null then.';

CREATE TABLE erasure (
  erasure_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id text COLLATE "C" CHECK (user_id ~ '^[!-~]{1,128}$'),
  requested_at timestamptz NOT NULL,
  obstacle text COLLATE "C" CHECK (obstacle IN (
    'UNRECORDED_CLAIMS', 'LATE_CLAIM', 'DEAD_LETTER', 'EVENTS', 'SLOT_RELEASE', 'STOCK', 'CODE_KEY')),
  user_coupons integer NOT NULL DEFAULT 0 CHECK (user_coupons >= 0),
  ended_at timestamptz,
  CONSTRAINT erasure_names_its_user_until_it_has_ended CHECK (
    (user_id IS NULL) = (ended_at IS NOT NULL) AND (obstacle IS NULL OR ended_at IS NULL)),
  CONSTRAINT erasure_of_user_is_unique UNIQUE (user_id)
);
CREATE INDEX erasure_pending ON erasure (erasure_id) WHERE ended_at IS NULL;
COMMENT ON TABLE erasure IS
  'Requests to replace a user id by a pseudonym in all rows and in the stock. The user is forgotten when that is done.';
COMMENT ON COLUMN erasure.obstacle IS 'Why the latest attempt did not end it.';
COMMENT ON COLUMN erasure.user_coupons IS 'In how many user coupons the user id was replaced.';

CREATE TABLE audit_entry (
  audit_entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_kind text COLLATE "C" NOT NULL CHECK (actor_kind IN ('CUSTOMER', 'SHOP', 'OPERATOR', 'SYSTEM')),
  actor_name text COLLATE "C" NOT NULL CHECK (actor_name <> ''),
  action text COLLATE "C" NOT NULL CHECK (action IN (
    'DEFINE', 'EDIT', 'PUBLISH', 'DELETE', 'PAUSE', 'RESUME', 'CLOSE', 'ARCHIVE', 'RAISE', 'RAISE_REVISION',
    'JOIN_CAMPAIGN', 'LEAVE_CAMPAIGN', 'REMOVE_USER_COUPONS', 'REHEARSE', 'STOP_REHEARSAL',
    'HOLD', 'CONFIRM', 'RELEASE', 'USE', 'UNDO', 'EXPIRE', 'GIVE_BACK', 'REVOKE',
    'RECOVER_STOCK', 'STATE_SET_BACK', 'REPLAY_DEAD_LETTER', 'DISCARD_DEAD_LETTER', 'REQUEST_ERASURE', 'ERASE_USER',
    'ADD_WEBHOOK', 'EDIT_WEBHOOK', 'DISABLE_WEBHOOK', 'ROTATE_WEBHOOK_SECRET', 'DELETE_WEBHOOK', 'REPLAY_DELIVERY')),
  coupon_id text COLLATE "C",
  user_coupon_id text COLLATE "C",
  detail text,
  CONSTRAINT audit_entry_has_a_coupon
    CHECK (coupon_id IS NOT NULL OR action IN (
      'RECOVER_STOCK', 'STATE_SET_BACK', 'REPLAY_DEAD_LETTER', 'DISCARD_DEAD_LETTER', 'REQUEST_ERASURE', 'ERASE_USER',
      'ADD_WEBHOOK', 'EDIT_WEBHOOK', 'DISABLE_WEBHOOK', 'ROTATE_WEBHOOK_SECRET', 'DELETE_WEBHOOK', 'REPLAY_DELIVERY')),
  CONSTRAINT audit_entry_has_a_user_coupon CHECK (
    (user_coupon_id IS NOT NULL)
      = (action IN ('HOLD', 'CONFIRM', 'RELEASE', 'USE', 'UNDO', 'EXPIRE', 'GIVE_BACK', 'REVOKE'))),
  CONSTRAINT audit_entry_has_the_coupon_of_its_user_coupon
    CHECK (starts_with(user_coupon_id, coupon_id || '.'))
);
CREATE INDEX audit_entry_by_coupon ON audit_entry (coupon_id, audit_entry_id) WHERE coupon_id IS NOT NULL;
CREATE INDEX audit_entry_by_user_coupon ON audit_entry (user_coupon_id, audit_entry_id)
  WHERE user_coupon_id IS NOT NULL;
CREATE INDEX audit_entry_of_operators ON audit_entry (audit_entry_id) WHERE actor_kind = 'OPERATOR';
CREATE INDEX audit_entry_of_stock ON audit_entry (audit_entry_id) WHERE action IN ('RECOVER_STOCK', 'STATE_SET_BACK');
COMMENT ON TABLE audit_entry IS
  'Who changed what. Entries are inserted in the transaction of the change, and are immutable, except that a user who is erased is replaced by a pseudonym. Those of user coupons are exported and deleted with them. Issuing has no entry.';
COMMENT ON COLUMN audit_entry.actor_kind IS 'Role of the caller; SYSTEM for changes without a caller, such as expiry.';
COMMENT ON COLUMN audit_entry.actor_name IS
  'Authenticated name of the caller; unnamed for an operator''s call without a name.';
COMMENT ON COLUMN audit_entry.coupon_id IS
  'The coupon, or that of the user coupon. It may not exist, as dead letters can have any coupon id.';
COMMENT ON COLUMN audit_entry.detail IS
  'Depends on the action: order, reason of a revocation, quantities or revisions before and after, campaign, dead letter id.';

CREATE TABLE event_outbox (
  event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text COLLATE "C" NOT NULL
    CHECK (type IN (
      'ISSUED', 'HELD', 'RELEASED', 'USED', 'RESTORED', 'EXPIRED', 'RETURNED', 'REVOKED', 'SHARE_ISSUED', 'SOLD_OUT',
      'RETURNED_TO_SALE')),
  at timestamptz,
  coupon_id text COLLATE "C" NOT NULL,
  user_coupon_id text COLLATE "C",
  revision integer,
  user_id text COLLATE "C",
  order_id text COLLATE "C",
  currency text COLLATE "C",
  order_minor_units bigint,
  discount_minor_units bigint,
  held_until timestamptz,
  slot_went_back boolean,
  reason text,
  total_quantity integer,
  percent integer,
  events integer NOT NULL DEFAULT 1 CHECK (events >= 1),
  coupon_number integer,
  slots integer[],
  generation integer,
  handed_over boolean NOT NULL DEFAULT false,
  CONSTRAINT event_has_its_user_coupons CHECK (
    num_nonnulls(coupon_number, slots, generation) = CASE WHEN type IN ('ISSUED', 'RETURNED_TO_SALE') THEN 3 ELSE 0 END
      AND num_nonnulls(user_coupon_id, user_id, revision)
        = CASE WHEN type IN ('ISSUED', 'SHARE_ISSUED', 'SOLD_OUT', 'RETURNED_TO_SALE') THEN 0 ELSE 3 END
      AND (total_quantity IS NOT NULL) = (type IN ('SHARE_ISSUED', 'SOLD_OUT'))
      AND (percent IS NOT NULL) = (type = 'SHARE_ISSUED')),
  CONSTRAINT event_has_the_columns_of_its_type CHECK (
    (at IS NULL) = (type = 'ISSUED')
      AND (events = 1 OR type = 'ISSUED')
      AND (order_id IS NOT NULL) = (type IN ('HELD', 'RELEASED', 'USED', 'RESTORED'))
      AND (held_until IS NOT NULL) = (type = 'HELD')
      AND num_nonnulls(currency, order_minor_units, discount_minor_units)
        = CASE WHEN type IN ('HELD', 'USED') THEN 3 ELSE 0 END
      AND (slot_went_back IS NOT NULL) = (type IN ('RETURNED', 'REVOKED'))
      AND (reason IS NOT NULL) = (type = 'REVOKED'))
);
-- The rows of a coupon are removed only when all its events are published.
CREATE INDEX event_outbox_by_coupon ON event_outbox (coupon_id);
CREATE INDEX event_outbox_not_handed_over ON event_outbox (event_id) WHERE NOT handed_over;
COMMENT ON TABLE event_outbox IS
  'Events that are not published yet. Inserted in the transaction of the change; deleted after the broker''s confirm.';
COMMENT ON COLUMN event_outbox.event_id IS
  'Order of publication. Changes of one user coupon are sequential, so its events are in the order of its revisions.';
COMMENT ON COLUMN event_outbox.at IS 'When it happened; null for ISSUED, see user_coupon.issued_at.';
COMMENT ON COLUMN event_outbox.revision IS 'Revision of the user coupon after the change; null for ISSUED, whose revision is 1.';
COMMENT ON COLUMN event_outbox.total_quantity IS 'Quantity of the coupon when it sold out, or when the share was issued.';
COMMENT ON COLUMN event_outbox.percent IS 'The share of the slots that was issued.';
COMMENT ON COLUMN event_outbox.events IS
  'Number of events in the row: the length of slots, or 1. Stored, so that counting does not read the array.';
COMMENT ON COLUMN event_outbox.slots IS
  'The slots of the user coupons that one statement issued, or the slot that returned to sale. With coupon_number and generation they identify the rows.';

COMMENT ON COLUMN event_outbox.handed_over IS
  'Whether the deliveries to webhooks are written. While a webhook is enabled, only such rows are published to the broker.';

CREATE TABLE webhook_endpoint (
  webhook_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  url text COLLATE "C" NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2000),
  state text COLLATE "C" NOT NULL CHECK (state IN ('ENABLED', 'DISABLED', 'FAILED')),
  secret text COLLATE "C" NOT NULL CHECK (secret ~ '^whsec_[A-Za-z0-9+/]+=*$'),
  previous_secret text COLLATE "C" CHECK (previous_secret ~ '^whsec_[A-Za-z0-9+/]+=*$'),
  previous_secret_until timestamptz,
  revision integer NOT NULL CHECK (revision >= 1),
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  failing_since timestamptz,
  CONSTRAINT webhook_url_is_unique UNIQUE (url),
  CONSTRAINT webhook_previous_secret_has_an_end CHECK (num_nonnulls(previous_secret, previous_secret_until) IN (0, 2))
);
COMMENT ON TABLE webhook_endpoint IS 'Where events are delivered by HTTP, as operators defined it.';
COMMENT ON COLUMN webhook_endpoint.state IS
  'DISABLED: by an operator. FAILED: by the service, since no delivery succeeded for days, or the receiver answered 410.';
COMMENT ON COLUMN webhook_endpoint.secret IS 'The key of the signatures, in plain text: a keyed hash needs the key.';
COMMENT ON COLUMN webhook_endpoint.previous_secret IS 'The key before the latest rotation, with which deliveries are signed too.';
COMMENT ON COLUMN webhook_endpoint.revision IS 'Counts the changes, from 1.';
COMMENT ON COLUMN webhook_endpoint.failing_since IS 'When the first attempt since the latest success failed; null after a success.';

-- Deliveries of a lane are attempted one after the other; all events of a user coupon are in one lane.
CREATE TABLE webhook_lane (
  webhook_id bigint NOT NULL REFERENCES webhook_endpoint ON DELETE CASCADE,
  lane integer NOT NULL CHECK (lane BETWEEN 0 AND 16),
  due_at timestamptz NOT NULL,
  lease bigint NOT NULL DEFAULT 0,
  leased_until timestamptz,
  PRIMARY KEY (webhook_id, lane)
) WITH (fillfactor = 20);
COMMENT ON TABLE webhook_lane IS 'A part of the deliveries to a webhook. One instance at a time works on it, under a lease.';
COMMENT ON COLUMN webhook_lane.due_at IS 'Until then no attempt is made: the pause after a failed one.';
COMMENT ON COLUMN webhook_lane.lease IS 'The number of the latest lease. A worker with an earlier one has no effect any more.';
COMMENT ON COLUMN webhook_lane.leased_until IS 'When another instance can take the lane over; null if no instance works on it.';

CREATE TABLE webhook_delivery (
  delivery_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id bigint NOT NULL,
  lane integer NOT NULL,
  type text COLLATE "C" NOT NULL,
  coupon_id text COLLATE "C",
  events integer NOT NULL CHECK (events >= 1),
  body text,
  created_at timestamptz NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('PENDING', 'DELIVERED', 'GIVEN_UP')),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  attempted_at timestamptz,
  result text CHECK (char_length(result) BETWEEN 1 AND 200),
  CONSTRAINT webhook_delivery_has_a_body_until_it_is_delivered CHECK ((body IS NULL) = (state = 'DELIVERED'))
);
CREATE INDEX webhook_delivery_pending ON webhook_delivery (webhook_id, lane, delivery_id) WHERE state = 'PENDING';
CREATE INDEX webhook_delivery_given_up ON webhook_delivery (webhook_id, delivery_id) WHERE state = 'GIVEN_UP';
CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook_id, delivery_id);
CREATE INDEX webhook_delivery_with_users ON webhook_delivery (coupon_id, lane) WHERE body IS NOT NULL;
COMMENT ON INDEX webhook_delivery_with_users IS 'Finds the deliveries that keep a user from being erased.';
COMMENT ON TABLE webhook_delivery IS
  'Messages with events for a webhook, and the log of their deliveries. There is no foreign key: a deleted webhook may have very many.';
COMMENT ON COLUMN webhook_delivery.delivery_id IS 'The order of the deliveries of a lane.';
COMMENT ON COLUMN webhook_delivery.body IS 'The events as JSON; removed when they are delivered.';
COMMENT ON COLUMN webhook_delivery.result IS 'The status of the latest attempt, or why there was no answer.';

-- The service's role cannot delete audit entries. This function, which has the rights of its owner, deletes those of
-- user coupons whose retention is over.
CREATE FUNCTION remove_audit_entries(user_coupon_ids text[]) RETURNS void
LANGUAGE SQL SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DELETE FROM audit_entry USING coupon
    WHERE audit_entry.user_coupon_id = ANY (user_coupon_ids)
      AND coupon.coupon_id = audit_entry.coupon_id AND coupon.removal_begun_at IS NOT NULL
$$;
REVOKE ALL ON FUNCTION remove_audit_entries FROM PUBLIC;

-- Likewise: replaces a user by a pseudonym in the entries of one of their user coupons.
CREATE FUNCTION erase_audit_actor(user_coupon_id text, user_id text, pseudonym text) RETURNS void
LANGUAGE SQL SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE audit_entry SET actor_name = $3
    WHERE audit_entry.user_coupon_id = $1 AND actor_kind = 'CUSTOMER' AND actor_name = $2 AND starts_with($3, 'erased:')
$$;
REVOKE ALL ON FUNCTION erase_audit_actor FROM PUBLIC;

-- The role of deploy/postgres-roles.sql, if the deployment has it.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'firstcome_service') THEN
    REVOKE UPDATE, DELETE ON audit_entry FROM firstcome_service;
    REVOKE ALL ON flyway_schema_history FROM firstcome_service;
    GRANT EXECUTE ON FUNCTION remove_audit_entries, erase_audit_actor TO firstcome_service;
  END IF;
END
$$;
