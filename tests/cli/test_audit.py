"""``unflip audit`` as a person meets it."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from commands import unflip

from unflip import make_label_noise

FILES = {"report.html", "issues.csv", "cleaned.csv", "audit.json"}


def customers(n=600):
    """Numbers, categories, booleans, dates, 10 % missing, an identifier, and codes with leading zeros."""
    random = np.random.RandomState(0)
    group = random.randint(0, 2, n)
    table = pd.DataFrame(
        {
            "customer": [f"C{i:04d}" for i in range(n)],
            "zip": [f"{code:05d}" for code in random.randint(100, 140, n)],
            "age": (35 + 12 * group + random.normal(0, 4, n)).round(1),
            "city": np.array(["Oslo", "Rome", "Lima"])[(group + (random.random_sample(n) < 0.2)) % 3],
            "member": random.random_sample(n) < 0.2 + 0.6 * group,
            "since": pd.Timestamp("2018-01-01") + pd.to_timedelta(500 * group + random.randint(0, 400, n), unit="D"),
        }
    )
    table["member"] = table["member"].astype("boolean")
    for name in ("age", "city", "member", "since"):
        table[name] = table[name].mask(random.random_sample(n) < 0.1)
    truth = np.array(["basic", "gold"])[group]
    table.insert(3, "plan", make_label_noise(truth, 0.1, random_state=0))
    return table, truth


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit")
    table, _ = customers()
    table.to_csv(folder / "customers.csv", index=False, date_format="%Y-%m-%d")
    table.to_parquet(folder / "customers.parquet")
    return folder


@pytest.fixture(scope="module")
def done(folder):
    return unflip("audit", "customers.csv", "--label", "plan", cwd=folder)


def test_it_says_what_is_wrong_and_why_and_writes_four_files(folder, done):
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("customers.csv: 600 rows, labels in 'plan'\n\nAbout 7.")
    assert "nearest rows are labeled" in done.stdout
    assert "Compared by 5 columns: zip, age, city, member, since." in done.stdout
    assert "Left out: customer (600 distinct texts, like an identifier)." in done.stdout
    assert {path.name for path in (folder / "customers.csv-audit").iterdir()} == FILES


def test_the_listed_labels_are_mostly_the_flipped_ones(folder, done):
    table, truth = customers()
    issues = pd.read_csv(folder / "customers.csv-audit" / "issues.csv", dtype={"zip": str})
    rows = issues["row"].to_numpy() - 1
    assert (np.diff(issues["p_wrong"]) <= 0).all()
    assert (table["plan"].to_numpy() != truth)[rows].mean() > 0.8
    assert issues["customer"].tolist() == table["customer"].iloc[rows].tolist()
    assert issues["zip"].tolist() == table["zip"].iloc[rows].tolist()


def test_the_cleaned_file_keeps_columns_order_and_texts_and_the_given_label(folder, done):
    _, truth = customers()
    before, after = (
        pd.read_csv(path, dtype=str, keep_default_na=False)
        for path in (folder / "customers.csv", folder / "customers.csv-audit" / "cleaned.csv")
    )
    assert list(after) == ["customer", "zip", "age", "plan", "plan_given", "city", "member", "since"]
    pd.testing.assert_frame_equal(after.drop(columns=["plan", "plan_given"]), before.drop(columns="plan"))
    assert after["plan_given"].tolist() == before["plan"].tolist()
    changed = after["plan"] != before["plan"]
    assert changed.any()
    assert (after["plan"] == truth)[changed].mean() > 0.8


def test_parquet_gives_the_same_result(folder, done):
    other = unflip("audit", "customers.parquet", "--label", "plan", "--out", "other", cwd=folder)
    assert other.returncode == 0
    first, second = (
        json.loads((folder / name / "audit.json").read_text()) for name in ("customers.csv-audit", "other")
    )
    for name in ("rates", "n_issues", "expected_wrong", "n_neighbors", "flagged", "used", "left_out"):
        assert first[name] == second[name], name
    for one, two in zip(first["suspects"], second["suspects"], strict=True):
        assert one == two


def test_json_for_programs(folder):
    found = json.loads(unflip("audit", "customers.csv", "--label", "plan", "--json", cwd=folder).stdout)
    assert found["n_rows"] == 600
    assert set(found["rates"]) >= {"rates", "interval", "transition_matrix"}
    assert [name.rsplit("/")[-1] for name in found["files"]] == [
        "report.html",
        "issues.csv",
        "cleaned.csv",
        "audit.json",
    ]


def test_a_share_above_the_limit_ends_with_1_one_below_with_0(folder):
    over = unflip("audit", "customers.csv", "--label", "plan", "--fail-over", "0.02", cwd=folder)
    assert over.returncode == 1
    assert "of the labels are wrong, more than" in over.stderr
    assert over.stderr.endswith("more than 2.0%.\n")
    assert unflip("audit", "customers.csv", "--label", "plan", "--fail-over", "0.5", cwd=folder).returncode == 0


def test_columns_and_counts_as_asked_for(folder):
    options = ("--drop", "zip", "--keep", "customer", "--top", "7", "--neighbors", "9", "--out", "asked")
    done = unflip("audit", "customers.csv", "--label", "plan", *options, cwd=folder)
    assert "7 labels are the most suspicious." in done.stdout
    assert "of the 9 nearest rows" in done.stdout
    assert "Left out: zip (dropped, as requested)." in done.stdout
    assert "Compared by 5 columns: customer," in done.stdout


def test_embeddings_with_labels_in_a_file_of_their_own(tmp_path):
    random = np.random.RandomState(0)
    group = random.randint(0, 2, 200)
    np.save(tmp_path / "vectors.npy", random.normal(size=(200, 8)) + 2 * group[:, None])
    labels = make_label_noise(np.array(["cat", "dog"])[group], 0.1, random_state=0)
    (tmp_path / "labels.txt").write_text("\n".join(labels) + "\n")
    done = unflip("audit", "vectors.npy", "--label", "animal", "--labels", "labels.txt", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    cleaned = pd.read_csv(tmp_path / "vectors.npy-audit" / "cleaned.csv")
    assert list(cleaned) == ["row", "animal", "animal_given"]
    assert cleaned["animal_given"].tolist() == labels.tolist()


def with_file(tmp_path, text, name="table.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


ROWS = "".join(f"{i % 7},{i % 3},{'ab'[i % 2]}\n" for i in range(20))


@pytest.mark.parametrize(
    ("text", "label", "said"),
    [
        ("size,weight,class\n" + ROWS, "clas", "has no column 'clas'; did you mean 'class'?"),
        ("size,class\n1,a\n2,a\n", "class", "has one class only, 'a'"),
        ("size,class\n" + "".join(f"{i},c{i}\n" for i in range(9)), "class", "9 distinct values in 9 rows"),
        ("", "class", "is empty"),
        ("size,class\n", "class", "no rows"),
        ("size,weight,class\n" + ROWS + "1,2,\n", "class", "1 missing label"),
        (b"size,class\n1,\xff\n2,b\n", "class", "not UTF-8"),
        ("size,class\n1,a\n2,b,3\n", "class", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_audited_is_refused_in_one_sentence_and_nothing_is_written(tmp_path, text, label, said):
    name = with_file(tmp_path, text)
    done = unflip("audit", name, "--label", label, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_is_no_file_or_no_folder_is_refused(tmp_path):
    name = with_file(tmp_path, "size,weight,class\n" + ROWS)
    (tmp_path / "taken").write_text("")
    for arguments, said in (
        (("audit", ".", "--label", "class"), "is a directory"),
        (("audit", "nothing.csv", "--label", "class"), "does not exist"),
        (("audit", name, "--label", "class", "--out", "taken"), "taken is a file"),
        (("audit", name, "--label", "class", "--fail-over", "5"), "--fail-over"),
        (("audit", name, "--label", "class", "--drop", "wieght"), "no column 'wieght' to drop; did you mean 'weight'?"),
    ):
        done = unflip(*arguments, cwd=tmp_path)
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr


def test_a_quantity_as_label_is_refused_at_once(tmp_path):
    random = np.random.RandomState(0)
    table = pd.DataFrame({"size": random.normal(size=9000), "price": random.randint(1, 4000, 9000)})
    table.to_csv(tmp_path / "houses.csv", index=False)
    done = unflip("audit", "houses.csv", "--label", "price", cwd=tmp_path)
    assert done.returncode == 2
    assert "a quantity and not classes; group them into classes" in done.stderr


def test_control_characters_do_not_reach_the_terminal(tmp_path):
    labels = ["\x1b[31mred", "two\nlines"] * 20
    table = pd.DataFrame({"si\x07ze": np.arange(40) % 7, "kind": labels})
    table.to_csv(tmp_path / "t.csv", index=False)
    done = unflip("audit", "t.csv", "--label", "kind", "--top", "4", cwd=tmp_path)
    assert done.returncode == 0
    assert not {"\x1b", "\x07"} & set(done.stdout)
    assert "\\x1b[31mred" in done.stdout


def test_many_columns_are_not_all_listed(tmp_path):
    table = pd.DataFrame(np.random.RandomState(0).normal(size=(20, 150))).add_prefix("c").assign(kind=list("ab") * 10)
    table.to_csv(tmp_path / "t.csv", index=False)
    done = unflip("audit", "t.csv", "--label", "kind", cwd=tmp_path)
    assert "Compared by 150 columns: c0, c1," in done.stdout
    assert ", c99, and 50 more." in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
def test_stages_are_shown_on_a_terminal(folder):
    import pty

    master, terminal = pty.openpty()
    program = [sys.executable, "-c", "from unflip.cli import run; run()", "audit", "customers.csv", "--label", "plan"]
    subprocess.run([*program, "--model", "neighbors", "--out", "shown"], cwd=folder, stderr=terminal, check=True)
    os.close(terminal)
    shown = os.read(master, 10_000).decode()
    os.close(master)
    for stage in ("Reading the file", "Asking the neighbors about 600 rows", "Writing the report"):
        assert re.search(rf"\r{stage} \.\.\. \d+\.\d s *\r\n", shown), stage


def test_a_table_in_many_files_is_given_as_a_pattern(folder, tmp_path):
    table, _ = customers()
    for number, part in enumerate(np.array_split(np.arange(len(table)), 3)):
        table.iloc[part].to_parquet(tmp_path / f"part-{number}.parquet", index=False)
    ask = ["audit", "part-*.parquet", "--label", "plan", "--model", "neighbors", "--out", "out"]
    done = unflip(*ask, "--memory", "8GB", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "3 files: 600 rows, labels in 'plan'" in done.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "report.html",
        "issues.csv",
        "cleaned",
        "audit.json",
    }
    assert len(list((tmp_path / "out" / "cleaned").iterdir())) == 3
    for more, said in (
        (["--memory", "much"], "'memory_budget' must be a number of bytes"),
        (["--scheduler", "nowhere"], "'executor' must be None"),
        (["--labels", "x.csv"], "'TABLE' must be one file for --labels, got 'part-*.parquet'."),
    ):
        refused = unflip(*ask[:-1], "other", *more, cwd=tmp_path)
        assert refused.returncode == 2
        assert said in refused.stderr
        assert not (tmp_path / "other").exists()
    one = unflip("audit", "part-0.parquet", "--label", "plan", "--memory", "2GB", cwd=tmp_path)
    assert one.returncode == 2
    assert "must be a pattern of Parquet files for --memory" in one.stderr
    missing = unflip("audit", "no-*.parquet", "--label", "plan", cwd=tmp_path)
    assert missing.returncode == 2
    assert "No file matches no-*.parquet." in missing.stderr
