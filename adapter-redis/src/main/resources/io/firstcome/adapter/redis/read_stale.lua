-- Takes over log entries that were read and are not recorded after the given age, doubled with each read
-- up to eightfold. An entry whose read time is ahead by more than the age, because the clock was ahead
-- then, is taken over immediately.
--
-- KEYS  1 hand-off log
-- ARGV  1 consumer group  2 reader  3 age, ms  4 maximum entries  5 pending entry to begin at, '-' for
--       the first
-- reply {'OK', where to begin next time, {entry, ..}}

local PAGE, MOST_PAGES, MOST_DOUBLINGS = 100, 10, 3
-- Few, because the server returns read times only together with the content of the entries.
local MOST_AHEAD = 10
local age, most, start = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

if redis.call('EXISTS', KEYS[1]) == 0 then
  return { 'OK', '-', {} }
end

-- The value of a name in a reply of alternating names and values.
local function member(list, name)
  for i = 1, #list, 2 do
    if list[i] == name then
      return list[i + 1]
    end
  end
end

-- The first pending entries whose read time is ahead of now by more than the age. XPENDING cannot
-- distinguish them from entries that were read just now: it reports 0 ms of idle time for both.
local function read_ahead()
  local ahead = {}
  local time = redis.call('TIME')
  local latest = time[1] * 1000 + math.floor(time[2] / 1000) + age
  local stream = redis.call('XINFO', 'STREAM', KEYS[1], 'FULL', 'COUNT', MOST_AHEAD)
  for _, group in ipairs(member(stream, 'groups')) do
    if member(group, 'name') == ARGV[1] then
      for _, entry in ipairs(member(group, 'pending')) do
        if entry[3] > latest and #ahead < most then
          ahead[#ahead + 1] = entry[1]
        end
      end
    end
  end
  return ahead
end

local due = {}
for _, entry in ipairs(redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', MOST_AHEAD)) do
  if entry[3] == 0 then
    due = read_ahead()
    break
  end
end
for _ = 1, MOST_PAGES do
  local pending = redis.call('XPENDING', KEYS[1], ARGV[1], 'IDLE', age, start, '+', PAGE)
  for _, entry in ipairs(pending) do
    local id, idle, reads = entry[1], entry[3], entry[4]
    if #due < most then
      if idle >= age * 2 ^ math.min(reads - 1, MOST_DOUBLINGS) then
        due[#due + 1] = id
      end
      start = '(' .. id
    end
  end
  if #pending < PAGE and #due < most then
    start = '-'
    break
  end
  if #due >= most then
    break
  end
end
local entries = {}
if #due > 0 then
  entries = redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, unpack(due))
end
return { 'OK', start, entries }
