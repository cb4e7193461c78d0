/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

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
import org.gstqpu.pipelines.cli.Installation;

/**
 * A ready pipeline: a shell script with one {@code gst-launch-1.0} line, whose variables are its inputs. The comments at its
 * beginning tell its purpose, its use and its needs. Immutable.
 *
 * @param name file name without {@code .sh}
 * @param file the script
 * @param title its purpose, in one sentence
 * @param needs Debian packages and other things that must be present
 * @param writes true if it writes to an {@code OUTPUT}, false if it shows the pictures in its {@code SINK}
 */
record ReadyPipeline(String name, Path file, String title, String needs, boolean writes) {
    private static final long LIMIT_SECONDS = 30;
    private static final String SUFFIX = ".sh";

    /** Variables that hold parts of a description, beside those of sinks. */
    private static final Set<String> PARTS = Set.of("PROPERTIES", "OVERLAY", "SPLITTER");

    private static final Pattern SETTING = Pattern.compile("[a-z][a-z-]*=");
    private static final String VIDEO_FILTER = "video-filter=";
    private static final Pattern ELEMENT = Pattern.compile("[a-z][a-z0-9]*");

    private static final String DEVICE_SOURCE = "v4l2src";

    private static final List<String> RTSP = List.of("rtsp", "rtsps", "rtspt", "rtspu", "rtsph");

    /** Elements that read from the network alone, and the schemes of their addresses. */
    private static final Map<String, List<String>> NETWORK_SOURCES =
            Map.of("souphttpsrc", List.of("http", "https"), "rtspsrc", RTSP);

    /** Elements that write to the network alone, and the schemes of their addresses. */
    private static final Map<String, List<String>> NETWORK_SINKS = Map.of("rtspclientsink", RTSP);

    /** All ready pipelines of an installation, sorted by name. */
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
     * Finds a pipeline by its name, among those that write or among those that show pictures.
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
                .orElseThrow(() -> unusable("--as takes one of "
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

    /** The text of the line {@code needs:} and of the indented lines after it. */
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

    /** The command line with which {@code qpu} runs this pipeline. */
    String usage() {
        String command = writes ? "transcode" : "play";
        String as = name.equals(command) ? "" : " --as " + name;
        return "qpu " + command + as + (writes ? " IN OUT" : " IN");
    }

    /**
     * The arguments of {@code gst-launch-1.0}. The script itself is run to expand the variables, with {@code printf} in place of
     * {@code gst-launch-1.0}.
     *
     * @param variables the variables to set, such as {@code INPUT}; the others have the defaults of the script
     */
    private List<String> words(Map<String, String> variables) {
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("GST_LAUNCH", "printf %s\\0");
        ChildProcess script = new ChildProcess(List.of("sh", file.toString()), environment);
        ChildProcess.Result result = script.require(LIMIT_SECONDS, "there is no sh: apt install dash");
        if (result.status() != 0) {
            throw unusable(result.lastLines(1));
        }
        // ChildProcess decodes the output as ISO 8859-1, which keeps its bytes. They are UTF-8.
        String output = new String(result.output().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        List<String> words = List.of(output.split("\0"));
        return words.stream().dropWhile(word -> word.startsWith("-")).toList();
    }

    /**
     * The pipeline as a description for gst_parse_launch.
     *
     * @param variables the variables to set, such as {@code INPUT}; the values of {@code PROPERTIES}, {@code OVERLAY}, {@code SPLITTER} and
     *     of names that end in {@code SINK} are parts of a description, and are not quoted
     */
    String description(Map<String, String> variables) {
        Map<String, String> markers = new HashMap<>(variables);
        Map<String, String> parts = new HashMap<>();
        variables.forEach((variable, value) -> {
            if (PARTS.contains(variable) || variable.endsWith("SINK")) {
                String marker = "@" + variable + "@";
                markers.put(variable, marker);
                parts.put(marker, value);
            }
        });
        return words(markers).stream().map(word -> described(word, parts)).collect(Collectors.joining(" "));
    }

    /**
     * What a pipeline with {@code transcodebin} has between the decoder and the encoder of video, as a description. Empty for a
     * pipeline that has its own encoder, or none.
     *
     * @param properties properties of the element
     */
    Optional<String> videoFilter(String properties) {
        List<String> words = words(Map.of("INPUT", "in", "OUTPUT", "out", "PROPERTIES", properties));
        return words.contains("transcodebin")
                ? words.stream()
                        .filter(word -> word.startsWith(VIDEO_FILTER))
                        .map(word -> word.substring(VIDEO_FILTER.length()))
                        .findFirst()
                : Optional.empty();
    }

    private static String described(String word, Map<String, String> parts) {
        String whole = word;
        for (Map.Entry<String, String> part : parts.entrySet()) {
            whole = whole.replace(part.getKey(), part.getValue());
        }
        Matcher setting = SETTING.matcher(word);
        return setting.lookingAt() ? setting.group() + quoted(whole.substring(setting.end())) : whole;
    }

    /**
     * The address of an input.
     *
     * @param input a file or an address; a device for a pipeline that reads from one
     * @throws CommandFailedException if there is no such file, or this pipeline reads other kinds of inputs
     */
    String inputAddress(String input) {
        if (elements().contains(DEVICE_SOURCE)) {
            return device(input);
        }
        String address = InputAddress.of(input);
        check(NETWORK_SOURCES, "reads from", input, address);
        return address;
    }

    private String device(String input) {
        if (input.isBlank()) {
            throw unusable("the name of the input is empty: name a device, such as /dev/video0");
        }
        Path file = Path.of(input);
        if (Files.isDirectory(file)) {
            throw unusable(input + " is a folder: name a device in it");
        }
        if (input.contains("://") || Files.isRegularFile(file)) {
            throw unusable(name + " reads from a device, such as /dev/video0, given " + input
                    + "; files and addresses are for qpu play without --as " + name);
        }
        if (!Files.exists(file)) {
            throw unusable(input + ": no such file");
        }
        return input;
    }

    /**
     * Checks what the pipeline is to write.
     *
     * @param output a file or an address
     * @throws CommandFailedException if this pipeline writes to other kinds of addresses
     */
    void checkOutput(String output) {
        check(NETWORK_SINKS, "writes to", output, output);
    }

    /** Whether it reads from the network alone, as long as something comes. */
    boolean readsStream() {
        return elements().stream().anyMatch(NETWORK_SOURCES::containsKey);
    }

    private void check(Map<String, List<String>> network, String does, String given, String address) {
        Set<String> elements = elements();
        network.forEach((element, schemes) -> {
            if (elements.contains(element)
                    && schemes.stream().noneMatch(scheme -> address.startsWith(scheme + "://"))) {
                throw unusable(name + " " + does + " an address that begins with " + schemes.get(0) + "://, given "
                        + given + "; files are for qpu transcode without --as " + name);
            }
        });
    }

    /** Quotes a value for a description. */
    static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** The names of all elements in the pipeline, in their order, including those in quoted values of properties. */
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

    /** The words of a chain of elements, or of one element, that is the value of a property. */
    private static Optional<List<String>> nested(String word) {
        int equals = word.indexOf('=');
        boolean isChain =
                equals > 0 && (word.contains(" ! ") || word.substring(0, equals).endsWith("-sink"));
        return isChain ? Optional.of(List.of(word.substring(equals + 1).split("\\s+"))) : Optional.empty();
    }
}
