//! Who may sit at a table: no visitor starts a program.
