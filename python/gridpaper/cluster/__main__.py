"""`python -m gridpaper.cluster census.toml --out parts/`: see `gridpaper.cluster`."""

from gridpaper.cluster import main

if __name__ == "__main__":
    raise SystemExit(main())
