/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.github.dockerjava.api.exception.NotFoundException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.testcontainers.DockerClientFactory;

/**
 * Owns a Docker engine while tests use clean machines. The script {@code it/machines/engine} uses a running engine or starts one, and
 * ends with this process at the latest. Any thread.
 */
final class CleanMachines implements AutoCloseable {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);

    /** Exit status of {@code it/machines/engine} if there is no engine. */
    private static final int NO_ENGINE = 123;

    private final Process engine;
    private final String host;

    private CleanMachines(Process engine, String host) {
        this.engine = engine;
        this.host = host;
    }

    /** Starts the engine. If that is impossible, skips the calling test, unless {@code GST_QPU_MACHINES} is {@code required}. */
    static CleanMachines open() throws IOException, InterruptedException {
        Path log = BuildTree.workFolder().resolve("engine.log");
        Process engine = new ProcessBuilder(
                        script("engine"), "sh", "-c", "echo \"$DOCKER_HOST\" && exec cat >/dev/null")
                .redirectError(log.toFile())
                .start();
        String host;
        try (BufferedReader said = engine.inputReader(StandardCharsets.UTF_8)) {
            host = said.readLine();
        }
        if (host == null) {
            int status = engine.waitFor();
            String reason = Files.readString(log).strip();
            if (status == NO_ENGINE) {
                skip(reason);
            }
            fail("it/machines/engine ended with status " + status + ": " + reason);
        }
        // Testcontainers reads it when its first class is loaded.
        System.setProperty("DOCKER_HOST", host);
        return new CleanMachines(engine, host);
    }

    /** Where the engine is, as {@code DOCKER_HOST} says it. */
    String host() {
        return host;
    }

    private static void skip(String reason) {
        if ("required".equals(System.getenv("GST_QPU_MACHINES"))) {
            fail(reason);
        }
        abort(reason);
    }

    /**
     * The name of the image of a clean machine. If the image was not made, skips the calling test, unless {@code GST_QPU_MACHINES} is
     * {@code required}.
     *
     * @param machine Debian's name for its release, or {@code slurm}
     */
    String image(String machine) throws IOException {
        Process script = new ProcessBuilder(script("image"), machine).start();
        String image;
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(script.getInputStream(), StandardCharsets.UTF_8))) {
            image = said.readLine();
        }
        try {
            DockerClientFactory.lazyClient().inspectImageCmd(image).exec();
        } catch (NotFoundException e) {
            skip("there is no image of " + machine + ": it/machines/engine it/machines/build");
        }
        return image;
    }

    private static String script(String name) {
        return BuildTree.root().resolve("it/machines").resolve(name).toString();
    }

    @Override
    public void close() throws IOException {
        // The command of the script ends at the end of its input.
        engine.getOutputStream().close();
        boolean ended;
        try {
            ended = engine.waitFor(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the engine ends", e);
        }
        if (!ended) {
            engine.descendants().forEach(ProcessHandle::destroyForcibly);
            engine.destroyForcibly();
            fail("the engine did not end within " + TIME_LIMIT.toSeconds() + " seconds");
        }
    }
}
