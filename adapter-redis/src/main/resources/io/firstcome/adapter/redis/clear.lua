-- Removes what an older state of the server may have of coupons that are archived, and notes how far that
-- is done. Only under an open fence: a recovery may still have such a coupon before it, as a closed one.
--
-- KEYS  1 fence  2 clearing  3.. all keys of the coupons
-- ARGV  1 epoch  2 id of the last of the coupons, '' where there are no more
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[2])
else
  redis.call('UNLINK', unpack(KEYS, 3))
  redis.call('SET', KEYS[2], ARGV[2])
end
return { 'OK' }
