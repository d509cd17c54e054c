"""JSON text in columns."""

from __future__ import annotations

import msgspec

to_json = msgspec.json.Encoder(order="deterministic").encode
