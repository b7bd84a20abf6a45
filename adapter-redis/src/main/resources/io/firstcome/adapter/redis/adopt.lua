-- Adopts late claims of one coupon: each gets the slot that its user holds, else the promised slot if it
-- is free, else the lowest free slot, else it is rejected. Ignores window and log cap; writes no log entry.
--
-- KEYS  1 fence  2 stock  3 ledger  4 returned slots  5 users not in the filter
-- ARGV  1 epoch  2,3.. user id, promised slot
-- reply {'FENCED'}: nothing happened
--       {'LEASED'}: a user has no mark, and a lease may be in use (see lease.lua); no further one is granted
--       {'OK', n, ..}: a number for each user, slot * 100 + code
-- codes 0 adopted  2 gone back  3 rejected

local terms = redis.call('HMGET', KEYS[2], 'ready', 'total', 'next', 'lease', 'filter')
if not takes_calls(KEYS[1], ARGV[1], terms[1]) then
  return FENCED
end
local total, next_slot = tonumber(terms[2]), tonumber(terms[3])

local new_users = {}
for i = 2, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[3], ARGV[i]) == 0 then
    new_users[#new_users + 1] = ARGV[i]
  end
end
if terms[4] and #new_users > 0 then
  local time = redis.call('TIME')
  redis.call('HSET', KEYS[2], 'adoptionWaits', string.format('%d', time[1] * 1000))
  return { 'LEASED' }
end
if terms[5] then
  note_marked(KEYS[2], KEYS[5], new_users, 1)
end
redis.call('HDEL', KEYS[2], 'adoptionWaits')

local reply = { 'OK' }
for i = 2, #ARGV, 2 do
  local user, promised = ARGV[i], tonumber(ARGV[i + 1])
  local slot = tonumber(redis.call('HGET', KEYS[3], user))
  local answer
  if slot and slot > 0 then
    answer = slot * 100
  elseif slot then
    answer = slot < 0 and 2 or 3
  else
    if promised == next_slot and promised <= total then
      slot = promised
      next_slot = next_slot + 1
      redis.call('HSET', KEYS[2], 'next', next_slot)
    elseif redis.call('ZREM', KEYS[4], promised) == 1 then
      slot = promised
    else
      slot = tonumber(redis.call('ZPOPMIN', KEYS[4])[1])
      if not slot and next_slot <= total then
        slot = next_slot
        next_slot = next_slot + 1
        redis.call('HSET', KEYS[2], 'next', next_slot)
      end
    end
    redis.call('HSET', KEYS[3], user, slot or 0)
    answer = slot and slot * 100 or 3
  end
  reply[#reply + 1] = answer
end
return reply
