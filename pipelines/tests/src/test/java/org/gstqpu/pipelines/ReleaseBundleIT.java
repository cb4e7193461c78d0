/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bundle of {@code mvn -P release verify}, made from the artifacts of this build and signed with a key made for the test. */
class ReleaseBundleIT {
    private static final Path ROOT = Installation.current().root();
    private static final long LIMIT_SECONDS = 1200;
    private static final List<String> LIBRARIES = List.of(
            "kernels-runtime",
            "kernels-filters",
            "kernels-blocks",
            "kernels-metrics",
            "plugin",
            "meter",
            "native-loader");
    private static final Map<String, String> SUMS = Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256");

    /** Elements that a repository demands in each POM or in its parent. */
    private static final List<String> DEMANDED =
            List.of("name", "description", "url", "licenses", "developers", "scm", "connection");

    @TempDir
    private Path folder;

    @Test
    void itHoldsAllThatARepositoryDemands() throws IOException, NoSuchAlgorithmException {
        Path bundle = bundle(Map.of("GNUPGHOME", keys().toString()));
        String version = version();
        Set<String> expected = new TreeSet<>();
        for (String parent : List.of("gst-qpu", "kernels")) {
            expected.add(parent + "/" + version + "/" + parent + "-" + version + ".pom");
        }
        for (String module : LIBRARIES) {
            for (String suffix : List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar")) {
                expected.add(module + "/" + version + "/" + module + "-" + version + suffix);
            }
        }
        Path group = bundle.resolve("org/gstqpu");
        assertEquals(expected, filesBelow(group, ".*\\.(pom|jar)"));
        for (String name : expected) {
            Path file = group.resolve(name);
            for (Map.Entry<String, String> sum : SUMS.entrySet()) {
                byte[] hash = MessageDigest.getInstance(sum.getValue()).digest(Files.readAllBytes(file));
                String written = Files.readString(file.resolveSibling(file.getFileName() + "." + sum.getKey()));
                assertEquals(HexFormat.of().formatHex(hash), written.strip(), name + " " + sum.getKey());
            }
            run(Map.of("GNUPGHOME", keys().toString()), "gpg", "--batch", "--verify", file + ".asc", file.toString());
        }
        String parent = Files.readString(group.resolve("gst-qpu/" + version + "/gst-qpu-" + version + ".pom"));
        DEMANDED.forEach(element ->
                assertTrue(parent.contains("<" + element + ">") || parent.contains("<" + element + " "), element));
        for (String module : LIBRARIES) {
            String pom =
                    Files.readString(group.resolve(module + "/" + version + "/" + module + "-" + version + ".pom"));
            assertTrue(pom.contains("<name>") && pom.contains("<description>"), module);
        }
        // The sources jar also has the sources that are not in Maven's folder. The Javadoc jar has only the public
        // packages.
        assertTrue(holds(
                group, "kernels-filters", "-sources", "org/gstqpu/kernels/internal/stage/cdef/VectorCdefKernel.java"));
        assertTrue(holds(group, "kernels-filters", "-javadoc", "org/gstqpu/kernels/filter/PictureFilter.html")
                || holds(
                        group,
                        "kernels-filters",
                        "-javadoc",
                        "org.gstqpu.kernels.filters/org/gstqpu/kernels/filter/PictureFilter.html"));
        assertTrue(holds(group, "native-loader", "", "org/gstqpu/nativeloader/linux-x86-64/libgstqpu.so")
                || holds(group, "native-loader", "", "org/gstqpu/nativeloader/linux-aarch64/libgstqpu.so"));
    }

    @Test
    void withoutAKeyItIsNotSignedAndSaysSo() throws IOException {
        Path home = Files.createDirectories(folder.resolve("no-keys"));
        Path bundle = bundle(Map.of("GNUPGHOME", home.toString()));
        assertEquals(Set.of(), filesBelow(bundle, ".*\\.asc"));
    }

    private Path bundle(Map<String, String> environment) {
        Path bundle = folder.resolve("bundle");
        String said = run(
                environment,
                ROOT.resolve("pipelines/package/src/package/bundle").toString(),
                bundle.toString(),
                version());
        boolean key = environment.get("GNUPGHOME").endsWith("/keys");
        assertTrue(said.contains(key ? ", signed with " : ", not signed: GnuPG has no secret key"), said);
        return bundle;
    }

    /** Makes GnuPG's home folder with one key. Its path must be short, because it contains a socket. */
    private Path keys() throws IOException {
        CheckPackages.needProgram("gpg", "gnupg");
        Path home = folder.resolve("keys");
        if (!Files.exists(home)) {
            Files.createDirectory(home);
            run(
                    Map.of("GNUPGHOME", home.toString()),
                    "gpg",
                    "--batch",
                    "--passphrase",
                    "",
                    "--quick-generate-key",
                    "a test of gst-qpu",
                    "ed25519",
                    "sign",
                    "1d");
        }
        return home;
    }

    private static boolean holds(Path group, String module, String kind, String entry) throws IOException {
        Path jar = group.resolve(module + "/" + version() + "/" + module + "-" + version() + kind + ".jar");
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.getEntry(entry) != null;
        }
    }

    private static Set<String> filesBelow(Path top, String pattern) throws IOException {
        try (Stream<Path> all = Files.walk(top)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> top.relativize(file).toString())
                    .filter(name -> name.matches(pattern))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static String version() {
        return System.getProperty("project.version");
    }

    private static String run(Map<String, String> environment, String... command) {
        ChildProcess child = new ChildProcess(List.of(command), environment);
        ChildProcess.Result result = child.run(LIMIT_SECONDS).orElseThrow();
        assertEquals(0, result.status(), () -> child.commandLine() + "\n" + result.output());
        return result.output();
    }
}
