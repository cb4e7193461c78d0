/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.cache.RunConditions;

/**
 * Remembers which form of each kernel won its trial, plain or vector. All contexts of the process share it, and a {@link
 * CacheFile} keeps it. Any thread.
 *
 * <p>The file is text: a header of the conditions, then a line for each kernel and format. Tabs separate its fields: kernel,
 * format, {@code vector} or {@code plain}, nanoseconds that the plain form took in the trial. Under other conditions the file is
 * ignored, and every kernel is tried again.
 */
final class KernelRecord {
    /**
     * The end of a trial.
     *
     * @param vector whether the vector form won
     * @param plainNanos what the plain form took
     */
    record Outcome(boolean vector, long plainNanos) {}

    private static final Logger LOG = System.getLogger(KernelRecord.class.getName());
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    /** Made when first needed, for it reads files. */
    private static final class OfProcess {
        static final KernelRecord RECORD = new KernelRecord(
                conditions(),
                CacheFile.folder(System.getenv())
                        .map(folder -> new CacheFile(
                                folder,
                                "kernels-" + Integer.toHexString(conditions().hashCode()) + ".txt")));
    }

    private final String header;
    private final Optional<CacheFile> file;
    private final Map<String, Outcome> outcomes = new TreeMap<>();

    /**
     * @param header the conditions; lines that end in a line feed
     * @param file keeps the outcomes; empty if they end with the process
     */
    KernelRecord(String header, Optional<CacheFile> file) {
        this.header = header;
        this.file = file;
        readFile();
    }

    /** The record that lies in the user's cache folder. */
    static KernelRecord ofProcess() {
        return OfProcess.RECORD;
    }

    private static String conditions() {
        return "gst-qpu " + RunConditions.libraryVersion() + "\njava " + RunConditions.java() + "\nprocessor "
                + processor() + "\n";
    }

    /** What Linux calls the processor: its model on amd64, its part number on arm64. */
    private static String processor() {
        try {
            List<String> lines = Files.readAllLines(PROCESSORS, StandardCharsets.ISO_8859_1);
            return lines.stream()
                    .filter(line -> line.startsWith("model name") || line.startsWith("CPU part"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown");
        } catch (IOException e) {
            LOG.log(Logger.Level.DEBUG, () -> "the processor is not known: " + e);
            return "unknown";
        }
    }

    private static String key(VectorUse.Kernel kernel, Object format) {
        return kernel + "\t" + format;
    }

    /** The outcome of an earlier trial, if there was one. */
    synchronized Optional<Outcome> find(VectorUse.Kernel kernel, Object format) {
        return Optional.ofNullable(outcomes.get(key(kernel, format)));
    }

    /** Keeps the outcome of a trial. */
    synchronized void add(VectorUse.Kernel kernel, Object format, Outcome outcome) {
        // Another process may have added outcomes to the file.
        readFile();
        outcomes.put(key(kernel, format), outcome);
        StringBuilder text = new StringBuilder(header);
        outcomes.forEach((key, one) -> text.append(key)
                .append('\t')
                .append(one.vector ? "vector" : "plain")
                .append('\t')
                .append(one.plainNanos)
                .append('\n'));
        file.ifPresent(cache -> cache.write(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private void readFile() {
        Optional<byte[]> content = file.flatMap(CacheFile::read);
        if (content.isEmpty()) {
            return;
        }
        String text = new String(content.get(), StandardCharsets.UTF_8);
        if (!text.startsWith(header)) {
            ignored("it is of another Java, processor or version of this library");
            return;
        }
        Map<String, Outcome> read = new TreeMap<>();
        for (String line : text.substring(header.length()).lines().toList()) {
            String[] fields = line.split("\t", -1);
            Optional<Outcome> outcome = fields.length == 4 ? parse(fields[2], fields[3]) : Optional.empty();
            if (outcome.isEmpty()) {
                ignored("it has the line '" + line + "'");
                return;
            }
            read.put(fields[0] + "\t" + fields[1], outcome.get());
        }
        read.forEach(outcomes::putIfAbsent);
    }

    private static Optional<Outcome> parse(String winner, String nanos) {
        try {
            long plainNanos = Long.parseLong(nanos);
            boolean vector = winner.equals("vector");
            return plainNanos > 0 && (vector || winner.equals("plain"))
                    ? Optional.of(new Outcome(vector, plainNanos))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private void ignored(String why) {
        LOG.log(Logger.Level.DEBUG, () -> "the record " + file.orElseThrow().path() + " is ignored: " + why);
    }
}
