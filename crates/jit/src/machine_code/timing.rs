//! Retiming: in which row each node is computed, on the way down the rows.
//!
//! In each iteration, every node is computed once, for the current row or for one some rows
//! above: by as many as the node *lags*. A node that reads a lower row of its input
//! lags more than that input; where it lags more than necessary, or reads a higher row,
//! the input's value is *carried* for some rows. After C. E. Leiserson and J. B. Saxe, "Retiming
//! synchronous circuitry" (1991), with rows in the place of clock ticks; the choice of lags is our
//! own method.

use super::netlist::Netlist;

/// Passes over all lags.
const PASSES: usize = 3;

#[derive(Clone, Debug)]
pub(super) struct NodeTiming {
    /// Rows by which each node lags behind the current row.
    pub(super) lag: Vec<i32>,
    /// For how many rows each value is carried; 0 for those in memory anyway.
    pub(super) carried: Vec<i32>,
    /// How far below an output row the cells are that it depends on.
    pub(super) reach: i32,
    /// How far above they are: at most 0.
    pub(super) top: i32,
}

impl NodeTiming {
    pub(super) fn of(netlist: &Netlist) -> Self {
        let nodes = netlist.nodes.len();
        let mut lag = vec![0; nodes];
        for node in 0..nodes {
            let lags = netlist.inputs(node).iter();
            let lags = lags.map(|wire| lag[wire.gate as usize] + wire.dy);
            lag[node] = lags.max().unwrap_or(0);
        }
        let outputs = || netlist.outputs.iter();
        let reach = outputs().map(|w| lag[w.gate as usize] + w.dy);
        let reach = reach.max().unwrap_or(0).max(0);
        let top = outputs().map(|wire| wire.dy).min().unwrap_or(0).min(0);
        let mut timing = Self {
            lag,
            carried: Vec::new(),
            reach,
            top,
        };
        timing.minimise_carries(netlist);
        let readers = readers(netlist);
        timing.carried = (0..nodes)
            .map(|node| timing.carry_depth(netlist, &readers, node))
            .collect();
        timing
    }

    /// The delay of a wire into a node with lag `reader`: how many rows earlier the input was
    /// computed.
    pub(super) fn delay(&self, wire: kernel::circuit::CircuitWire, reader: i32) -> i32 {
        reader - wire.dy - self.lag[wire.gate as usize]
    }

    /// The longest delay to a reader.
    fn carry_depth(&self, netlist: &Netlist, readers: &[Vec<Reader>], node: usize) -> i32 {
        if netlist.nodes[node].is_leaf() {
            return 0;
        }
        let delays = readers[node].iter().map(|reader| {
            let lag = reader.node.map_or(self.reach, |node| self.lag[node]);
            lag - reader.dy - self.lag[node]
        });
        delays.max().unwrap_or(0)
    }

    /// Increases lags where fewer values are then carried.
    fn minimise_carries(&mut self, netlist: &Netlist) {
        let readers = readers(netlist);
        for _ in 0..PASSES {
            for node in (0..netlist.nodes.len()).rev() {
                if netlist.nodes[node].is_leaf() {
                    continue;
                }
                let inputs = netlist.inputs(node);
                let earliest = inputs
                    .iter()
                    .map(|wire| self.lag[wire.gate as usize] + wire.dy)
                    .max()
                    .unwrap_or(0);
                let latest = readers[node]
                    .iter()
                    .map(|reader| reader.node.map_or(self.reach, |n| self.lag[n]) - reader.dy)
                    .min()
                    .unwrap_or(earliest);
                let mut touched: Vec<usize> = inputs.iter().map(|w| w.gate as usize).collect();
                touched.push(node);
                touched.sort_unstable();
                touched.dedup();
                let mut best = (i32::MAX, earliest);
                for lag in (earliest..=latest).rev() {
                    self.lag[node] = lag;
                    let depths = touched
                        .iter()
                        .map(|&n| self.carry_depth(netlist, &readers, n));
                    let cost = depths.sum();
                    if cost < best.0 {
                        best = (cost, lag);
                    }
                }
                self.lag[node] = best.1;
            }
        }
    }
}

/// A reader of a node.
struct Reader {
    /// None for an output.
    node: Option<usize>,
    dy: i32,
}

fn readers(netlist: &Netlist) -> Vec<Vec<Reader>> {
    let mut readers: Vec<Vec<Reader>> = netlist.nodes.iter().map(|_| Vec::new()).collect();
    for node in 0..netlist.nodes.len() {
        for wire in netlist.inputs(node) {
            readers[wire.gate as usize].push(Reader {
                node: Some(node),
                dy: wire.dy,
            });
        }
    }
    for wire in &netlist.outputs {
        readers[wire.gate as usize].push(Reader {
            node: None,
            dy: wire.dy,
        });
    }
    readers
}
