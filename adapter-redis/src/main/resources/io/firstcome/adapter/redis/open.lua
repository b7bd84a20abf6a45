-- Opens a partition whose recovery is done.
--
-- KEYS  1 fence
-- ARGV  1 epoch
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
redis.call('SET', KEYS[1], 'open:' .. ARGV[1] .. ':' .. own_replid())
return { 'OK' }
