"""French words for days and times by their roles, folded, with variants between commas.

A role has values: `weekday` has 0 for Monday. The value of a word that has none is 0.
"""

from typing import Final

WORDS: Final = """
weekday:
  0 = lundi
  1 = mardi
  2 = mercredi
  3 = jeudi
  4 = vendredi
  5 = samedi
  6 = dimanche
shortday:
  0 = lun
  1 = mar
  2 = mer, merc
  3 = jeu
  4 = ven, vend
  5 = sam
  6 = dim
month:
  1 = janvier, janv
  2 = fevrier, fevr, fev
  4 = avril, avr
  5 = mai
  6 = juin
  7 = juillet, juil
  8 = aout
  9 = septembre
  10 = octobre, oct
  11 = novembre, nov
  12 = decembre, dec
shortmonth:
  1 = jan
  3 = mars
  9 = sept
relday:
  0 = aujourd hui, aujourdhui, ajd, auj, ce jour, le jour meme
  1 = demain, lendemain, le jour suivant, le jour d apres, le jour apres
  2 = apres demain, surlendemain
past:
  0 = hier, avant hier, avanthier
weaknow:
  0 = maintenant
now:
  0 = tout de suite, immediatement, a l instant, en ce moment, a ce moment, la maintenant
thereafter:
  1 = lendemain, le jour suivant, le jour d apres, le jour apres
  2 = surlendemain
unit:
  second = seconde, secondes
  minute = minute, minutes, min, mn
  hour = heure, heures, h
  day = jour, jours, journee, journees
  workday = jour ouvre, jours ouvres, jour ouvrable, jours ouvrables, jours de travail
  week = semaine, semaines
  halfmonth = quinzaine, quinzaines
  weekend = week end, week ends, weekend, weekends, we, fin de semaine
  month = mois
  quarter = trimestre, trimestres
  halfyear = semestre, semestres
  year = an, ans, annee, annees
season:
  spring = printemps
  summer = ete
  autumn = automne
  winter = hiver
next:
  soon = prochain, prochaine, prochains, prochaines, qui vient, qui viennent, a venir
  following = suivant, suivante, suivants, suivantes, d apres
this:
  0 = ce, cet, cette, ces, en cours, courant, courante, actuel, actuelle
last:
  -1 = dernier, derniere, derniers, dernieres
  -2 = avant dernier, avant derniere
gone:
  0 = dernier, derniere, derniers, dernieres, passe, passee, passes, passees, precedent,
      precedente, precedents, precedentes
after_next:
  2 = en quinze
newyear:
  0 = nouvelle annee
piece:
  begin = debut, tout debut, commencement, au debut, en debut, des le debut, tot en
  middle = mi, milieu, au milieu, en milieu, a la mi
  end = fin, toute fin, a la fin, en fin, tard en
  later = plus tard, plus tard dans, plus tard en
rest:
  0 = reste, restant
half:
  30 = demi, demie
halves:
  0 = moitie
quarter:
  15 = quart
of:
  0 = qui commence le, qui debute le, dans le courant de, dans le courant du, de, du, d, de la,
      de l, des, en, au, dans, dans la, dans le, pour, au mois de, pendant, en mois de
the:
  0 = le, la, les, l
in:
  0 = dans, d ici, en, au bout de, au bout d, d ici a, dans environ
in_after:
  0 = apres
within:
  0 = en moins de, en moins d, dans moins de, dans moins d, sous,
      dans un delai de, dans un delai d, dans les, au cours des,
      sous les, en l espace de, en l espace d, dans un intervalle de
during:
  0 = dans le courant de, dans le courant du, en, au, pendant, durant, courant, depuis, jusqu
      en, jusqu a, jusque, avant, apres, pour, de, d ici, des, le mois de, au mois de, au
      cours de, dans, a partir de
onthe:
  0 = le, du, au, jusqu au, avant le, apres le, pour le, des le, depuis le, d ici le, a partir
      du
at:
  0 = a, vers, vers les, jusqu a, sur les, aux alentours de, aux environs de
about:
  0 = environ, vers, autour de, aux alentours de, aux environs de, a peu pres,
      approximativement, a environ, exactement, precisement, plus ou moins, a peu pres a
ish:
  0 = pile, precises, precise, tapantes, environ, exactement
for:
  0 = pour, pendant, durant
from:
  0 = de, du, des, depuis, a partir de, a partir du, a compter de, a compter du
to:
  0 = a, au, jusqu a, jusqu au, jusque, jusqu
and:
  0 = et
or:
  0 = ou, soit
between:
  0 = entre, entre le, entre la, entre les
bound:
  0 = apres, avant, entre, jusqu a, des, a partir de, de, depuis, environ
minutes_past:
  0 = passe, passees de
minutes_to:
  0 = avant
plus:
  0 = et
minus:
  0 = moins
hence:
  0 = plus tard
ago:
  0 = auparavant
ago_before:
  0 = il y a, ya, y a
shift:
  1 = apres, des, a partir de, a partir du, a partir d, a compter d, a compter de, a compter
      du, suivant, apres le, apres la
  -1 = avant, avant le, avant la
beside:
  1 = apres, apres le, apres la, d apres, suivant, qui suit
  -1 = avant, avant le, avant la, precedant, qui precede
eve:
  -1 = veille de, veille du, veille d, jour d avant, jour avant
  -2 = avant veille de, avant veille du, avant veille d
  1 = lendemain de, lendemain du, lendemain d, jour d apres, jour apres
oclock:
  0 = heures, heure, h
am:
  0 = am, a m
pm:
  12 = pm, p m
noon:
  720 = midi
midnight:
  0 = minuit
zero:
  0 = zero
few:
  2 = une paire de, une couple de
  8 = une huitaine de
  10 = une dizaine de
  12 = une douzaine de
  20 = une vingtaine de
  3 = quelques, plusieurs
one:
  1 = un, une
all:
  0 = tout, toute, tout le, toute la, entier, entiere
week_number:
  0 = semaine, semaine numero, la semaine numero, semaine n, semaine no
closest:
  0 = le plus proche
noun:
  0 = personnes, personne, adultes, adulte, enfants, enfant, fois, pour cent, euros, metres,
      kilometres, km, couverts, places, billets, chambres, seances
label:
  0 = batiment, salle, chambre, etage, porte, numero, table, ligne, vol, quai
title:
  0 = m, mr, mme, mlle, monsieur, madame, dr
street:
  0 = rue, avenue, boulevard, bd, place, chemin, quai
spanword:
  15 = quart d heure
  45 = trois quarts d heure
more:
  0 = autres
word:
  0 = n importe quel jour, chaque jour, au plus tard, plus tard que, au plus tot, plus tot que,
      pas plus tard que, ou plus tard
unread:
  0 = meme heure, meme jour, meme semaine
"""
#: Frequent words: they tell the language of a text.
COMMON: Final = """
je tu il elle nous vous ils elles on est sont etait suis etre serai sera serons ai as a avons
avez ont ne pas mais avec sans sur sous que qui quand ou comment pourquoi mon ma mes ton ta tes
son sa ses notre votre leur me te se reviendrai retournerai partirai vais aller venir voir
rendez dos tres plus aussi si ce c j l d n s y du des une
"""
