-- Leaves nothing of a coupon that is archived, while its partition recovers.
--
-- KEYS  1 fence  2.. all keys of the coupon
-- ARGV  1 epoch
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
redis.call('UNLINK', unpack(KEYS, 2))
return { 'OK' }
