-- Stops the allocation of slots of a coupon that nobody has claimed, until newer terms are applied.
--
-- KEYS  1 fence  2 stock  3 ledger
-- ARGV  1 epoch  2 revision
-- reply {'FENCED'}: nothing happened; {'OK', 'FROZEN'}
--       {'OK', 'CLAIMED'}: a user has a mark; {'OK', 'OTHER_REVISION'}: nothing happened

local has = redis.call('HMGET', KEYS[2], 'ready', 'revision')
if not takes_calls(KEYS[1], ARGV[1], has[1]) then
  return FENCED
end
if has[2] ~= ARGV[2] then
  return { 'OK', 'OTHER_REVISION' }
end
if redis.call('HLEN', KEYS[3]) > 0 then
  return { 'OK', 'CLAIMED' }
end
redis.call('HSET', KEYS[2], 'frozen', 1)
return { 'OK', 'FROZEN' }
