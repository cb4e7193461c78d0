/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One object of a golden file's JSON header. Reading a value of the wrong kind throws an exception that names the
 * value. Immutable.
 */
final class GoldenHeader {
    private final String file;
    private final JsonObject json;

    GoldenHeader(String file, JsonObject json) {
        this.file = file;
        this.json = json;
    }

    /** Reads the header line that a file, or a picture of several, begins with. */
    static GoldenHeader read(String file, InputStream in) throws IOException, GoldenFormatException {
        return new GoldenHeader(file, parse(file, headerLine(file, in)));
    }

    private static String headerLine(String name, InputStream in) throws IOException, GoldenFormatException {
        final int limitBytes = 1 << 20;
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new GoldenFormatException(name, "it ends before its header line does");
            }
            if (line.size() == limitBytes) {
                throw new GoldenFormatException(name, "no header line in its first " + limitBytes + " bytes");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static JsonObject parse(String name, String line) throws GoldenFormatException {
        Gson gson = new GsonBuilder().setStrictness(Strictness.STRICT).create();
        try {
            JsonObject json = gson.fromJson(line, JsonObject.class);
            if (json == null) {
                throw new GoldenFormatException(name, "its header line is empty");
            }
            return json;
        } catch (JsonParseException e) {
            throw new GoldenFormatException(name, "its header line is not a JSON object", e);
        }
    }

    /** Name of the file that this object stands in. */
    String file() {
        return file;
    }

    boolean has(String key) {
        return json.has(key);
    }

    /** Reads a text. Messages, which are one line, hold it as it is, so it is one of at most 100 printable characters. */
    String text(String key) throws GoldenFormatException {
        if (!(json.get(key) instanceof JsonPrimitive value) || !value.isString()) {
            throw wrong(key, "a string");
        }
        if (!value.getAsString().matches("[\\x20-\\x7e]{0,100}")) {
            throw wrong(key, "at most 100 ASCII characters that can be printed");
        }
        return value.getAsString();
    }

    int integer(String key) throws GoldenFormatException {
        if (json.get(key) instanceof JsonPrimitive value && value.isNumber()) {
            try {
                return new BigDecimal(value.getAsString()).intValueExact();
            } catch (ArithmeticException e) {
                throw new GoldenFormatException(file, "'" + key + "' in its header is not a 32-bit integer", e);
            }
        }
        throw wrong(key, "a number");
    }

    /** Reads a flag; {@code whenMissing} if the header has none. */
    boolean flag(String key, boolean whenMissing) throws GoldenFormatException {
        if (!json.has(key)) {
            return whenMissing;
        }
        if (json.get(key) instanceof JsonPrimitive value && value.isBoolean()) {
            return value.getAsBoolean();
        }
        throw wrong(key, "true or false");
    }

    /** Reads a count or a size: an integer from 1 to {@code limit}. */
    int positive(String key, int limit) throws GoldenFormatException {
        int value = integer(key);
        if (value < 1 || value > limit) {
            throw wrong(key, "1.." + limit);
        }
        return value;
    }

    List<GoldenHeader> objects(String key) throws GoldenFormatException {
        if (!(json.get(key) instanceof JsonArray array)) {
            throw wrong(key, "an array");
        }
        List<GoldenHeader> objects = new ArrayList<>();
        for (JsonElement element : array) {
            if (!(element instanceof JsonObject object)) {
                throw wrong(key, "an array of objects");
            }
            objects.add(new GoldenHeader(file, object));
        }
        return objects;
    }

    private GoldenFormatException wrong(String key, String wanted) {
        String given = json.has(key) ? String.valueOf(json.get(key)) : "nothing";
        if (given.length() > 40) {
            given = given.substring(0, 40) + "...";
        }
        return new GoldenFormatException(file, "'" + key + "' in its header should be " + wanted + ", is " + given);
    }
}
