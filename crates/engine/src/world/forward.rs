//! Worlds around another world: they advance it in a way of their own, and look the same.

/// Inside `impl World`: what is asked about the cells, and where they are, is answered by the world
/// in this field.
macro_rules! forward_queries {
    ($world:ident) => {
        fn engine(&self) -> &'static str {
            self.$world.engine()
        }

        fn kernel(&self) -> String {
            self.$world.kernel()
        }

        fn get(&self, p: ::grid::Point) -> ::grid::State {
            self.$world.get(p)
        }

        fn cells(&self) -> ::pattern::Cells {
            self.$world.cells()
        }

        fn runs_in(&self, rect: ::grid::Rect, f: &mut dyn FnMut(::pattern::Run)) {
            self.$world.runs_in(rect, f);
        }

        fn bits_in(&self, rect: ::grid::Rect, bits: &mut Vec<u8>) {
            self.$world.bits_in(rect, bits);
        }

        fn states_in(&self, rect: ::grid::Rect, states: &mut Vec<::grid::State>) {
            self.$world.states_in(rect, states);
        }

        fn density(&self, view: &$crate::View, f: &mut dyn FnMut(u32, u32, f64)) {
            self.$world.density(view, f);
        }

        fn density_rows(&self, view: &$crate::View, f: &mut dyn FnMut(u32, &[f32])) {
            self.$world.density_rows(view, f);
        }

        fn memory_limit_error(&self) -> Option<$crate::MemoryLimitError> {
            self.$world.memory_limit_error()
        }

        fn finish_pending_work(&mut self) {
            self.$world.finish_pending_work();
        }

        fn population(&self) -> ::num_bigint::BigUint {
            self.$world.population()
        }

        fn bounds(&self) -> Option<::pattern::Bounds> {
            self.$world.bounds()
        }

        fn hash(&self) -> ::grid::CellHash {
            self.$world.hash()
        }
    };
}

pub(crate) use forward_queries;
