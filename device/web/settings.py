"""How the pages are served."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, model_validator

from device.cameras.settings import Settings

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class WebSettings(Settings):
    """`host` beyond this machine needs a certificate, or `behind_proxy` where a proxy on this machine does the TLS.

    `names` are the host names under which the pages are asked for; others are refused (DNS rebinding).
    """

    host: str = "127.0.0.1"
    port: int = Field(default=8080, ge=1, le=65535)
    names: list[str] = Field(default_factory=list)
    certificate: Path | None = None
    certificate_key: Path | None = None
    behind_proxy: bool = False
    mask_outside_table: bool = True
    viewers: int = Field(default=64, ge=1, le=1000)

    @model_validator(mode="after")
    def _safe(self) -> WebSettings:
        if (self.certificate is None) != (self.certificate_key is None):
            raise ValueError("a certificate needs its key: set certificate and certificate_key")
        if self.host not in LOOPBACK and self.certificate is None:
            raise ValueError(
                f"pages on {self.host} can be seen from other machines, so they need TLS: set certificate and "
                'certificate_key, or keep host = "127.0.0.1" behind a proxy (deploy/Caddyfile)'
            )
        return self

    @property
    def secure(self) -> bool:
        """Browsers come over TLS."""
        return self.certificate is not None or self.behind_proxy
