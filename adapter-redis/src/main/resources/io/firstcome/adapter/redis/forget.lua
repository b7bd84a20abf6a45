-- Removes users from the ledger.
--
-- KEYS  1 fence  2 ledger
-- ARGV  1 epoch  2.. user ids
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
redis.call('HDEL', KEYS[2], unpack(ARGV, 2))
return { 'OK' }
