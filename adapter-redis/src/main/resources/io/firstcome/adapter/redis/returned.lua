-- Reads one page of the returned slots of a coupon, lowest first.
--
-- KEYS  1 fence  2 stock  3 returned slots
-- ARGV  1 epoch  2 the slot after which it begins  3 maximum slots
-- reply {'FENCED'}; {'OK', slot, ..}

if not takes_calls(KEYS[1], ARGV[1], redis.call('HGET', KEYS[2], 'ready')) then
  return FENCED
end
local slots =
  redis.call('ZRANGE', KEYS[3], '(' .. ARGV[2], '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[3])
table.insert(slots, 1, 'OK')
return slots
