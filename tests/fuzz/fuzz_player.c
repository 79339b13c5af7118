/* libFuzzer target: the C player on any bytes, with a CRC that fits. */
#include "hostile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1u << 20) play_hostile(data, (uint32_t)size);
    return 0;
}
