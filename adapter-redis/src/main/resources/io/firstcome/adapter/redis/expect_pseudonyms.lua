-- Has claims of a coupon compared with pseudonyms: a user of another coupon of its campaign is being erased (see erase.lua).
--
-- KEYS  1 fence  2 stock
-- ARGV  1 epoch
-- reply {'FENCED'}: nothing happened; {'OK'}

if not takes_calls(KEYS[1], ARGV[1], redis.call('HGET', KEYS[2], 'ready')) then
  return FENCED
end
redis.call('HSET', KEYS[2], 'erased', '1')
return { 'OK' }
