-- Reads the marks of users in the ledger.
--
-- KEYS  1 fence  2 stock  3 ledger
-- ARGV  1 epoch  2.. user ids
-- reply {'FENCED'}; {'OK', mark, ..}: the user's slot, '-slot' if it went back to the
--       stock, '0' if the claim was rejected, nil if unknown

if not takes_calls(KEYS[1], ARGV[1], redis.call('HGET', KEYS[2], 'ready')) then
  return FENCED
end
local marks = redis.call('HMGET', KEYS[3], unpack(ARGV, 2))
table.insert(marks, 1, 'OK')
return marks
