-- Advances the numbers of waiting rooms, and reads the rooms. Terms of a later revision are stored.
--
-- KEYS  1 fence  2 hand-off log  3.. stock, returned slots and room of each coupon
-- ARGV  1 epoch  2 not before  3 deadline, both in milliseconds of this server's clock  4 cap of the log, in entries
--       5.. revision, rate, paused, admission, joinsFrom, draws and claims of each coupon, as in room.lua
-- reply {'FENCED'} or {'LATE'}: nothing happened
--       {'OK', now in ms, ..}: for each coupon 0 if its stock is not ready, an empty array if it has no room in this
--       epoch, or an array: revision, rate, paused, admission, joinsFrom, draws, claims, last, version, tickets, served, reserve,
--       thousandths, counted, claimed, free, offered, offeredAt, drawn or '', marks, gaps, total, free slots, 1 if each slot was allocated, 1 if the coupon can be claimed now

if not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
local now = milliseconds()
if now > tonumber(ARGV[3]) or now < tonumber(ARGV[2]) then
  return { 'LATE' }
end

local reply = { 'OK', now }
for i = 0, (#KEYS - 2) / 3 - 1 do
  local stock = read_stock(KEYS[3 * i + 3], KEYS[3 * i + 4], KEYS[2], tonumber(ARGV[4]), now)
  local key = KEYS[3 * i + 5]
  local room = stock.ready == ARGV[1] and read_room(key, ARGV[1])
  if room then
    -- With the former terms: they were valid until now.
    advance(room, stock, now)
    local terms = { unpack(ARGV, 7 * i + 5, 7 * i + 11) }
    if tonumber(terms[1]) > room.revision then
      room.revision, room.rate, room.paused = tonumber(terms[1]), tonumber(terms[2]), terms[3]
      if tonumber(terms[4]) ~= room.admission then
        room.admission, room.marks = tonumber(terms[4]), ''
      end
      room.joinsFrom, room.draws, room.claims = tonumber(terms[5]), terms[6], terms[7]
    end
    write_room(key, room)
    table.insert(reply, { room.revision, room.rate, room.paused, room.admission, room.joinsFrom, room.draws,
      room.claims, room.last, room.version, room.tickets, room.served, room.reserve,
      room.thousandths, room.counted, room.claimed, room.free, room.offered, room.offeredAt, room.drawn or '', room.marks, room.gaps, stock.total,
      stock.claimable, stock.next > stock.total and 1 or 0, stock.accepts and 1 or 0 })
  else
    table.insert(reply, stock.ready == ARGV[1] and {} or 0)
  end
end
return reply
