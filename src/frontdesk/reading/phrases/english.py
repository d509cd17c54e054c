"""English words for days and times by their roles, folded, with variants between commas.

A role has values: `weekday` has 0 for Monday. The value of a word that has none is 0.
"""

from typing import Final

WORDS: Final = """
weekday:
  0 = monday
  1 = tuesday, tue, tues
  2 = wednesday, wed, weds, wensday, wendsday
  3 = thursday, thu, thur, thurs
  4 = friday, fri
  5 = saturday
  6 = sunday
shortday:
  0 = mon
  5 = sat
  6 = sun
month:
  1 = january
  2 = february, feb, febr
  7 = july, jul
  9 = september, sept, sep
  10 = october, oct
  11 = november, nov
  12 = december, dec
shortmonth:
  1 = jan
  3 = march, mar
  4 = april, apr
  5 = may
  6 = june, jun
  8 = august, aug
relday:
  0 = today, todays
  1 = following day, tomorrow, tomorrows, tmr, tmrw, tmw, 2moro, 2morrow, tomorow, tommorow,
      tommorrow
  2 = the day after tomorrow, day after tomorrow, overmorrow
past:
  0 = yesterday, the day before yesterday
now:
  0 = right now, just now, at this time, at the moment, at this moment, immediately, right
      away, straight away, this instant
weaknow:
  0 = now
thereafter:
  1 = day after, following day, day thereafter
unit:
  second = second, seconds, sec, secs
  minute = minute, minutes, min, mins
  hour = hour, hours, hr, hrs, h
  day = day, days
  workday = business day, business days, working day, working days, work day, work days,
      workday, workdays, weekdays
  week = week, weeks, wk, wks
  fortnight = fortnight, fortnights
  weekend = weekend, weekends, week end, wkend, wknd, w e
  month = month, months
  quarter = quarter, quarters, qtr
  halfyear = half year, semester
  year = year, years, yr, yrs, calendar year
season:
  spring = spring, springtime
  summer = summer, summertime
  autumn = autumn, fall
  winter = winter, wintertime
next:
  next = next
  coming = coming, upcoming, forthcoming, this coming, this upcoming
  following = following
this:
  0 = this, current
last:
  -1 = last, final
  -2 = second to last, second last, next to last, last but one, penultimate
gone:
  0 = past, previous, prior, last, preceding
newyear:
  0 = new year
piece:
  begin = beginning, start, early, early in, earlier, earlier in, very beginning
  middle = middle, mid, halfway through
  end = end, late, late in, very end, tail end
  later = later, later in, later on
rest:
  0 = rest, remainder
half:
  30 = half
halves:
  0 = half
offset:
  30 = half
quarter:
  15 = quarter
of:
  0 = that starts on, that begins on, starting on, beginning on, of, in, for, during
the:
  0 = the
in:
  0 = in
in_after:
  0 = after
within:
  0 = within, in less than, in under, inside of, in the course of, over the next
during:
  0 = in, during, throughout, for, by, from, until, till, before, after, since, over
on:
  0 = on, for, by, until, till, from, before, after, since
at:
  0 = at
about:
  0 = around, about, approximately, approx, roughly, circa, ca, near, close to, almost,
      nearly, exactly, precisely
ish:
  0 = ish, sharp, on the dot, prompt, or thereabouts, or so
for:
  0 = for, lasting
from:
  0 = from, since, commencing, starting, starting at, starting from, starting on, beginning,
      beginning on, beginning from, as of, as from, effective
to:
  0 = to, till, til, until, untill, through, thru, up to, up until, up to and including,
      to and including
and:
  0 = and, n
or:
  0 = or
between:
  0 = between, in between
bound:
  0 = after, past, before, by, until, till, til, from, since, between, to, than, around,
      about, approximately, approx, roughly, circa, ca
minutes_past:
  0 = past, after
minutes_to:
  0 = to, before, of, till, til, until
hence:
  0 = hence, out, time, later, s time
ago:
  0 = ago, back, earlier
shift:
  1 = after, from, following, on
  -1 = before, prior to
beside:
  1 = after, following
  -1 = before
eve:
  -1 = day before, eve of, night before, evening before
  1 = day after, day following
oclock:
  0 = o clock, oclock, h, hrs, hours
am:
  0 = am, a m
pm:
  12 = pm, p m
noon:
  720 = noon, midday, mid day, noontime, noonish
midnight:
  0 = midnight, mid night
zero:
  0 = oh, o, zero
few:
  2 = a couple, a couple of, couple, couple of
  3 = a few, few, several
one:
  1 = a, an, one
all:
  0 = all of, all, whole, entire
week_number:
  0 = week, calendar week, week number, wk, cw
closest:
  0 = closest, nearest
pieceunit:
  end month = eom, month end, months end
  end year = eoy, year end, years end
  end week = eow
  end quarter = eoq, quarter end
noun:
  0 = people, persons, person, guests, guest, adults, adult, kids, kid, children, child,
      times, percent, dollars, euros, pounds, of us, of them, of you, miles, km, meters,
      metres, floor, rooms, seats, tickets, sessions, treatments, star, stars, different, or
      more, other, others
label:
  0 = room, building, floor, gate, suite, platform, apartment, apt, number, nr, table, page,
      terminal, house, bus, line, flight
word:
  0 = any day, any time, or later, or earlier, no earlier than, not earlier than, no later than,
      not later than, later than, earlier than, may i, may we, may be, may have, may come, may you
onward:
  0 = onwards, onward
title:
  0 = mr, mrs, ms, dr
street:
  0 = street, st, road, rd, avenue, ave, lane, square, drive, place
more:
  0 = more, additional, further
st:
  0 = st, nd, rd, th
unread:
  0 = same time, same day, same week
"""
#: Frequent words: they tell the language of a text.
COMMON: Final = """
i you he she we they it is are was were be been have has had do does did will would shall
should can could not but with without this that these those there here what when where which
who how why my your his her our their me him us them let est pst cst edt utc meet meeting back go
come leave see
schedule remind set call show about up out if so as than then all also only just some any more
most
"""
