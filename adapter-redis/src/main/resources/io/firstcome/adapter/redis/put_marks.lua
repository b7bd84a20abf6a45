-- Writes the marks that the database has into the ledger.
--
-- KEYS  1 fence  2 ledger
-- ARGV  1 epoch  2 user id, mark, user id, mark, .. in one text, separated by spaces: a client needs less time for
--       that than for thousands of arguments
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
redis.call('HSET', KEYS[2], unpack(words(ARGV[2])))
return { 'OK' }
