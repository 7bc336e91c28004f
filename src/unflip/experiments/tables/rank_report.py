"""The rank report: Friedman's test, Nemenyi's critical difference, and Wilcoxon's tests with Holm's correction."""

from __future__ import annotations

from collections.abc import Iterator

from unflip.experiments.plan.jobs import Experiment
from unflip.experiments.statistics.comparison import OURS
from unflip.experiments.statistics.method_ranks import MethodRanks
from unflip.experiments.statistics.ranking import compare_with_control, friedman_test
from unflip.experiments.tables.markup import pipe_row


def rank_report(ranks: MethodRanks, experiment: Experiment) -> str:
    """Return the rank report in Markdown.

    Parameters
    ----------
    ranks : MethodRanks
        As returned by `method_ranks`.
    experiment : Experiment
        The experiment, for the description of its protocol.

    Returns
    -------
    text : str
        The tests and a table of ranks, or one sentence if there are too few results to rank.
    """
    n_data, n_methods = ranks.scores.shape
    excluded = f" Excluded because some method has no result: {', '.join(ranks.excluded)}." if ranks.excluded else ""
    if not ranks.enough:
        return f"Too few results to rank: {n_data} data sets have results of all {n_methods} methods.{excluded}\n"
    return "\n".join([*_tests(ranks, experiment, excluded), "", *_rows(ranks)]) + "\n"


def _tests(ranks: MethodRanks, experiment: Experiment, excluded: str) -> Iterator[str]:
    n_data, n_methods = ranks.scores.shape
    test = friedman_test(ranks.values)
    yield (
        f"Ranks of {n_methods} methods over {n_data} data sets by mean accuracy over the three noise levels "
        f"({experiment.description}); 1 is best.{excluded}"
    )
    yield ""
    yield (
        f"- Friedman's test of any difference: chi-square {test.chi_square:.2f} with {n_methods - 1} degrees of "
        f"freedom, p = {test.p_value:.2g}; Iman and Davenport's F = {test.f:.2f}, p = {test.f_p_value:.2g}."
    )
    yield (
        f"- Nemenyi's critical difference at 95 %: {ranks.critical_difference:.2f}. Two methods differ if their "
        "average ranks are at least that far apart; in the figure (ranks.svg) a bar joins methods that do not differ."
    )
    yield (
        f"- Wilcoxon's signed-rank test of {OURS} against each other method over the data sets, p-values adjusted by "
        "Holm's method: last columns."
    )


def _rows(ranks: MethodRanks) -> Iterator[str]:
    names = ranks.methods
    comparisons = {names[found.method]: found for found in compare_with_control(ranks.values, names.index(OURS))}
    yield pipe_row(("method", "average rank", f"p against {OURS}, adjusted", f"{OURS} is"))
    yield pipe_row((":---", "---:", "---:", ":---"))
    words = {"win": "better", "tie": "not different", "loss": "worse"}
    for rank, name in sorted(zip(ranks.average.tolist(), names, strict=True)):
        found = comparisons.get(name)
        yield f"| {name} | {rank:.2f} | " + (
            f"{found.adjusted_p_value:.2g} | {words[found.verdict]} |" if found else " | |"
        )
