-- Reads one page of a ledger, also during recovery.
--
-- KEYS  1 fence  2 ledger
-- ARGV  1 epoch  2 cursor  3 approximate number of users
-- reply {'FENCED'}; {'OK', next cursor, {user, mark, user, mark, ..}}

if not (fence_is(KEYS[1], 'open', ARGV[1]) or fence_is(KEYS[1], 'recovering', ARGV[1])) then
  return FENCED
end
local page = redis.call('HSCAN', KEYS[2], ARGV[2], 'COUNT', ARGV[3])
return { 'OK', page[1], page[2] }
