-- Releases a slot, so that it can be claimed again, if the user holds it and the generation is newer than
-- the last one freed of that slot. A slot above the total is released too, but cannot be claimed.
--
-- KEYS  1 fence  2 stock  3 ledger  4 returned slots  5 generations
-- ARGV  1 epoch  2 user id  3 slot  4 generation
-- reply {'FENCED'}: nothing happened; {'OK', 1}: it is released; {'OK', 0}: nothing happened
--       {'OK', 2}: it is free, and withheld because a lease may be in use (see lease.lua)

local user, slot, generation = ARGV[2], ARGV[3], ARGV[4]
local has = redis.call('HMGET', KEYS[2], 'ready', 'total', 'lease')
if not takes_calls(KEYS[1], ARGV[1], has[1]) then
  return FENCED
end
local last_freed = tonumber(redis.call('HGET', KEYS[5], slot)) or 0
local is_held = redis.call('HGET', KEYS[3], user) == slot and tonumber(generation) > last_freed
if is_held then
  redis.call('HSET', KEYS[3], user, '-' .. slot)
  if tonumber(slot) <= tonumber(has[2]) then
    redis.call('ZADD', KEYS[4], slot, slot)
  end
  redis.call('HSET', KEYS[5], slot, generation)
end
if has[3] and redis.call('ZSCORE', KEYS[4], slot) then
  return { 'OK', 2 }
end
return { 'OK', is_held and 1 or 0 }
