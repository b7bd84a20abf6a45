-- Deletes the set of returned slots, and which generations were freed.
--
-- KEYS  1 fence  2 returned slots  3 generations
-- ARGV  1 epoch
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
redis.call('DEL', KEYS[2], KEYS[3])
return { 'OK' }
