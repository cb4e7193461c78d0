/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The memory that workers may use: that of the machine, or of the container (Linux control group) that this process is in. Amounts are
 * bytes. Immutable.
 *
 * @param proc the folder {@code /proc}
 * @param group the folder of the control group
 */
record MachineMemory(Path proc, Path group) {
    private static final long KIB = 1024;

    /** The memory of this machine, as a process sees it; in a container, its own group is the top one. */
    static MachineMemory ofThisMachine() {
        return new MachineMemory(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
    }

    /** All of it. */
    long total() throws IOException {
        return Math.min(kib("meminfo", "MemTotal").orElse(Long.MAX_VALUE), limit("memory.max"));
    }

    /** What is free, or would be at once. */
    long available() throws IOException {
        long ofMachine = kib("meminfo", "MemAvailable").orElse(Long.MAX_VALUE);
        long limit = limit("memory.max");
        if (limit == Long.MAX_VALUE) {
            return ofMachine;
        }
        // Pages of files that nobody has used for a while count as used, and are given back when they are needed.
        long files = Files.readAllLines(group.resolve("memory.stat")).stream()
                .filter(line -> line.startsWith("inactive_file "))
                .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1]))
                .findFirst()
                .orElse(0);
        return Math.min(ofMachine, limit - limit("memory.current") + files);
    }

    /** The most that a process had so far; 0 if it has ended. */
    long most(long pid) throws IOException {
        return kib(pid + "/status", "VmHWM").orElse(0);
    }

    private OptionalLong kib(String file, String name) throws IOException {
        try {
            return Files.readAllLines(proc.resolve(file)).stream()
                    .filter(line -> line.startsWith(name + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB)
                    .findFirst();
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        }
    }

    private long limit(String file) throws IOException {
        try {
            List<String> lines = Files.readAllLines(group.resolve(file));
            return lines.get(0).equals("max") ? Long.MAX_VALUE : Long.parseLong(lines.get(0));
        } catch (NoSuchFileException e) {
            // The top group of a machine that is no container, or control groups of version 1.
            return Long.MAX_VALUE;
        }
    }
}
