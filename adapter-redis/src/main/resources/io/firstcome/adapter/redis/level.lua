-- Reads how many slots of a coupon are free.
--
-- KEYS  1 fence  2 stock  3 returned slots
-- ARGV  1 epoch
-- reply {'FENCED'}; {'OK', total, free, next}

local terms = redis.call('HMGET', KEYS[2], 'ready', 'total', 'next')
if not takes_calls(KEYS[1], ARGV[1], terms[1]) then
  return FENCED
end
local total, next_slot = tonumber(terms[2]), tonumber(terms[3])
local never_given = math.max(0, total - next_slot + 1)
return { 'OK', total, never_given + redis.call('ZCARD', KEYS[3]), next_slot }
