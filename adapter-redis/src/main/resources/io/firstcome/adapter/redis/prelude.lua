-- The first part of every script: functions that several scripts use, most of which check the fence of a partition.
--
-- The fence is '<state>:<epoch>:<replid>'. The replication id is that of the server run which set
-- it; after a restart, a promotion or a fail-back the server has another one. INFO is the only command
-- that returns it. A replica has the replication id and the fence of its master, but is not accepted: its
-- data may be old.

local FENCED = { 'FENCED' }

local function own_replid()
  return string.match(redis.call('INFO', 'replication'), 'role:master.-master_replid:(%x+)') or 'none'
end

local function fence_is(key, state, epoch)
  return redis.call('GET', key) == state .. ':' .. epoch .. ':' .. own_replid()
end

-- Notes that users have got marks in a ledger after its filter was begun (see lease.lua). If there are too
-- many, the filter is of no use.
local function note_marked(stock, unfiltered, users, step)
  local n = 0
  for i = 1, #users, step do
    n = redis.call('RPUSH', unfiltered, users[i])
  end
  if n > 100000 then
    redis.call('HDEL', stock, 'filter')
    redis.call('UNLINK', unfiltered)
  end
end

-- Whether a coupon that was made ready in the epoch `ready` accepts calls of the epoch `epoch`. A stock of
-- an earlier epoch accepts none, even under an open fence: no recovery has compared it with the database.
local function takes_calls(key, epoch, ready)
  if ready ~= epoch then
    return false
  end
  local fence = redis.call('GET', key)
  local suffix = ':' .. epoch .. ':' .. own_replid()
  return fence == 'open' .. suffix or fence == 'recovering' .. suffix
end

-- The users of a waiting room that claims for them are in lists, '<prefix>:<n>' for this many tickets each. Those who
-- had their ticket before the room lost its data are in a hash, by ticket.
local QUEUE_PART = 128

local function restored_key(prefix)
  return prefix .. ':restored'
end

-- Removes the keys of coupons, of which each has nine from the first index on; the seventh is the waiting room, and the
-- last one the prefix of its users. UNLINK, because a ledger may be large.
local function unlink_coupons(keys, first)
  for i = first, #keys, 9 do
    local room = redis.call('HMGET', keys[i + 6], 'last', 'claims')
    if room[2] == '1' then
      for part = 0, math.floor((room[1] - 1) / QUEUE_PART) do
        redis.call('UNLINK', keys[i + 8] .. ':' .. part)
      end
      redis.call('UNLINK', restored_key(keys[i + 8]))
    end
    redis.call('UNLINK', unpack(keys, i, i + 7))
  end
end

-- Removes the ticket of a user, and the user from the queue of a room that claims.
local function forget_ticket(tickets, prefix, user)
  local ticket = redis.call('HGET', tickets, user)
  if ticket then
    redis.call('HDEL', tickets, user)
    local list, index = prefix .. ':' .. math.floor((ticket - 1) / QUEUE_PART), (ticket - 1) % QUEUE_PART
    if redis.call('LINDEX', list, index) == user then
      redis.call('LSET', list, index, '')
    end
    if redis.call('HGET', restored_key(prefix), ticket) == user then
      redis.call('HDEL', restored_key(prefix), ticket)
    end
  end
end

-- The words of a text that are separated by spaces.
local function words(text)
  local found = {}
  local n = 0
  for word in string.gmatch(text, '%S+') do
    n = n + 1
    found[n] = word
  end
  return found
end

