/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/** How this package reads and writes JSON. Stateless. */
final class Json {
    /** On one line, without escapes for HTML; a member that is null is left out. */
    static final Gson LINES = new GsonBuilder().disableHtmlEscaping().create();

    private Json() {}

    /** An object of JSON: names and values in turns. A name whose value is null is left out. */
    static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (namesAndValues[i + 1] != null) {
                object.put((String) namesAndValues[i], namesAndValues[i + 1]);
            }
        }
        return object;
    }
}
