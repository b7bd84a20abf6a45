-- Reads the users of tickets of a waiting room that claims for its users.
--
-- KEYS  1 fence  2 stock  3 prefix of the queue
-- ARGV  1 epoch  2.. tickets; fast if successive ones are consecutive
-- reply {'FENCED'}; {'OK', user, ..}: for each ticket its user, or ''

if not takes_calls(KEYS[1], ARGV[1], redis.call('HGET', KEYS[2], 'ready')) then
  return FENCED
end
local reply = { 'OK' }
local restored = redis.call('EXISTS', restored_key(KEYS[3])) == 1
local i = 2
while i <= #ARGV do
  local first = tonumber(ARGV[i])
  local index = (first - 1) % QUEUE_PART
  local n = 1
  while i + n <= #ARGV and index + n < QUEUE_PART and tonumber(ARGV[i + n]) == first + n do
    n = n + 1
  end
  local part = KEYS[3] .. ':' .. math.floor((first - 1) / QUEUE_PART)
  local users = redis.call('LRANGE', part, index, index + n - 1)
  for k = 1, n do
    local user = users[k] or ''
    if user == '' and restored then
      user = redis.call('HGET', restored_key(KEYS[3]), ARGV[i + k - 1]) or ''
    end
    reply[i + k - 1] = user
  end
  i = i + n
end
return reply
