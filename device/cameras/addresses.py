"""Addresses of network cameras without what must not be shown."""

from __future__ import annotations

import re
from typing import Final

_USER_INFO: Final = re.compile(r"(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]*://)[^/\s@'\"]*@")
_SECRET: Final = re.compile(r"(?i)([?&;](?:pass(?:word)?|pwd|token|key|secret|auth)=)[^&;\s'\"]*")


def without_password(text: str) -> str:
    """The text with user names and passwords in addresses replaced by `***`."""
    return _SECRET.sub(r"\1***", _USER_INFO.sub(r"\g<scheme>***@", text))
