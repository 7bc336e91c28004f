"""The rank report names its tests and what it excludes."""

from experiments.made_up import ranked
from unflip.experiments.statistics.method_ranks import method_ranks
from unflip.experiments.tables.rank_report import rank_report


def test_the_report_names_its_three_tests():
    compared, experiment = ranked()
    report = rank_report(method_ranks(compared), experiment)
    assert "Friedman's test" in report
    assert "Iman and Davenport" in report
    assert "Nemenyi's critical difference at 95 %: 6.77" in report  # 3.164 sqrt(10 * 11 / 24), Demsar's Table 5
    assert "Wilcoxon" in report
    assert "Holm" in report
    lines = [line for line in report.splitlines() if line.startswith("| ")][2:]
    assert lines[0].startswith("| RkNN | 1.00 |")
    assert lines[-1].startswith("| method number 8 | 10.00 | ")


def test_verdicts_are_in_words_and_on_our_method():
    compared, experiment = ranked(n_data=12)  # p = 2 / 2**12 each, which nine comparisons make 9 times as much
    report = rank_report(method_ranks(compared), experiment)
    assert "| RkNN | 1.00 |  | |" in report
    assert "| method number 0 | 2.00 | 0.0044 | better |" in report


def test_excluded_data_sets_are_named():
    compared, experiment = ranked()
    compared.loc[5, "mean"] = None  # one noise of one method
    assert "Excluded because some method has no result: a." in rank_report(method_ranks(compared), experiment)


def test_too_few_results_to_rank_are_reported():
    compared, experiment = ranked()
    few = method_ranks(compared[compared["data"].isin(["a", "b"])])
    assert rank_report(few, experiment).startswith("Too few results to rank: 2 data sets")
