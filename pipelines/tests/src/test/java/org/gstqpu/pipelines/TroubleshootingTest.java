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
 * docs/TROUBLESHOOTING.md lists the messages of the sources: every message that it quotes is in the sources, and it quotes every
 * warning and every message that ends a pipeline or a command. A message is found as text: the string literals of the call that
 * makes it, with {@code …} for everything between them.
 */
class TroubleshootingTest {
    private static final Path ROOT = Installation.current().root();

    /** Stands for a part of a message that varies. */
    private static final String VARYING = "…";

    /** Least number of letters in a quotation: a shorter one would match nearly every message. */
    private static final int LEAST_LETTERS = 5;

    private static final Pattern QUOTATION = Pattern.compile("`([^`]+)`");

    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern COMMENTS =
            Pattern.compile("(\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)+')|/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern CONSTANT =
            Pattern.compile("(?:static final String|#define) (\\w+)\\s*=?\\s*(\"(?:[^\"\\\\]|\\\\.)*\")");

    /** Java code that makes a message for users. Messages about the command line are left out: they name the valid values. */
    private static final Pattern JAVA = Pattern.compile(
            "new (?:ElementException|MeterException|SubstrateUnavailableException|DeviceException|DmabufRefusedException)\\("
                    + "|new CommandFailedException\\(\\s*(?:ExitStatus\\.(?!UNUSABLE_INPUT)|whole)"
                    + "|(?<![\\w.])(?:CommandFailedException\\.)?(?:unavailable|problem)\\("
                    + "|host\\.error\\(|String line =\\s*\"|VK_ERROR_\\w+ ->|VK_TIMEOUT ->");

    /** The same in classes that a Java application calls. */
    private static final Pattern REGISTRATION = Pattern.compile("new IllegalStateException\\(");

    private static final Pattern C =
            Pattern.compile("(?:GST_ELEMENT_ERROR|GST_ELEMENT_WARNING|g_set_error|g_prefix_error|g_printerr) \\(");
    private static final Pattern SHELL = Pattern.compile("(?:die |echo )\"([^\"]*)\"(?= >&2|;|$)", Pattern.MULTILINE);

    private static final List<String> SCRIPTS = List.of(
            "pipelines/qpu",
            "pipelines/package/src/package/qpu",
            "pipelines/setup",
            "native-loader/src/main/sh/gst-qpu-archive");

    /** All messages in the sources. */
    private static final List<String> MESSAGES = new ArrayList<>();

    /** All string literals of each source file, for quotations of text that {@link #JAVA} and {@link #C} do not match. */
    private static final List<String> TEXTS = new ArrayList<>();

    private static final String SUMMARY = "## The most common messages";

    /** The messages that the list quotes. */
    private static List<String> quotations;

    /** The messages that the summary before the list quotes. */
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
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().matches(".*/src/main/.*\\.(java|c)"))
                        .forEach(TroubleshootingTest::readSource);
            }
        }
        for (String script : SCRIPTS) {
            String text = Files.readString(ROOT.resolve(script));
            Matcher said = SHELL.matcher(text);
            while (said.find()) {
                // Help texts and messages about the command line name the valid values, and need no row.
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

    /** The quotations in the first cells of tables and in the sentence on side information. */
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

    /** The text from {@code start} to the end of the statement. */
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

    /** The string literals of a text, one after the other, with {@link #VARYING} between those that are not just concatenated. */
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

    /** Whether a message contains all parts of a quotation, in their order. */
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

    /** The summary quotes the beginnings of messages. They do not count as quotations of the list, as they match several messages. */
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
