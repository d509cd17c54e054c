"""Lists texts of the interpreter and its libraries that no person should have to read."""

import re

RAW = re.compile(
    r"Traceback|Errno|\bNone\b|Error\(|\w[a-z]Error\b|\w[a-z]Exception\b|codec|isoformat|strptime"
    r"|Invalid|invalid (int|float|literal)|out of range|must be in|not in (list|range|enum)|<class"
    r"|0x[0-9a-f]{4}|object has no|<stream|unicode string|stream end|Expected `|unconverted data"
    r"|does not match format|month must be|day is out|not a database"
    r"|unable to open|disk I/O|could not convert"
)
