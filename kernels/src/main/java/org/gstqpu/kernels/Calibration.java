/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.cache.RunConditions;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;

/**
 * Holds the results of races between the CPU and one device. All contexts of the process share it, and a {@link CacheFile} keeps
 * it, so that every race is run once. Any thread.
 *
 * <p>The file is text: the lines of {@link Scope#header}, then a line for each race. Tabs separate its fields: work, blocks,
 * nanoseconds of the CPU, nanoseconds of the device. Faults of a device are not kept: a new process gives it a new chance.
 */
final class Calibration {
    /**
     * The conditions under which times hold. Immutable.
     *
     * @param device name and UUID of the device
     * @param driver its driver and the driver's version
     * @param version of this library
     * @param java the virtual machine, which compiles the CPU's kernels, and the processors that it sees
     * @param threads threads of the CPU's kernels
     */
    record Scope(String device, String driver, String version, String java, int threads) {
        static Scope of(DeviceCapabilities device, int threads) {
            return new Scope(
                    device.name() + ", " + device.uuid(),
                    device.driver() + ", Vulkan " + device.apiVersion(),
                    RunConditions.libraryVersion(),
                    RunConditions.java(),
                    threads == 0 ? Runtime.getRuntime().availableProcessors() : threads);
        }

        String header() {
            return String.join(
                    "\n",
                    "device " + device,
                    "driver " + driver,
                    "gst-qpu " + version,
                    "java " + java,
                    "threads " + threads,
                    "");
        }

        /**
         * Name of the file. Device, number of threads and Java may change from one process to the next, so each of them has a
         * file of its own. The other conditions are in the header alone.
         */
        String fileName() {
            String name = device.replaceAll("[^A-Za-z0-9]+", "-");
            return "calibration-" + name + "-" + threads + "-" + Integer.toHexString(java.hashCode()) + ".txt";
        }
    }

    private record Race(String work, int blocks) implements Comparable<Race> {
        @Override
        public int compareTo(Race other) {
            int byWork = work.compareTo(other.work);
            return byWork != 0 ? byWork : Integer.compare(blocks, other.blocks);
        }
    }

    private static final Logger LOG = System.getLogger(Calibration.class.getName());
    private static final Map<Scope, Calibration> OF_PROCESS = new ConcurrentHashMap<>();

    private final Scope scope;
    private final Optional<CacheFile> file;
    private final Map<Race, SubstrateTimes> races = new TreeMap<>();

    /** The process's calibration for these conditions, with a file in the user's cache folder. */
    static Calibration of(Scope scope) {
        return OF_PROCESS.computeIfAbsent(
                scope,
                absent -> new Calibration(
                        absent,
                        CacheFile.folder(System.getenv()).map(folder -> new CacheFile(folder, absent.fileName()))));
    }

    /**
     * @param file keeps the races; empty if they end with the process
     */
    Calibration(Scope scope, Optional<CacheFile> file) {
        this.scope = scope;
        this.file = file;
        readFile();
    }

    /** The result of an earlier race, if there was one. */
    synchronized Optional<SubstrateTimes> find(String work, int blocks) {
        return Optional.ofNullable(races.get(new Race(work, blocks)));
    }

    /** Keeps the result of a race. */
    void add(SubstrateTimes found) {
        add(List.of(found));
    }

    /** Keeps results of races. A fault takes the place of another fault only: others have seen the device work. */
    synchronized void add(List<SubstrateTimes> found) {
        // Another process may have added races to the file.
        readFile();
        found.forEach(times -> races.merge(
                new Race(times.work(), times.blocks()),
                times,
                (known, added) -> added.fault().isPresent() && known.fault().isEmpty() ? known : added));
        file.ifPresent(cache -> cache.write(text().getBytes(StandardCharsets.UTF_8)));
    }

    private String text() {
        StringBuilder text = new StringBuilder(scope.header());
        for (SubstrateTimes times : races.values()) {
            if (times.fault().isEmpty()) {
                text.append(times.work())
                        .append('\t')
                        .append(times.blocks())
                        .append('\t')
                        .append(times.cpuNanos())
                        .append('\t')
                        .append(times.qpuNanos())
                        .append('\n');
            }
        }
        return text.toString();
    }

    private void readFile() {
        Optional<byte[]> content = file.flatMap(CacheFile::read);
        if (content.isEmpty()) {
            return;
        }
        String text = new String(content.get(), StandardCharsets.UTF_8);
        if (!text.startsWith(scope.header())) {
            ignored("it was measured with another driver, Java or version of this library");
            return;
        }
        Map<Race, SubstrateTimes> read = new TreeMap<>();
        for (String line : text.substring(scope.header().length()).lines().toList()) {
            Optional<SubstrateTimes> times = parse(line);
            if (times.isEmpty()) {
                ignored("it has the line '" + line + "'");
                return;
            }
            read.put(new Race(times.get().work(), times.get().blocks()), times.get());
        }
        read.forEach(races::putIfAbsent);
    }

    private static Optional<SubstrateTimes> parse(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != 4) {
            return Optional.empty();
        }
        try {
            int blocks = Integer.parseInt(fields[1]);
            long cpuNanos = Long.parseLong(fields[2]);
            long qpuNanos = Long.parseLong(fields[3]);
            return blocks > 0 && cpuNanos > 0 && qpuNanos > 0
                    ? Optional.of(SubstrateTimes.of(fields[0], blocks, cpuNanos, qpuNanos))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private void ignored(String why) {
        LOG.log(
                Logger.Level.DEBUG,
                () -> "the calibration " + file.orElseThrow().path() + " is ignored: " + why);
    }
}
