-- Removes all keys of an archived coupon, and stores for this epoch that it was removed: a creation that is
-- still in flight must not create it again.
--
-- KEYS  1 fence  2 removed coupons  3.. all keys of the coupon
-- ARGV  1 epoch  2 coupon id
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
unlink_coupons(KEYS, 3)
redis.call('SADD', KEYS[2], ARGV[2])
return { 'OK' }
