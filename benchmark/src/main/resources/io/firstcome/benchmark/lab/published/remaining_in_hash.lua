-- Allocates a slot to a user who has none, while any remains. As published, the quantity is checked
-- before the user.
--
-- KEYS  1 hash of the coupon  2 hash of users
-- ARGV  1 user id
-- reply 1 won  2 already won  3 sold out

if tonumber(redis.call('HGET', KEYS[1], 'remaining') or '0') <= 0 then
  return 3
end
if redis.call('HSETNX', KEYS[2], ARGV[1], '1') == 0 then
  return 2
end
redis.call('HINCRBY', KEYS[1], 'remaining', -1)
return 1
