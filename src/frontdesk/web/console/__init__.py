"""The console kit, for the pages of every desk.

- `shell`: access, the frame around each page, commands and flash messages;
- `lists`: a list page with filters, search, sorting, pages and files from a declaration;
- `forms`: a form page from a declaration, and the confirm page;
- `timeline`: a story as steps;
- `formatting`: states as chips, days and times.
"""
