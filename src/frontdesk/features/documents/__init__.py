"""Documents that staff edit: in the console, in a file or a bucket, or in Google Docs.

A desk passes a `DocumentDesk` (the names of its documents, the built-in text of each, and the
commands that take a text) and a `DocumentDecisions` (the facts that it states). Its own decision
parses a text and says what follows when it is accepted. For the console it passes a `DocumentPage`
for each document, with a function that shows how the text was understood.

It gets `Documents`, which syncs store and files: the last good text stays in force while a newer
one cannot be understood, an older file never replaces a text that was saved in the console, and
staff are told of a document that cannot be read. It also gets the pages: edit, preview, save,
earlier versions.
"""
