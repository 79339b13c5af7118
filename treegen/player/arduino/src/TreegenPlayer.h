/* Plays a table of treegen from flash: see examples/SerialGame. */
#ifndef TREEGEN_PLAYER_H
#define TREEGEN_PLAYER_H

#include <Arduino.h>
#define TGT_YIELD() yield() /* long loops feed the watchdog, which an ESP8266 always has */

#include "table.h" /* first: it says how a large table is read */

#include "tgt_codes.h"
#include "tgt_lean.h"

#endif
