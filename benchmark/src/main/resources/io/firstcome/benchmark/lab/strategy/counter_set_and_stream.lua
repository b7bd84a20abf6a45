-- Gives a piece to a user who has none, while there are any, and notes it in a stream, all or nothing.
--
-- KEYS  1 set of users  2 counter of pieces given  3 stream of wins
-- ARGV  1 user id  2 pieces
-- reply 1 won  2 has had one  3 sold out

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
