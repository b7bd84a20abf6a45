-- Reads the marks of users in the ledger, while its partition recovers.
--
-- KEYS  1 fence  2 ledger
-- ARGV  1 epoch  2 user ids, separated by spaces: see put_marks.lua
-- reply {'FENCED'}; {'OK', 'mark mark ..'}: see find.lua; - for a user without a mark

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
local marks = redis.call('HMGET', KEYS[2], unpack(words(ARGV[2])))
for i = 1, #marks do
  marks[i] = marks[i] or '-'
end
return { 'OK', table.concat(marks, ' ') }
