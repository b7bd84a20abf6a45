-- Each request has a new user id: 36 characters that begin with the second argument.
-- The first argument is the method.
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

function init(arguments)
  prefix = arguments[2]
  if arguments[1] == "POST" then
    wrk.headers["Content-Length"] = "0"
  end
  wrk.headers["X-User-Id"] = "@"
  local text = wrk.format(arguments[1])
  local at = text:find("@", 1, true)
  -- Only the user id changes, so the rest of the request is formatted once.
  head = text:sub(1, at - 1) .. string.format("%s-%02d-", prefix, number)
  tail = text:sub(at + 1)
  digits = "%0" .. (36 - #prefix - 4) .. "d"
  count = 0
end

function request()
  count = count + 1
  return head .. digits:format(count) .. tail
end
