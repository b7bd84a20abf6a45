-- Assigns slots to users who are not in the ledger.
--
-- KEYS  1 fence  2 ledger
-- ARGV  1 epoch  2,3.. user id, slot
-- reply {'FENCED'}: nothing happened; {'OK', n, ..}: 1 for each user who was not in the ledger, else 0

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
local reply = { 'OK' }
for i = 2, #ARGV, 2 do
  reply[#reply + 1] = redis.call('HSETNX', KEYS[2], ARGV[i], ARGV[i + 1])
end
return reply
