CREATE INDEX user_coupon_of_user ON user_coupon (user_id, issued_at);

CREATE TABLE wrong_code (
  caller text COLLATE "C" PRIMARY KEY CHECK (char_length(caller) BETWEEN 1 AND 64),
  since timestamptz NOT NULL,
  count integer NOT NULL CHECK (count >= 1)
);
COMMENT ON TABLE wrong_code IS
  'Wrong coupon codes by the caller who tried them. Too many within a time lock the caller out for the rest of it.';
COMMENT ON COLUMN wrong_code.since IS 'When the first of them came. A window that is over gives way to the next wrong code.';
COMMENT ON COLUMN wrong_code.count IS 'Of this window.';
