-- Reads the number of the last lease that was not ended.
--
-- KEYS  1 fence  2 stock
-- ARGV  1 epoch
-- reply {'FENCED'}; {'OK', number}, 0 if there is none

local has = redis.call('HMGET', KEYS[2], 'ready', 'lease')
if not takes_calls(KEYS[1], ARGV[1], has[1]) then
  return FENCED
end
return { 'OK', tonumber(has[2] or 0) }
