-- Pages of the coupons that are not yet in stock come by id: a page of which nothing can be brought must
-- not hide the next one.
DROP INDEX coupon_not_yet_in_stock;
CREATE INDEX coupon_not_yet_in_stock ON coupon (coupon_id) WHERE stock_revision < revision;

COMMENT ON COLUMN coupon.revision IS
  'Counts the operators'' changes, from 1. Raised above that of the stock where a restored database has lost some of them.';

ALTER TABLE audit_entry
  DROP CONSTRAINT audit_entry_action_check,
  ADD CONSTRAINT audit_entry_action_check CHECK (action IN (
    'DEFINE', 'PAUSE', 'RESUME', 'CLOSE', 'ARCHIVE', 'RAISE', 'RAISE_REVISION',
    'HOLD', 'CONFIRM', 'RELEASE', 'USE', 'UNDO', 'EXPIRE', 'GIVE_BACK', 'REVOKE',
    'RECOVER_STOCK', 'REPLAY_DEAD_LETTER'));
COMMENT ON COLUMN audit_entry.detail IS
  'The order of a step for one, the reason of a revocation, the pieces before and after a raise, the revisions before and after, the dead letter.';
