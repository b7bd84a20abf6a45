-- Gives users of a waiting room that claims the tickets back which they had before it lost its data.
--
-- KEYS  1 fence  2 room  3 tickets  4 prefix of the queue
-- ARGV  1 epoch  2.. user, ticket, user, ticket, ..
-- reply {'FENCED'}: nothing happened; {'OK'}: done, or the room is not open

if not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
local room = redis.call('HMGET', KEYS[2], 'ready', 'claimed', 'drawn')
if room[1] == ARGV[1] then
  local claimed = not room[3] and tonumber(room[2])
  for i = 2, #ARGV, 2 do
    local user, ticket = ARGV[i], ARGV[i + 1]
    local given = redis.call('HGET', KEYS[3], user)
    -- A lower ticket is an earlier one, unless the order is drawn or the room has passed it.
    local is_earlier = claimed and given and (tonumber(given) > tonumber(ticket) or tonumber(given) <= claimed)
    local is_passed = claimed and tonumber(ticket) <= claimed
    if not is_passed and (not given or is_earlier) then
      forget_ticket(KEYS[3], KEYS[4], user)
      redis.call('HSET', KEYS[3], user, ticket)
      redis.call('HSET', restored_key(KEYS[4]), ticket, user)
    end
  end
end
return { 'OK' }
