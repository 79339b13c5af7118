/* Runs argv[1], a program for an ATmega, with the bytes of argv[2] on its serial port: each line is
 * sent when the program asks. Prints what the program says, up to the count argv[3] of lines. */
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *typed;
static avr_irq_t *input;
static int left, is_asked;

static void hear(struct avr_irq_t *irq, uint32_t value, void *parameter) {
    (void)irq, (void)parameter;
    putchar((int)value);
    left -= value == '\n';
    is_asked |= value == '?';
}

int main(int argc, char **argv) {
    elf_firmware_t firmware;
    avr_t *avr;
    uint32_t flags = 0;
    uint64_t wait = 0, steps;
    if (argc < 5) return 3;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(argv[1], &firmware)) return 3;
    typed = argv[2];
    left = atoi(argv[3]);
    avr = avr_make_mcu_by_name(argv[4]);
    if (!avr) return 3;
    avr_init(avr);
    avr->frequency = 16000000;
    avr_load_firmware(avr, &firmware);
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)AVR_UART_FLAG_STDIO;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), hear, 0);
    for (steps = 0; left > 0 && steps < 4000000000u; steps++) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) break;
        if (!is_asked || !*typed || ++wait < 20000) continue;
        wait = 0;
        is_asked = *typed != '\n';
        avr_raise_irq(input, (uint8_t)*typed++);
    }
    return left > 0;
}
