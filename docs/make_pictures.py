"""Make the pictures of the README: python docs/make_pictures.py (needs matplotlib, playwright and chromium)."""

import shutil
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import minmax_scale

from unflip import RobustKNeighborsClassifier, estimate_noise_rates, make_label_noise
from unflip.cli.demonstration import audit
from unflip.datasets import make_sine_product, sine_product_posterior

FOLDER = Path(__file__).parent / "pictures"
FLIPS = {0: 0.05, 1: 0.4}
COLORS = ListedColormap(["#f2d7c9", "#c9dcef"])
POINTS = np.array(["#c8511b", "#1f5f9e"])


def regions():
    """Draw what plain and robust neighbors learn from the same flipped labels."""
    X, y = make_sine_product(4000, random_state=0)
    noisy = make_label_noise(y, FLIPS, random_state=0)
    side = np.linspace(0, 1, 201)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    eta = sine_product_posterior(grid)
    figure, axes = plt.subplots(1, 3, figsize=(10.5, 4.2), layout="constrained")
    axes[0].scatter(*X[::2].T, s=4, c=POINTS[noisy[::2]], linewidths=0)
    axes[0].set_title("the labels as observed\n(40 % of blue and 5 % of red were flipped)", fontsize=10)
    for axis, rates, name in ((axes[1], None, "plain k-NN"), (axes[2], "estimate", "robust k-NN")):
        model = RobustKNeighborsClassifier(noise_rates=rates, n_jobs=-1).fit(X, noisy)
        predicted = model.predict(grid)
        error = np.mean(np.where(predicted == 1, 1 - eta, eta)) - np.mean(np.minimum(eta, 1 - eta))
        axis.pcolormesh(side, side, predicted.reshape(201, 201), cmap=COLORS, rasterized=True)
        axis.axhline(0.5, color="#333333", linewidth=1)  # where the best possible classifier changes sides
        axis.axvline(0.5, color="#333333", linewidth=1)
        axis.set_title(f"{name}\nexcess error {error:.3f}", fontsize=10)
    for axis in axes:
        axis.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[], aspect="equal")
    figure.savefig(FOLDER / "regions.png", dpi=110)


def rates():
    """Draw noise rates with their intervals, and what other estimators say."""
    X, y = load_breast_cancer(return_X_y=True)
    names = np.array(["malignant", "benign"])[y]
    noisy = make_label_noise(names, {"malignant": 0.1, "benign": 0.3}, random_state=0)
    axis = estimate_noise_rates(minmax_scale(X), noisy).plot()
    axis.vlines([0.3, 0.1], [0.75, -0.25], [1.25, 0.25], color="#333333", linestyle="dotted")
    axis.set_title("dotted: the true rates", fontsize=10)
    axis.figure.savefig(FOLDER / "rates.png", dpi=110)


def report():
    """Photograph the report of the demonstration's table."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        audit(folder)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1100, "height": 1200})
        page.goto(f"file://{folder}/report.html")
        page.screenshot(path=FOLDER / "report.png")
        browser.close()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    regions()
    rates()
    report()
