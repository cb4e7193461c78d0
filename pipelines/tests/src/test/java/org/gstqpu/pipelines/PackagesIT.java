/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** The packages that the build made. The module it tests installed ones. */
class PackagesIT {
    private static final Path ROOT = Installation.current().root();
    private static final Path PACKAGES = ROOT.resolve("pipelines/target/packages");
    private static final long LIMIT_SECONDS = 1200;

    /** The packages of the element and the command, one for each architecture. */
    private static final String ELEMENT = "gstreamer1\\.0-qpu_.*\\.deb";

    @TempDir
    private Path folder;

    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @Test
    void lintianFindsNoErrorInTheDebianPackages() throws IOException {
        List<String> command = new ArrayList<>(List.of("lintian", "--allow-root", "--fail-on", "error"));
        List<Path> packages = files(".*\\.deb");
        assertFalse(packages.isEmpty(), "none in " + PACKAGES);
        packages.forEach(file -> command.add(file.toString()));
        Optional<ChildProcess.Result> result = new ChildProcess(command, Map.of()).run(LIMIT_SECONDS);
        assumeTrue(result.isPresent(), "lintian is missing: apt install lintian");
        assertEquals(0, result.get().status(), result.get().output());
    }

    @Test
    void filesAreRootsAndDatedByTheBuildAlone() throws IOException {
        for (Path file : files(".*\\.deb")) {
            List<String> lines = run(Map.of("TZ", "UTC"), "dpkg-deb", "-c", file.toString())
                    .lines()
                    .toList();
            assertTrue(lines.size() > 30, lines::toString);
            for (String line : lines) {
                assertTrue(line.matches("[d-]rw[x-]r-[x-]r-[x-] 0/0 +\\d+ 2026-11-01 00:00 \\./.*"), line);
            }
        }
    }

    /** Otherwise two builds of the same sources would differ. */
    @Test
    void nothingTellsWhereOrWhenItWasBuilt() throws IOException {
        Path loader = ROOT.toRealPath().resolve("native-loader/target");
        List<Path> libraries;
        try (Stream<Path> all = Files.walk(loader)) {
            libraries = all.filter(file -> file.endsWith("libgstqpu.so")).toList();
        }
        assertFalse(libraries.isEmpty(), "none in " + loader);
        for (Path library : libraries) {
            // The unstripped library, because its debug information determines the build ID of the stripped one.
            String bytes = Files.readString(library, StandardCharsets.ISO_8859_1);
            assertFalse(bytes.contains(ROOT.toRealPath().toString()), library + " names the folder of the project");
        }
        Path jars = ROOT.resolve("pipelines/target/lib");
        for (String name : List.of("kernels-runtime.jar", "kernels-filters.jar", "plugin.jar", "native-loader.jar")) {
            try (ZipFile jar = new ZipFile(jars.resolve(name).toFile())) {
                assertEquals(
                        Set.of(LocalDateTime.parse("2026-11-01T00:00:00")),
                        jar.stream().map(ZipEntry::getTimeLocal).collect(Collectors.toSet()),
                        name);
            }
        }
    }

    @Test
    void librariesAreOfThePackagesArchitectureAndJarsOfNone() throws IOException {
        for (Path file : files(ELEMENT)) {
            String machine = file.toString().endsWith("_arm64.deb") ? "AArch64" : "Advanced Micro Devices X86-64";
            Path tree = folder.resolve(file.getFileName());
            run(Map.of(), "dpkg-deb", "-x", file.toString(), tree.toString());
            try (Stream<Path> all = Files.walk(tree)) {
                List<Path> libraries =
                        all.filter(path -> path.toString().endsWith(".so")).toList();
                assertEquals(3, libraries.size(), libraries::toString);
                for (Path library : libraries) {
                    String header = run(Map.of("LC_ALL", "C"), "readelf", "-h", library.toString());
                    assertTrue(header.matches("(?s).*Machine: +" + machine + "\n.*"), header);
                }
            }
            try (Stream<Path> jars = Files.walk(tree.resolve("usr/share/gst-qpu"))) {
                for (Path jar :
                        jars.filter(path -> path.toString().endsWith(".jar")).toList()) {
                    try (ZipFile zip = new ZipFile(jar.toFile())) {
                        assertEquals(
                                List.of(),
                                zip.stream()
                                        .map(ZipEntry::getName)
                                        .filter(name -> name.matches(".*\\.(so|dll|jnilib|dylib|a)"))
                                        .toList(),
                                jar.toString());
                    }
                }
            }
        }
    }

    @Test
    void linksBetweenTheInstalledPagesWork() throws IOException {
        List<Path> documentFolders = new ArrayList<>();
        for (Path file : files(ELEMENT)) {
            Path tree = folder.resolve("pages of " + file.getFileName());
            run(Map.of(), "dpkg-deb", "-x", file.toString(), tree.toString());
            documentFolders.add(tree.resolve("usr/share/doc/gstreamer1.0-qpu"));
        }
        for (Path file : files(".*-linux-.*\\.tar\\.gz")) {
            Path tree = Files.createDirectories(folder.resolve("pages of " + file.getFileName()));
            run(Map.of(), "tar", "-xzf", file.toString(), "--strip-components=2", "-C", tree.toString());
            documentFolders.add(tree.resolve("share/doc/gst-qpu"));
        }
        assertTrue(documentFolders.size() > 1, documentFolders::toString);
        for (Path documents : documentFolders) {
            List<String> pages = Documents.all(documents);
            assertTrue(pages.containsAll(Documents.all(ROOT)), pages::toString);
            for (String page : pages) {
                assertEquals(List.of(), Documents.brokenLinks(documents.resolve(page)), documents + "/" + page);
            }
            for (String example : List.of(
                    "c/player.c",
                    "c/coded.c",
                    "c/qpu-params.h",
                    "java/Player.java",
                    "python/player.py",
                    "python/qpu_params.py")) {
                Path copy = documents.resolve("pipelines/examples").resolve(example);
                assertEquals(
                        -1, Files.mismatch(ROOT.resolve("pipelines/examples").resolve(example), copy), example);
                assertEquals(Files.readString(copy).startsWith("#!"), Files.isExecutable(copy), example);
            }
        }
    }

    @Test
    void theBillOfMaterialsListsEachJarAndLibraryAndNothingElse() throws Exception {
        for (Path file : files(".*\\.(deb|tar\\.gz)")) {
            String name = String.valueOf(file.getFileName());
            Path tree = Files.createDirectories(folder.resolve("bill-" + name));
            if (name.endsWith(".deb")) {
                run(Map.of(), "dpkg-deb", "-x", file.toString(), tree.toString());
            } else {
                run(Map.of(), "tar", "-xzf", file.toString(), "-C", tree.toString());
            }
            Map<String, String> held = new TreeMap<>();
            Path bill = null;
            Path top = tree;
            try (Stream<Path> all = Files.walk(tree)) {
                for (Path path : all.filter(Files::isRegularFile).toList()) {
                    if (path.endsWith("sbom.cdx.json")) {
                        bill = path;
                    } else if (path.toString().matches(".*\\.(jar|so)")) {
                        held.put(path.toString(), sha256(path));
                    }
                }
            }
            if (bill == null) {
                // What stage hands to jdeb lies beside the packages. The kernels for C hold no work of others.
                boolean kernels = name.matches("(gst-qpu-)?kernels.*");
                assertTrue(kernels ? held.isEmpty() : name.matches("(amd64|arm64)\\.tar\\.gz"), name);
                continue;
            }
            if (!Files.isDirectory(tree.resolve("usr"))) {
                top = bill.getParent().getParent().getParent().getParent();
            }
            Map<String, String> listed = new TreeMap<>();
            for (JsonElement element : JsonParser.parseString(Files.readString(bill))
                    .getAsJsonObject()
                    .getAsJsonArray("components")) {
                JsonObject component = element.getAsJsonObject();
                String place = component
                        .getAsJsonObject("evidence")
                        .getAsJsonArray("occurrences")
                        .get(0)
                        .getAsJsonObject()
                        .get("location")
                        .getAsString();
                JsonObject hash = component.getAsJsonArray("hashes").get(0).getAsJsonObject();
                listed.put(top.resolve(place).toString(), hash.get("content").getAsString());
                assertTrue(
                        component
                                .get("purl")
                                .getAsString()
                                .matches("pkg:maven/[\\w.-]+/[\\w-]+@\\d[\\w.-]*\\?.*type=jar"),
                        component::toString);
                assertTrue(component.toString().contains("\"licenses\":[{\"expression\":\""), component::toString);
            }
            assertEquals(held, listed, name);
            boolean arm64 = name.matches(".*(arm64|aarch64).*");
            String text = Files.readString(bill);
            assertEquals(arm64, text.contains("classifier=natives-linux-arm64&"), name);
            assertEquals(!arm64, text.contains("classifier=natives-linux&"), name);
        }
    }

    private static String sha256(Path file) throws IOException, NoSuchAlgorithmException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        return HexFormat.of().formatHex(hash);
    }

    @Test
    void theArchiveForOtherDistributionsRunsWhereverItLies() throws IOException {
        Path archive = files(".*-linux-" + machine() + "\\.tar\\.gz").get(0);
        Path place = Files.createDirectories(folder.resolve("a place"));
        run(Map.of(), "tar", "-xzf", archive.toString(), "--strip-components=2", "-C", place.toString());
        assertTrue(Files.readString(place.resolve("INSTALL")).contains("GST_PLUGIN_PATH=$PWD/lib/gstreamer-1.0"));
        Map<String, String> environment = new HashMap<>();
        environment.put("GST_PLUGIN_PATH", place.resolve("lib/gstreamer-1.0").toString());
        environment.put("GST_REGISTRY", folder.resolve("registry.bin").toString());
        environment.put("GST_DEBUG", "qpuloopfilter:4");
        String said = run(
                environment,
                "gst-launch-1.0",
                "videotestsrc",
                "num-buffers=3",
                "!",
                "qpuloopfilter",
                "substrate=cpu",
                "!",
                "fakesink");
        assertTrue(said.contains("frames=(guint64)3"), said);
        Path qpu = place.resolve("bin/qpu");
        assertTrue(run(Map.of(), qpu.toString(), "--version").startsWith("qpu "));
        String verified = run(
                Map.of(),
                qpu.toString(),
                "verify",
                place.resolve("share/gst-qpu/vectors/h264_tables.gv.gz").toString());
        assertTrue(verified.contains("  0 mismatches"), verified);
        // LWJGL warns if its native library is of another version.
        assertFalse((said + verified).contains("[LWJGL]"), said + verified);
    }

    /** A stranger's path, by the commands of the page. */
    @Test
    void theKernelsAreUsedByCAsTheirPageSays() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/KERNEL-PACK.md"));
        String commands = page.substring(page.indexOf("cc qpu-kernels-example.c"), page.indexOf("\n```\n\nIt ends"));
        Path installed = folder.resolve("installed");
        run(
                Map.of(),
                "dpkg-deb",
                "-x",
                files("gst-qpu-kernels-dev_.*_all\\.deb").get(0).toString(),
                installed.toString());
        Path archive = Files.createDirectories(folder.resolve("kernels"));
        run(
                Map.of(),
                "tar",
                "-xzf",
                files("gst-qpu-kernels-.*\\.tar\\.gz").get(0).toString(),
                "--strip-components=2",
                "-C",
                archive.toString());
        for (Path prefix : List.of(installed.resolve("usr"), archive)) {
            String examples = "share/doc/gst-qpu-kernels" + (prefix.equals(archive) ? "" : "-dev") + "/examples";
            String said = run(
                    Map.of("PKG_CONFIG_PATH", prefix.resolve("share/pkgconfig").toString()),
                    "bash",
                    "-euc",
                    // As if it lay in /usr: what pkg-config says begins with the folder that it really is in.
                    "pkg-config() { command pkg-config --define-variable=prefix=\"$0\" \"$@\"; }; cd \"$0/$1\"; gunzip *.gz;"
                            + commands,
                    prefix.toString(),
                    examples);
            assertEquals(
                    2,
                    said.lines()
                            .filter(line -> line.endsWith(", 0 samples differ"))
                            .count(),
                    said);
            assertEquals(
                    -1,
                    Files.mismatch(
                            ROOT.resolve("pipelines/examples/c/qpu-params.h"),
                            prefix.resolve("include/gst-qpu/qpu-params.h")));
        }
    }

    private static String machine() {
        return System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
    }

    private static List<Path> files(String pattern) throws IOException {
        try (Stream<Path> all = Files.list(PACKAGES)) {
            return all.filter(file -> String.valueOf(file.getFileName()).matches(pattern))
                    .sorted()
                    .toList();
        }
    }

    /** Runs a program, which must succeed, and returns its output. */
    private static String run(Map<String, String> environment, String... command) {
        ChildProcess child = new ChildProcess(List.of(command), environment);
        ChildProcess.Result result = child.run(LIMIT_SECONDS).orElseThrow();
        assertEquals(0, result.status(), () -> child.commandLine() + "\n" + result.output());
        return result.output();
    }
}
