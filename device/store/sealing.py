"""Records sealed anew when something was added to them."""

from __future__ import annotations

from collections.abc import Callable

from device.keys import KeyStore, KeyStoreError
from record.rack import RackRecord
from record.seal import sealed_by


def resealing(keys: KeyStore, now: Callable[[], float]) -> Callable[[RackRecord], RackRecord]:
    """Seal a record with the device's key, where it has one."""
    seal = sealed_by(keys.private, now)

    def attempt(record: RackRecord) -> RackRecord:
        try:
            return seal(record)
        except KeyStoreError:
            return record

    return attempt
