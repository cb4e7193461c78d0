/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.gstqpu.pipelines.cli.JsonReport;
import org.gstqpu.pipelines.cli.TextTable;

/**
 * Prints what a benchmark measured, as JSON or for people. For people, a list of records is a table whose columns are the components
 * of the record, and everything else a line. A component whose name ends in {@code Nanos} is printed in milliseconds; a list within a
 * row is left out. Stateless.
 */
public final class BenchReport {
    private static final String NANOS = "Nanos";
    private static final MathContext DIGITS = new MathContext(4);

    private BenchReport() {}

    /** Prints a report whose components are numbers, texts, records or lists of records; null ones are left out. */
    public static void print(PrintWriter out, boolean json, Record report) {
        if (json) {
            JsonReport.print(out, report);
            return;
        }
        print(out, new Gson().toJsonTree(report).getAsJsonObject());
        out.flush();
    }

    private static void print(PrintWriter out, JsonObject report) {
        for (Map.Entry<String, JsonElement> entry : report.entrySet()) {
            if (entry.getValue() instanceof JsonPrimitive value) {
                out.println(words(entry.getKey()) + ": " + text(entry.getKey(), value));
            } else if (entry.getValue() instanceof JsonObject part) {
                out.printf("%n%s%n", words(entry.getKey()));
                print(out, part);
            } else if (!entry.getValue().getAsJsonArray().isEmpty()) {
                out.printf("%n%s%n", words(entry.getKey()));
                table(entry.getValue().getAsJsonArray()).print(out);
            }
        }
    }

    private static TextTable table(Iterable<JsonElement> rows) {
        Set<String> columns = new LinkedHashSet<>();
        for (JsonElement row : rows) {
            for (Map.Entry<String, JsonElement> cell : row.getAsJsonObject().entrySet()) {
                if (cell.getValue().isJsonPrimitive()) {
                    columns.add(cell.getKey());
                }
            }
        }
        TextTable table = new TextTable(columns.stream().map(BenchReport::words).toArray(String[]::new));
        for (JsonElement row : rows) {
            table.row(columns.stream()
                    .map(name ->
                            row.getAsJsonObject().get(name) instanceof JsonPrimitive value ? text(name, value) : "-")
                    .toArray(String[]::new));
        }
        return table;
    }

    /** The name of a component as words, with the unit in which it is printed. */
    private static String words(String name) {
        String stem = name.endsWith(NANOS) ? name.substring(0, name.length() - NANOS.length()) + "Ms" : name;
        return stem.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    private static String text(String name, JsonPrimitive value) {
        if (!value.isNumber()) {
            return value.getAsString();
        }
        BigDecimal number = value.getAsBigDecimal();
        if (name.endsWith(NANOS)) {
            return number.movePointLeft(6).setScale(3, RoundingMode.HALF_UP).toPlainString();
        }
        return number.scale() <= 0
                ? number.toPlainString()
                : number.round(DIGITS).toPlainString();
    }
}
