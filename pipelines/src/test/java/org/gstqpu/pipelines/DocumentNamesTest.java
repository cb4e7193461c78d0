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
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the documents name is there: classes and other names of the sources, files, and what links lead to. */
class DocumentNamesTest {
    private static final Path ROOT = Installation.current().root();
    private static final List<String> DOCUMENTS = List.of(
            "README.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "docs/ARCHITECTURE.md",
            "docs/SIDE-INFORMATION.md",
            "docs/TROUBLESHOOTING.md",
            "kernels/PERFORMANCE.md");

    /** Two words or more, the next in capitals where it begins, as of a class. */
    private static final Pattern NAME = Pattern.compile("\\b[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+\\b");

    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`|```mermaid\n(.*?)```", Pattern.DOTALL);

    /** A file or folder below the project's, its first folder or file written out. */
    private static final Pattern FILE = Pattern.compile("(?:docs|it|kernels|native-loader|pipelines|plugin)/[\\w./-]+");

    private static final Pattern LINK = Pattern.compile("\\]\\((?!http)([^)#]*)(#[^)]*)?\\)");

    /** Of other projects. */
    private static final Set<String> FOREIGN = Set.of("TasksMax");

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
        for (String document : DOCUMENTS) {
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
        Set<String> missing = new TreeSet<>();
        for (String document : DOCUMENTS) {
            Path file = ROOT.resolve(document);
            for (MatchResult link :
                    LINK.matcher(Files.readString(file)).results().toList()) {
                Path target = link.group(1).isEmpty() ? file : file.resolveSibling(link.group(1));
                if (!Files.exists(target)) {
                    missing.add(document + ": " + link.group(1));
                } else if (link.group(2) != null && !anchors(target).contains(link.group(2))) {
                    missing.add(document + ": " + link.group());
                }
            }
        }
        assertEquals(Set.of(), missing);
    }

    /** What links to a file's headings end in. */
    private static List<String> anchors(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> "#"
                        + line.replaceFirst("^#+ ", "")
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\w -]", "")
                                .replace(' ', '-'))
                .toList();
    }
}
