"""the state of a rack's file when it was put in the index"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("racks", sa.Column("stamp", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("racks", "stamp")
