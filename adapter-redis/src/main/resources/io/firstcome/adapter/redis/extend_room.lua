-- Extends the reserves of a waiting room that is open in an epoch, and adds its draw.
--
-- KEYS  1 fence  2 room
-- ARGV  1 epoch  2 tickets  3 reserve  4 drawn or ''
-- reply {'FENCED'}: nothing happened; {'OK'}: done, or the room is not open

if not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
local room = read_room(KEYS[2], ARGV[1])
if room then
  redis.call('HSET', KEYS[2], 'tickets', math.max(room.tickets, ARGV[2]), 'reserve', math.max(room.reserve, ARGV[3]))
  if ARGV[4] ~= '' and redis.call('HSETNX', KEYS[2], 'drawn', ARGV[4]) == 1 then
    -- The gaps before the draw are no gaps between the places that were drawn.
    redis.call('HSET', KEYS[2], 'gaps', '')
  end
end
return { 'OK' }
