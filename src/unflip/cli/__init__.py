"""The command: one file per subcommand, which parses, calls and prints; the work is imported when it is needed."""

import sys
import traceback

import click

import unflip
from unflip.cli.audit import audit
from unflip.cli.datasets import datasets
from unflip.cli.demo import demo
from unflip.cli.predict import predict
from unflip.cli.rates import rates
from unflip.cli.reproduce import reproduce
from unflip.cli.review import review
from unflip.foundation.errors import UnflipError
from unflip.foundation.printable import message as one_line

REFUSED = 2
INTERRUPTED = 130
INTERNAL_ERROR = 70  # not 1, which the gate of 'unflip audit --fail-over' exits with


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(unflip.__version__, prog_name="unflip")
@click.option("--debug", is_flag=True, help="Show the traceback of an internal error.")
def main(debug: bool) -> None:
    """Find wrong labels, and train despite them."""


for command in (audit, review, rates, predict, demo, reproduce, datasets):
    main.add_command(command)


def run() -> None:
    """Run the command.

    Bad input gets one line on standard error and exit code 2. Anything else that goes wrong is a bug of ours: one line
    that says so, and with --debug the traceback.
    """
    try:
        sys.exit(main(standalone_mode=False) or 0)
    except click.ClickException as error:
        fail(error.format_message(), REFUSED)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except UnflipError as error:
        fail(str(error), REFUSED)
    except OSError as error:  # a full disk, a broken pipe, a file that went away
        where = f"{error.filename}: " if error.filename else ""
        fail(f"{where}{error.strerror or error}.", REFUSED)
    except Exception as error:
        if "--debug" in sys.argv:
            traceback.print_exc()
        fail(f"internal error, please report it: {type(error).__name__}: {error} ('unflip --debug' shows where).",
             INTERNAL_ERROR)  # fmt: skip


def fail(message: str, code: int) -> None:
    """Print one line on standard error and exit."""
    click.echo(f"unflip: {one_line(message)}", err=True)
    sys.exit(code)
