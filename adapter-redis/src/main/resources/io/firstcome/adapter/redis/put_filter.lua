-- Stores the next part of a filter, and shows that its maker is still at work.
--
-- KEYS  1 fence  2 stock  3 filter
-- ARGV  1 epoch  2 the filter  3 the next part, may be empty  4 '1' if it is the last one
-- reply {'FENCED'}: nothing happened; {'OK', 0}: another filter was begun meanwhile; {'OK', 1}

local has = redis.call('HMGET', KEYS[2], 'ready', 'filter')
if not takes_calls(KEYS[1], ARGV[1], has[1]) then
  return FENCED
end
if has[2] ~= ARGV[2] then
  return { 'OK', 0 }
end
if ARGV[3] ~= '' then
  redis.call('APPEND', KEYS[3], ARGV[3])
end
redis.call('HSET', KEYS[2], 'makerSeen', string.format('%d', redis.call('TIME')[1] * 1000))
if ARGV[4] == '1' then
  redis.call('HSET', KEYS[2], 'filterIsMade', '1')
end
return { 'OK', 1 }
