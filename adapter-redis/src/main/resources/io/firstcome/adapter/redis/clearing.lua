-- Reads the progress of clearing the archived coupons of an open partition.
--
-- KEYS  1 fence  2 clearing
-- ARGV  1 epoch
-- reply {'FENCED'}; {'OK'}: all are cleared; {'OK', id of the last one cleared, '' before the first}

if not fence_is(KEYS[1], 'open', ARGV[1]) then
  return FENCED
end
local last = redis.call('GET', KEYS[2])
if not last then
  return { 'OK' }
end
return { 'OK', last }
