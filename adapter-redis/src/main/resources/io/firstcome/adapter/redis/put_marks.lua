-- Writes the marks that the database has into the ledger.
--
-- KEYS  1 fence  2 ledger
-- ARGV  1 epoch  2,3.. user id, mark
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
redis.call('HSET', KEYS[2], unpack(ARGV, 2))
return { 'OK' }
