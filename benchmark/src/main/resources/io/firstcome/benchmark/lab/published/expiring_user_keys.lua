-- Allocates a slot to a user without a key, and stores a key of the user that expires.
--
-- KEYS  1 key of the user  2 counter of claims
-- ARGV  1 quantity  2 seconds until the key of the user expires
-- reply 1 won  2 already won  3 sold out

if redis.call('EXISTS', KEYS[1]) == 1 then
  return 2
end
if redis.call('INCR', KEYS[2]) > tonumber(ARGV[1]) then
  return 3
end
redis.call('SET', KEYS[1], '1', 'EX', ARGV[2])
return 1
