//! The front, as another program would use it.

mod bulk;
mod world;
