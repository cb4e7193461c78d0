/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Writes the bill of materials of a package in CycloneDX's JSON format. It has an entry for each jar and native library in the
 * package, with its Maven artifact, licence and hash. The same files give the same bytes. Run by {@code stage} as a single source
 * file.
 *
 * <p>Maven's CycloneDX plugin is not used: it runs only online, and it lists the whole class path, of which a package has a part.
 */
final class BillOfMaterials {
    /** Native libraries, and the Maven artifacts that contain them. */
    private static final Map<String, String> LIBRARIES = Map.of(
            "libgstqpu.so", "native-loader",
            "libjnidispatch.so", "jna",
            "liblwjgl.so", "lwjgl");

    /** Names of licences in Debian's copyright files, and in SPDX's list. */
    private static final Map<String, String> LICENSES = Map.of(
            "Apache-2.0", "Apache-2.0",
            "BSD-3-clause", "BSD-3-Clause",
            "BSD-3-clause-JLine", "BSD-3-Clause",
            "Expat", "MIT",
            "LGPL-2.1+", "LGPL-2.1-or-later",
            "LGPL-2.1+ or Apache-2.0", "LGPL-2.1-or-later OR Apache-2.0",
            "LGPL-3", "LGPL-3.0-only");

    private record Artifact(String group, String name, String classifier, String version) {}

    private final Map<String, Artifact> artifacts = new LinkedHashMap<>();
    private final Map<String, String> licenses = new LinkedHashMap<>();

    private BillOfMaterials() {}

    /**
     * Takes these arguments: the output of {@code dependency:list}; Debian's copyright file; the version of this project; the time
     * stamp of the build; the folder with the content of the package; the file to write.
     */
    public static void main(String[] arguments) throws IOException, NoSuchAlgorithmException {
        BillOfMaterials bill = new BillOfMaterials();
        String version = arguments[2];
        bill.artifacts.put("pipelines", new Artifact("org.gstqpu", "pipelines", "", version));
        bill.readArtifacts(Path.of(arguments[0]));
        bill.readLicenses(Path.of(arguments[1]));
        String json = bill.write(version, arguments[3], Path.of(arguments[4]));
        Files.writeString(Path.of(arguments[5]), json + "\n");
    }

    /** Reads lines of the form {@code group:name:jar[:classifier]:version:scope -- module name}. */
    private void readArtifacts(Path list) throws IOException {
        for (String line : Files.readAllLines(list)) {
            String[] parts = line.strip().replaceFirst(" -- .*", "").split(":", -1);
            if (parts.length == 5) {
                artifacts.put(parts[1], new Artifact(parts[0], parts[1], "", parts[3]));
            } else if (parts.length == 6) {
                String key = parts[1] + "-" + parts[3];
                artifacts.put(key, new Artifact(parts[0], parts[1], parts[3], parts[4]));
            }
        }
    }

    private void readLicenses(Path copyright) throws IOException {
        for (String paragraph : Files.readString(copyright).split("\n\n")) {
            if (paragraph.startsWith("Files: ")) {
                Map<String, String> fields = new LinkedHashMap<>();
                paragraph.lines().filter(line -> !line.startsWith(" ")).forEach(line -> {
                    String[] field = line.split(": ", 2);
                    fields.put(field[0], field[1]);
                });
                String license = LICENSES.get(fields.get("License"));
                if (license == null) {
                    throw new IllegalStateException("no SPDX name of the license " + fields.get("License"));
                }
                for (String pattern : fields.get("Files").split(" ")) {
                    licenses.put(pattern.substring(pattern.lastIndexOf('/') + 1), license);
                }
            }
        }
    }

    private String write(String version, String timestamp, Path tree) throws IOException, NoSuchAlgorithmException {
        JsonObject application = new JsonObject();
        application.addProperty("type", "application");
        application.addProperty("name", "gst-qpu");
        application.addProperty("version", version);
        JsonObject metadata = new JsonObject();
        metadata.addProperty("timestamp", timestamp);
        metadata.add("component", application);
        JsonArray components = new JsonArray();
        for (Path file : files(tree)) {
            components.add(component(tree, file));
        }
        JsonObject bill = new JsonObject();
        bill.addProperty("bomFormat", "CycloneDX");
        bill.addProperty("specVersion", "1.5");
        bill.addProperty("version", 1);
        bill.add("metadata", metadata);
        bill.add("components", components);
        return new GsonBuilder()
                .setPrettyPrinting()
                .disableHtmlEscaping()
                .create()
                .toJson(bill);
    }

    private static List<Path> files(Path tree) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(tree)) {
            all.filter(file ->
                            file.toString().endsWith(".jar") || file.toString().endsWith(".so"))
                    .sorted()
                    .forEach(files::add);
        }
        return files;
    }

    private JsonObject component(Path tree, Path file) throws IOException, NoSuchAlgorithmException {
        String name = file.getFileName().toString();
        Artifact artifact = artifacts.get(artifactKey(tree, name));
        if (artifact == null) {
            throw new IllegalStateException("no Maven artifact is known for " + file);
        }
        String purl = "pkg:maven/" + artifact.group + "/" + artifact.name + "@" + artifact.version + "?"
                + (artifact.classifier.isEmpty() ? "" : "classifier=" + artifact.classifier + "&") + "type=jar";
        byte[] bytes = Files.readAllBytes(file);
        JsonObject component = new JsonObject();
        component.addProperty("type", "library");
        component.addProperty("bom-ref", tree.relativize(file).toString());
        component.addProperty("group", artifact.group);
        component.addProperty("name", artifact.name);
        component.addProperty("version", artifact.version);
        component.add("hashes", array("alg", "SHA-256", "content", sha256(bytes)));
        component.add("licenses", array("expression", licenses.getOrDefault(name, licenses.get("*"))));
        component.addProperty("purl", purl);
        JsonObject evidence = new JsonObject();
        evidence.add("occurrences", array("location", tree.relativize(file).toString()));
        component.add("evidence", evidence);
        return component;
    }

    private String artifactKey(Path tree, String name) throws IOException {
        if (name.endsWith(".jar")) {
            return name.substring(0, name.length() - ".jar".length());
        }
        String artifact = LIBRARIES.get(name);
        if (!"lwjgl".equals(artifact)) {
            return artifact;
        }
        // LWJGL's native library is the only one that is released as one artifact per architecture.
        boolean arm64 = tree.resolve("usr/lib/aarch64-linux-gnu").toFile().exists()
                || tree.getFileName().toString().endsWith("-aarch64");
        return arm64 ? "lwjgl-natives-linux-arm64" : "lwjgl-natives-linux";
    }

    private static JsonArray array(String... namesAndValues) {
        JsonObject only = new JsonObject();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            only.addProperty(namesAndValues[i], namesAndValues[i + 1]);
        }
        JsonArray array = new JsonArray();
        array.add(only);
        return array;
    }

    private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
