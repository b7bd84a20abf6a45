-- Allocates slots of one coupon to users, in order of arrival.
--
-- KEYS  1 fence  2 stock  3 ledger  4 returned slots  5 hand-off log  6 users not in the filter
--       7.. ledgers of the other coupons of its campaign, if it belongs to one
-- ARGV  1 epoch  2 not before  3 deadline, both in milliseconds of this server's clock
--       4 cap of the log, in entries  5 coupon id  6 how many coupons of the campaign a user can have,
--       '' without a campaign  7 number of users  8.. their ids, in order of arrival
--       then as many pseudonyms, in the same order; they may be left out
-- reply {'FENCED'} or {'LATE'}: nothing happened
--       {'PSEUDONYMS'}: nothing happened; users were erased (see erase.lua), and pseudonyms were left out
--       {'OK', opensAt, n, ..}: a number for each user, slot * 100 + code
-- codes 0 accepted  1 already issued  2 returned, or erased  3 rejected  4 sold out  5 not open  6 closed
--       7 paused  8 busy, or frozen (see freeze.lua)  9 a free slot is withheld, because a lease may be in use (see lease.lua)
--       10 the user has as many coupons of the campaign as it allows
--
-- Redis does not roll back a script, so everything is decided before the first write.

local epoch, not_before, deadline = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local log_cap, coupon = tonumber(ARGV[4]), ARGV[5]
local campaign_limit, first_user = tonumber(ARGV[6]), 8
local last_user = first_user + ARGV[7] - 1

local terms = redis.call('HMGET', KEYS[2], 'ready', 'status', 'total', 'next', 'opensAt', 'closesAt',
  'lease', 'filter', 'frozen', 'erased')
if not takes_calls(KEYS[1], epoch, terms[1]) then
  return FENCED
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- A clock that was set back would give the call more time than the caller waits.
if now > deadline or now < not_before then
  return { 'LATE' }
end

local status, total, next_slot = terms[2], tonumber(terms[3]), tonumber(terms[4])
local opens_at, closes_at = tonumber(terms[5]), tonumber(terms[6])
local lease, filter, frozen, erased = terms[7], terms[8], terms[9], terms[10]
if erased and #ARGV == last_user then
  return { 'PSEUDONYMS' }
end

local free_again = redis.call('ZCARD', KEYS[4])
local refusal
if status == 'CLOSED' or now >= closes_at then
  refusal = 6
elseif status ~= 'ACTIVE' then
  refusal = 7
elseif now < opens_at then
  refusal = 5
elseif frozen then
  refusal = 8
elseif next_slot > total and free_again == 0 then
  refusal = 4
elseif lease then
  refusal = 9
elseif redis.call('XLEN', KEYS[5]) >= log_cap then
  refusal = 8
end

local marks = redis.call('HMGET', KEYS[3], unpack(ARGV, first_user, last_user))
local marks_of_erased = erased and redis.call('HMGET', KEYS[3], unpack(ARGV, last_user + 1))
local returned = {}
if free_again > 0 and not refusal then
  returned = redis.call('ZRANGE', KEYS[4], 0, #marks - 1)
end

-- How many other coupons of the campaign each user has.
local others = {}
if campaign_limit and not refusal then
  for i = 1, #marks do
    others[i] = 0
  end
  local function count(marks_of_other)
    for i, mark in ipairs(marks_of_other) do
      if mark and tonumber(mark) > 0 then
        others[i] = others[i] + 1
      end
    end
  end
  for k = 7, #KEYS do
    count(redis.call('HMGET', KEYS[k], unpack(ARGV, first_user, last_user)))
    if erased then
      count(redis.call('HMGET', KEYS[k], unpack(ARGV, last_user + 1)))
    end
  end
end

local reply = { 'OK', opens_at }
-- New marks of the ledger, for HSET and for the log: user, slot, user, slot, ..
local won, marked = {}, {}
-- Counters, because # searches for the end of the table each time.
local wins, taken, free = 0, 0, #returned
for i = 1, #marks do
  local user = ARGV[first_user + i - 1]
  local mark = marks[i]
  local slot = mark and tonumber(mark) or won[user]
  local mark_of_erased = erased and marks_of_erased[i]
  local answer
  if slot then
    if slot > 0 then
      answer = slot * 100 + 1
    elseif slot < 0 then
      answer = 2
    else
      answer = 3
    end
  elseif mark_of_erased then
    answer = mark_of_erased == '0' and 3 or 2
  elseif refusal then
    answer = refusal
  elseif taken >= free and next_slot > total then
    answer = 4
  elseif campaign_limit and others[i] >= campaign_limit then
    answer = 10
  else
    if taken < free then
      taken = taken + 1
      slot = tonumber(returned[taken])
    else
      slot = next_slot
      next_slot = next_slot + 1
    end
    won[user] = slot
    -- Formatted once, with %d: Lua's own conversion formats every number as a float.
    marked[2 * wins + 1] = user
    marked[2 * wins + 2] = string.format('%d', slot)
    wins = wins + 1
    answer = slot * 100
  end
  reply[i + 2] = answer
end

if wins > 0 then
  if filter then
    note_marked(KEYS[2], KEYS[6], marked, 2)
  end
  redis.call('HSET', KEYS[3], unpack(marked))
  redis.call('HSET', KEYS[2], 'next', next_slot)
  if taken > 0 then
    redis.call('ZREM', KEYS[4], unpack(returned, 1, taken))
  end
  -- With the time, because ids never decrease: if the clock was ever ahead, all later ids are ahead too.
  redis.call('XADD', KEYS[5], '*', 'v', 1, 'epoch', epoch, 'coupon', coupon,
    'claims', table.concat(marked, ' '), 'at', string.format('%d', now))
end
return reply
