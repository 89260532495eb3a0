"""the state of a rack's file when it was put in the index; indexes over the few shots that people look for"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


RARE = {
    "ix_shots_flagged": "needs_review = 1 OR protested = 1",
    "ix_shots_reviewed": "reviewed IS 1",
    "ix_shots_overridden": "overridden IS 1",
}


def upgrade() -> None:
    op.add_column("racks", sa.Column("stamp", sa.String(), nullable=False, server_default=""))
    op.drop_index("ix_shots_review", "shots")
    for name, condition in RARE.items():
        op.create_index(name, "shots", ["started", "rack", "number"], sqlite_where=sa.text(condition))


def downgrade() -> None:
    for name in RARE:
        op.drop_index(name, "shots")
    op.create_index("ix_shots_review", "shots", ["needs_review", "reviewed", "started"])
    op.drop_column("racks", "stamp")
