"""The console kit, for the pages of every desk.

- `shell`: the frame around each page, who may see it, and what was just done;
- `lists`: a list page with filters, search, sorting, pages and files from a declaration;
- `forms`: a form page from a declaration, and the question before what cannot be undone;
- `timeline`: a story as steps;
- `formatting`: states as chips, days and times.
"""
