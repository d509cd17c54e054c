"""Posts a desk's news in a Slack channel, updates or retracts it, and takes presses of its buttons.

A desk passes a `News` (which facts are news, and which of them update an earlier message), a
`SlackMessage` for each kind (its blocks, and those after its subject is settled) and a function for
each button. It gets jobs that survive a crash, messages that are posted once, and a signed
`/hooks/slack` that passes on each press. A store retracts a message about an erased person with
`retract_job`.
"""
