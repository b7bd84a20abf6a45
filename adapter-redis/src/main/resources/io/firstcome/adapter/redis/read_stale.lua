-- Takes over entries of the log that were read and are still there when they should be recorded: after
-- the given age, doubled with each time they were read.
--
-- KEYS  1 hand-off log
-- ARGV  1 reader group  2 reader  3 age, ms  4 most entries  5 pending entry to begin at, '-' for the
--       first
-- reply {'OK', where to begin next time, {entry, ..}}

local PAGE, MOST_PAGES, MOST_DOUBLINGS = 100, 10, 3
local age, most, start = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

if redis.call('EXISTS', KEYS[1]) == 0 then
  return { 'OK', '-', {} }
end
local due = {}
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
