"""Syncs a desk's table with a spreadsheet that staff edit, both ways, with versions.

A desk passes a `SheetTable`: its rows, a `Schema` (the columns with their headings and parsers, its
own checks, and the commands to add, edit and remove a row) and the sentences for refusals. The
columns for name, mobile, e-mail, id and status are defined here.

It gets a `SheetSync`, which reads the sheet (a CSV or Excel file, or a Google Sheet), matches its
rows, runs the desk's commands for the changes of staff, writes the changes on our side, and keeps a
version each time, which it can restore. If many rows vanish at once it stops and asks staff.
Without a sheet the built-in table has versions as well. The stores keep versions in the table
`<desk>_version` (`store/*/sheet_versions.py`).
"""
