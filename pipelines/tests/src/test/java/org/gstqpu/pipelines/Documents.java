/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's documents in Markdown, and where their links lead. */
final class Documents {
    private static final Pattern FENCED = Pattern.compile("^```.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);

    /** A link or an image whose target is in this project. Group 1 is the file, relative to the document; group 2 the heading. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?!\\w+:)([^)#]*)(#[^)]*)?\\)");

    private Documents() {}

    /** All documents, as paths relative to the project's folder. */
    static List<String> all(Path root) throws IOException {
        List<String> documents = new ArrayList<>(List.of("kernels/PERFORMANCE.md"));
        try (Stream<Path> top = Files.list(root);
                Stream<Path> pages = Files.walk(root.resolve("docs"))) {
            Stream.concat(top, pages)
                    .map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(".md"))
                    .sorted()
                    .forEach(documents::add);
        }
        return documents;
    }

    /** The links of a document whose file does not exist, or does not have the heading. */
    static List<String> brokenLinks(Path document) throws IOException {
        List<String> broken = new ArrayList<>();
        for (MatchResult link : LINK.matcher(withoutCode(document)).results().toList()) {
            Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
            if (!Files.exists(target)
                    || (link.group(2) != null && !anchors(target).contains(link.group(2)))) {
                broken.add(
                        document.getFileName() + ": " + link.group(1) + (link.group(2) == null ? "" : link.group(2)));
            }
        }
        return broken;
    }

    /** The files that a document's links and images name, without their headings. */
    static List<Path> linked(Path document) throws IOException {
        return LINK.matcher(withoutCode(document))
                .results()
                .map(link -> link.group(1))
                .filter(name -> !name.isEmpty())
                .map(name -> document.resolveSibling(name).normalize())
                .distinct()
                .toList();
    }

    private static String withoutCode(Path document) throws IOException {
        return FENCED.matcher(Files.readString(document)).replaceAll("");
    }

    /** The anchors of a document's headings, as GitHub makes them. */
    private static List<String> anchors(Path document) throws IOException {
        return withoutCode(document)
                .lines()
                .filter(line -> line.matches("#+ .*"))
                .map(line -> "#"
                        + line.replaceFirst("^#+ ", "")
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\w -]", "")
                                .replace(' ', '-'))
                .toList();
    }
}
