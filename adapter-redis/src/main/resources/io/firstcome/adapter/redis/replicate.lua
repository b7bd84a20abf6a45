-- Rewrites the fence of a partition unchanged, so that a following WAIT covers all earlier writes.
--
-- KEYS  1 fence
-- ARGV  1 epoch
-- reply {'FENCED'}: the fence was not set in the epoch on this server run; {'OK'}

if not fence_is(KEYS[1], 'open', ARGV[1]) and not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
redis.call('SET', KEYS[1], redis.call('GET', KEYS[1]))
return { 'OK' }
