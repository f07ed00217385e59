/* A bot for the duel that makes plans, in the contest's own protocol.
 *
 *     cc -std=c99 -O2 -o planner planner.c
 *     gridpaper match duel random 'cmd:./planner' --games 10
 *
 * A plan is what to write into the own column in the next few turns. The bot changes the
 * best plan that it has at random, plays it out on the board that it sees as if the other
 * did nothing more, counts the goals that it would own, and keeps what is better. In the
 * next turn the rest of the plan is where it begins again. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_ROWS = 32,
    MOST_COLUMNS = 64,
    MOST_GOALS = MOST_ROWS * MOST_COLUMNS,
    PLAN = 8,   /* turns that are planned */
    AHEAD = 24, /* turns that are played out */
    BUDGET = 8 /* milliseconds of a turn's 50 */
};

typedef struct {
    signed char cell[MOST_ROWS][MOST_COLUMNS];
} Board;

typedef unsigned Plan[PLAN]; /* a bit for each row */

static int rows, columns, most_mana, goals;
static int goal_x[MOST_GOALS], goal_y[MOST_GOALS];
static unsigned long long dice = 88172645463325252ULL;

/* xorshift (Marsaglia, 2003) */
static unsigned below(unsigned bound)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (unsigned)(dice >> 16) % bound;
}

static int ones(unsigned column)
{
    int count = 0;
    for (; column != 0; column &= column - 1)
        count++;
    return count;
}

/* One generation: each side's cells live by their own neighbours, rows wrap, columns do not. */
static void evolve(const Board *from, Board *to)
{
    for (int y = 0; y < rows; y++) {
        const signed char *near[3] = {
            from->cell[(y + rows - 1) % rows], from->cell[y], from->cell[(y + 1) % rows]
        };
        for (int x = 0; x < columns; x++) {
            int own = 0, other = 0;
            for (int i = 0; i < 3; i++)
                for (int j = x > 0 ? x - 1 : x; j <= x + 1 && j < columns; j++) {
                    own += near[i][j] > 0;
                    other += near[i][j] < 0;
                }
            int here = from->cell[y][x];
            own -= here > 0;
            other -= here < 0;
            int lives = own == 3 || (here > 0 && own == 2);
            int enemy = other == 3 || (here < 0 && other == 2);
            to->cell[y][x] = (signed char)(lives - enemy);
        }
    }
}

/* What a plan is worth: goals owned less goals lost, sooner before later, and some mana. */
static int worth(const Board *start, const Plan plan, int mana)
{
    Board now = *start, next;
    int value = 0;
    for (int turn = 0; turn < AHEAD; turn++) {
        unsigned column = turn < PLAN ? plan[turn] : 0;
        if (ones(column) > mana)
            return -1000000;
        for (int y = 0; y < rows; y++) {
            now.cell[y][0] = (signed char)(column >> y & 1);
            now.cell[y][columns - 1] = 0; /* the other writes nothing, and that removes too */
        }
        evolve(&now, &next);
        now = next;
        int points = 0;
        for (int i = 0; i < goals; i++) {
            int owner = now.cell[goal_y[i]][goal_x[i]];
            value += owner * (2 * AHEAD - turn);
            points += owner > 0;
        }
        mana += 2 + points - ones(column);
        if (mana > most_mana)
            mana = most_mana;
    }
    return 16 * value + mana;
}

/* Changes a plan a little: a few cells, or all of it comes a turn later. */
static void change(Plan plan)
{
    if (below(8) == 0) {
        memmove(plan + 1, plan, (PLAN - 1) * sizeof plan[0]);
        plan[0] = 0;
    }
    for (unsigned left = 1 + below(4); left > 0; left--)
        plan[below(PLAN)] ^= 1u << below((unsigned)rows);
}

static int read_number(int *number)
{
    return scanf("%d", number) == 1;
}

int main(void)
{
    if (!read_number(&rows) || !read_number(&columns) || !read_number(&most_mana) || !read_number(&goals))
        return 1;
    if (rows < 1 || rows > MOST_ROWS || columns < 1 || columns > MOST_COLUMNS || goals > MOST_GOALS)
        return 1;
    for (int i = 0; i < goals; i++)
        if (!read_number(&goal_x[i]) || !read_number(&goal_y[i]))
            return 1;
    Plan best = { 0 };
    int mana, others_mana;
    while (read_number(&mana) && read_number(&others_mana)) {
        Board board;
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++) {
                int cell;
                if (!read_number(&cell))
                    return 1;
                board.cell[y][x] = (signed char)cell;
            }
        clock_t end = clock() + BUDGET * (CLOCKS_PER_SEC / 1000);
        int value = worth(&board, best, mana);
        if (value < 0) {
            /* what was planned has become worse than to wait */
            Plan nothing = { 0 };
            int idle = worth(&board, nothing, mana);
            if (idle >= value) {
                memset(best, 0, sizeof best);
                value = idle;
            }
        }
        while (clock() < end) {
            Plan plan;
            memcpy(plan, best, sizeof plan);
            change(plan);
            int changed = worth(&board, plan, mana);
            if (changed >= value) {
                memcpy(best, plan, sizeof best);
                value = changed;
            }
        }
        for (int y = 0; y < rows; y++)
            printf("%u%c", best[0] >> y & 1, y + 1 < rows ? ' ' : '\n');
        fflush(stdout); /* the arena waits for whole lines */
        memmove(best, best + 1, (PLAN - 1) * sizeof best[0]);
        best[PLAN - 1] = 0;
    }
    return 0;
}
