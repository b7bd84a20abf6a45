-- Stops the allocation of slots of a coupon that nobody has claimed, and whose waiting room nobody has
-- joined, until newer terms are applied.
--
-- KEYS  1 fence  2 stock  3 ledger  4 tickets and 5 state of its waiting room
-- ARGV  1 epoch  2 not before  3 deadline, both in milliseconds of this server's clock  4 revision
-- reply {'FENCED'} or {'LATE'}: nothing happened; {'OK', 'FROZEN'}
--       {'OK', 'CLAIMED'}: a user has a mark or a ticket, or had a ticket before a loss; {'OK', 'OTHER_REVISION'}: nothing happened

local has = redis.call('HMGET', KEYS[2], 'ready', 'revision')
if not takes_calls(KEYS[1], ARGV[1], has[1]) then
  return FENCED
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- A freeze after the deadline would have no note in the database any more, by which it is ended.
if now > tonumber(ARGV[3]) or now < tonumber(ARGV[2]) then
  return { 'LATE' }
end
if has[2] ~= ARGV[4] then
  return { 'OK', 'OTHER_REVISION' }
end
if redis.call('HLEN', KEYS[3]) > 0 then
  return { 'OK', 'CLAIMED' }
end
if redis.call('HLEN', KEYS[4]) > 0 or tonumber(redis.call('HGET', KEYS[5], 'last') or 0) > 0 then
  return { 'OK', 'CLAIMED' }
end
redis.call('HSET', KEYS[2], 'frozen', 1)
return { 'OK', 'FROZEN' }
