/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import com.google.gson.GsonBuilder;
import java.io.PrintWriter;

/** Prints the report of a command as JSON. Stateless. */
public final class JsonReport {
    private JsonReport() {}

    /** Prints a record; each component becomes a field. */
    public static void print(PrintWriter out, Record report) {
        out.println(new GsonBuilder().setPrettyPrinting().create().toJson(report));
        out.flush();
    }
}
