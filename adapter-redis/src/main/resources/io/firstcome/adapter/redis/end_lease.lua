-- Ends a lease that is over, unless a later one was granted: free slots can be claimed again.
--
-- KEYS  1 fence  2 stock
-- ARGV  1 epoch  2 number of the lease
-- reply {'FENCED'}: nothing happened; {'OK'}

local has = redis.call('HMGET', KEYS[2], 'ready', 'lease')
if not takes_calls(KEYS[1], ARGV[1], has[1]) then
  return FENCED
end
if has[2] == ARGV[2] then
  redis.call('HDEL', KEYS[2], 'lease')
end
return { 'OK' }
