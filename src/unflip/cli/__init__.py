"""The command: each subcommand parses, calls and prints; the work is imported when it is asked for."""

import sys

import click

import unflip


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(unflip.__version__, prog_name="unflip")
def main():
    """Learn from labels of which some are wrong."""


@main.command()
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Decides which labels are flipped."
)
@click.option(
    "--out", type=click.Path(), default="unflip-demo", show_default=True, metavar="DIR", help="Folder of files."
)
def demo(seed, out):
    """Flip labels at known rates, learn from them all the same, and find them again."""
    from unflip.cli.demo import audit, compare, show

    click.echo(show(compare(seed)))
    click.echo()
    click.echo(audit(out, seed))


@main.command()
@click.argument("table", type=click.Path())
@click.option("--label", required=True, metavar="COLUMN", help="The column of labels.")
@click.option("--labels", type=click.Path(), metavar="FILE", help="The file of labels, if TABLE holds none.")
@click.option(
    "--out", type=click.Path(), metavar="DIR", help="Folder of the results; TABLE's name with -audit if absent."
)
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="List the N worst, not as many as are expected.")
@click.option("--neighbors", type=click.IntRange(min=1), metavar="K", help="Ask K neighbors; chosen if absent.")
@click.option(
    "--keep", multiple=True, metavar="COLUMN", help="Compare by this column though it looks like an identifier."
)
@click.option("--drop", multiple=True, metavar="COLUMN", help="Do not compare by this column.")
@click.option("--json", "json_wanted", is_flag=True, help="Print JSON.")
@click.option(
    "--fail-over",
    type=float,
    metavar="SHARE",
    help="Exit with 1 if more than this share of labels is wrong: a gate for CI.",
)
@click.pass_context
def audit(context, table, label, labels, out, top, neighbors, keep, drop, json_wanted, fail_over):
    """Find the labels of TABLE (CSV, Parquet, Arrow, .npy or .npz) that are probably wrong, and say why.

    Writes report.html (open it), issues.csv, cleaned.csv and audit.json.
    """
    from unflip.cli.audit import as_json, audit_file, check_limit, summary

    check_limit(fail_over)
    found = audit_file(
        table, label, labels_path=labels, out=out, top=top, n_neighbors=neighbors or "auto", keep=keep, drop=drop
    )  # fmt: skip
    click.echo(as_json(*found[1:]) if json_wanted else summary(*found))
    share = found[0].rates_.share_wrong
    if fail_over is not None and share > fail_over:
        click.echo(f"unflip: {share:.1%} of the labels are wrong by estimate, more than {fail_over:.1%}.", err=True)
        context.exit(1)


@main.command()
@click.argument("table", type=click.Path())
@click.option("--label", required=True, metavar="COLUMN", help="The column of labels.")
@click.option("--labels", type=click.Path(), metavar="FILE", help="The file of labels, if TABLE holds none.")
@click.option("--method", default="auto", show_default=True, help="The estimator, as of estimate_noise_rates.")
@click.option("--confidence", type=float, default=0.9, show_default=True, help="Of the intervals.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rates(table, label, labels, method, confidence, as_json):
    """Estimate how many labels of TABLE (CSV, Parquet, Arrow, .npy or .npz) are wrong, by class, with intervals."""
    from unflip.cli.rates import answer

    click.echo(answer(table, label, labels_path=labels, method=method, confidence=confidence, as_json=as_json))


@main.command()
@click.argument("new", type=click.Path())
@click.option(
    "--train", required=True, type=click.Path(), metavar="TABLE", help="Rows with labels, some of them wrong."
)
@click.option("--label", required=True, metavar="COLUMN", help="The column of labels.")
@click.option("--labels", type=click.Path(), metavar="FILE", help="The file of labels, if TABLE holds none.")
@click.option("--out", type=click.Path(), metavar="FILE", help="Write to FILE, not to standard output.")
@click.option(
    "--neighbors", type=click.IntRange(min=1), default=3, show_default=True, help="How many nearest rows to name."
)
def predict(new, train, label, labels, out, neighbors):
    """Predict the labels of the rows of NEW: a CSV of row, label, probability and nearest rows of TABLE."""
    from unflip.cli.predict import predictions, write

    table, notes = predictions(train, new, label, labels_path=labels, n_neighbors=neighbors)
    for note in notes:
        click.echo(note, err=True)
    write(table, out)


@main.command()
@click.argument("folder", type=click.Path(), metavar="DIR")
@click.option(
    "--export", type=click.Path(), metavar="FILE", help="Write the decisions (.csv, or .json for Label Studio)."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="On 127.0.0.1; a free one if not given.")
@click.option("--no-open", is_flag=True, help="Print the address, and do not open a browser.")
def review(folder, export, port, no_open):
    """Go through the suspects of the audit in DIR on a local page; each decision is kept at once."""
    from unflip.cli.review import review

    review(folder, export=export, port=port, open_browser=not no_open, say=click.echo)


@main.group()
def datasets():
    """The data sets of the paper: which are here, and how to get the others."""


_data_home = click.option(
    "--data-home", type=click.Path(), metavar="DIR", help="Their folder, instead of UNFLIP_DATA or the user's cache."
)


@datasets.command(name="list")
@_data_home
def list_datasets(data_home):
    """List the data sets, and say which are here."""
    from unflip.cli.datasets import listing

    click.echo(listing(data_home))


@datasets.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@_data_home
def fetch(names, data_home):
    """Download data sets that are not here."""
    from unflip.cli.datasets import fetched

    for line in fetched(names, data_home):
        click.echo(line)


_TARGETS = ("all", *(f"table{i}" for i in range(1, 5)), *(f"figure{i}" for i in range(1, 5)), "theory")


@main.command()
@click.argument("target", type=click.Choice(_TARGETS), default="all")
@click.option("--quick", is_flag=True, help="Three small data sets, three trials, small figures: a minute or two.")
@click.option(
    "--protocol",
    type=click.Choice(["paper-as-printed", "paper"]),
    default="paper-as-printed",
    show_default=True,
    help="Ten runs on a quarter of the rows each, or ten trials of four folds.",
)
@click.option("--data", multiple=True, metavar="NAME", help="Only this data set; may be repeated.")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="Only this method; may be repeated.")
@click.option(
    "--with",
    "added",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE.py",
    help="Run this Python file first: a program of yours that adds methods or data sets by "
    "unflip.experiments.add_method and add_dataset. May be repeated.",
)
@click.option("--trials", type=click.IntRange(1, 10), help="How many trials; 10, or 3 with --quick.")
@click.option(
    "--out",
    type=click.Path(file_okay=False),
    default="reproduced",
    show_default=True,
    help="Folder of results, tables and figures.",
)
@click.option("--data-home", type=click.Path(), default=None, help="Folder of data files.")
@click.option("--jobs", "n_jobs", type=int, default=-1, show_default=True, help="Cores; -1 means all.")
@click.option("--retry", is_flag=True, help="Run again what failed.")
@click.option("--stored", is_flag=True, help="Run nothing: make the tables of what is stored, gaps marked.")
def reproduce(target, **options):
    """Make the paper's TARGET again, ours beside the printed numbers; all of it if no target is named.

    What was run before is not run again, and a run that was stopped goes on where it was.
    """
    from unflip.cli.reproduce import reproduce as lines

    for line in lines(target, **options):
        click.echo(line)


def run():
    """Run the command: one line on standard error and exit code 2 for bad input, never a traceback for it."""
    try:
        sys.exit(main(standalone_mode=False) or 0)
    except click.ClickException as error:
        click.echo(f"unflip: {error.format_message()}", err=True)
        sys.exit(2)
    except click.Abort:
        sys.exit(130)
    except (
        ValueError,
        ImportError,
        OSError,
    ) as error:  # bad input; all else is a fault of ours and keeps its traceback
        click.echo(f"unflip: {error}", err=True)
        sys.exit(2)
