-- Allocates the first slot of a list to a user who has none.
--
-- KEYS  1 set of users  2 list of free slots  3 hash from user to slot
-- ARGV  1 user id
-- reply 1 won  2 already won  3 sold out

if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 then
  return 2
end
local slot = redis.call('LPOP', KEYS[2])
if not slot then
  return 3
end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], slot)
return 1
