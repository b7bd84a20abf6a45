-- Applies newer terms to the stock of a coupon; never creates a stock. A lower total, which only a database
-- that was set back to an older state has, removes the returned slots above it.
--
-- KEYS  1 fence  2 stock  3 returned slots
-- ARGV  1 epoch  2 revision  3 status  4 total  5 opensAt, ms  6 closesAt, ms
-- reply {'FENCED'}: nothing happened
--       {'OK', revision, status, total, opensAt, closesAt, frozen or nil}: what the stock has now

local has = redis.call('HMGET', KEYS[2], 'ready', 'revision', 'total')
if not takes_calls(KEYS[1], ARGV[1], has[1]) then
  return FENCED
end
if tonumber(ARGV[2]) > tonumber(has[2]) then
  redis.call('HSET', KEYS[2], 'revision', ARGV[2], 'status', ARGV[3], 'total', ARGV[4],
    'opensAt', ARGV[5], 'closesAt', ARGV[6])
  redis.call('HDEL', KEYS[2], 'frozen')
  -- Many users will claim: another filter costs less than a long list of users who are not in this one.
  if tonumber(ARGV[4]) > tonumber(has[3]) then
    redis.call('HDEL', KEYS[2], 'filter')
  end
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '(' .. ARGV[4], '+inf')
end
return { 'OK', unpack(redis.call('HMGET', KEYS[2], 'revision', 'status', 'total', 'opensAt', 'closesAt',
  'frozen')) }
