/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.cache.CacheTable;
import org.gstqpu.kernels.internal.cache.RunConditions;

/**
 * Remembers which form of each kernel won its trial, plain or vector. All contexts of the process share it, and a {@link
 * CacheFile} keeps it. Any thread.
 *
 * <p>That vectors won holds for good: where the JVM could compile them once, it can again. That they lost may come of a busy
 * machine, on which the JVM had not compiled them in time. So it counts for {@link #LOSS_COUNTS} only, then they are tried again.
 *
 * <p>The file is text: a header of the conditions, then a line for each kernel and format. Tabs separate its fields: kernel,
 * format, {@code vector} or {@code plain}, the end of the trial in seconds since 1970. Under other conditions the file is ignored,
 * and every kernel is tried again.
 */
public final class KernelRecord {
    /** How long vectors that lost are not tried again. A trial that is lost takes one thread of the machine for some seconds. */
    public static final Duration LOSS_COUNTS = Duration.ofHours(6);

    /** The form that won a trial. */
    public enum Winner {
        VECTOR,
        PLAIN;

        /** As the file has it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @param when the trial ended, in seconds since 1970 */
    private record Outcome(Winner winner, long when) {}

    private static final Logger LOG = System.getLogger(KernelRecord.class.getName());
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    /** Made when first needed, for it reads files. */
    private static final class OfProcess {
        static final KernelRecord RECORD = new KernelRecord(
                conditions(),
                CacheFile.folder(System.getenv())
                        .map(folder -> new CacheFile(
                                folder,
                                "kernels-" + Integer.toHexString(conditions().hashCode()) + ".txt")),
                InstantSource.system());
    }

    private final CacheTable file;
    private final InstantSource clock;
    private final Map<String, Outcome> outcomes = new TreeMap<>();

    /**
     * @param header the conditions; lines that end in a line feed
     * @param file keeps the outcomes; empty if they end with the process
     * @param clock says when a trial ended
     */
    public KernelRecord(String header, Optional<CacheFile> file, InstantSource clock) {
        this.file = new CacheTable(file, header);
        this.clock = clock;
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

    private static String key(RowFilter kernel, Object format) {
        return kernel.name() + "\t" + format;
    }

    /** Who won an earlier trial, if there was one that counts. */
    public synchronized Optional<Winner> find(RowFilter kernel, Object format) {
        return Optional.ofNullable(outcomes.get(key(kernel, format)))
                .filter(this::counts)
                .map(Outcome::winner);
    }

    /** True of a win, and of a loss that is not too old. A loss that seems to come from the future is of a clock that was wrong. */
    private boolean counts(Outcome outcome) {
        long age = clock.instant().getEpochSecond() - outcome.when;
        return outcome.winner == Winner.VECTOR || (age >= 0 && age < LOSS_COUNTS.toSeconds());
    }

    /** Keeps who won a trial that has just ended. */
    public synchronized void add(RowFilter kernel, Object format, Winner winner) {
        // Another process may have added outcomes to the file.
        readFile();
        outcomes.merge(
                key(kernel, format), new Outcome(winner, clock.instant().getEpochSecond()), KernelRecord::preferred);
        file.write(outcomes.entrySet().stream()
                .map(one -> List.<Object>of(one.getKey(), one.getValue().winner, one.getValue().when))
                .toList());
    }

    /** The outcome that counts for longer. */
    private static Outcome preferred(Outcome one, Outcome other) {
        if (one.winner != other.winner) {
            return one.winner == Winner.VECTOR ? one : other;
        }
        return one.when > other.when ? one : other;
    }

    private void readFile() {
        file.read(4, KernelRecord::parse)
                .forEach(one -> outcomes.merge(one.getKey(), one.getValue(), KernelRecord::preferred));
    }

    private static Optional<Map.Entry<String, Outcome>> parse(List<String> fields) {
        long seconds = Long.parseLong(fields.get(3));
        return Arrays.stream(Winner.values())
                .filter(winner -> winner.toString().equals(fields.get(2)))
                .findFirst()
                .map(winner -> Map.entry(fields.get(0) + "\t" + fields.get(1), new Outcome(winner, seconds)));
    }
}
