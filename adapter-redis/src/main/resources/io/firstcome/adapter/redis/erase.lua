-- Replaces a user in the ledger by a pseudonym, and removes the user from the waiting room. From then on claims are
-- compared with pseudonyms.
--
-- KEYS  1 fence  2 stock  3 ledger  4 users not in the filter  5 tickets  6 prefix of the queue
-- ARGV  1 epoch  2 user id  3 pseudonym
-- reply {'FENCED'}: nothing happened; {'OK'}

if not takes_calls(KEYS[1], ARGV[1], redis.call('HGET', KEYS[2], 'ready')) then
  return FENCED
end
redis.call('HSET', KEYS[2], 'erased', '1')
local mark = redis.call('HGET', KEYS[3], ARGV[2])
if mark then
  redis.call('HDEL', KEYS[3], ARGV[2])
  redis.call('HSETNX', KEYS[3], ARGV[3], mark)
  -- The list may have the user.
  redis.call('HDEL', KEYS[2], 'filter')
  redis.call('UNLINK', KEYS[4])
end
forget_ticket(KEYS[5], KEYS[6], ARGV[2])
return { 'OK' }
