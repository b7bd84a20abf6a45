-- Removes entries of the log whose claims are recorded. An entry with the same id but of another epoch is a
-- different one and stays.
--
-- KEYS  1 hand-off log
-- ARGV  1 consumer group  2,3.. entry id, epoch
-- reply {'OK', entries removed}

local removed = 0
for i = 2, #ARGV, 2 do
  local id, epoch = ARGV[i], ARGV[i + 1]
  local entry = redis.call('XRANGE', KEYS[1], id, id)[1]
  if entry and entry[2][4] == epoch then
    redis.call('XACK', KEYS[1], ARGV[1], id)
    redis.call('XDEL', KEYS[1], id)
    removed = removed + 1
  end
end
return { 'OK', removed }
