-- What every script begins with: reading the fence of a partition.
--
-- The fence is '<state>:<epoch>:<replid>'. The replication id is that of the run of the server which
-- set it; a restart, a promotion or a fail-back gives the server another one. INFO is the only command
-- that tells it. A replica has that of its master, and the fence too, but is no master: what it holds
-- may be old.

local FENCED = { 'FENCED' }

local function own_replid()
  return string.match(redis.call('INFO', 'replication'), 'role:master.-master_replid:(%x+)') or 'none'
end

local function fence_is(key, state, epoch)
  return redis.call('GET', key) == state .. ':' .. epoch .. ':' .. own_replid()
end

-- Whether a coupon that was made ready in the epoch `ready` takes calls of the epoch `epoch`. A stock of
-- an earlier epoch takes none, under an open fence either: no recovery has compared it with the database.
local function takes_calls(key, epoch, ready)
  if ready ~= epoch then
    return false
  end
  local fence = redis.call('GET', key)
  local suffix = ':' .. epoch .. ':' .. own_replid()
  return fence == 'open' .. suffix or fence == 'recovering' .. suffix
end

