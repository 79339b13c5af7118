/* Plays .tgt tables of treegen from flash: see examples/SerialGame. */
#ifndef TREEGEN_PLAYER_H
#define TREEGEN_PLAYER_H

#include "tgt_codes.h"
#include "tgt_lean.h"

#endif
