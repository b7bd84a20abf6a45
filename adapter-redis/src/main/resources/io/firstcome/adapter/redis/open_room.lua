-- Opens a waiting room in an epoch, unless it is open.
--
-- KEYS  1 fence  2 stock  3 room
-- ARGV  1 epoch  2 revision  3 rate  4 paused  5 admission, ms  6 joinsFrom, ms  7 draws  8 claims
--       9 tickets  10 reserve  11 last ticket and 12 last place before this epoch  13 time that has counted, ms
--       14 marks  15 gaps  16 drawn or ''  17 version of the reserve
-- reply {'FENCED'}: nothing happened; {'OK'}
--       {'OK', version, tickets, reserve}: nothing happened, as a room of an earlier epoch has these, above 11 and 12.
--       Not if PostgreSQL has a later version of them: then this server has lost the latest changes
--
-- The tickets of users that the server still has stay, and so does how far the room has claimed.

local epoch = ARGV[1]
if not fence_is(KEYS[1], 'open', epoch) or redis.call('HGET', KEYS[2], 'ready') ~= epoch then
  return FENCED
end
if read_room(KEYS[3], epoch) then
  return { 'OK' }
end
local former = redis.call('HMGET', KEYS[3], 'tickets', 'reserve', 'claimed', 'version')
if former[1] and tonumber(former[4]) >= tonumber(ARGV[17])
  and (tonumber(former[1]) > tonumber(ARGV[11]) or tonumber(former[2]) > tonumber(ARGV[12])) then
  return { 'OK', tonumber(former[4]), tonumber(former[1]), tonumber(former[2]) }
end
redis.call('DEL', KEYS[3])
redis.call('HSET', KEYS[3], 'ready', epoch, 'revision', ARGV[2], 'rate', ARGV[3], 'paused', ARGV[4],
  'admission', ARGV[5], 'joinsFrom', ARGV[6], 'draws', ARGV[7], 'claims', ARGV[8], 'tickets', ARGV[9],
  'reserve', ARGV[10], 'version', ARGV[17], 'last', ARGV[11], 'served', ARGV[12], 'thousandths', 0, 'since', milliseconds(),
  'counted', ARGV[13], 'marks', ARGV[14], 'gaps', ARGV[15], 'claimed', former[3] or ARGV[12], 'free', 0,
  'offered', 0, 'offeredAt', 0)
if ARGV[16] ~= '' then
  redis.call('HSET', KEYS[3], 'drawn', ARGV[16])
end
return { 'OK' }
