"""Ranks of all methods over data sets: Friedman's test, Nemenyi's critical difference, Wilcoxon's tests with Holm."""

from __future__ import annotations

from unflip.experiments.figures.critical_difference import draw_critical_difference
from unflip.experiments.statistics.comparison import OURS
from unflip.experiments.statistics.ranking import (
    average_ranks,
    compare_with_control,
    friedman_test,
    nemenyi_critical_difference,
)

FEWEST = 3  # data sets and methods below which ranks say nothing


def scores_of_all(compared):
    """Return the mean accuracy over noises, a row for each data set on which every method has all noises.

    Parameters
    ----------
    compared : DataFrame
        As `comparison` gives it.

    Returns
    -------
    scores : DataFrame
        Data sets by methods.
    left_out : list of str
        Data sets on which some method has no result.
    """
    methods = list(dict.fromkeys(compared["method"]))
    data = list(dict.fromkeys(compared["data"]))
    means = compared.groupby(["data", "method"])["mean"].agg(lambda noises: noises.mean(skipna=False))
    scores = means.unstack().reindex(index=data, columns=methods).dropna()
    return scores, [name for name in data if name not in scores.index]


def rank_report(compared, experiment):
    """Return the report in Markdown and its picture; the picture is None where there is too little to rank.

    Parameters
    ----------
    compared : DataFrame
        As `comparison` gives it.
    experiment : Experiment
        What was asked for.
    """
    scores, left_out = scores_of_all(compared)
    n_data, n_methods = scores.shape
    omitted = f" Left out, because some method has no result there: {', '.join(left_out)}." if left_out else ""
    if n_data < FEWEST or n_methods < FEWEST or OURS not in scores:
        return f"Too little to rank: {n_data} data sets with results of all {n_methods} methods.{omitted}\n", None
    values, names = scores.to_numpy().round(6), list(scores)
    ranks, critical = average_ranks(values), nemenyi_critical_difference(n_methods, n_data)
    lines = [*_tests(values, n_methods, n_data, critical, experiment, omitted), "", *_rows(values, names, ranks)]
    picture = draw_critical_difference(ranks, names=names, critical_difference=critical)
    return "\n".join(lines) + "\n", picture


def _tests(values, n_methods, n_data, critical, experiment, omitted):
    test = friedman_test(values)
    return [
        f"Ranks of {n_methods} methods over {n_data} data sets by mean accuracy over the three noises "
        f"({experiment.in_words}); 1 is best.{omitted}",
        "",
        f"- Friedman's test, whether any method differs: chi-square {test.chi_square:.2f} with {n_methods - 1} degrees "
        f"of freedom, p = {test.p_value:.2g}; in the form of Iman and Davenport F = {test.f:.2f}, "
        f"p = {test.f_p_value:.2g}.",
        f"- Nemenyi's critical difference at 95 %: {critical:.2f}. Two methods differ if their average ranks are that "
        "far apart; in the picture (ranks.svg) a bar joins those that do not differ.",
        f"- Wilcoxon's signed-rank test of {OURS} against each other method over the data sets, p-values adjusted by "
        "Holm for their number: last columns.",
    ]


def _rows(values, names, ranks):
    found = {names[one.method]: one for one in compare_with_control(values, names.index(OURS))}
    yield f"| method | average rank | p against {OURS}, adjusted | {OURS} is |"
    yield "| :--- | ---: | ---: | :--- |"
    words = {"win": "better", "tie": "not different", "loss": "worse"}
    for rank, name in sorted(zip(ranks.tolist(), names, strict=True)):
        one = found.get(name)
        yield f"| {name} | {rank:.2f} | " + (f"{one.adjusted_p_value:.2g} | {words[one.verdict]} |" if one else " | |")
