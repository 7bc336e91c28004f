"""Peak memory of the graph, beyond the data and the result."""

import resource
import threading
import time
from pathlib import Path

from benchmarks.timing import clustered, uniform
from unflip.neighbors import ExactIndex

N, D, K = 80_000, 50, 100


def resident_megabytes():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


class Peak:
    """The largest resident size within the block, sampled every few milliseconds."""

    def __enter__(self):
        self.start = self.peak = resident_megabytes()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self):
        while not self._done.is_set():
            self.peak = max(self.peak, resident_megabytes())
            time.sleep(0.002)

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()


def main():
    ExactIndex(n_jobs=2).fit(uniform(6000, 20)).graph(5)
    X = clustered(N, D)
    with Peak() as watch:
        graph = ExactIndex(n_jobs=2).fit(X).graph(K)
    result = (graph.indices.nbytes + graph.distances.nbytes) / 2**20
    extra = watch.peak - watch.start - result
    print(f"graph of {N} x {D}, k = {K}: result {result:.0f} MB, extra at the peak {extra:.0f} MB")


if __name__ == "__main__":
    main()
