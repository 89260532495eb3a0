"""Lets people and machines in: sign-in with lock-out, sessions, one-time invitation, API tokens."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from device.web.doors.book import Account, Book, BookFile, Session, Token
from device.web.doors.roles import Role, role_named

SESSION_LIFE: Final = 14 * 86400.0
LOCK_AFTER: Final = 5
LOCK_FOR: Final = 900.0
SHORTEST: Final = 10
LONGEST: Final = 200
SCOPES: Final = ("read", "declare", "rule", "import")
"""What a token may do: read all, declare what the camera cannot see, rule and correct, import records."""


class RefusedError(Exception):
    """Not let in; the message is for the person and says nothing that helps a stranger."""


class LockedError(RefusedError):
    """Too many failures: the account is locked for a while."""


@dataclass(frozen=True)
class Person:
    """Who is asking: a signed-in person or a machine's token."""

    name: str
    role: Role
    csrf: str | None = None
    scopes: tuple[str, ...] = SCOPES
    machine: bool = False


class Doorkeeper:
    """Keeps the book. `now` is the wall clock in seconds, `secret` makes a fresh random word."""

    def __init__(
        self, file: BookFile, now: Callable[[], float], secret: Callable[[], str], hasher: PasswordHasher | None = None
    ) -> None:
        self._file, self._now, self._secret = file, now, secret
        self._hasher = hasher or PasswordHasher()
        self._nobody = self._hasher.hash(secret())

    @property
    def book(self) -> Book:
        return self._file.book

    @property
    def empty(self) -> bool:
        """Nobody has an account yet: the first start."""
        return not self.book.accounts

    def invite(self) -> str:
        """A one-time code with which the first operator makes an account; the one before it no longer works."""
        code = self._secret()
        self._file.change(lambda book: book.model_copy(update={"invitation": _hash(code)}))
        return code

    def found(self, code: str, name: str, password: str) -> Account:
        """Make the first operator.

        Raises:
            RefusedError: there is an operator already, or the code is not the last one given.
        """
        invitation = self.book.invitation
        if not self.empty or invitation is None or not hmac.compare_digest(invitation, _hash(code)):
            raise RefusedError("this code is not valid; start again to get a new one")
        account = self._made(name, password, Role.OPERATOR)
        self._file.change(lambda book: book.with_account(account).model_copy(update={"invitation": None}))
        return account

    def add(self, name: str, password: str, role: Role) -> Account:
        """Make an account.

        Raises:
            RefusedError: the name is taken, or the password too short.
        """
        if self.book.account(name) is not None:
            raise RefusedError(f"there is an account {name!r} already")
        account = self._made(name, password, role)
        self._file.change(lambda book: book.with_account(account))
        return account

    def remove(self, name: str) -> None:
        """Take an account away with its sessions and tokens.

        Raises:
            RefusedError: there is none, or it is the last operator's.
        """
        account = self.book.account(name)
        operators = [one for one in self.book.accounts if one.role == Role.OPERATOR.words]
        if account is None:
            raise RefusedError(f"there is no account {name!r}")
        if operators == [account]:
            raise RefusedError("the last operator's account cannot be removed")
        self._file.change(
            lambda book: book.model_copy(
                update={
                    "accounts": tuple(one for one in book.accounts if one.name != name),
                    "sessions": tuple(one for one in book.sessions if one.account != name),
                    "tokens": tuple(one for one in book.tokens if one.made_by != name),
                }
            )
        )

    def change_password(self, name: str, old: str, new: str) -> None:
        """Change one's own password; all sessions but new ones end.

        Raises:
            RefusedError: the old one is wrong, or the new one too short.
        """
        account = self._checked(name, old)
        changed = account.model_copy(update={"secret": self._hasher.hash(_long_enough(new))})
        self._file.change(lambda book: _without_sessions(book.with_account(changed), name))

    def sign_in(self, name: str, password: str) -> tuple[str, Session]:
        """A new session and its cookie's word.

        Raises:
            RefusedError: name or password are wrong. LockedError: too many failures.
        """
        account = self._checked(name, password)
        word, csrf = self._secret(), self._secret()
        session = Session(key=_hash(word), account=account.name, csrf=csrf, until=self._now() + SESSION_LIFE)

        def enter(book: Book) -> Book:
            alive = tuple(one for one in book.sessions if one.until > self._now())[-199:]
            return book.model_copy(update={"sessions": (*alive, session)})

        self._file.change(enter)
        return word, session

    def sign_out(self, word: str) -> None:
        key = _hash(word)
        self._file.change(
            lambda book: book.model_copy(update={"sessions": tuple(one for one in book.sessions if one.key != key)})
        )

    def by_session(self, word: str | None) -> Person | None:
        """Who holds a session's cookie; None where it is unknown or over."""
        if not word:
            return None
        key = _hash(word)
        session = next((one for one in self.book.sessions if hmac.compare_digest(one.key, key)), None)
        if session is None or session.until <= self._now():
            return None
        account = self.book.account(session.account)
        return None if account is None else Person(account.name, role_named(account.role), session.csrf)

    def make_token(
        self, name: str, role: Role, scopes: tuple[str, ...], made_by: str, until: float | None = None
    ) -> tuple[str, Token]:
        """A machine's token; its word is shown once.

        Raises:
            RefusedError: a scope that there is not.
        """
        unknown = [scope for scope in scopes if scope not in SCOPES]
        if unknown or not scopes:
            raise RefusedError(f"a token's scopes are some of {', '.join(SCOPES)}")
        word = self._secret()
        token = Token(
            id=_hash(word)[:12],
            key=_hash(word),
            name=name,
            role=role.words,
            scopes=scopes,
            made_by=made_by,
            until=until,
        )
        self._file.change(lambda book: book.model_copy(update={"tokens": (*book.tokens, token)}))
        return word, token

    def revoke(self, token: str) -> None:
        """Raises RefusedError where there is no such token."""
        if all(one.id != token for one in self.book.tokens):
            raise RefusedError("there is no such token")
        self._file.change(
            lambda book: book.model_copy(update={"tokens": tuple(one for one in book.tokens if one.id != token)})
        )

    def by_token(self, word: str) -> Person | None:
        """Whose token it is; None where it is unknown or over."""
        key = _hash(word)
        token = next((one for one in self.book.tokens if hmac.compare_digest(one.key, key)), None)
        if token is None or (token.until is not None and token.until <= self._now()):
            return None
        return Person(token.name, role_named(token.role), None, token.scopes, machine=True)

    def _made(self, name: str, password: str, role: Role) -> Account:
        told = name.strip()
        if not told or len(told) > 60 or not told.isprintable():
            raise RefusedError("a name has 1 to 60 printable characters")
        return Account(name=told, role=role.words, secret=self._hasher.hash(_long_enough(password)))

    def _checked(self, name: str, password: str) -> Account:
        """The account, if the password is right. Takes as long for a name that there is not."""
        account = self.book.account(name)
        if account is not None and account.locked_until > self._now():
            raise LockedError("too many failed attempts; try again in a quarter of an hour")
        right = self._matches(account.secret if account is not None else self._nobody, password[:LONGEST])
        if account is None:
            raise RefusedError("name or password are wrong")
        if not right:
            self._count_failure(account)
            raise RefusedError("name or password are wrong")
        if account.failures:
            cleared = account.model_copy(update={"failures": 0, "locked_until": 0.0})
            self._file.change(lambda book: book.with_account(cleared))
        return account

    def _matches(self, secret: str, password: str) -> bool:
        try:
            return self._hasher.verify(secret, password)
        except (Argon2Error, InvalidHashError):
            return False

    def _count_failure(self, account: Account) -> None:
        failures = account.failures + 1
        lock = self._now() + LOCK_FOR if failures >= LOCK_AFTER else 0.0
        failed = account.model_copy(
            update={"failures": 0 if lock else failures, "locked_until": lock or account.locked_until}
        )
        self._file.change(lambda book: book.with_account(failed))


def _hash(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


def _long_enough(password: str) -> str:
    if not SHORTEST <= len(password) <= LONGEST:
        raise RefusedError(f"a password has {SHORTEST} to {LONGEST} characters")
    return password


def _without_sessions(book: Book, name: str) -> Book:
    return book.model_copy(update={"sessions": tuple(one for one in book.sessions if one.account != name)})
