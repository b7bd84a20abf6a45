-- The second part of the scripts of waiting rooms, after the prelude: reads a room, advances its number, and writes it.
--
-- A room is a hash with the fields
--   ready        the epoch in which it was opened
--   revision     of the coupon, whose terms the next six are
--   rate         places that are served in a second
--   paused       '1' if no place is served, else ''
--   admission    how long an admission lasts, in ms
--   joinsFrom    when users can join for the first time, in ms
--   draws        '1' if the order is drawn, else ''
--   claims       '1' if the room claims for its users, else ''
--   last         the last ticket that was given
--   tickets      no ticket above it is given; PostgreSQL has it or more
--   served       the last place that is served
--   reserve      the turn of no place above it comes; PostgreSQL has it or more
--   version      of tickets and reserve, each change has the next one; see RoomReserve of the domain
--   thousandths  how much of the next place is gained
--   since        when the number was advanced last, in ms of this server's clock
--   counted      the time that has counted, in ms
--   marks        'end place end place ..': the last place that was served in each interval
--   gaps         'from to from to ..': places after from, up to to, of which most have no ticket
--   free         slots that could be claimed when it was advanced last, once each slot was allocated
--   offered      the last place that can be served for them
--   offeredAt    the time that had counted when free changed, or the slots were offered again
--   drawn        among how many tickets the order was drawn; missing before the draw
--   claimed      the last place whose user the room has claimed for
--
-- The users of a room that claims are in lists, '<queue>:<n>' for the tickets from 128 * n + 1 to 128 * (n + 1).
--
-- RoomProgress of the domain and the records in it say the same about the number.

local MAX_STEP, INTERVALS, GAP_SPEED, MAX_WAIT = 5000, 8, 10, 60000

local NUMBERS = { 'revision', 'rate', 'admission', 'joinsFrom', 'last', 'tickets', 'served', 'reserve', 'version', 'thousandths',
  'since', 'counted', 'claimed', 'free', 'offered', 'offeredAt' }
local TEXTS = { 'ready', 'paused', 'marks', 'gaps', 'draws', 'drawn', 'claims' }

-- The room, or nil if there is none that was opened in the epoch.
local function read_room(key, epoch)
  local room = {}
  local texts = redis.call('HMGET', key, unpack(TEXTS))
  for i, name in ipairs(TEXTS) do
    room[name] = texts[i]
  end
  if room.ready ~= epoch then
    return nil
  end
  local numbers = redis.call('HMGET', key, unpack(NUMBERS))
  for i, name in ipairs(NUMBERS) do
    room[name] = tonumber(numbers[i])
  end
  return room
end

-- What a room needs of the stock of its coupon; now by this server's clock.
local function read_stock(stock_key, returned_key, log_key, log_cap, now)
  local has = redis.call('HMGET', stock_key, 'ready', 'status', 'total', 'next', 'opensAt', 'closesAt', 'lease',
    'frozen', 'revision')
  local stock = { ready = has[1], status = has[2], total = tonumber(has[3]), next = tonumber(has[4]),
    opens_at = tonumber(has[5]), closes_at = tonumber(has[6]), lease = has[7], frozen = has[8],
    revision = tonumber(has[9]) }
  if stock.ready then
    stock.ended = stock.status == 'CLOSED' or now >= stock.closes_at
    stock.free = math.max(0, stock.total - stock.next + 1) + redis.call('ZCARD', returned_key)
    -- Slots that are withheld can be claimed by nobody yet (see lease.lua).
    stock.claimable = stock.lease and 0 or stock.free
    stock.accepts = stock.status == 'ACTIVE' and now >= stock.opens_at and now < stock.closes_at
      and not stock.frozen and redis.call('XLEN', log_key) < log_cap
  end
  return stock
end

-- Notes the last place that was served in the present interval, and forgets intervals whose admissions are over.
local function mark(room)
  local marks = words(room.marks)
  local n = #marks
  if room.served <= (n > 0 and tonumber(marks[n]) or 0) then
    return
  end
  local interval = room.admission / INTERVALS
  local ends = string.format('%d', (math.floor(room.counted / interval) + 1) * interval)
  if n > 0 and marks[n - 1] == ends then
    n = n - 2
  end
  marks[n + 1], marks[n + 2] = ends, string.format('%d', room.served)
  n = n + 2
  local first = 1
  -- The newest mark of those whose admissions are over stays: places before it have none.
  while first + 2 < n and tonumber(marks[first + 2]) + room.admission <= room.counted do
    first = first + 2
  end
  room.marks = table.concat(marks, ' ', first, n)
end

-- Advances the number to the time now. It stands still while nobody could claim.
local function advance(room, stock, now)
  local since = room.since
  room.since = now
  if not stock.accepts or (room.draws == '1' and not room.drawn) then
    return
  end
  local millis = math.max(0, math.min(now - since, MAX_STEP))
  local rate = room.paused == '1' and 0 or room.rate
  local limit = math.min(room.last, room.reserve)
  if room.claims ~= '1' and stock.next > stock.total then
    local free, before = stock.claimable, room.free
    local over = free > 0 and room.counted - room.offeredAt >= math.min(room.admission, MAX_WAIT)
    if free > before or free == before and over then
      room.offered = math.max(room.offered, room.served) + (free > before and free - before or free)
    end
    if free ~= before or over then
      room.free, room.offeredAt = free, room.counted
    end
    limit = math.min(limit, room.offered)
  end
  local gaps = words(room.gaps)
  local from, to = tonumber(gaps[1]), tonumber(gaps[2])
  if from and room.served < from then
    limit = math.min(limit, from)
  elseif from then
    limit = math.min(limit, to)
    rate = rate * GAP_SPEED
  end
  if room.claims == '1' then
    -- Not every place has a user, so some more are served than there are slots.
    limit = math.min(limit, room.claimed + (stock.claimable > 0 and math.max(stock.claimable, rate) or 0))
  end
  room.counted = room.counted + millis
  local gained = room.thousandths + millis * rate
  local reached = room.served + math.floor(gained / 1000)
  if reached >= limit then
    room.served, room.thousandths = math.max(room.served, limit), 0
  else
    room.served, room.thousandths = reached, gained % 1000
  end
  if to and room.served >= to then
    room.gaps = table.concat(gaps, ' ', 3)
  end
  mark(room)
end

-- Whether the turn of a ticket has come and the admission is over. This script does not know the place of a ticket
-- that was drawn: it counts as the last one of the draw.
local function is_missed(room, ticket)
  local drawn = tonumber(room.drawn)
  local place = drawn and math.max(ticket, drawn) or ticket
  if place > (room.claims == '1' and room.claimed or room.served) then
    return false
  end
  local marks = words(room.marks)
  for i = 2, #marks, 2 do
    if place <= tonumber(marks[i]) then
      return tonumber(marks[i - 1]) + room.admission <= room.counted
    end
  end
  return false
end

local function write_room(key, room)
  local pairs_of_room = {}
  for _, name in ipairs(NUMBERS) do
    table.insert(pairs_of_room, name)
    table.insert(pairs_of_room, string.format('%d', room[name]))
  end
  for _, name in ipairs({ 'paused', 'draws', 'claims', 'marks', 'gaps' }) do
    table.insert(pairs_of_room, name)
    table.insert(pairs_of_room, room[name])
  end
  redis.call('HSET', key, unpack(pairs_of_room))
end

local function milliseconds()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
