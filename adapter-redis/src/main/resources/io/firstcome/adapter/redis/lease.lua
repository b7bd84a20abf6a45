-- Grants a lease: permission to refuse claims as sold out without a call, to users who are not in a filter
-- of the ledger. While the stock has the field `lease`, a lease may be in use. Then claim.lua withholds free
-- slots and adopt.lua marks no user, until end_lease.lua removes the field.
--
-- The field `filter` is the id of the current filter, which no filter of another run of the server has. The
-- filter has all users who had a mark when it was begun; users who have got one since are in a list. A ledger
-- only grows while its partition is open, so the number of users shows whether the list has all of them.
-- Its maker calls put_filter.lua all the time; if it does not, another one begins another filter.
--
-- KEYS  1 fence  2 stock  3 ledger  4 returned slots  5 users not in the filter  6 filter
-- ARGV  1 epoch  2 length of a lease, ms  3 the filter that the caller has, '' if none
--       4 how many users of the list the caller has  5 most users of a reply
--       6 most users of a ledger that is filtered  7 time between two calls of a maker, at most, ms
--       8 '1' if the caller makes a filter that is missing
-- reply {'FENCED'}: nothing happened
--       {'OK', 'NONE'}: the coupon is not sold out, or has no filter now
--       {'OK', 'MISSING'}: a filter is to be made
--       {'OK', 'MAKE', filter, users}: the caller is to make this filter of a ledger with so many users
--       {'OK', 'FETCH', filter, length}: the caller is to read the filter first, which has this length
--       {'OK', 'MORE', user, ..}: the next users of the list; the caller is to call again
--       {'OK', 'GRANTED', user, ..}: a lease is granted, with the last users of the list

local has = redis.call('HMGET', KEYS[2], 'ready', 'status', 'total', 'next', 'opensAt', 'closesAt',
  'filter', 'filterIsMade', 'makerSeen', 'filterUsers', 'adoptionWaits')
-- During a recovery the ledger gets marks that no list has.
if has[1] ~= ARGV[1] or not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
local NONE = { 'OK', 'NONE' }

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local opens_at, closes_at = tonumber(has[5]), tonumber(has[6])
local sold_out = tonumber(has[4]) > tonumber(has[3]) and redis.call('ZCARD', KEYS[4]) == 0
if has[2] ~= 'ACTIVE' or now < opens_at or now + tonumber(ARGV[2]) >= closes_at or not sold_out then
  return NONE
end
-- An adoption retries within seconds. One that never does, or a clock that went back, must not end leases
-- for good.
local adoption = tonumber(has[11] or 0)
if now >= adoption and now - adoption < 10000 then
  return NONE
end

local filter, is_made, seen = has[7], has[8], tonumber(has[9] or 0)
local users, since = redis.call('HLEN', KEYS[3]), redis.call('LLEN', KEYS[5])
local is_lost
if is_made then
  is_lost = redis.call('EXISTS', KEYS[6]) == 0
else
  is_lost = now < seen or now - seen > tonumber(ARGV[7])
end
local is_complete = users == tonumber(has[10] or -1) + since
if not filter or is_lost or not is_complete or since > 1000 + (users - since) / 4 then
  if users > tonumber(ARGV[6]) then
    return NONE
  end
  if ARGV[8] ~= '1' then
    return { 'OK', 'MISSING' }
  end
  filter = redis.call('HINCRBY', KEYS[2], 'filters', 1) .. ':' .. own_replid()
  redis.call('HSET', KEYS[2], 'filter', filter, 'filterUsers', users,
    'makerSeen', string.format('%d', now))
  redis.call('HDEL', KEYS[2], 'filterIsMade')
  redis.call('UNLINK', KEYS[5], KEYS[6])
  return { 'OK', 'MAKE', filter, users }
elseif not is_made then
  return NONE
elseif ARGV[3] ~= filter then
  return { 'OK', 'FETCH', filter, redis.call('STRLEN', KEYS[6]) }
end

local from = tonumber(ARGV[4])
local last = math.min(since, from + tonumber(ARGV[5])) - 1
local list = last >= from and redis.call('LRANGE', KEYS[5], from, last) or {}
if last + 1 < since then
  return { 'OK', 'MORE', unpack(list) }
end
redis.call('HSET', KEYS[2], 'lease', redis.call('HINCRBY', KEYS[2], 'leases', 1))
return { 'OK', 'GRANTED', unpack(list) }
