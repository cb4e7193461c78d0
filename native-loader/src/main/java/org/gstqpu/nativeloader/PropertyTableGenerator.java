/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.plugin.ElementCounter;
import org.gstqpu.plugin.ElementProperty;
import org.gstqpu.plugin.ElementProperty.Bool;
import org.gstqpu.plugin.ElementProperty.Choice;
import org.gstqpu.plugin.ElementProperty.IntRange;
import org.gstqpu.plugin.ElementProperty.RealRange;
import org.gstqpu.plugin.ElementProperty.Structure;
import org.gstqpu.plugin.ElementProperty.Text;
import org.gstqpu.plugin.ElementText;
import org.gstqpu.plugin.FilterParam;

/**
 * Writes the C headers from which libgstqpu.so registers its properties and pad templates without a JVM. They hold the constants of
 * {@link ElementProperty}, {@link ElementText}, {@link ElementCounter} and {@link FilterParam}, and the formats of {@link PixelFormat}. Holds no state; the
 * build runs it on its own thread.
 */
final class PropertyTableGenerator {
    private PropertyTableGenerator() {}

    /**
     * Writes the headers.
     *
     * @param arguments the two files to write: the header of the properties, then the header of side information
     * @throws IOException if a file cannot be written
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException(
                    "usage: PropertyTableGenerator HEADER PARAMETER-HEADER, given " + arguments.length);
        }
        write(Path.of(arguments[0]), header());
        write(Path.of(arguments[1]), parameterHeader());
    }

    private static void write(Path header, String text) throws IOException {
        Files.createDirectories(header.toAbsolutePath().getParent());
        Files.writeString(header, text, StandardCharsets.UTF_8);
    }

    /** The text of the header with the fields of side information, made from {@link FilterParam}. */
    static String parameterHeader() {
        StringBuilder text = new StringBuilder("/* Generated from org.gstqpu.plugin.FilterParam. */\n#pragma once\n\n");
        text.append("#define GST_QPU_PARAM_COUNT ")
                .append(FilterParam.values().length)
                .append("\n\n");
        for (FilterParam param : FilterParam.values()) {
            if (param.type() == FilterParam.Type.CHOICE) {
                text.append("static const gchar *const ")
                        .append(choicesName(param))
                        .append("[] = { ")
                        .append(param.choices().stream()
                                .map(PropertyTableGenerator::quoted)
                                .collect(Collectors.joining(", ")))
                        .append(", NULL };\n");
            }
        }
        text.append("\nstatic const GstQpuParamSpec gst_qpu_param_specs[GST_QPU_PARAM_COUNT] = {\n");
        for (FilterParam param : FilterParam.values()) {
            text.append("  {")
                    .append(quoted(param.gstName()))
                    .append(", GST_QPU_PARAM_")
                    .append(param.type().name())
                    .append(", ")
                    .append(param.type() == FilterParam.Type.CHOICE ? choicesName(param) : "NULL")
                    .append("},\n");
        }
        return text.append("};\n").toString();
    }

    private static String choicesName(FilterParam param) {
        return "gst_qpu_param_" + param.name().toLowerCase(Locale.ROOT) + "_choices";
    }

    /** The text of the header with properties, counters and formats. */
    static String header() {
        StringBuilder text = new StringBuilder();
        text.append(
                "/* Generated from org.gstqpu.plugin.ElementProperty, ElementText, ElementCounter and org.gstqpu.kernels.picture.PixelFormat. */\n");
        text.append("#pragma once\n\n");
        text.append("#define GST_QPU_VIDEO_FORMATS ")
                .append(quoted(Arrays.stream(PixelFormat.values())
                        .map(PixelFormat::name)
                        .collect(Collectors.joining(", ", "{ ", " }"))))
                .append("\n\n");
        text.append("enum\n{\n");
        for (ElementProperty property : ElementProperty.values()) {
            text.append("  GST_QPU_PROPERTY_").append(property.name()).append(",\n");
        }
        text.append("  GST_QPU_PROPERTY_COUNT\n};\n\n");
        for (ElementProperty property : ElementProperty.values()) {
            if (property.type() instanceof Choice choice) {
                appendChoice(text, property, choice);
            }
        }
        text.append("static const GstQpuPropertySpec gst_qpu_property_specs[GST_QPU_PROPERTY_COUNT] = {\n");
        for (ElementProperty property : ElementProperty.values()) {
            appendSpec(text, property);
        }
        text.append("};\n\n");
        text.append("#define GST_QPU_TEXT_COUNT ")
                .append(ElementText.values().length)
                .append("\n\n");
        text.append("static const GstQpuTextSpec gst_qpu_text_specs[GST_QPU_TEXT_COUNT] = {\n");
        for (ElementText one : ElementText.values()) {
            text.append("  {").append(quoted(one.gstName())).append("},\n");
        }
        text.append("};\n\n");
        // The counters of a closed element: it times no pictures, so it has no timed counters.
        List<ElementCounter> counters = Arrays.stream(ElementCounter.values())
                .filter(counter -> !counter.timed())
                .toList();
        text.append("#define GST_QPU_COUNTER_COUNT ").append(counters.size()).append("\n\n");
        text.append("static const GstQpuCounterSpec gst_qpu_counter_specs[GST_QPU_COUNTER_COUNT] = {\n");
        for (ElementCounter counter : counters) {
            text.append("  {")
                    .append(quoted(counter.gstName()))
                    .append(", ")
                    .append(counter.signed() ? "TRUE" : "FALSE")
                    .append("},\n");
        }
        return text.append("};\n").toString();
    }

    private static void appendChoice(StringBuilder text, ElementProperty property, Choice choice) {
        text.append("static const GEnumValue ").append(choicesName(property)).append("[] = {\n");
        for (int index = 0; index < choice.values().size(); index++) {
            ElementProperty.Value value = choice.values().get(index);
            text.append("  {")
                    .append(index)
                    .append(", ")
                    .append(quoted(value.description()))
                    .append(", ")
                    .append(quoted(value.nick()))
                    .append("},\n");
        }
        text.append("  {0, NULL, NULL}\n};\n\n");
    }

    private static void appendSpec(StringBuilder text, ElementProperty property) {
        text.append("  {\n");
        appendField(text, "name", quoted(property.gstName()));
        appendField(text, "nick", quoted(property.nick()));
        appendField(text, "blurb", quoted(property.blurb()));
        appendField(text, "access", "GST_QPU_ACCESS_" + property.access().name());
        if (property.type() instanceof Bool) {
            appendField(text, "type", "GST_QPU_TYPE_BOOLEAN");
            appendField(text, "maximum", "1");
        } else if (property.type() instanceof IntRange range) {
            appendField(text, "type", "GST_QPU_TYPE_INT");
            appendField(text, "minimum", Integer.toString(range.minimum()));
            appendField(text, "maximum", Integer.toString(range.maximum()));
        } else if (property.type() instanceof RealRange range) {
            appendField(text, "type", "GST_QPU_TYPE_DOUBLE");
            appendField(text, "minimum", Long.toString(Math.round(range.minimum() * range.parts())));
            appendField(text, "maximum", Long.toString(Math.round(range.maximum() * range.parts())));
            appendField(text, "parts", Integer.toString(range.parts()));
        } else if (property.type() instanceof Choice choice) {
            appendField(text, "type", "GST_QPU_TYPE_ENUM");
            appendField(text, "maximum", Integer.toString(choice.values().size() - 1));
            appendField(text, "enum_name", quoted(choice.typeName()));
            appendField(text, "enum_values", choicesName(property));
        } else if (property.type() instanceof Text) {
            appendField(text, "type", "GST_QPU_TYPE_STRING");
        } else if (property.type() instanceof Structure) {
            appendField(text, "type", "GST_QPU_TYPE_STRUCTURE");
        } else {
            throw new IllegalStateException("no C type for " + property.type());
        }
        appendField(text, "default_value", Integer.toString(property.defaultValue()));
        text.append("  },\n");
    }

    private static void appendField(StringBuilder text, String field, String value) {
        text.append("    .").append(field).append(" = ").append(value).append(",\n");
    }

    private static String choicesName(ElementProperty property) {
        return "gst_qpu_" + property.name().toLowerCase(Locale.ROOT) + "_values";
    }

    /** A C string literal. Escapes quotes and backslashes, and refuses every other character that would need an escape. */
    static String quoted(String value) {
        StringBuilder literal = new StringBuilder("\"");
        for (int index = 0; index < value.length(); index++) {
            char character = value.charAt(index);
            if (character < ' ' || character > '~') {
                throw new IllegalArgumentException("not printable ASCII at " + index + ": " + value);
            }
            if (character == '"' || character == '\\') {
                literal.append('\\');
            }
            literal.append(character);
        }
        return literal.append('"').toString();
    }
}
