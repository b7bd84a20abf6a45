-- Writes the fence of a partition as it is, so that a WAIT behind it waits for everything before it.
--
-- KEYS  1 fence
-- ARGV  1 epoch
-- reply {'FENCED'}: this is not the run of the server that was opened or recovered in the epoch; {'OK'}

if not fence_is(KEYS[1], 'open', ARGV[1]) and not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
redis.call('SET', KEYS[1], redis.call('GET', KEYS[1]))
return { 'OK' }
