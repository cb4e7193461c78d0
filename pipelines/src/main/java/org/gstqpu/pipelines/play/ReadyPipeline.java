/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;

/**
 * One of the ready pipelines: a shell script with one {@code gst-launch-1.0} line, whose variables are its inputs. What it is for,
 * how it is used and what it needs stands in its head. Immutable.
 *
 * @param name file name without {@code .sh}
 * @param file the script
 * @param title what it is for, a sentence
 * @param needs Debian packages and what else must be there
 * @param writes whether it has an {@code OUTPUT}; otherwise it shows the pictures in its {@code SINK}
 */
record ReadyPipeline(String name, Path file, String title, String needs, boolean writes) {
    private static final long LIMIT_SECONDS = 30;
    private static final String SUFFIX = ".sh";
    private static final Pattern SETTING = Pattern.compile("[a-z][a-z-]*=");
    private static final Pattern ELEMENT = Pattern.compile("[a-z][a-z0-9]*");

    /** What the installation has, by name. */
    static List<ReadyPipeline> all(Installation installation) {
        List<ReadyPipeline> all = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(installation.pipelines(), "*" + SUFFIX)) {
            for (Path file : files) {
                all.add(read(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        all.sort(Comparator.comparing(ReadyPipeline::name));
        return List.copyOf(all);
    }

    /**
     * The one of that name, for a command that shows pictures or one that writes them.
     *
     * @throws CommandFailedException when there is none
     */
    static ReadyPipeline named(Installation installation, String name, boolean writes) {
        List<ReadyPipeline> fitting = all(installation).stream()
                .filter(pipeline -> pipeline.writes == writes)
                .toList();
        return fitting.stream()
                .filter(pipeline -> pipeline.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new CommandFailedException(
                        ExitStatus.UNUSABLE_INPUT,
                        "--as takes one of "
                                + fitting.stream().map(ReadyPipeline::name).collect(Collectors.joining(", "))
                                + ", given " + name));
    }

    private static ReadyPipeline read(Path file) throws IOException {
        String text = Files.readString(file);
        List<String> head = text.lines()
                .skip(1)
                .takeWhile(line -> line.startsWith("# "))
                .map(line -> line.substring(2))
                .toList();
        String fileName = String.valueOf(file.getFileName());
        return new ReadyPipeline(
                fileName.substring(0, fileName.length() - SUFFIX.length()),
                file,
                head.get(0),
                needs(head),
                text.contains("${OUTPUT"));
    }

    /** The line {@code needs:}, and the indented ones after it. */
    private static String needs(List<String> head) {
        StringBuilder needs = new StringBuilder();
        for (String line : head) {
            if (line.startsWith("needs: ")) {
                needs.append(line.substring("needs: ".length()));
            } else if (!needs.isEmpty() && line.startsWith(" ")) {
                needs.append(' ').append(line.strip());
            } else if (!needs.isEmpty()) {
                break;
            }
        }
        return needs.toString();
    }

    /** How {@code qpu} runs it. */
    String usage() {
        String command = writes ? "transcode" : "play";
        String as = name.equals(command) ? "" : " --as " + name;
        return "qpu " + command + as + (writes ? " IN OUT" : " IN");
    }

    /**
     * The pipeline as the arguments of {@code gst-launch-1.0}: the script's own shell puts the variables in.
     *
     * @param variables such as {@code INPUT}; others have the script's defaults
     */
    private List<String> words(Map<String, String> variables) {
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("GST_LAUNCH", "printf %s\\0");
        ChildProcess script = new ChildProcess(List.of("sh", file.toString()), environment);
        ChildProcess.Result result = script.run(LIMIT_SECONDS)
                .orElseThrow(
                        () -> new CommandFailedException(ExitStatus.UNAVAILABLE, "there is no sh: apt install dash"));
        if (result.status() != 0) {
            throw new CommandFailedException(ExitStatus.UNUSABLE_INPUT, result.lastLines(1));
        }
        // The output is read byte for byte; a path may hold any character.
        String output = new String(result.output().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        List<String> words = List.of(output.split("\0"));
        return words.stream().dropWhile(word -> word.startsWith("-")).toList();
    }

    /**
     * The pipeline as GStreamer parses it.
     *
     * @param variables {@code INPUT} and so on; {@code PROPERTIES} and those that end in {@code SINK} are parts of such a
     *     description themselves
     */
    String description(Map<String, String> variables) {
        Map<String, String> markers = new HashMap<>(variables);
        Map<String, String> parts = new HashMap<>();
        variables.forEach((variable, value) -> {
            if (variable.equals("PROPERTIES") || variable.endsWith("SINK")) {
                String marker = "@" + variable + "@";
                markers.put(variable, marker);
                parts.put(marker, value);
            }
        });
        return words(markers).stream().map(word -> described(word, parts)).collect(Collectors.joining(" "));
    }

    private static String described(String word, Map<String, String> parts) {
        String whole = word;
        for (Map.Entry<String, String> part : parts.entrySet()) {
            whole = whole.replace(part.getKey(), part.getValue());
        }
        Matcher setting = SETTING.matcher(word);
        return setting.lookingAt() ? setting.group() + quoted(whole.substring(setting.end())) : whole;
    }

    /** A value as GStreamer reads it in a description, whatever is in it. */
    static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** The elements that its line names, those between quotes too, in their order. */
    Set<String> elements() {
        return elements(words(Map.of("INPUT", "in", "OUTPUT", "out")));
    }

    private static Set<String> elements(List<String> words) {
        Set<String> elements = new LinkedHashSet<>();
        boolean atStart = true;
        for (String word : words) {
            if (atStart && ELEMENT.matcher(word).matches()) {
                elements.add(word);
            }
            atStart = word.equals("!");
            nested(word).ifPresent(chain -> elements.addAll(elements(chain)));
        }
        return elements;
    }

    /** The chain, or the one element, that an element of a chain has as the value of a property. */
    private static Optional<List<String>> nested(String word) {
        int equals = word.indexOf('=');
        boolean isChain =
                equals > 0 && (word.contains(" ! ") || word.substring(0, equals).endsWith("-sink"));
        return isChain ? Optional.of(List.of(word.substring(equals + 1).split("\\s+"))) : Optional.empty();
    }
}
