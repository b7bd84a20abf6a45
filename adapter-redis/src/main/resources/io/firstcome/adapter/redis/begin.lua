-- Fences a partition for recovery, and creates the consumer group of its log if it is missing. Creations in
-- an earlier epoch are fenced from then on, so the set of coupons removed in that epoch is deleted. The
-- server may have an older state that contains archived coupons, so their clearing starts again.
--
-- KEYS  1 fence  2 hand-off log  3 removed coupons  4 clearing
-- ARGV  1 epoch  2 consumer group
-- reply {'FENCED'} if the fence is at this epoch or a later one (a missing fence is at 0); {'OK'}

local fence = redis.call('GET', KEYS[1])
local epoch = fence and string.match(fence, ':(%d+):') or 0
if tonumber(epoch) >= tonumber(ARGV[1]) then
  return FENCED
end
local created = redis.pcall('XGROUP', 'CREATE', KEYS[2], ARGV[2], '0', 'MKSTREAM')
if created.err and not string.find(created.err, 'BUSYGROUP', 1, true) then
  return created
end
redis.call('UNLINK', KEYS[3])
redis.call('SET', KEYS[4], '')
redis.call('SET', KEYS[1], 'recovering:' .. ARGV[1] .. ':' .. own_replid())
return { 'OK' }
