-- Deletes idle readers of the log, left behind by instances that ended. A reader with pending entries
-- stays, because the sweep would not find them after its deletion; the sweep takes them over first. A
-- deleted reader is created again by its next read.
--
-- KEYS  1 hand-off log
-- ARGV  1 consumer group  2 minimum idle time, ms
-- reply {'OK', readers deleted}

if redis.call('EXISTS', KEYS[1]) == 0 then
  return { 'OK', 0 }
end
local forgotten = 0
for _, reader in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local of = {}
  for i = 1, #reader, 2 do
    of[reader[i]] = reader[i + 1]
  end
  if of['pending'] == 0 and of['idle'] > tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], of['name'])
    forgotten = forgotten + 1
  end
end
return { 'OK', forgotten }
