-- Claims for users of a waiting room whose places are served, in the order of their places.
--
-- KEYS  1 room  2 tickets  3.. those of claim.lua
-- ARGV  1 the last place before them  2 the last one of the places  3 number of users
--       4.. place and ticket of each user
--       then the arguments of claim.lua for these users
-- reply {'FENCED'}, {'LATE'} or {'PSEUDONYMS'}: nothing happened, as for claim.lua
--       {'OTHER'}: nothing happened, as the room has claimed for other places than those before, is paused, is to be
--       drawn, or has not reserved the places
--       {'OK', last}: the last place of those whose claims have a final outcome
--
-- The function `claim` has the text of claim.lua.

local after, to, users = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local first = 4 + 2 * users
local epoch = ARGV[first]
if not takes_calls(KEYS[3], epoch, redis.call('HGET', KEYS[4], 'ready')) then
  return FENCED
end
local room = redis.call('HMGET', KEYS[1], 'ready', 'claims', 'claimed', 'served', 'paused', 'draws', 'drawn',
  'reserve')
if room[1] ~= epoch or room[2] ~= '1' or tonumber(room[3]) ~= after
  or tonumber(room[4]) < to or tonumber(room[8]) < to then
  return { 'OTHER' }
end
-- After a recovery places can be served that nobody would be admitted to now.
if room[5] == '1' or room[6] == '1' and not room[7] then
  return { 'OTHER' }
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if now < tonumber(ARGV[first + 1]) or now > tonumber(ARGV[first + 2]) then
  return { 'LATE' }
end

-- Those who still have their ticket: others were erased, or have joined again.
local places, ids, pseudonyms = {}, {}, {}
local first_user = first + 7
local have_pseudonyms = #ARGV >= first_user + users
if users > 0 then
  local tickets = redis.call('HMGET', KEYS[2], unpack(ARGV, first_user, first_user + users - 1))
  for i = 1, users do
    if tickets[i] == ARGV[3 + 2 * i] then
      table.insert(places, tonumber(ARGV[2 + 2 * i]))
      table.insert(ids, ARGV[first_user + i - 1])
      if have_pseudonyms then
        table.insert(pseudonyms, ARGV[first_user + users + i - 1])
      end
    end
  end
end

local last = to
if #ids > 0 then
  local args = { unpack(ARGV, first, first + 5) }
  args[7] = #ids
  for _, id in ipairs(ids) do
    table.insert(args, id)
  end
  for _, pseudonym in ipairs(pseudonyms) do
    table.insert(args, pseudonym)
  end
  local reply = claim({ unpack(KEYS, 3) }, args)
  if reply[1] ~= 'OK' then
    return reply
  end
  for i, place in ipairs(places) do
    local code = reply[i + 2] % 100
    if code >= 4 and code ~= 10 then
      last = place - 1
      break
    end
  end
end
redis.call('HSET', KEYS[1], 'claimed', string.format('%d', last))
return { 'OK', last }
