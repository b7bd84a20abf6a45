-- Allocates a slot to a user who has none, while any is free.
--
-- KEYS  1 set of users  2 counter of allocated slots
-- ARGV  1 user id  2 quantity
-- reply 1 won  2 already won  3 sold out

if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 then
  return 2
end
if tonumber(redis.call('GET', KEYS[2]) or '0') >= tonumber(ARGV[2]) then
  return 3
end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('INCR', KEYS[2])
return 1
