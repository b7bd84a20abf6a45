-- Gives tickets of one waiting room to users, in order of arrival. A user whose admission is over gets another ticket.
--
-- KEYS  1 fence  2 stock  3 ledger  4 returned slots  5 hand-off log  6 room  7 tickets  8 prefix of its queue
-- ARGV  1 epoch  2 not before  3 deadline, both in milliseconds of this server's clock  4 cap of the log, in entries
--       5 maximum number of tickets  6 number of users  7.. their ids, in order of arrival
--       then as many pseudonyms, in the same order; they may be left out
-- reply {'FENCED'}, {'CLOSED'} (there is no room in this epoch) or {'LATE'}: nothing happened
--       {'PSEUDONYMS'}: nothing happened; users were erased (see erase.lua), and pseudonyms were left out
--       {'OK', when users can join in ms, n, ..}: a number for each user, ticket * 100 + 20, or slot * 100 + code
-- codes 1 to 8 as those of claim.lua; 5 users cannot join yet; 8 the coupon is frozen or was just edited, or the
--       reserve of tickets or their maximum is used up
--
-- Redis does not roll back a script, so everything is decided before the first write.

local epoch, not_before, deadline = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local log_cap, most, first_user = tonumber(ARGV[4]), tonumber(ARGV[5]), 7
local last_user = first_user + ARGV[6] - 1

local now = milliseconds()
local stock = read_stock(KEYS[2], KEYS[4], KEYS[5], log_cap, now)
if not takes_calls(KEYS[1], epoch, stock.ready) then
  return FENCED
end
local room = read_room(KEYS[6], epoch)
if not room then
  return { 'CLOSED' }
end
-- A clock that was set back would give the call more time than the caller waits.
if now > deadline or now < not_before then
  return { 'LATE' }
end
local erased = redis.call('HEXISTS', KEYS[2], 'erased') == 1
if erased and #ARGV == last_user then
  return { 'PSEUDONYMS' }
end

-- First, because nothing is gained in advance of a user who joins an idle room.
advance(room, stock, now)

local refusal
if stock.ended then
  refusal = 6
elseif now < room.joinsFrom then
  refusal = 5
elseif stock.free == 0 then
  refusal = 4
elseif stock.frozen or room.last == 0 and stock.revision > room.revision then
  -- The coupon is being edited, or the room does not have the edited terms yet.
  refusal = 8
end

local given = redis.call('HMGET', KEYS[7], unpack(ARGV, first_user, last_user))
local marks = redis.call('HMGET', KEYS[3], unpack(ARGV, first_user, last_user))
local marks_of_erased = erased and redis.call('HMGET', KEYS[3], unpack(ARGV, last_user + 1))

local reply = { 'OK', room.joinsFrom }
local new, known, again = {}, {}, {}
-- The new users of a room that claims, by the list that they are appended to.
local queued = {}
local joined = 0
for i = 1, #marks do
  local user = ARGV[first_user + i - 1]
  local slot = marks[i] and tonumber(marks[i])
  local ticket = known[user] or given[i] and tonumber(given[i])
  local mark_of_erased = erased and marks_of_erased[i]
  local answer
  if slot then
    answer = slot > 0 and slot * 100 + 1 or slot < 0 and 2 or 3
  elseif mark_of_erased then
    answer = mark_of_erased == '0' and 3 or 2
  elseif ticket and not is_missed(room, ticket) then
    answer = ticket * 100 + 20
  elseif refusal then
    answer = refusal
  elseif room.last >= math.min(room.tickets, most) then
    answer = 8
  else
    room.last = room.last + 1
    known[user] = room.last
    if ticket then
      table.insert(again, user)
    end
    joined = joined + 1
    new[2 * joined - 1] = user
    new[2 * joined] = string.format('%d', room.last)
    if room.claims == '1' then
      local part = math.floor((room.last - 1) / QUEUE_PART)
      queued[part] = queued[part] or {}
      table.insert(queued[part], user)
    end
    answer = room.last * 100 + 20
  end
  reply[i + 2] = answer
end

if joined > 0 then
  for _, user in ipairs(again) do
    forget_ticket(KEYS[7], KEYS[8], user)
  end
  redis.call('HSET', KEYS[7], unpack(new))
  for part, users in pairs(queued) do
    redis.call('RPUSH', KEYS[8] .. ':' .. part, unpack(users))
  end
  write_room(KEYS[6], room)
end
return reply
