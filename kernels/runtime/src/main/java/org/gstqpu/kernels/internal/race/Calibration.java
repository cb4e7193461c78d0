/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.race;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.cache.CacheTable;
import org.gstqpu.kernels.internal.cache.RunConditions;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.substrate.SubstrateTimes;

/**
 * Holds the results of races between the CPU and one device. All contexts of the process share it, and a {@link CacheFile} keeps
 * it, so that every race is run once. Any thread.
 *
 * <p>The file is text: the lines of {@link Scope#header}, then a line for each race. Tabs separate its fields: work, blocks,
 * nanoseconds of the CPU, nanoseconds of the device. Faults of a device are not kept: a new process gives it a new chance.
 */
public final class Calibration {
    /**
     * The conditions under which times hold. Immutable.
     *
     * @param device name and UUID of the device
     * @param driver its driver and the driver's version
     * @param version of this library
     * @param java the virtual machine, which compiles the CPU's kernels, and the processors that it sees
     * @param threads threads of the CPU's kernels
     */
    public record Scope(String device, String driver, String version, String java, int threads) {
        /** The conditions of this process and that device. */
        public static Scope of(DeviceCapabilities device, int threads) {
            return new Scope(
                    device.name() + ", " + device.uuid(),
                    device.driver() + ", Vulkan " + device.apiVersion(),
                    RunConditions.libraryVersion(),
                    RunConditions.java(),
                    threads == 0 ? Runtime.getRuntime().availableProcessors() : threads);
        }

        public String header() {
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
         *
         * @param kind what the file holds: the beginning of its name
         */
        public String fileName(String kind) {
            String name = device.replaceAll("[^A-Za-z0-9]+", "-");
            return kind + "-" + name + "-" + threads + "-" + Integer.toHexString(java.hashCode()) + ".txt";
        }

        /** The file of that name in the user's cache folder; empty if there is no such folder. */
        public Optional<CacheFile> file(String kind) {
            return CacheFile.folder(System.getenv()).map(folder -> new CacheFile(folder, fileName(kind)));
        }
    }

    private static final Map<Scope, Calibration> OF_PROCESS = new ConcurrentHashMap<>();

    private final CacheTable file;
    private final Map<String, SubstrateTimes> races = new TreeMap<>();

    /** The process's calibration for these conditions, with a file in the user's cache folder. */
    public static Calibration of(Scope scope) {
        return OF_PROCESS.computeIfAbsent(scope, absent -> new Calibration(absent, absent.file("calibration")));
    }

    /**
     * @param file keeps the races; empty if they end with the process
     */
    public Calibration(Scope scope, Optional<CacheFile> file) {
        this.file = new CacheTable(file, scope.header());
        readFile();
    }

    /** The result of an earlier race, if there was one. */
    public synchronized Optional<SubstrateTimes> find(String work, int blocks) {
        return Optional.ofNullable(races.get(key(work, blocks)));
    }

    /** Keeps the result of a race. */
    public void add(SubstrateTimes found) {
        add(List.of(found));
    }

    /** Keeps results of races. A fault takes the place of another fault only: others have seen the device work. */
    public synchronized void add(List<SubstrateTimes> found) {
        // Another process may have added races to the file.
        readFile();
        found.forEach(times -> races.merge(
                key(times.work(), times.blocks()),
                times,
                (known, added) -> added.fault().isPresent() && known.fault().isEmpty() ? known : added));
        file.write(races.values().stream()
                .filter(times -> times.fault().isEmpty())
                .map(times -> List.<Object>of(times.work(), times.blocks(), times.cpuNanos(), times.qpuNanos()))
                .toList());
    }

    private static String key(String work, int blocks) {
        return work + "\t" + blocks;
    }

    private void readFile() {
        file.read(4, Calibration::parse).forEach(times -> races.putIfAbsent(key(times.work(), times.blocks()), times));
    }

    private static Optional<SubstrateTimes> parse(List<String> fields) {
        int blocks = Integer.parseInt(fields.get(1));
        long cpuNanos = Long.parseLong(fields.get(2));
        long qpuNanos = Long.parseLong(fields.get(3));
        return blocks > 0 && cpuNanos > 0 && qpuNanos > 0
                ? Optional.of(SubstrateTimes.of(fields.get(0), blocks, cpuNanos, qpuNanos))
                : Optional.empty();
    }
}
