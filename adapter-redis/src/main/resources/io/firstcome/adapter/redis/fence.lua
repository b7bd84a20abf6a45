-- Reads the fence of a partition, and this server's clock.
--
-- KEYS  1 fence
-- ARGV  none
-- reply {'OK', milliseconds of this server's clock, state, epoch, 1 if set on this run of this server}
--       without the last three if the fence is missing

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fence = redis.call('GET', KEYS[1])
if not fence then
  return { 'OK', now }
end
local state, epoch, replid = string.match(fence, '^(%a+):(%d+):(%x+)$')
return { 'OK', now, state, epoch, replid == own_replid() and 1 or 0 }
