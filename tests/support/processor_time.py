"""Limits of time that hold on a busy machine and in a large process, too."""

import time
from collections.abc import Callable

TRIES = 3


def takes_less_than(seconds: float, work: Callable[[], object]) -> bool:
    """Whether it needs less time of the processor in the best of a few tries.

    The collector of garbage may run meanwhile, and other work shares the processor: that only adds.
    """
    for _ in range(TRIES):
        began = time.process_time()
        work()
        if time.process_time() - began < seconds:
            return True
    return False
