/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.testcontainers.DockerClientFactory;

/** The container image, as the pods of an Indexed Job of Kubernetes run it. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Execution(ExecutionMode.CONCURRENT)
final class ContainerImageIT {
    @RegisterExtension
    private static final SharedMachines MACHINES = new SharedMachines();

    private static final int VIDEOS = 7;
    private static final int SHARDS = 3;
    private static final int LIMIT_MINUTES = 30;

    @Test
    void threeShardsDoAPlan() throws IOException, InterruptedException {
        CleanMachines machines = MACHINES.get();
        try (QpuImage image = QpuImage.build(machines, machines.image("slurm"), "gst-qpu-test:shards")) {
            String volume = "gst-qpu-" + UUID.randomUUID();
            try {
                // A new folder belongs to root.
                run(image, volume, command -> command.withUser("root").withEntrypoint("chmod", "777", "/archive"));
                run(
                        image,
                        volume,
                        command -> command.withEntrypoint(
                                "bash", "-c", "mkdir /archive/in; gst-launch-1.0 -q " + videos()));
                run(image, volume, command -> command.withCmd("batch", "plan", "/archive/in", "/archive/out"));
                List<String> pods = new ArrayList<>();
                for (int index = 0; index < SHARDS; index++) {
                    String variable = "JOB_COMPLETION_INDEX=" + index;
                    pods.add(start(
                            image,
                            volume,
                            command -> command.withEnv(variable, "GST_QPU_SHARDS=" + SHARDS, "HOME=/tmp")
                                    .withCmd("batch", "run", "/archive/out/plan.json", "--workers=1")));
                }
                for (String pod : pods) {
                    end(pod);
                }
                String done = run(
                        image,
                        volume,
                        command -> command.withEntrypoint(
                                "bash",
                                "-c",
                                "cat /archive/out/.batch/*.worker | grep -o '\"id\":\"[0-9]*\"' | sort | uniq -c"));
                assertEquals(VIDEOS, done.lines().count(), done);
                assertTrue(done.lines().allMatch(line -> line.strip().startsWith("1 ")), done);
                String status =
                        run(image, volume, command -> command.withCmd("batch", "status", "/archive/out/plan.json"));
                assertTrue(status.startsWith(VIDEOS + " of " + VIDEOS + " done, 0 running, 0 failed, 0 left"), status);
                String owners = run(
                        image,
                        volume,
                        command -> command.withEntrypoint(
                                "bash", "-c", "cd /archive/out && stat -c %u *.mkv | sort | uniq -c"));
                assertEquals(VIDEOS + " 1234", owners.strip());
            } finally {
                client().removeVolumeCmd(volume).exec();
            }
        }
    }

    private static String videos() {
        return IntStream.range(0, VIDEOS)
                .mapToObj(i -> "videotestsrc num-buffers=12 pattern=" + i
                        + " ! video/x-raw,width=96,height=64 ! jpegenc ! matroskamux ! filesink location=/archive/in/"
                        + i
                        + ".mkv")
                .collect(Collectors.joining(" "));
    }

    private static DockerClient client() {
        return DockerClientFactory.lazyClient();
    }

    private interface Changes {
        CreateContainerCmd to(CreateContainerCmd command);
    }

    /** Runs a container to its end; returns what it printed. Fails unless it ends with status 0. */
    private static String run(QpuImage image, String volume, Changes changes) throws InterruptedException {
        return end(start(image, volume, changes));
    }

    /** Starts a container as the manifests say: no root, no capabilities, nothing to write to but the volume and /tmp. */
    private static String start(QpuImage image, String volume, Changes changes) {
        HostConfig limits = HostConfig.newHostConfig()
                .withBinds(new Bind(volume, new Volume("/archive")))
                .withNetworkMode("none")
                .withReadonlyRootfs(true)
                .withTmpFs(Map.of("/tmp", "rw,exec"))
                .withCapDrop(Capability.ALL)
                .withSecurityOpts(List.of("no-new-privileges"));
        CreateContainerCmd command =
                client().createContainerCmd(image.name()).withUser("1234:1234").withHostConfig(limits);
        String container = changes.to(command).exec().getId();
        client().startContainerCmd(container).exec();
        return container;
    }

    private static String end(String container) throws InterruptedException {
        try {
            int status = client().waitContainerCmd(container)
                    .exec(new WaitContainerResultCallback())
                    .awaitStatusCode(LIMIT_MINUTES, TimeUnit.MINUTES);
            StringBuilder said = new StringBuilder();
            boolean complete = client().logContainerCmd(container)
                    .withStdOut(true)
                    .withStdErr(true)
                    .exec(new ResultCallback.Adapter<Frame>() {
                        @Override
                        public void onNext(Frame frame) {
                            said.append(new String(frame.getPayload(), StandardCharsets.UTF_8));
                        }
                    })
                    .awaitCompletion(LIMIT_MINUTES, TimeUnit.MINUTES);
            assertTrue(complete, "the container's output has no end");
            assertEquals(0, status, said::toString);
            return said.toString();
        } finally {
            client().removeContainerCmd(container).withForce(true).exec();
        }
    }
}
