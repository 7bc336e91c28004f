"""The audit as one function call."""

import pandas as pd
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from unflip import LabelAudit, find_label_issues, make_label_noise


def test_it_is_the_table_of_an_audit_with_the_same_parameters():
    X, y = load_iris(return_X_y=True)
    noisy = make_label_noise(y, 0.1, random_state=0)
    model, probabilities = LogisticRegression(), LogisticRegression(max_iter=500).fit(X, y).predict_proba(X)
    for given in ({"model": None, "n_neighbors": 7}, {"model": model, "top": 9}, {"noise_rates": 0.1}):
        pd.testing.assert_frame_equal(find_label_issues(X, noisy, **given), LabelAudit(**given).fit(X, noisy).issues_)
    alone = find_label_issues(None, noisy, pred_probs=probabilities)
    pd.testing.assert_frame_equal(alone, LabelAudit().fit(None, noisy, pred_probs=probabilities).issues_)
