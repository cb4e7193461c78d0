/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.plugin.ElementCounter;
import org.gstqpu.plugin.ElementProperty;
import org.gstqpu.plugin.ElementText;
import org.gstqpu.plugin.FilterParam;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The tables of the documents list what the sources declare. */
class ReadmeTest {
    @Test
    void thePropertyTableIsWhatTheElementDeclares() throws IOException {
        List<String> declared =
                Arrays.stream(ElementProperty.values()).map(ReadmeTest::row).toList();
        List<String> written = tableOf("docs/PROPERTIES.md", "# Properties", "| property |").stream()
                .map(line -> line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1))
                .toList();
        assertEquals(String.join("\n", declared), String.join("\n", written));
    }

    @Test
    void theTableOfSideInformationHasEveryField() throws IOException {
        String declared = Arrays.stream(FilterParam.values())
                .map(param -> param.gstName() + " " + type(param))
                .sorted()
                .collect(Collectors.joining("\n"));
        String written = tableOf("docs/SIDE-INFORMATION.md", "## The fields", "| field |").stream()
                .map(line -> line.substring(1).split("\\|", 3))
                .flatMap(cells -> Arrays.stream(cells[0].replaceAll("[` ]", "").split(","))
                        .map(name -> name + " " + cells[1].strip()))
                .sorted()
                .collect(Collectors.joining("\n"));
        assertEquals(declared, written);
    }

    private static String type(FilterParam param) {
        return switch (param.type()) {
            case INT -> "int";
            case CHOICE -> "string";
            case BYTES -> "bytes";
        };
    }

    @Test
    void theTableOfFormatsHasEveryOne() throws IOException {
        Set<String> written = tableOf("docs/FORMATS.md", "## Formats", "| | 4:2:0 |").stream()
                .flatMap(line -> Arrays.stream(line.split("[|, ]+", -1)))
                .filter(word -> word.matches("[A-Z].*"))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> declared = Arrays.stream(PixelFormat.values())
                .map(PixelFormat::name)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(declared, written);
    }

    @Test
    void theTableOfStatsHasEveryField() throws IOException {
        Set<String> declared = new TreeSet<>(List.of("source-codec"));
        for (ElementText text : ElementText.values()) {
            declared.add(text.gstName());
        }
        for (ElementCounter counter : ElementCounter.values()) {
            declared.add(counter.gstName());
        }
        List<String> written = tableOf("docs/STATISTICS.md", "# Statistics: the property `stats`", "| field |").stream()
                .map(line -> line.split("\\|", 3)[1].replaceAll("[` ]", ""))
                .flatMap(names -> Arrays.stream(names.split(",", -1)))
                .sorted()
                .toList();
        assertEquals(List.copyOf(declared), written);
    }

    /** The rows of the table that follows a heading and whose first row begins with {@code begin}. */
    private static List<String> tableOf(String document, String heading, String begin) throws IOException {
        return Files.readAllLines(Installation.current().root().resolve(document)).stream()
                .dropWhile(line -> !line.equals(heading))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .dropWhile(line -> !line.startsWith(begin))
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .toList();
    }

    @Test
    void everyCommandOfItsTableIsOneAndEveryCommandIsInIt() throws IOException {
        Set<String> written = new TreeSet<>();
        Matcher commands = Pattern.compile("^\\| `qpu ([a-z0-9 ]*[a-z0-9])[` ]", Pattern.MULTILINE)
                .matcher(Files.readString(Installation.current().root().resolve("docs/COMMAND-LINE.md")));
        while (commands.find()) {
            written.add(commands.group(1));
        }
        Set<String> known = new TreeSet<>();
        addLeaves(QpuCommand.commandLine(), "", known);
        assertEquals(known, written);
    }

    @Test
    void theTableOfReadyPipelinesHasEveryOne() throws IOException {
        List<String> written = tableOf("docs/COMMAND-LINE.md", "## Ready pipelines", "| name |").stream()
                .map(line -> line.split("`", 3)[1])
                .sorted()
                .toList();
        try (Stream<Path> scripts = Files.list(Installation.current().root().resolve("pipelines/ready"))) {
            List<String> there = scripts.map(script -> String.valueOf(script.getFileName()))
                    .filter(name -> name.endsWith(".sh"))
                    .map(name -> name.replaceFirst("\\.sh$", ""))
                    .sorted()
                    .toList();
            assertEquals(there, written);
        }
    }

    private static void addLeaves(CommandLine command, String name, Set<String> leaves) {
        command.getSubcommands().forEach((last, sub) -> {
            String whole = (name + " " + last).strip();
            if (sub.getSubcommands().isEmpty()
                    || !sub.getCommandSpec().positionalParameters().isEmpty()) {
                leaves.add(whole);
            }
            addLeaves(sub, whole, leaves);
        });
    }

    private static String row(ElementProperty property) {
        String access = switch (property.access()) {
            case READ_ONLY -> "never";
            case READY -> "while stopped";
            case CONTROLLABLE -> "at any time";
        };
        return "| `" + property.gstName() + "` | " + values(property.type()) + " | " + access + " |";
    }

    /** The columns of values and default. */
    private static String values(ElementProperty.Type type) {
        if (type instanceof ElementProperty.Bool bool) {
            return "true, false | " + bool.defaultValue();
        }
        if (type instanceof ElementProperty.IntRange range) {
            return range.minimum() + " to " + range.maximum() + " | " + range.defaultValue();
        }
        if (type instanceof ElementProperty.RealRange range) {
            DecimalFormat number = new DecimalFormat("0.##");
            return number.format(range.minimum()) + " to " + number.format(range.maximum()) + " | "
                    + number.format(range.defaultValue());
        }
        if (type instanceof ElementProperty.Choice choice) {
            return choice.values().stream().map(ElementProperty.Value::nick).collect(Collectors.joining(", "))
                    + " | "
                    + choice.values().get(choice.defaultIndex()).nick();
        }
        return (type instanceof ElementProperty.Text ? "text" : "structure") + " |";
    }
}
