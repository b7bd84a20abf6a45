-- Takes a later version of the reserve of a waiting room over that is open in an epoch, and adds its draw.
--
-- KEYS  1 fence  2 room
-- ARGV  1 epoch  2 version  3 tickets  4 reserve  5 drawn or ''
-- reply {'FENCED'}: nothing happened; {'OK'}: done, or the room is not open

if not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
local room = read_room(KEYS[2], ARGV[1])
if room then
  local version, tickets, reserve = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
  if version == room.version then
    tickets, reserve = math.max(room.tickets, tickets), math.max(room.reserve, reserve)
  end
  if version >= room.version then
    redis.call('HSET', KEYS[2], 'version', version, 'tickets', tickets, 'reserve', reserve)
  end
  if ARGV[5] ~= '' and redis.call('HSETNX', KEYS[2], 'drawn', ARGV[5]) == 1 then
    -- The gaps before the draw are no gaps between the places that were drawn.
    redis.call('HSET', KEYS[2], 'gaps', '')
  end
end
return { 'OK' }
