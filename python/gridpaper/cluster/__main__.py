"""`python -m gridpaper.cluster census.toml --out parts/`: see `gridpaper.cluster`."""

from gridpaper.cluster import main

raise SystemExit(main())
