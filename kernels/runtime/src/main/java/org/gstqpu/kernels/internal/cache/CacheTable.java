/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cache;

import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A {@link CacheFile} of text: the conditions under which its rows hold, then a line for each row, whose fields tabs separate. Holds
 * only the path. Any thread may use it.
 */
public final class CacheTable {
    private static final Logger LOG = System.getLogger(CacheTable.class.getName());

    private final Optional<CacheFile> file;
    private final String header;

    /**
     * @param file empty if nothing is kept: then the table has no rows
     * @param header the conditions; lines that end in a line feed
     */
    public CacheTable(Optional<CacheFile> file, String header) {
        this.file = file;
        this.header = header;
    }

    /**
     * Reads the rows. A file of other conditions, or with a row that is none, has no rows; that is logged.
     *
     * @param fields the number of fields of a row
     * @param row makes a row of its fields; empty, or a NumberFormatException, if they are none
     */
    public <T> List<T> read(int fields, Function<List<String>, Optional<T>> row) {
        Optional<byte[]> content = file.flatMap(CacheFile::read);
        if (content.isEmpty()) {
            return List.of();
        }
        String text = new String(content.get(), StandardCharsets.UTF_8);
        if (!text.startsWith(header)) {
            return ignored("it is of another Java, driver, processor or version of this library");
        }
        List<T> rows = new ArrayList<>();
        for (String line : text.substring(header.length()).lines().toList()) {
            Optional<T> made;
            try {
                List<String> found = List.of(line.split("\t", -1));
                made = found.size() == fields ? row.apply(found) : Optional.empty();
            } catch (NumberFormatException e) {
                made = Optional.empty();
            }
            if (made.isEmpty()) {
                return ignored("it has the line '" + line + "'");
            }
            rows.add(made.get());
        }
        return rows;
    }

    private <T> List<T> ignored(String why) {
        LOG.log(Logger.Level.DEBUG, () -> "the record " + file.orElseThrow().path() + " is ignored: " + why);
        return List.of();
    }

    /** Replaces all rows, each given as its fields. */
    public void write(List<List<Object>> rows) {
        StringBuilder text = new StringBuilder(header);
        for (List<Object> fields : rows) {
            text.append(String.join("\t", fields.stream().map(Object::toString).toList()))
                    .append('\n');
        }
        file.ifPresent(cache -> cache.write(text.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
