-- Brings newer terms to the stock of a coupon; never creates any.
--
-- KEYS  1 fence  2 stock
-- ARGV  1 epoch  2 revision  3 status  4 total  5 opensAt, ms  6 closesAt, ms
-- reply {'FENCED'}: nothing happened; {'OK'}: the stock has this revision or a later one

local has = redis.call('HMGET', KEYS[2], 'ready', 'revision')
if not takes_calls(KEYS[1], ARGV[1], has[1]) then
  return FENCED
end
if tonumber(ARGV[2]) > tonumber(has[2]) then
  redis.call('HSET', KEYS[2], 'revision', ARGV[2], 'status', ARGV[3], 'total', ARGV[4],
    'opensAt', ARGV[5], 'closesAt', ARGV[6])
end
return { 'OK' }
