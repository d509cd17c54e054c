"""Spanish words for days and times by their roles, folded, with variants between commas.

A role has values: `weekday` has 0 for Monday. The value of a word that has none is 0.
"""

from typing import Final

WORDS: Final = """
weekday:
  0 = lunes
  1 = martes
  2 = miercoles
  3 = jueves
  4 = viernes
  5 = sabado
  6 = domingo
shortday:
  0 = lun
  1 = mar
  2 = mie, mier
  3 = jue
  4 = vie
  5 = sab
  6 = dom
month:
  1 = enero, ene
  2 = febrero, feb
  3 = marzo
  4 = abril, abr
  5 = mayo, may
  6 = junio, jun
  7 = julio, jul
  8 = agosto, ago
  9 = septiembre, setiembre, sept, sep, set
  10 = octubre, oct
  11 = noviembre, nov
  12 = diciembre, dic
shortmonth:
  3 = mar
relday:
  0 = hoy, hoy mismo, hoy dia, el dia de hoy, hoy en dia
  1 = manana, manana mismo, el dia de manana, el dia siguiente, al dia siguiente
  2 = pasado manana, pasado el dia de manana
past:
  0 = ayer, anteayer, antes de ayer, antier
weaknow:
  0 = ahora, ya
now:
  0 = ahora mismo, ya mismo, en este momento, inmediatamente, enseguida, en seguida, de
      inmediato, ahorita
thereafter:
  1 = el dia siguiente, al dia siguiente, dia siguiente
unit:
  second = segundo, segundos
  minute = minuto, minutos, min
  hour = hora, horas, horita, h, hrs, hs
  day = dia, dias
  workday = dia laborable, dias laborables, dia habil, dias habiles, dia laboral, dias
      laborales, dia de trabajo, dias de trabajo
  week = semana, semanas
  halfmonth = quincena, quincenas
  weekend = fin de semana, fines de semana, finde, weekend, el finde
  month = mes, meses
  quarter = trimestre, trimestres
  halfyear = semestre, semestres
  year = ano, anos
season:
  spring = primavera
  summer = verano
  autumn = otono
  winter = invierno
next:
  soon = proximo, proxima, proximos, proximas, que viene, que vienen, entrante, entrantes, que
      entra, venidero, venidera
  coming = este proximo, esta proxima
  following = siguiente, siguientes, posterior
after_next:
  2 = subsiguiente, subsiguientes
this:
  0 = este, esta, estos, estas, este mismo, esta misma, actual, en curso, presente
last:
  -1 = ultimo, ultima, ultimos, ultimas, final
  -2 = penultimo, penultima
gone:
  0 = pasado, pasada, pasados, pasadas, anterior, anteriores, previo, previa, ultimo, ultima,
      ultimos, ultimas, que paso
newyear:
  0 = nuevo ano
piece:
  begin = principio, principios, comienzo, comienzos, inicio, inicios, primeros de, el
      principio, el comienzo, el inicio, comenzar, empezar, temprano en
  middle = mediados, mitad, medio, mediado
  end = final, finales, fin, fines, ultimos de, terminar, tarde en
  later = mas tarde, mas adelante, mas tarde en
rest:
  0 = resto, lo que queda, lo que resta
half:
  30 = media, medio
halves:
  0 = mitad
quarter:
  15 = cuarto
of:
  0 = que empieza el, que comienza el, de, del, de la, de los, en, en el, en la, d, para, por,
      dentro de
the:
  0 = el, la, los, las, lo
in:
  0 = en, dentro de, de aqui a, al cabo de, de aca a, de aqui en
in_after:
  0 = despues de, luego de, tras
within:
  0 = en menos de, en el plazo de, en un plazo de, antes de que pasen, a lo largo de, en el
      transcurso de
during:
  0 = en, durante, desde, hasta, antes de, despues de, para, a partir de, por, de, el, el mes
      de, en el mes de, para el
onthe:
  0 = el, del, al, para el, hasta el, desde el, antes del, despues del, a partir del
at:
  0 = a las, a la, las, la, a eso de las, a eso de la, sobre las, sobre la, hacia las, hacia
      la, para las, para la, de las, desde las, hasta las, desde la, hasta la, entre las,
      entre la, antes de las, despues de las, a partir de las, antes de la, despues de la, a
      partir de la, y las, alrededor de las, alrededor de la, cerca de las, pasadas las, como
      a las
about:
  0 = alrededor de, aproximadamente, cerca de, sobre, hacia, como, unas, exactamente,
      aproximadamente a las, aproximadamente las, a eso de
ish:
  0 = en punto, y pico, exactas, clavadas, exactamente, aproximadamente, mas o menos
for:
  0 = por, durante, con una duracion de
from:
  0 = de, del, desde, desde el, a partir de, a partir del, comenzando, empezando
to:
  0 = a, al, hasta, hasta el, hasta la, a la, a las, hasta las
and:
  0 = y, e
or:
  0 = o, u
between:
  0 = entre, entre el, entre las, entre la, entre los
bound:
  0 = entre, hasta, desde, antes de, despues de, a partir de, a
minutes_past:
  0 = pasadas, pasadas las, despues de las, despues del, despues de la
minutes_to:
  0 = para, para las, para la, antes de las, antes de la
plus:
  0 = y, con
plus_minutes:
  0 = y, con
minus:
  0 = menos
hence:
  0 = despues, mas tarde
ago:
  0 = atras
ago_before:
  0 = hace
shift:
  1 = despues de, despues del, luego de, luego del, tras, a partir de, a partir del, desde,
      despues de la, desde el
  -1 = antes de, antes del, previos a, antes de la
beside:
  1 = despues de, despues del, posterior a
  -1 = antes de, antes del, anterior a
eve:
  -1 = vispera de, la vispera de, dia antes de, dia antes del, dia anterior a, vispera del,
      visperas de
  1 = dia despues de, dia despues del, dia siguiente a, dia siguiente de
oclock:
  0 = horas, hora, h, hrs, hs
am:
  0 = am, a m
pm:
  12 = pm, p m
noon:
  720 = mediodia, medio dia, el mediodia, al mediodia
midnight:
  0 = medianoche, media noche
zero:
  0 = cero
few:
  2 = un par de, par de
  3 = unos, unas, unos pocos, unas pocas, pocos, pocas, varios, varias, algunos, algunas, unos
      cuantos, unas cuantas
one:
  1 = un, una
all:
  0 = todo, toda, todo el, toda la, entero, entera
week_number:
  0 = semana, semana numero, la semana numero, semana n, semana nº, semana num
day_number:
  0 = dia, dias
closest:
  0 = mas cercano, mas proximo
pieceunit:
  end year = fin de ano, fin del ano
  end month = fin de mes
noun:
  0 = personas, persona, adultos, adulto, ninos, nino, veces, por ciento, euros, euro, pesos,
      dolares, metros, kilometros, km, entradas, habitaciones, sesiones, plantas
label:
  0 = edificio, sala, habitacion, piso, puerta, numero, planta, mesa, linea, vuelo
onward:
  0 = en adelante
title:
  0 = sr, sra, srta, senor, senora, don, dona, dr, dra
street:
  0 = calle, avenida, plaza, paseo
spanword:
  15 = cuarto de hora
  45 = tres cuartos de hora
more:
  0 = mas
word:
  0 = cualquier dia, mas tarde de, mas tarde que, no mas tarde de, o mas tarde,
      a mas tardar, como muy tarde
unread:
  0 = misma hora, mismo dia, misma semana
"""
#: Frequent words: they tell the language of a text.
COMMON: Final = """
yo tu el ella nosotros ustedes ellos es son era ser soy esta estan estoy estare estar he ha han
hay sera no pero con sin sobre que cuando donde quien como por porque mi su sus tus nos me te
se lo le les volvere regresare saldre ire voy vamos ir ver nos reunion cita una unos muy mas
tambien solo ya si del al
"""
