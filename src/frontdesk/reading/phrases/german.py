"""German words for days and times by their roles, folded, with variants between commas.

A role has values: `weekday` has 0 for Monday. The value of a word that has none is 0.
"""

from typing import Final

WORDS: Final = """
weekday:
  0 = montag, montags
  1 = dienstag
  2 = mittwoch
  3 = donnerstag
  4 = freitag
  5 = samstag, sonnabend
  6 = sonntag
shortday:
  0 = mo
  1 = di
  2 = mi
  3 = do
  4 = fr
  5 = sa
  6 = so
month:
  1 = januar, janner
  2 = februar, feber, feb
  3 = marz, maerz, mrz
  4 = april, apr
  5 = mai
  6 = juni, jun
  7 = juli, jul
  8 = august, aug
  9 = september, sept, sep
  10 = oktober, okt
  11 = november, nov
  12 = dezember, dez
shortmonth:
  1 = jan
relday:
  0 = heute, heut, am selben tag
  1 = morgen, am nachsten tag, am folgenden tag, am tag darauf
  2 = ubermorgen, uebermorgen
  3 = uberubermorgen
past:
  0 = gestern, vorgestern
now:
  0 = jetzt gleich, gleich jetzt, jetzt sofort, sofort, gerade eben, in diesem moment, genau jetzt
weaknow:
  0 = jetzt
thereafter:
  1 = am nachsten tag, am folgenden tag, am tag darauf, am tag danach, tag danach, tag darauf
unit:
  second = sekunde, sekunden
  minute = minute, minuten, min
  hour = stunde, stunden, std, h
  day = tag, tage, tagen, tages
  workday = werktag, werktage, werktagen, arbeitstag, arbeitstage, arbeitstagen
  week = woche, wochen
  weekend = wochenende, wochenendes, wochenenden, we
  month = monat, monate, monaten, monats
  quarter = quartal, quartale, quartals, quartalen, vierteljahr
  halfmonth = monatshalfte
  halfyear = halbjahr, halbjahres, jahreshalfte
  year = jahr, jahre, jahren, jahres
season:
  spring = fruhling, fruhlings, fruhjahr, fruehling, fruehjahr
  summer = sommer, sommers
  autumn = herbst, herbstes
  winter = winter, winters
next:
  next = nachste, nachsten, nachster, nachstes, nachstem, naechste, naechsten, naechster,
      naechstes
  coming = kommende, kommenden, kommender, kommendes, kommendem, anstehende, anstehenden
  following = folgende, folgenden, folgender, folgendes, darauffolgende, darauffolgenden,
      darauf, drauf, danach
this:
  0 = diese, diesen, dieser, dieses, diesem, aktuelle, aktuellen, aktuelles, laufende,
      laufenden, laufendes
last:
  -1 = letzte, letzten, letzter, letztes, letztem
  -2 = vorletzte, vorletzten, vorletzter, vorletztes, vorletztem
gone:
  0 = letzte, letzten, letzter, letztes, letztem, vergangene, vergangenen, vergangener,
      vergangenes, vorige, vorigen, voriger, voriges, vorherige, vorherigen
after_next:
  2 = ubernachste, ubernachsten, ubernachster, ubernachstes, ubernachstem, uebernaechste,
      uebernaechsten, uebernaechstes
newyear:
  0 = neuen jahr, neues jahr, neuen jahres
piece:
  begin = fruh, anfang, beginn, anfangs, zu beginn, fruh im, fruhen, fruher
  middle = mitte
  end = ende, gegen ende, spat im, spaten
  later = spater, spater in
rest:
  0 = rest, restliche, restlichen, restlicher
half:
  30 = halb, halbe, halben, halber, halbes
halves:
  0 = halfte
offset:
  -30 = halb
  -15 = dreiviertel, drei viertel
  -45 = viertel
quarter:
  15 = viertel
decimal:
  1.5 = anderthalb, eineinhalb, einundeinhalb
  2.5 = zweieinhalb
  3.5 = dreieinhalb
  4.5 = viereinhalb
of:
  0 = im, in, in der, in dem, des, der, vom, von, von der, dieses, fur, am, zu
the:
  0 = der, die, das, dem, den, des
in_after:
  0 = nach
in:
  0 = in, in gut, in knapp, in spatestens, in fruhestens, heute in
within:
  0 = innerhalb, innerhalb von, innerhalb der, binnen, in weniger als, im laufe von, im laufe
      der
during:
  0 = ubers, uber das, uber, im, in, wahrend, ab, bis, nach, vor, seit, fur, bis im, bis zum,
      gegen, den
onthe:
  0 = am, des, den, dem, zum, vom, bis, bis zum, ab, ab dem, an, der, vor dem, nach dem, auf den,
      fur den
at:
  0 = um, gegen, so gegen, um etwa, um ca, um circa, um ungefahr, um genau, um punkt
about:
  0 = ungefahr, etwa, circa, ca, zirka, rund, so um, gegen, genau, punkt, punktlich, exakt
ish:
  0 = punktlich, genau, rum, herum
for:
  0 = fur, lang
from:
  0 = von, vom, ab, ab dem, ab der, seit, beginnend, beginnend am, beginnend mit dem
to:
  0 = bis, bis einschliesslich, bis einschließlich, bis inklusive, bis inkl, bis zum, bis zur,
      bis um, bis zu, zum, bis gegen
and:
  0 = und
or:
  0 = oder, bzw
between:
  0 = zwischen
bound:
  0 = nach, vor, ab, bis, von, zwischen, seit, etwa, ungefahr, circa, ca, als
minutes_past:
  0 = nach
minutes_to:
  0 = vor
hence:
  0 = spater
ago_before:
  0 = vor
shift:
  1 = nach, ab, von, nach dem, darauf, seit
  -1 = vor, vor dem
beside:
  1 = nach, nach dem
  -1 = vor, vor dem
eve:
  -1 = tag vor, vorabend, am tag vor, tag davor
  1 = tag nach, am tag nach
oclock:
  0 = uhr, h
noon:
  720 = mittag, mittags, zwolf uhr mittags, mittagszeit, zum mittag, zur mittagszeit
midnight:
  0 = mitternacht
zero:
  0 = null
few:
  3 = paar, ein paar, einige, einigen, wenigen, ein paar wenigen, mehreren, mehrere
one:
  1 = ein, eine, einer, einem, einen, eines
all:
  0 = ganze, ganzen, gesamte, gesamten, komplette, kompletten
week_number:
  0 = kw, kalenderwoche, woche, woche nummer
pieceunit:
  begin month = monatsanfang, monatsbeginn
  middle month = monatsmitte
  end month = monatsende
  begin year = jahresanfang, jahresbeginn
  middle year = jahresmitte
  end year = jahresende
  begin week = wochenanfang, wochenbeginn
  middle week = wochenmitte
  end week = wochenausklang
  end quarter = quartalsende
  begin quarter = quartalsanfang, quartalsbeginn
noun:
  0 = personen, person, leute, leuten, gaste, erwachsene, kinder, kind, mal, prozent, euro,
      euros, meter, kilometer, km, zimmer, tickets, karten, jahre alt, stuck
label:
  0 = raum, gebaude, zimmer, haus, nummer, nr, etage, stock, gleis, tisch, seite
word:
  0 = jeder tag, jeden tag, irgendein tag, erst, nur, spater als, fruher als, oder spater,
      oder fruher, spatestens,
      guten morgen, guten tag, guten abend, schonen tag, schonen abend, einen schonen tag,
      einen schonen abend
title:
  0 = herr, herrn, frau, dr
street:
  0 = strasse, straße, str, platz, gasse, weg
spanword:
  15 = viertelstunde, viertel stunde
  45 = dreiviertelstunde, drei viertel stunden, dreiviertel stunde
  30 = halbstunde
more:
  0 = weiteren, weitere
unread:
  0 = selben zeit, gleichen zeit, selbe zeit, gleiche zeit
"""
#: Frequent words: they tell the language of a text.
COMMON: Final = """
ich du er sie wir ihr es ist sind war waren sein bin bist habe hast hat haben hatte wird werde
werden wurde kann konnen muss soll nicht aber mit ohne auf aus bei durch gegen was wann wo wer
wie warum mein dein sein unser euer mich dich uns euch treffen gehe gehen komme kommen zuruck
weg da dann wenn als auch nur noch schon sehr mehr lass bitte zu zum zur ein eine einen dem des
"""
