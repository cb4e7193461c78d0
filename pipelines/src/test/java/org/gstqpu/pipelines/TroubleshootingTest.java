/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The list of messages in docs/TROUBLESHOOTING.md is that of the sources: what it quotes is said somewhere, and what is said that
 * ends a pipeline or a command, or warns, is in it. Messages are taken from the sources as text: the literals of a call that
 * makes one, with {@code …} for what comes in between.
 */
class TroubleshootingTest {
    private static final Path ROOT = Installation.current().root();

    /** What stands for a part that varies. */
    private static final String VARYING = "…";

    /** A quotation has to say something of its own. */
    private static final int LEAST_LETTERS = 5;

    private static final Pattern QUOTATION = Pattern.compile("`([^`]+)`");

    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern COMMENTS =
            Pattern.compile("(\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)+')|/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern CONSTANT =
            Pattern.compile("(?:static final String|#define) (\\w+)\\s*=?\\s*(\"(?:[^\"\\\\]|\\\\.)*\")");

    /** What makes a message for users in Java. Mistakes on the command line say themselves what may be given. */
    private static final Pattern JAVA = Pattern.compile(
            "new (?:ElementException|SubstrateUnavailableException|DeviceException|DmabufRefusedException)\\("
                    + "|new CommandFailedException\\(\\s*(?:ExitStatus\\.(?!UNUSABLE_INPUT)|whole)"
                    + "|host\\.error\\(|String line =\\s*\"|VK_ERROR_\\w+ ->|VK_TIMEOUT ->");

    /** The same where a Java application calls. */
    private static final Pattern REGISTRATION = Pattern.compile("new IllegalStateException\\(");

    private static final Pattern C =
            Pattern.compile("(?:GST_ELEMENT_ERROR|GST_ELEMENT_WARNING|g_set_error|g_prefix_error|g_printerr) \\(");
    private static final Pattern SHELL = Pattern.compile("(?:die |echo )\"([^\"]*)\"(?= >&2|;|$)", Pattern.MULTILINE);

    private static final List<String> SCRIPTS = List.of(
            "pipelines/qpu",
            "pipelines/src/package/qpu",
            "pipelines/setup",
            "native-loader/src/main/sh/gst-qpu-archive");

    /** All of the sources' messages. */
    private static final List<String> MESSAGES = new ArrayList<>();

    /** All other text of the sources. */
    private static final List<String> TEXTS = new ArrayList<>();

    private static final String SUMMARY = "## The most common messages";

    /** What the list quotes, and what the summary before it does. */
    private static List<String> quotations;

    private static List<String> summary;

    @BeforeAll
    static void read() throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve("docs/TROUBLESHOOTING.md"));
        int begin = lines.indexOf(SUMMARY) + 1;
        int end = begin;
        while (!lines.get(end).startsWith("## ")) {
            end++;
        }
        summary = quoted(lines.subList(begin, end));
        List<String> list = new ArrayList<>(lines);
        list.subList(begin, end).clear();
        quotations = quoted(list);
        for (String folder : List.of("kernels", "plugin", "native-loader", "pipelines")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder).resolve("src/main"))) {
                files.filter(file -> file.toString().matches(".*\\.(java|c)")).forEach(TroubleshootingTest::readSource);
            }
        }
        for (String script : SCRIPTS) {
            String text = Files.readString(ROOT.resolve(script));
            Matcher said = SHELL.matcher(text);
            while (said.find()) {
                // Help and mistakes on the command line say themselves what may be given.
                if (said.group(1).startsWith("$")
                        || said.group(1).contains("$*")
                        || said.group(1).endsWith("--help")) {
                    continue;
                }
                String message = said.group(1).replaceAll("\\$\\{[^}]*\\}|\\$\\([^)]*\\)|\\$\\w+", VARYING);
                MESSAGES.add(script.equals("pipelines/setup") ? "setup: " + message : message);
            }
        }
    }

    /** What the first cells of tables quote, and the sentence on side information. */
    private static List<String> quoted(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("| `") || line.startsWith("`The side"))
                .map(line -> line.startsWith("|") ? line.split("(?<!\\\\) \\| ", 2)[0] : line.split(" is posted", 2)[0])
                .flatMap(cell -> QUOTATION.matcher(cell).results())
                .map(found -> found.group(1))
                .toList();
    }

    private static void readSource(Path file) {
        String text;
        try {
            text = COMMENTS.matcher(Files.readString(file)).replaceAll("$1");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Matcher constants = CONSTANT.matcher(text);
        while (constants.find()) {
            text = text.replaceAll(
                    "(?<!String |#define )\\b" + constants.group(1) + "\\b",
                    Matcher.quoteReplacement(constants.group(2)));
        }
        String name = String.valueOf(file.getFileName());
        Matcher calls = pattern(name).matcher(text);
        while (calls.find()) {
            String message = literals(statement(text, calls.start()));
            if (message.replaceAll("[^a-z]", "").length() >= LEAST_LETTERS) {
                MESSAGES.add(message);
            }
        }
        TEXTS.add(literals(text));
    }

    private static Pattern pattern(String fileName) {
        if (fileName.endsWith(".c")) {
            return C;
        }
        return fileName.matches("QpuPlugin.java|UnpackedLibrary.java") ? REGISTRATION : JAVA;
    }

    /** What goes on to the semicolon that ends it. */
    private static String statement(String text, int start) {
        int at = start;
        while (text.charAt(at) != ';') {
            if (text.charAt(at) == '"') {
                Matcher literal = LITERAL.matcher(text).region(at, text.length());
                if (!literal.lookingAt()) {
                    throw new AssertionError(text.substring(at, at + 40));
                }
                at = literal.end();
            } else {
                at++;
            }
        }
        return text.substring(start, at);
    }

    /** The literals one after the other, with something that varies between them unless they are one. */
    private static String literals(String text) {
        StringBuilder message = new StringBuilder();
        Matcher literal = LITERAL.matcher(text);
        int end = 0;
        while (literal.find()) {
            if (!message.isEmpty() && !text.substring(end, literal.start()).matches("[\\s+()]*")) {
                message.append(VARYING);
            }
            message.append(literal.group(), 1, literal.group().length() - 1);
            end = literal.end();
        }
        return message.toString()
                .replaceAll("%(?:\\.?\\d*[sdu]|…)", VARYING)
                .replace("\\\"", "\"")
                .replace("\\n", "");
    }

    /** Whether a message has the parts of the quotation, in their order. */
    private static boolean quotes(String quotation, String message) {
        int at = 0;
        for (String part : quotation.split(VARYING, -1)) {
            int found = message.indexOf(part, at);
            if (found < 0) {
                return false;
            }
            at = found + part.length();
        }
        return true;
    }

    @Test
    void whatIsQuotedIsSaid() {
        assertTrue(quotations.size() > 100, quotations::toString);
        Set<String> unsaid = new TreeSet<>();
        for (String quotation : quotations) {
            assertTrue(quotation.replaceAll("[^a-zA-Z]", "").length() >= LEAST_LETTERS, quotation);
            if (Stream.concat(MESSAGES.stream(), TEXTS.stream()).noneMatch(message -> quotes(quotation, message))) {
                unsaid.add(quotation);
            }
        }
        assertEquals(Set.of(), unsaid);
    }

    /** The summary quotes how messages begin. Its quotations are not those of the list: they would fit more messages. */
    @Test
    void whatTheSummaryQuotesIsInTheList() {
        assertTrue(summary.size() > 3, summary::toString);
        for (String begin : summary) {
            assertTrue(quotations.stream().anyMatch(quotation -> quotation.startsWith(begin)), begin);
        }
    }

    @Test
    void whatIsSaidIsQuoted() {
        assertTrue(MESSAGES.size() > 100, MESSAGES::toString);
        Set<String> unquoted = new TreeSet<>();
        for (String message : MESSAGES) {
            if (quotations.stream().noneMatch(quotation -> quotes(quotation, message))) {
                unquoted.add(message);
            }
        }
        assertEquals(Set.of(), unquoted);
    }
}
