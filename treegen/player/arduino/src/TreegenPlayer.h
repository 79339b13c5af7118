/* Plays a table of treegen from flash: see examples/SerialGame. */
#ifndef TREEGEN_PLAYER_H
#define TREEGEN_PLAYER_H

#include "table.h" /* first: it says how a large table is read */

#include "tgt_codes.h"
#include "tgt_lean.h"

#endif
