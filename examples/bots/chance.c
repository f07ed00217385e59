/* A bot that plays any game by chance, in Gridpaper's text protocol.
 *
 *     cc -std=c99 -O2 -o chance chance.c
 *     gridpaper match stones random 'cmd[text]:./chance' --games 10
 *
 * It asks for the legal moves and takes one of them. All that the protocol has is in
 * docs/bots.md; a bot that thinks would look at the position where this one picks. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 16 };

static char line[LONGEST];
static char moves[LONGEST];
static unsigned long long dice = 1;

/* xorshift (Marsaglia, 2003) */
static unsigned below(unsigned bound)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (unsigned)(dice >> 16) % bound;
}

/* The next line without what ends it; 0 where the input ends. */
static int next_line(void)
{
    if (fgets(line, sizeof line, stdin) == NULL)
        return 0;
    line[strcspn(line, "\r\n")] = '\0';
    return 1;
}

/* What follows a word at the beginning of the line; NULL where it begins otherwise. */
static char *after(const char *word)
{
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 ? line + length : NULL;
}

/* One of the moves, which are words with blanks between them. */
static void pick(void)
{
    unsigned count = 1;
    for (const char *sign = moves; *sign != '\0'; sign++)
        count += *sign == ' ';
    char *move = strtok(moves, " ");
    for (unsigned left = below(count); left > 0; left--)
        move = strtok(NULL, " ");
    puts(move);
}

/* A move of the duel, for boards that have too many moves to be listed. */
static void any_column(unsigned rows, unsigned mana)
{
    char column[64];
    if (rows == 0 || rows >= sizeof column)
        exit(1);
    memset(column, '0', rows);
    column[rows] = '\0';
    for (unsigned left = below(mana + 1); left > 0; left--)
        column[below(rows)] = '1'; /* the same row twice costs no more than once */
    puts(column);
}

int main(void)
{
    unsigned rows = 0, mana = 0;
    while (next_line()) {
        char *rest;
        if (after("gridpaper ") != NULL) {
            /* again: many games in this process; moves: list the legal moves */
            puts("name chance-c again moves");
        } else if ((rest = after("seed ")) != NULL) {
            dice = strtoull(rest, NULL, 10);
            dice += dice == 0; /* 0 would stay 0 for ever */
        } else if ((rest = after("position ")) != NULL) {
            int is_board = 1;
            rows = mana = 0;
            for (long left = strtol(rest, NULL, 10); left > 0 && next_line(); left--) {
                /* what comes after the rows of a duel's board: turn, mana, score */
                is_board = is_board && after("turn ") == NULL;
                rows += (unsigned)is_board;
                if ((rest = after("mana ")) != NULL)
                    mana = (unsigned)strtoul(rest, NULL, 10);
            }
        } else if ((rest = after("moves ")) != NULL) {
            strcpy(moves, rest);
        } else if (after("go ") != NULL) {
            if (strncmp(moves, "many ", 5) == 0)
                any_column(rows, mana);
            else
                pick();
        }
        /* game, seat, pace and end need nothing from this bot */
        fflush(stdout);
    }
    return 0;
}
