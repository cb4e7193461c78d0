/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * Owns a Slurm of a controller and three nodes, each a container on a network of their own, which share the folder {@code /archive}.
 * All of it is deleted when this is closed. For one thread.
 */
final class SlurmCluster implements AutoCloseable {
    static final String CONTROLLER = "controller";
    static final List<String> NODES = List.of("node1", "node2", "node3");

    private static final String HOME = "/home/archivist";
    private static final int EXECUTABLE = 0755;
    private static final int READABLE = 0644;

    private final String volume = "gst-qpu-" + UUID.randomUUID();
    private final Network network = Network.builder()
            .createNetworkCmdModifier(command -> command.withInternal(true))
            .build();
    private final Map<String, GenericContainer<?>> machines = new LinkedHashMap<>();

    /** Starts the machines and their daemons; the nodes report to the controller some seconds later. */
    SlurmCluster(QpuImage image) {
        try {
            start(image, CONTROLLER, "controller");
            NODES.forEach(node -> start(image, node, "node"));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void start(QpuImage image, String name, String role) {
        GenericContainer<?> machine = new GenericContainer<>(DockerImageName.parse(image.name()))
                .withNetwork(network)
                .withNetworkAliases(name)
                .withCopyFileToContainer(file("machine", EXECUTABLE), "/usr/local/bin/machine")
                .withCopyFileToContainer(file("strike", EXECUTABLE), "/usr/local/bin/strike")
                .withCopyFileToContainer(file("slurm.conf", READABLE), "/etc/slurm/slurm.conf")
                .withCopyFileToContainer(file("cgroup.conf", READABLE), "/etc/slurm/cgroup.conf")
                .withCopyFileToContainer(file("gres.conf", READABLE), "/etc/slurm/gres.conf")
                .withCommand(role)
                .withCreateContainerCmdModifier(command -> {
                    command.withHostName(name).withUser("root").withEntrypoint("/usr/local/bin/machine");
                    command.getHostConfig().withBinds(new Bind(volume, new Volume("/archive")));
                });
        machines.put(name, machine);
        machine.start();
    }

    private static MountableFile file(String name, int mode) {
        Path file = BuildTree.testSource("slurm").resolve(name);
        return MountableFile.forHostPath(file, mode);
    }

    /** Runs a line of bash as root, and returns what it prints. Fails unless it ends with status 0. */
    String asRoot(String machine, String line) throws IOException, InterruptedException {
        return CleanMachine.run(machines.get(machine), "root", "/archive", Map.of(), line);
    }

    /** Runs a line of bash on the controller as the user who owns the archive, and returns what it prints, as above. */
    String asUser(String line) throws IOException, InterruptedException {
        return CleanMachine.run(machines.get(CONTROLLER), "archivist", "/archive", Map.of("HOME", HOME), line);
    }

    /** Ends all processes of a machine at once by SIGKILL, as a loss of power does. */
    void kill(String machine) {
        client().killContainerCmd(machines.get(machine).getContainerId())
                .withSignal("KILL")
                .exec();
    }

    private static DockerClient client() {
        return DockerClientFactory.lazyClient();
    }

    @Override
    public void close() {
        machines.values().forEach(GenericContainer::stop);
        network.close();
        if (client().listVolumesCmd().exec().getVolumes().stream()
                .anyMatch(found -> found.getName().equals(volume))) {
            client().removeVolumeCmd(volume).exec();
        }
    }
}
