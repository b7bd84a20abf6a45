-- Stores the last freed generation of each slot.
--
-- KEYS  1 fence  2 generations
-- ARGV  1 epoch  2,3.. slot, generation
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
redis.call('HSET', KEYS[2], unpack(ARGV, 2))
return { 'OK' }
