/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Prints the messages of a bus as lines of text. */
#pragma once

#include <gst/gst.h>

/* Prints a message if it is an error, a warning, a QoS message or the end of the stream. */
void bus_printer_print (GstMessage *message);

/* Prints all messages that have arrived so far. */
void bus_printer_print_all (GstBus *bus);

/* Prints the element's `stats` property as one line. */
void bus_printer_print_stats (GstElement *element);
