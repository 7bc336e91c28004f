"""Run the command as python -m unflip."""

from unflip.cli import run

if __name__ == "__main__":
    run()
