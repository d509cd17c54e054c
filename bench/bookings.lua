-- Books a time for a new person with every form. The step says what wrk sends:
--   page    opens the booking page
--   choose  holds a time
--   book    books a time that nobody holds
--   visit   does everything that a person does: page, hold, form, booking
-- The file has a line for each time that can be booked: the instant, a space, the staff member.
local headers = { ["Content-Type"] = "application/x-www-form-urlencoded" }
local times, waiting = {}, {}
local people = 0
local prefix, step, page
local client
used = 0 -- How many times of the file were sent. It is global because `done` reads it.

local function next_time()
    used = used + 1
    if used > #times then error("no time is left to book: bench.booking_product needs more days") end
    local at, staff = times[used]:match("(%S+) (%S+)")
    return "service=Haircut&at=" .. at:gsub(":", "%%3A") .. "&slot=" .. staff
end

local function person()
    people = people + 1
    local id = prefix .. people
    return "&name=Ann+Guest&contact=" .. id .. "%40example.org&once=" .. id
end

local function choose()
    return wrk.format("POST", "/book/choose", headers, next_time())
end

local function hidden(body, name)
    local value = body:match('name="' .. name .. '" value="([^"]*)"')
    return value and "&" .. name .. "=" .. value:gsub(":", "%%3A")
end

-- The answer to one step of a visit says what comes next; any connection may send it.
local function follow(status, sent, body)
    local location = sent["location"] or sent["Location"]
    local hold = status == 200 and hidden(body, "hold")
    if hold then
        local chosen = "service=Haircut" .. hidden(body, "at") .. hold .. (hidden(body, "slot") or "")
        waiting[#waiting + 1] = wrk.format("POST", "/book", headers, chosen .. person())
    elseif status == 200 then
        waiting[#waiting + 1] = choose()
    elseif location and location:find("hold=", 1, true) then
        waiting[#waiting + 1] = wrk.format("GET", location)
    end
end

function setup(thread)
    client = thread
end

function init(args)
    prefix, step, page = args[1], args[2], args[3]
    for line in io.lines(args[4]) do times[#times + 1] = line end
    used = tonumber(args[5])
    if step == "visit" then response = follow end
end

function request()
    if step == "page" then return wrk.format("GET", page) end
    if step == "choose" then return choose() end
    if step == "book" then return wrk.format("POST", "/book", headers, next_time() .. person()) end
    return table.remove(waiting) or wrk.format("GET", page)
end

function done(summary, latency)
    local failed = summary.errors
    io.write(string.format(
        "\nmeasured %d %d %d %d %d\n",
        summary.requests, summary.duration,
        latency:percentile(50), latency:percentile(99),
        failed.connect + failed.read + failed.write + failed.status + failed.timeout
    ))
    io.write(string.format("used %d\n", client:get("used")))
end
