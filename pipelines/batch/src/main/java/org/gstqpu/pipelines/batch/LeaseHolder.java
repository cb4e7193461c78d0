/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/**
 * A process that holds leases, told apart from all others. The components are field names of JSON. Immutable.
 *
 * @param worker a random name, which no other process has
 * @param host name of the machine
 * @param boot the Linux kernel's name of this run of it
 * @param space the name space that {@code pid} is of: containers of one machine may have their own
 * @param pid number of the process
 * @param start when the process started, in ticks since the boot: a later process may have the same number
 */
record LeaseHolder(String worker, String host, String boot, String space, long pid, long start) {
    private static final Path PROC = Path.of("/proc");

    /** Fields of /proc/PID/stat after the name of the program, which is in brackets and may hold anything. */
    private static final int STATE = 0;

    private static final int START = 19;

    /** This process, by a new name. */
    static LeaseHolder ofThisProcess() throws IOException {
        long pid = ProcessHandle.current().pid();
        return new LeaseHolder(
                String.format("%016x", new SecureRandom().nextLong()),
                thisHost(),
                Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip(),
                Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString(),
                pid,
                start(pid).orElseThrow(() -> new IOException("/proc does not show this process")));
    }

    /** The name of this machine. */
    static String thisHost() throws IOException {
        Path name = PROC.resolve("sys/kernel/hostname");
        return Files.exists(name)
                ? Files.readString(name).strip()
                : InetAddress.getLocalHost().getHostName();
    }

    /** Whether all of it is there, and the worker's name can be a part of a file's. */
    boolean isWhole() {
        return worker != null && worker.matches("[0-9a-f]{1,16}") && host != null && boot != null && space != null;
    }

    /** Whether the process has certainly ended, as another process of the same machine can tell. */
    boolean isGone(LeaseHolder looker) throws IOException {
        return host.equals(looker.host)
                && boot.equals(looker.boot)
                && space.equals(looker.space)
                && !start(pid).equals(Optional.of(start));
    }

    /** When a process started; empty if there is none, or only its entry that nobody has taken notice of. */
    private static Optional<Long> start(long pid) throws IOException {
        String stat;
        try {
            stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            // The process ended between the opening and the reading of its entry (ESRCH).
            if (!Files.exists(PROC.resolve(Long.toString(pid)))) {
                return Optional.empty();
            }
            throw e;
        }
        List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
        return fields.get(STATE).equals("Z") ? Optional.empty() : Optional.of(Long.parseLong(fields.get(START)));
    }
}
