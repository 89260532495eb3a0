"""What every part of a record has in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A frozen piece of a record. Unknown keys are refused unless a part says otherwise."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
