-- Adds slots that no user holds to the set of returned slots.
--
-- KEYS  1 fence  2 returned slots
-- ARGV  1 epoch  2.. slots
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
for i = 2, #ARGV do
  redis.call('ZADD', KEYS[2], ARGV[i], ARGV[i])
end
return { 'OK' }
