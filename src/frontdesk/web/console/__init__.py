"""The console kit: the shell around every page, lists, forms, questions, timelines."""
