-- Reads a part of a filter.
--
-- KEYS  1 fence  2 stock  3 filter
-- ARGV  1 epoch  2 the filter  3 offset  4 length of the part
-- reply {'FENCED'}; {'OK', part}, empty behind the end; {'OK'}: there is another filter

local has = redis.call('HMGET', KEYS[2], 'ready', 'filter')
if not takes_calls(KEYS[1], ARGV[1], has[1]) then
  return FENCED
end
if has[2] ~= ARGV[2] then
  return { 'OK' }
end
return { 'OK', redis.call('GETRANGE', KEYS[3], ARGV[3], ARGV[3] + ARGV[4] - 1) }
