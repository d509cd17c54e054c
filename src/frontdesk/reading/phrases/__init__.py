"""A grammar of days and times in four languages: words have roles, rules join them."""
