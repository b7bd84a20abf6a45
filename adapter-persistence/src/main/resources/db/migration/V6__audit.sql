CREATE TABLE audit_entry (
  audit_entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_kind text COLLATE "C" NOT NULL CHECK (actor_kind IN ('CUSTOMER', 'SHOP', 'OPERATOR', 'SYSTEM')),
  actor_name text COLLATE "C" NOT NULL CHECK (actor_name <> ''),
  action text COLLATE "C" NOT NULL CHECK (action IN (
    'DEFINE', 'PAUSE', 'RESUME', 'CLOSE', 'RAISE',
    'HOLD', 'CONFIRM', 'RELEASE', 'USE', 'UNDO', 'EXPIRE', 'GIVE_BACK', 'REVOKE',
    'RECOVER_STOCK', 'REPLAY_DEAD_LETTER')),
  coupon_id text COLLATE "C",
  user_coupon_id text COLLATE "C",
  detail text,
  CONSTRAINT audit_entry_names_a_coupon
    CHECK (coupon_id IS NOT NULL OR action IN ('RECOVER_STOCK', 'REPLAY_DEAD_LETTER')),
  CONSTRAINT audit_entry_names_a_user_coupon CHECK (
    (user_coupon_id IS NOT NULL)
      = (action IN ('HOLD', 'CONFIRM', 'RELEASE', 'USE', 'UNDO', 'EXPIRE', 'GIVE_BACK', 'REVOKE'))),
  CONSTRAINT audit_entry_names_the_coupon_of_its_user_coupon
    CHECK (starts_with(user_coupon_id, coupon_id || '.'))
);
CREATE INDEX audit_entry_by_coupon ON audit_entry (coupon_id, audit_entry_id)
  WHERE coupon_id IS NOT NULL;
CREATE INDEX audit_entry_by_user_coupon ON audit_entry (user_coupon_id, audit_entry_id)
  WHERE user_coupon_id IS NOT NULL;
COMMENT ON TABLE audit_entry IS
  'Who did what to which coupon. Rows are added by the transaction that does it, and never changed. Issuing is no entry: see user_coupon.';
COMMENT ON COLUMN audit_entry.actor_kind IS 'In what role; SYSTEM with the name time where only time has passed.';
COMMENT ON COLUMN audit_entry.actor_name IS
  'The caller''s name as it was authenticated; of an operator whose call names none, unnamed.';
COMMENT ON COLUMN audit_entry.coupon_id IS
  'The coupon, or that of the user coupon. It need not exist: dead letters may name any.';
COMMENT ON COLUMN audit_entry.detail IS
  'The order of a step for one, the reason of a revocation, the pieces before and after a raise, the dead letter.';
