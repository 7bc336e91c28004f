"""Connections that end: a client that stops in the middle of a request does not hold one forever."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS = 200
REQUEST_SECONDS = 10.0  # for a request to arrive whole, and for an answer to be taken


class PunctualProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, with a time limit for each request and a limit of open connections."""

    _deadline: asyncio.TimerHandle | None = None
    _unsent = 0  # bytes that the client had not taken when the clock was last looked at

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock, or turn the client away if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
            return
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_clock()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Start the clock for the next request."""
        super().on_response_complete()
        self._start_clock()

    def _start_clock(self) -> None:
        self._stop_clock()
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._end_if_late)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()

    def _end_if_late(self) -> None:
        unsent, before = self.transport.get_write_buffer_size(), self._unsent
        self._unsent = unsent
        is_read = unsent != before
        if is_read or (self._is_being_answered() and not unsent):
            self._start_clock()
        else:
            self.transport.abort()

    def _is_being_answered(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.more_body and not cycle.response_complete
