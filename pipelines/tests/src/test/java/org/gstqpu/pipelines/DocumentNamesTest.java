/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Names in the documents exist: classes and other names of the sources, files, and the targets of links. */
class DocumentNamesTest {
    private static final Path ROOT = Installation.current().root();

    /** Largest size of README, which a visitor reads first, and of the figures of speed. */
    private static final int SHORT_PAGE_BYTES = 8192;

    /** Pages that the notebook's index has. */
    private static final String NOTEBOOK = "docs/notebook/(?!README).*";

    /** Largest size of any other page. */
    private static final int PAGE_BYTES = 30 * 1024;

    /** A name of two words or more, each with a capital, such as that of a class. */
    private static final Pattern NAME = Pattern.compile("\\b[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+\\b");

    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`|```mermaid\n(.*?)```", Pattern.DOTALL);

    /** A path of a file or folder in one of the project's folders. */
    private static final Pattern FILE = Pattern.compile("(?:docs|it|kernels|native-loader|pipelines|plugin)/[\\w./-]+");

    /** Names of other projects. */
    private static final Set<String> FOREIGN = Set.of("TasksMax", "DskipTests", "NodeCountInliningCutoff");

    private static final Set<String> WORDS = new HashSet<>();

    @BeforeAll
    static void readSources() throws IOException {
        Pattern word = Pattern.compile("\\w+");
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return String.valueOf(folder.getFileName()).matches("target|\\.git")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().matches(".*\\.(java|c|h|comp|glsl|xml)")) {
                    try {
                        Matcher words = word.matcher(Files.readString(file));
                        while (words.find()) {
                            WORDS.add(words.group());
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Test
    void namesAndFilesAreThere() throws IOException {
        int names = 0;
        Set<String> missing = new TreeSet<>();
        for (String document : Documents.all(ROOT)) {
            for (String code : codeIn(Files.readString(ROOT.resolve(document)))) {
                for (MatchResult found : NAME.matcher(code).results().toList()) {
                    names++;
                    if (!WORDS.contains(found.group()) && !FOREIGN.contains(found.group())) {
                        missing.add(document + ": " + found.group());
                    }
                }
                if (FILE.matcher(code).matches() && !code.contains("/target") && !Files.exists(ROOT.resolve(code))) {
                    missing.add(document + ": " + code);
                }
            }
        }
        assertEquals(Set.of(), missing);
        assertTrue(names > 40, () -> "only " + WORDS.size() + " words known");
    }

    private static List<String> codeIn(String text) {
        List<String> code = new ArrayList<>();
        CODE.matcher(text)
                .results()
                .forEach(found -> code.add(found.group(1) != null ? found.group(1) : found.group(2)));
        return code;
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        int linked = 0;
        for (String document : Documents.all(ROOT)) {
            Path file = ROOT.resolve(document);
            linked += Documents.linked(file).size();
            Documents.brokenLinks(file).forEach(link -> broken.add(document + " in " + link));
        }
        assertEquals(List.of(), broken);
        assertTrue(linked > 40, "only " + linked + " links found");
    }

    @Test
    void everyPageIsOneClickFromReadme() throws IOException {
        List<Path> linked = Documents.linked(ROOT.resolve("README.md"));
        for (String document : Documents.all(ROOT)) {
            if (document.startsWith("docs/") && !document.matches("docs/decisions/\\d.*|" + NOTEBOOK)) {
                assertTrue(linked.contains(ROOT.resolve(document).normalize()), document);
            }
        }
    }

    @Test
    void everyDecisionIsInTheirIndex() throws IOException {
        List<Path> linked = Documents.linked(ROOT.resolve("docs/decisions/README.md"));
        try (Stream<Path> decisions = Files.list(ROOT.resolve("docs/decisions"))) {
            assertEquals(
                    decisions
                            .map(Path::normalize)
                            .filter(file -> String.valueOf(file.getFileName()).matches("\\d.*"))
                            .sorted()
                            .toList(),
                    linked.stream()
                            .filter(file -> String.valueOf(file.getFileName()).matches("\\d.*"))
                            .toList());
        }
    }

    @Test
    void everyPageOfTheNotebookIsInItsIndex() throws IOException {
        List<Path> linked = Documents.linked(ROOT.resolve("docs/notebook/README.md"));
        for (String document : Documents.all(ROOT)) {
            if (document.matches(NOTEBOOK)) {
                assertTrue(linked.contains(ROOT.resolve(document).normalize()), document);
            }
        }
    }

    /** A changelog grows, and nobody reads it as a whole. */
    @Test
    void pagesAreShort() throws IOException {
        for (String document : Documents.all(ROOT)) {
            long bytes = Files.size(ROOT.resolve(document));
            boolean isShort = List.of("README.md", "kernels/PERFORMANCE.md").contains(document);
            assertTrue(
                    document.equals("CHANGELOG.md") || bytes < (isShort ? SHORT_PAGE_BYTES : PAGE_BYTES),
                    document + " has " + bytes + " bytes");
        }
    }
}
