"""The share of a file that is read, told while somebody reads it."""

from __future__ import annotations

import io
from collections.abc import Callable

ShareDone = Callable[[float], None]  # called from time to time with the share that is done


def tell_nobody(share: float) -> None:
    """Take a share, and do nothing.

    Parameters
    ----------
    share : float
        From 0 to 1.
    """


class WatchedBytes(io.BytesIO):
    """A file of bytes that tells how much of it was read.

    Parameters
    ----------
    content : bytes
        The bytes; they are not copied.
    progress : callable
        Called with the share that was read before each reading.

    Examples
    --------
    >>> file = WatchedBytes(b"abcd", print)
    >>> file.read(3), file.read(3)
    0.0
    0.75
    (b'abc', b'd')
    """

    def __init__(self, content: bytes, progress: ShareDone):
        super().__init__(content)
        self._n_bytes = max(1, len(content))
        self._progress = progress

    def read(self, size: int | None = -1, /) -> bytes:
        """Read bytes, all that are left by default."""
        self._progress(self.tell() / self._n_bytes)
        return super().read(size)

    def read1(self, size: int | None = -1, /) -> bytes:
        """Do the same: every reader calls one of the two."""
        self._progress(self.tell() / self._n_bytes)
        return super().read1(size)
