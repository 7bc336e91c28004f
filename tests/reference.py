"""Robust k-nearest neighbors the slow and obvious way: Python floats, all pairs, one candidate at a time."""

import numpy as np


def squared_distance(a, b):
    total = 0.0
    for u, v in zip(a, b, strict=True):
        difference = u - v
        total += difference * difference
    return total


def nearest(X, query, among):
    """Return the rows of `among`, nearest first, ties by row number."""
    return sorted(among, key=lambda row: (squared_distance(query, X[row]), row))


def neighbor_lists(X, queries, among, leave_out=None):
    lists = []
    for number, query in enumerate(queries):
        skip = None if leave_out is None else leave_out[number]
        lists.append(nearest(X, query, [row for row in among if row != skip]))
    return np.array(lists)


def extremes(X, y, rows, noise_neighbors):
    """Return tau_plus, tau_minus of the paper (the equation put right) from the labels of some rows."""
    lists = neighbor_lists(X, X[rows], rows, leave_out=rows)[:, :noise_neighbors]
    return extremes_from_lists(lists, y, rows, noise_neighbors)


def extremes_from_lists(lists, y, rows, noise_neighbors):
    near = lists[:, :noise_neighbors]
    size = near.shape[1] + 1
    positives = y[near].sum(axis=1) + y[rows]
    return (size - positives.max()) / size, positives.min() / size


def classify(positives, k, tau_plus, tau_minus, rule="threshold"):
    """Decide on counts of positive labels among k; rates that sum to 1 say nothing, so nothing is corrected."""
    if tau_plus + tau_minus >= 1:
        tau_plus = tau_minus = 0.0
    share = positives / k
    threshold = (1 + tau_minus - tau_plus) / 2
    corrected = positives >= k * threshold - 1e-9
    if rule == "threshold":
        return corrected.astype(int)
    label = (2 * positives >= k).astype(int)
    if tau_minus > tau_plus:
        label[(share - 0.5 > 1e-9) & (share < threshold - 1e-9)] = 0
    if tau_minus < tau_plus:
        label[(share - 0.5 < -1e-9) & (share > threshold + 1e-9)] = 1
    return label


def select_by_noisy_accuracy(X, y, folds, counts, noise_counts, rule="threshold"):
    """Return mean accuracies over folds of every (k, k'), each a fit and a prediction of its own."""
    scores = np.zeros((len(counts), len(noise_counts)))
    n_folds = folds.max() + 1
    for fold in range(n_folds):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        test_lists = neighbor_lists(X, X[test], train)
        train_lists = neighbor_lists(X, X[train], train, leave_out=train)
        for column, noise_neighbors in enumerate(noise_counts):
            tau_plus, tau_minus = extremes_from_lists(train_lists, y, train, noise_neighbors)
            for row, k in enumerate(counts):
                predicted = classify(y[test_lists[:, :k]].sum(axis=1), k, tau_plus, tau_minus, rule)
                scores[row, column] += np.mean(predicted == y[test]) / n_folds
    return scores


def select_by_likelihood(X, y, counts):
    """Return the mean leave-one-out log-likelihood of every k."""
    rows = np.arange(len(X))
    lists = neighbor_lists(X, X, rows, leave_out=rows)
    scores = []
    for k in counts:
        agree = (y[lists[:, :k]] == y[:, None]).sum(axis=1)
        scores.append(np.mean(np.log((agree + 0.5) / (k + 1))))
    return np.array(scores)


def first_best(scores):
    return np.unravel_index(np.argmax((scores >= scores.max() - 1e-12).ravel()), scores.shape)


def random_problem(seed):
    """Make a small awkward data set: some with copies, ties, whole numbers, constant columns."""
    random = np.random.RandomState(seed)
    n, n_columns = random.randint(12, 45), random.randint(1, 5)
    X = random.normal(size=(n, n_columns))
    kind = seed % 5
    if kind == 1:
        X = random.randint(0, 3, size=(n, n_columns)).astype(float)
    elif kind == 2:
        X = X[random.randint(0, n, size=n)]
    elif kind == 3:
        X[:, random.randint(n_columns)] = 7.0
    elif kind == 4:
        X = np.round(X) + 1e6
    y = (X[:, 0] - X[:, 0].mean() + 0.5 * random.normal(size=n) > 0).astype(int)
    y[:2] = 0, 1  # both classes are there
    queries = np.vstack([X[random.randint(0, n, size=5)], X[:5] + random.normal(size=(5, n_columns))])
    return X, y, queries
