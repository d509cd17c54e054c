"""Posts a desk's news in a Slack channel, updates or retracts it, and takes presses of its buttons.

A desk hands over a `News` (which facts are news, and which of them update an earlier message), a
`Message` for each kind (the blocks that it shows, and those once its subject is settled) and a
function for each button. It gets back jobs that survive a crash, messages that are posted once,
and a signed `/hooks/slack` that passes on each press. A store retracts a message about somebody
who is erased with `retract_job`.
"""
