-- Adds a user to a set that is not too large. Wrong as published: the comparison must be "<", and
-- the reply to SADD is ignored.
--
-- KEYS  1 set of users
-- ARGV  1 user id  2 quantity
-- reply 1 won  3 sold out

if redis.call('SCARD', KEYS[1]) <= tonumber(ARGV[2]) then
  redis.call('SADD', KEYS[1], ARGV[1])
  return 1
end
return 3
