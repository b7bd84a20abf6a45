-- Reads the marks of users in the ledger, while its partition recovers.
--
-- KEYS  1 fence  2 ledger
-- ARGV  1 epoch  2.. user ids
-- reply {'FENCED'}; {'OK', mark, ..}: see find.lua

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
local marks = redis.call('HMGET', KEYS[2], unpack(ARGV, 2))
local reply = { 'OK' }
for i = 1, #ARGV - 1 do
  reply[i + 1] = marks[i]
end
return reply
