-- Signs a new person up with every POST; with a page, each person opens it first.
local number = 0
local prefix, fields, page
local headers = { ["Content-Type"] = "application/x-www-form-urlencoded" }

function init(args)
    prefix, fields, page = args[1], args[2], args[3]
end

function request()
    number = number + 1
    if page and number % 2 == 1 then
        return wrk.format("GET", page)
    end
    local email = prefix .. number .. "%40example.org"
    return wrk.format("POST", nil, headers, "name=Ann+Guest&email=" .. email .. fields)
end

function done(summary, latency)
    local failed = summary.errors
    io.write(string.format(
        "\nmeasured %d %d %d %d %d\n",
        summary.requests, summary.duration,
        latency:percentile(50), latency:percentile(99),
        failed.connect + failed.read + failed.write + failed.status + failed.timeout
    ))
end
