"""Finding wrong labels against cleanlab's rankings over five models.

``python -m benchmarks.rankings [--quick] [--store FOLDER]`` prints Markdown: average precision, F1 of the flags, Brier
score of the probabilities, and the false-negative rate if exactly as many labels are flagged as are wrong. LabelAudit
meets three rankings of cleanlab by each of five models, SimiFeat, and the margin of an ensemble fitted in sample. Where
cleanlab's best is credited, it is the best in each cell, which nobody can know beforehand. Interrupted runs resume.
"""

import numpy as np
import pandas as pd
from sklearn.metrics import average_precision_score, f1_score

from benchmarks import cells, cleanlab_rivals
from benchmarks.other_rankings import SimiFeat, in_sample_probabilities, margin
from unflip import LabelAudit

RATES = ((0.1, 0.1), (0.1, 0.2), (0.3, 0.1), (0.05, 0.4), (0.4, 0.1), (0.4, 0.4))  # tau_plus, tau_minus
NOISES = [cells.noise_name(*rates) for rates in RATES]
CLASS_NOISES = ("uniform .1", "uniform .3", "to the next, .3")
QUICK, QUICK_CLASS_NOISES = ("(0.1, 0.2)", "(0.05, 0.4)"), ("uniform .3",)
BETTER = {"AP": 1, "F1": 1, "Brier": -1, "FNR": -1}  # -1: lower is better
OURS = "LabelAudit"


def scores(wrong, suspicion=None, flagged=None, p_wrong=None):
    """Return the measures of a ranking (high is suspect), of a set and of probabilities, whichever are given."""
    found = {}
    if suspicion is not None:
        n_wrong = np.count_nonzero(wrong)
        first = np.argsort(-suspicion, kind="stable")[:n_wrong]
        found |= {"AP": average_precision_score(wrong, suspicion), "FNR": 1 - wrong[first].mean()}
    if flagged is not None:
        found["F1"] = f1_score(wrong, flagged, zero_division=0)
    if p_wrong is not None:
        found["Brier"] = np.mean((p_wrong - wrong) ** 2)
    return found


def ways(cell):
    X, y = cells.sample(cell)
    labels = cells.flipped(cell, y)
    wrong = labels != y

    def ours():
        issues = LabelAudit(n_jobs=1).fit(X, labels).issues_
        p_wrong = issues["p_wrong"].to_numpy()
        return scores(wrong, p_wrong, issues["is_label_issue"], p_wrong)

    def by_cleanlab(model):
        found, probabilities = {}, cleanlab_rivals.out_of_sample(model, X, labels, cell.seed)
        for ranking in cleanlab_rivals.RANKINGS:
            quality = cleanlab_rivals.quality(labels, probabilities, ranking)
            found |= {f"{measure}, {ranking}": value for measure, value in scores(wrong, -quality).items()}
        p_wrong = 1 - probabilities[np.arange(len(labels)), labels]
        return found | scores(wrong, None, cleanlab_rivals.flags(labels, probabilities), p_wrong)

    def vote():
        near = SimiFeat(X, labels)
        return scores(wrong, 1 - near.own_share, near.vote(), 1 - near.own_share)

    def rank():
        near = SimiFeat(X, labels)
        return scores(wrong, -near.scores(), near.rank())

    def in_sample():
        probabilities = in_sample_probabilities(X, labels, cell.seed)
        p_wrong = 1 - probabilities[np.arange(len(labels)), labels]
        return scores(wrong, -margin(probabilities, labels), p_wrong > 0.5, p_wrong)

    models = cleanlab_rivals.five_models(cell.seed)
    found = {f"cleanlab, {name}": lambda model=model: by_cleanlab(model) for name, model in models.items()}
    return {OURS: ours} | found | {"SimiFeat vote": vote, "SimiFeat rank": rank, "in-sample margin": in_sample}


def one_method_per_ranking(table):
    """Move the name of the ranking from the measure to the method."""
    parts = table["measure"].str.split(", ", n=1)
    measure, ranking = parts.str[0], parts.str[1]
    method = table["method"].where(ranking.isna(), table["method"] + ", " + ranking.fillna(""))
    return table.assign(method=method, measure=measure)


def show_leads(table):
    print("| | at least cleanlab's best | mean lead | its standard error |\n|---|---|---|---|")
    for measure, sign in BETTER.items():
        wide = sign * cells.by_method(table, measure)
        theirs = wide[[name for name in wide if name.startswith("cleanlab")]].max(axis=1)
        print(f"| {measure} | {cells.lead_line(wide[OURS] - theirs)} |")
    print()


def show(table):
    table = one_method_per_ranking(table)
    many = table["data"].isin(cells.TABLES)
    for title, part in (("two classes", table[~many]), ("many classes", table[many])):
        if part.empty:
            continue
        print(f"## {title}: {part['data'].nunique()} data sets, {len(part[cells.KEY].drop_duplicates())} cells\n")
        show_leads(part)
        means = {measure: cells.by_method(part, measure).mean() for measure in BETTER}
        in_order = part.loc[part["measure"].isin(list(BETTER)), "method"].drop_duplicates()
        print(cells.markdown(pd.DataFrame(means).reindex(in_order)), "\n")


def work(chosen):
    noises, class_noises = (QUICK, QUICK_CLASS_NOISES) if chosen.quick else (NOISES, CLASS_NOISES)
    two_classes = cells.grid(cells.two_class_data(chosen), noises, chosen)
    return two_classes + cells.grid(cells.table_data(chosen), class_noises, chosen)


if __name__ == "__main__":
    cells.main(__doc__, "rankings", ways, work, show)
