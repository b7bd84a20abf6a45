-- Gives users of a waiting room that claims the tickets back which they had before it lost its data.
--
-- KEYS  1 fence  2 room  3 tickets  4 prefix of the queue
-- ARGV  1 epoch  2.. user, ticket, user, ticket, ..
-- reply {'FENCED'}: nothing happened; {'OK'}: done, or the room is not open

if not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
if redis.call('HGET', KEYS[2], 'ready') == ARGV[1] then
  for i = 2, #ARGV, 2 do
    local user, ticket = ARGV[i], ARGV[i + 1]
    local given = redis.call('HGET', KEYS[3], user)
    if not given or tonumber(given) > tonumber(ticket) then
      redis.call('HSET', KEYS[3], user, ticket)
      redis.call('HSET', restored_key(KEYS[4]), ticket, user)
    end
  end
end
return { 'OK' }
