"""The product on AWS: one thin module for each function, and what they share."""

import gc

# Nothing that is imported goes again. To look through it for what might took a tenth of every cold
# start; a request leaves little behind, and is looked through as seldom.
gc.set_threshold(100_000, 20, 100)
