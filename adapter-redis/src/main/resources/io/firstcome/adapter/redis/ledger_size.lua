-- Counts the users in the ledger, while its partition recovers.
--
-- KEYS  1 fence  2 ledger
-- ARGV  1 epoch
-- reply {'FENCED'}; {'OK', users}

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
return { 'OK', redis.call('HLEN', KEYS[2]) }
