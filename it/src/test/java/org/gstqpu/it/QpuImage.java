/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.testcontainers.DockerClientFactory;

/** Owns a container image that {@code pipelines/image} built on the image of a clean machine. It is deleted when this is closed. */
final class QpuImage implements AutoCloseable {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(30);

    private final String name;

    private QpuImage(String name) {
        this.name = name;
    }

    /**
     * Builds the image with the package of this build.
     *
     * @param base the image of a clean machine, which has everything that the package needs
     * @param name unlike those of other images of this kind
     */
    static QpuImage build(CleanMachines machines, String base, String name) throws IOException {
        CheckPackages.needProgram("docker", "docker.io or, on Debian 13, docker-cli");
        Map<String, String> environment = Processes.plainEnvironment();
        environment.put("DOCKER_HOST", machines.host());
        String script = BuildTree.root().resolve("pipelines/image").toString();
        Processes.run(
                        List.of(script, "--base", base, "--tag", name, "--network", "none"),
                        environment,
                        Path.of("/dev/null"),
                        TIME_LIMIT)
                .requireSuccess();
        return new QpuImage(name);
    }

    String name() {
        return name;
    }

    @Override
    public void close() {
        DockerClientFactory.lazyClient().removeImageCmd(name).withForce(true).exec();
    }
}
