"""The product on AWS: the Lambda functions, and what they share.

The handler of a function has its name: `host-import` is `jobs.host_import`. A folder with the name
of a desk has the functions of that desk alone. The modules here have functions that serve several
desks: `console`; `facts`, `delivery`, `timers`, `jobs` (work after a commit); `outbox`,
`schedules`, `sweep` (delivery of that work); `incoming_mail`, `incoming_sms`, `drive_sync`,
`calendar_sync`.
A function imports only what it uses, for short cold starts.
"""

import gc

from frontdesk.time_zones import use_newest_time_zones

# Modules are never unloaded. Collecting garbage during imports took a tenth of every cold start,
# and a request leaves little behind, so collections are rare. The largest function has 120,000
# objects after its imports.
gc.set_threshold(250_000, 20, 100)

use_newest_time_zones()
