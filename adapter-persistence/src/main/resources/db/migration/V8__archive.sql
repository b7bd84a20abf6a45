ALTER TABLE coupon
  DROP CONSTRAINT coupon_status_check,
  ADD CONSTRAINT coupon_status_check CHECK (status IN ('ACTIVE', 'PAUSED', 'CLOSED', 'ARCHIVED'));
COMMENT ON COLUMN coupon.status IS
  'ARCHIVED: closed, all recorded, and the stock backend has forgotten it, or will once stock_revision is revision.';

ALTER TABLE audit_entry
  DROP CONSTRAINT audit_entry_action_check,
  ADD CONSTRAINT audit_entry_action_check CHECK (action IN (
    'DEFINE', 'PAUSE', 'RESUME', 'CLOSE', 'ARCHIVE', 'RAISE',
    'HOLD', 'CONFIRM', 'RELEASE', 'USE', 'UNDO', 'EXPIRE', 'GIVE_BACK', 'REVOKE',
    'RECOVER_STOCK', 'REPLAY_DEAD_LETTER'));
