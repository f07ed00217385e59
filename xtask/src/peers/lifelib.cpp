// One run of lifelib, for `cargo xtask peers`: loads a file, advances it, and prints one JSON
// object with the population after, and the seconds of processor time that loading and
// advancing took.
//
//   DRIVER hash  FILE GENERATIONS MEGABYTES      the hashed tree, in one leap
//   DRIVER plane FILE GENERATIONS                the dense tiles, unbounded
//   DRIVER torus FILE GENERATIONS WIDTH HEIGHT   the dense tiles, on a torus
//   DRIVER sides WIDTH HEIGHT                    the sides of a torus that its tiles can cover
//
// Compiled with PLANES, it steps the rule that lifelib's code was generated for, whatever it
// is, in tiles of 16 x 16 with so many bit planes. Without, the rule is Life, and the tiles
// are those made for it.

#include "lifelib/pattern2.h"
#include "lifelib/upattern.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

#ifdef PLANES
const int tile_width = 16, tile_height = 16;
using Tiles = apg::upattern<apg::UTile<PLANES + 1, PLANES>, 16>;
#elif defined(__AVX512F__)
const int tile_width = 28, tile_height = 44;
using Tiles = apg::upattern<apg::VTile44, 28, 44>;
#else
const int tile_width = 28, tile_height = 28;
using Tiles = apg::upattern<apg::VTile28, 28, 28>;
#endif

double processor_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "lifelib driver: %s\n", why.c_str());
    std::exit(2);
}

// What was measured is printed and the process left at once: to take big tables down would
// cost time that has nothing to do with the run.
[[noreturn]] void report(unsigned long long population, double begun, double loaded, double done) {
    std::printf("{\"population\":%llu,\"load\":%.6f,\"advance\":%.6f}\n", population,
                loaded - begun, done - loaded);
    std::fflush(stdout);
    _exit(0);
}

// The cells of an RLE file, without its comments and its header.
std::string cells_of(const char* path) {
    std::ifstream file(path);
    if (!file) fail(std::string("cannot read ") + path);
    std::string text, line;
    bool header = false;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#') continue;
        if (!header && line[0] == 'x') {
            header = true;
            continue;
        }
        text += line;
    }
    return text;
}

void advance(Tiles& tiles, const char* path, long generations) {
    const double begun = processor_seconds();
    tiles.insertPattern(cells_of(path));
    const double loaded = processor_seconds();
    tiles.advance(0, 0, generations);
    const double done = processor_seconds();
    report(tiles.totalPopulation(), begun, loaded, done);
}

// As many tiles as fit, a power of two of them: going round, lifelib takes the remainder of
// negative numbers as if they had no sign, which is right for these alone.
int down_to(int side, int tile) {
    int tiles = 1;
    while (2 * tiles * tile <= side) tiles *= 2;
    return tiles * tile;
}

}  // namespace

int main(int count, char** argument) {
    const std::string mode = count > 1 ? argument[1] : "";
    if (mode == "sides" && count == 4) {
        // Its rows of tiles are staggered, so they go round in pairs.
        std::printf("%d %d\n", down_to(std::atoi(argument[2]), tile_width),
                    down_to(std::atoi(argument[3]), 2 * tile_height));
        return 0;
    }
    if (mode == "plane" && count == 4) {
        Tiles tiles;
        advance(tiles, argument[2], std::atol(argument[3]));
    }
    if (mode == "torus" && count == 6) {
        Tiles tiles(std::atoi(argument[4]), std::atoi(argument[5]));
        advance(tiles, argument[2], std::atol(argument[3]));
    }
#ifndef PLANES
    if (mode == "hash" && count == 5) {
        const double begun = processor_seconds();
        apg::lifetree<uint32_t, 1> tree(std::strtoull(argument[4], nullptr, 10));
        apg::pattern pattern(&tree, argument[2]);
        const double loaded = processor_seconds();
        pattern = pattern.advance(std::strtoull(argument[3], nullptr, 10));
        const double done = processor_seconds();
        // It counts modulo a prime near 2^30, which is far above what is run here.
        report(pattern.popcount((1 << 30) + 3), begun, loaded, done);
    }
#endif
    fail("usage: hash | plane | torus | sides, see the head of its source");
}
