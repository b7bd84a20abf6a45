-- Allocates a slot to a user who has none, while any is free, and appends the win to a stream.
--
-- KEYS  1 set of users  2 counter of allocated slots  3 stream of wins
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
redis.call('XADD', KEYS[3], '*', 'user', ARGV[1])
return 1
