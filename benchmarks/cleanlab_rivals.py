"""What cleanlab makes of labels: its rankings, flags, suggestions, share of wrong labels, and CleanLearning."""

from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unflip.foundation.optional import optional

RANKINGS = ("self_confidence", "normalized_margin", "confidence_weighted_entropy")
N_FOLDS = 5


def module(name):
    return optional(f"cleanlab.{name}", "bench", "benchmarks.cleanlab_rivals")


def forest(seed):
    return RandomForestClassifier(100, random_state=seed)


def five_models(seed):
    """Return {name: classifier}."""
    return {
        "k-NN": KNeighborsClassifier(10),
        "forest": forest(seed),
        "extra trees": ExtraTreesClassifier(100, random_state=seed),
        "boosting": HistGradientBoostingClassifier(random_state=seed),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    }


def out_of_sample(model, X, labels, seed):
    """Return the probabilities of each row's classes by a model fitted to the other folds."""
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    return cross_val_predict(model, X, labels, cv=folds, method="predict_proba")


def quality(labels, probabilities, ranking):
    """Return label quality scores: low is suspect."""
    return module("rank").get_label_quality_scores(labels, probabilities, method=ranking)


def flags(labels, probabilities):
    """Return a mask of the labels that find_label_issues flags."""
    return module("filter").find_label_issues(labels, probabilities, n_jobs=1)


def share_wrong(labels, probabilities):
    """Return the estimated share of wrong labels."""
    return module("count").num_label_issues(labels, probabilities) / len(labels)


def clean_learning(model, seed):
    learner = module("classification").CleanLearning
    return learner(model, seed=seed, cv_n_folds=N_FOLDS, find_label_issues_kwargs={"n_jobs": 1})
