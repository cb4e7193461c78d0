/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.TextFile;
import org.gstqpu.pipelines.play.TranscodeSettings;

/**
 * What is to be transcoded to where, and how: the content of {@code plan.json}. The components are field names of JSON. Immutable.
 *
 * @param format {@link #FORMAT}
 * @param version {@link #VERSION}
 * @param software version of the program that made the plan, and that has to do it
 * @param out the folder of the plan, as an absolute path where the plan was made
 * @param segment the least length of a segment in nanoseconds; null if inputs are not cut
 * @param settings how each unit is transcoded
 * @param units in the order in which they are done
 */
record BatchPlan(
        String format,
        int version,
        String software,
        String out,
        Long segment,
        TranscodeSettings settings,
        List<BatchTask.Unit> units) {
    static final String FORMAT = "gst-qpu batch plan";
    static final int VERSION = 1;

    /** Name of the file. */
    static final String FILE = "plan.json";

    BatchPlan {
        units = List.copyOf(units);
    }

    /** Only what tells whether the rest can be read. */
    private record Head(String format, Integer version, String software, JsonElement settings, JsonElement units) {}

    /** Everything but the units. */
    private record Frame(
            String format, int version, String software, String out, Long segment, TranscodeSettings settings) {}

    /**
     * The absolute path of the plan that a command line names.
     *
     * @param named the plan, or its folder
     */
    static Path file(Path named) {
        Path file = Files.isDirectory(named) ? named.resolve(FILE) : named;
        return file.toAbsolutePath().normalize();
    }

    /**
     * Reads a plan, which anyone may have written. No unit of it reaches beyond the plan's folder but to read its input.
     *
     * @param file the plan, absolute
     * @param software version of this program
     * @throws CommandFailedException when there is no plan, or one that this program cannot do
     */
    static BatchPlan read(Path file, String software) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw unusable(file, "it is no file");
        }
        String text;
        try {
            text = TextFile.read(file, "a plan");
        } catch (NoSuchFileException e) {
            throw CommandFailedException.unusable(file + ": there is no plan: make one with qpu batch plan IN OUT", e);
        }
        try {
            // Of two members of a name only the last one is left, for what is looked at here and for what is done.
            JsonObject root = Json.LINES.fromJson(text, JsonObject.class);
            Head head = Json.LINES.fromJson(root, Head.class);
            if (head == null
                    || !FORMAT.equals(head.format())
                    || head.version() == null
                    || head.software() == null
                    || !head.software().matches("[A-Za-z0-9.+~-]{1,64}")) {
                throw unusable(file, "it is no plan of qpu batch");
            }
            if (head.version() != VERSION) {
                throw CommandFailedException.unusable(
                        file + ": is a plan of version " + head.version() + ", and this qpu knows version " + VERSION
                                + ": use the qpu " + head.software() + " that made it");
            }
            if (!software.equals(head.software())) {
                throw CommandFailedException.unusable(
                        file + ": was made by qpu " + head.software() + ", and this is qpu " + software
                                + ", which may write other bytes: use that one, or plan into another OUT");
            }
            if (!(head.settings() instanceof JsonObject settings)
                    || !(settings.get("set") instanceof JsonObject)
                    || !(head.units() instanceof JsonArray units)
                    || !units.asList().stream().allMatch(JsonElement::isJsonObject)) {
                throw unusable(file, "it lacks its settings or units");
            }
            // As text, in which a number that is too large is a fault.
            BatchPlan plan = Json.LINES.fromJson(root.toString(), BatchPlan.class);
            Optional<String> mistake = PlanCheck.mistake(file, plan.units);
            if (mistake.isPresent()) {
                throw unusable(file, mistake.get());
            }
            plan.settings.check();
            return plan;
        } catch (JsonParseException e) {
            throw CommandFailedException.unusable(
                    unusable(file, "it is damaged").getMessage(), e);
        }
    }

    private static CommandFailedException unusable(Path file, String why) {
        return CommandFailedException.unusable(file + ": " + why + "; make one with qpu batch plan IN OUT");
    }

    /** Writes the plan into its folder. A reader sees the old plan or this one, never a part. */
    void write(Path folder) throws IOException {
        String frame = new GsonBuilder()
                .disableHtmlEscaping()
                .setPrettyPrinting()
                .create()
                .toJson(new Frame(format, version, software, out, segment, settings));
        // A unit a line, for people and for tools that work by the line.
        String text = units.stream()
                .map(Json.LINES::toJson)
                .collect(Collectors.joining(
                        ",\n    ",
                        frame.substring(0, frame.lastIndexOf('\n')) + ",\n  \"units\": [\n    ",
                        "\n  ]\n}\n"));
        WholeFile.write(folder.resolve(FILE), text);
    }

    /** The joins of segments, in the order of their first segments. */
    List<BatchTask.Join> joins() {
        Map<String, List<BatchTask.Unit>> wholes = new LinkedHashMap<>();
        units.stream()
                .filter(BatchTask.Unit::isSegment)
                .forEach(unit -> wholes.computeIfAbsent(unit.joins(), whole -> new ArrayList<>())
                        .add(unit));
        return wholes.entrySet().stream()
                .map(whole -> {
                    List<BatchTask.Unit> segments = List.copyOf(whole.getValue());
                    BatchTask.Unit first = segments.get(0);
                    return new BatchTask.Join(BatchTask.Join.id(first), first.input(), whole.getKey(), segments);
                })
                .toList();
    }

    /** All units, then all joins. */
    List<BatchTask> tasks() {
        List<BatchTask> tasks = new ArrayList<>(units);
        tasks.addAll(joins());
        return tasks;
    }
}
