/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.ExecConfig;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * Owns a container of Debian without network, which is deleted when it is closed. For one thread.
 */
final class CleanMachine implements AutoCloseable {
    /** The home folder of the ordinary user, in which the user's programs keep files. */
    private static final String HOME = "/tmp/home";

    /** The folders that {@link #files} leaves out. */
    private static final String OWN_FILES_OF_APT =
            "/proc /sys /dev /var/lib/dpkg /var/lib/apt /var/cache/apt /var/cache/debconf /var/log /work " + HOME;

    private final GenericContainer<?> container;

    /** Starts a container of an image. */
    CleanMachine(String image) throws IOException, InterruptedException {
        container = new GenericContainer<>(DockerImageName.parse(image))
                .withNetworkMode("none")
                .withCommand("sleep", "infinity");
        container.start();
        asRoot("mkdir /work && install -d -o nobody " + HOME);
    }

    /** Puts a file into the folder {@code /work}. */
    void put(Path file) {
        container.copyFileToContainer(MountableFile.forHostPath(file), "/work/" + file.getFileName());
    }

    /** Runs a line of bash in {@code /work} as root, and returns what it prints. Fails unless it ends with status 0. */
    String asRoot(String line) throws IOException, InterruptedException {
        return run("root", line, Map.of("DEBIAN_FRONTEND", "noninteractive"));
    }

    /** Runs a line of bash in {@code /work} as an ordinary user with a home folder, and returns what it prints. */
    String asUser(String line) throws IOException, InterruptedException {
        return run("nobody", line, Map.of("HOME", HOME, "GST_DEBUG_NO_COLOR", "1"));
    }

    private String run(String user, String line, Map<String, String> environment)
            throws IOException, InterruptedException {
        return run(container, user, user.equals("root") ? "/" : HOME, environment, line);
    }

    /** Runs a line of bash in a container, and returns what it prints. Fails unless it ends with status 0. */
    static String run(
            GenericContainer<?> container, String user, String folder, Map<String, String> environment, String line)
            throws IOException, InterruptedException {
        ExecResult result = container.execInContainer(ExecConfig.builder()
                .user(user)
                .workDir(folder)
                .envVars(environment)
                .command(new String[] {"bash", "-c", "exec 2>&1; " + line})
                .build());
        assertEquals(0, result.getExitCode(), () -> "$ " + line + "\n" + result.getStdout() + result.getStderr());
        return result.getStdout();
    }

    /** Every file with its kind, mode, owner and size, without the files of apt and of users. */
    Set<String> files() throws IOException, InterruptedException {
        String leftOut = "-path " + OWN_FILES_OF_APT.replace(" ", " -o -path ");
        String found = asRoot("find / \\( " + leftOut
                + " \\) -prune -o -type d -printf '%y %m %u %p\\n' -o -printf '%y %m %u %p %s %l\\n'");
        return new TreeSet<>(found.lines().toList());
    }

    @Override
    public void close() {
        container.stop();
    }
}
