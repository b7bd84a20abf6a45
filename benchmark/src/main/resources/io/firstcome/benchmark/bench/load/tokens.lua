-- POST requests, each with the next token of a file that has one in each line. The first argument is the file.
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

function init(arguments)
  wrk.headers["Content-Length"] = "0"
  requests = {}
  local line = 0
  for token in io.lines(arguments[1]) do
    line = line + 1
    if line % 2 == number % 2 then
      wrk.headers["Authorization"] = "Bearer " .. token
      requests[#requests + 1] = wrk.format("POST")
    end
  end
  sent = 0
end

function request()
  sent = sent + 1
  return requests[1 + sent % #requests]
end
