-- Lowers the reserve of a waiting room that is open in an epoch to the last place whose turn has come: if the room
-- claims, that is the last one that it has claimed for.
--
-- KEYS  1 fence  2 room
-- ARGV  1 epoch  2 version of the reserve
-- reply {'FENCED'}: nothing happened; {'OK', version, tickets, reserve}: done
--       {'OK'}: nothing happened, as its reserve has another version, or it is not open

if not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
local room = read_room(KEYS[2], ARGV[1])
if not room or room.version ~= tonumber(ARGV[2]) then
  return { 'OK' }
end
local reserve = room.claims == '1' and room.claimed or room.served
redis.call('HSET', KEYS[2], 'version', room.version + 1, 'reserve', reserve)
return { 'OK', room.version + 1, room.tickets, reserve }
