-- Removes keys of archived coupons, which an older state of the server may have, and stores the progress.
-- Only under an open fence: a running recovery may still rebuild such a coupon, which it read as closed.
--
-- KEYS  1 fence  2 clearing  3.. all keys of the coupons
-- ARGV  1 epoch  2 id of the last of the coupons, '' if there are no more
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[2])
else
  unlink_coupons(KEYS, 3)
  redis.call('SET', KEYS[2], ARGV[2])
end
return { 'OK' }
