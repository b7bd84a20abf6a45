-- Reads the terms that the stock of a coupon has.
--
-- KEYS  1 fence  2 stock
-- ARGV  1 epoch
-- reply {'FENCED'}; {'OK', revision, status, total, opensAt, closesAt, frozen or nil}

local has = redis.call('HMGET', KEYS[2], 'ready', 'revision', 'status', 'total', 'opensAt', 'closesAt', 'frozen')
if not takes_calls(KEYS[1], ARGV[1], has[1]) then
  return FENCED
end
return { 'OK', unpack(has, 2) }
