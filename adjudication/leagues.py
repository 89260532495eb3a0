"""The leagues that can be judged. A fifth one is one more line here, its module and its clauses."""

from __future__ import annotations

from typing import Final

from adjudication.ipl import Ipl
from adjudication.napa import Napa
from adjudication.rulebook import RuleBook
from adjudication.upa import Upa
from adjudication.upl import Upl

BOOKS: Final[dict[str, type[RuleBook]]] = {book.name: book for book in (Upa, Upl, Napa, Ipl)}
