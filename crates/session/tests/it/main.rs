//! The session, as a face has it: commands in, frames and status out.

mod bench;
mod command;
mod edit;
mod file;
mod run;
mod settings;
mod source;
mod view;
