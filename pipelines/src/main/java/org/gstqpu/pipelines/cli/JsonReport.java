/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import com.google.gson.GsonBuilder;
import java.io.PrintWriter;

/** Prints what a command found as JSON, for programs; holds nothing. */
public final class JsonReport {
    private JsonReport() {}

    /** Prints a record, its components being the fields. */
    public static void print(PrintWriter out, Record report) {
        out.println(new GsonBuilder().setPrettyPrinting().create().toJson(report));
        out.flush();
    }
}
