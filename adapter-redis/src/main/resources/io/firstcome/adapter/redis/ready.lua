-- Sets a coupon's terms and accepts its claims in the new epoch.
--
-- KEYS  1 fence  2 stock
-- ARGV  1 epoch  2 revision  3 status  4 total  5 next  6 opensAt, ms  7 closesAt, ms
--       8 '1' if claims are compared with pseudonyms (see erase.lua)
-- reply {'FENCED'}: nothing happened; {'OK'}

if not fence_is(KEYS[1], 'recovering', ARGV[1]) then
  return FENCED
end
redis.call('HSET', KEYS[2], 'ready', ARGV[1], 'revision', ARGV[2], 'status', ARGV[3],
  'total', ARGV[4], 'next', ARGV[5], 'opensAt', ARGV[6], 'closesAt', ARGV[7])
if ARGV[8] == '1' then
  redis.call('HSET', KEYS[2], 'erased', '1')
else
  redis.call('HDEL', KEYS[2], 'erased')
end
-- The recovery has waited until the leases of earlier epochs were over.
redis.call('HDEL', KEYS[2], 'lease', 'filter', 'adoptionWaits', 'frozen')
return { 'OK' }
