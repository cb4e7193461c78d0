/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.gstqpu.pipelines.batch.Json.object;
import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.TemporaryFile;

/**
 * A plan as an Indexed Job of Kubernetes: each shard is an index, whose pod is started again if it fails. The shards join segments
 * themselves: the one that finishes the last segment of a file, or its next pod. The containers run without root, without
 * capabilities, and write only to their volumes and to /tmp. Immutable.
 */
final class KubernetesJob {
    /** What {@code --gpu} alone asks for: the name that NVIDIA's device plugin gives to a GPU. */
    static final String GPU = "nvidia.com/gpu";

    /** The folder of GPUs of Mesa's drivers, for clusters without a device plugin for them. */
    static final String DRI = "/dev/dri";

    /** A container without a limit of memory takes what its neighbours need. */
    private static final int DEFAULT_MEBIBYTES = 2048;

    private static final int MEBIBYTES_OF_GI = 1024;

    /** Pods of a shard after the first one. */
    private static final int RETRIES = 3;

    private static final String SCRATCH = "/tmp";

    /** The manifest, with what comes from outside in JSON. A member that is null is left out. */
    private static final String MANIFEST = """
            {
              "apiVersion": "batch/v1",
              "kind": "Job",
              "metadata": {
                "name": %1$s, "namespace": %2$s,
                "labels": {"app.kubernetes.io/name": "gst-qpu", "app.kubernetes.io/component": "batch"}
              },
              "spec": {
                "completionMode": "Indexed",
                "completions": %3$d,
                "parallelism": %4$d,
                "backoffLimitPerIndex": %5$d,
                // A shard that fails does not end the others, which take over its units.
                "maxFailedIndexes": %3$d,
                "podFailurePolicy": {"rules": [
                  // A node that is drained does not count as a failure.
                  {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
                  // A plan that cannot be used ends the job: no pod can do it.
                  {"action": "FailJob", "onExitCodes": {"containerName": "qpu", "operator": "In", "values": [%6$d]}}
                ]},
                "template": {
                  "metadata": {
                    "labels": {"app.kubernetes.io/name": "gst-qpu", "app.kubernetes.io/component": "batch"}
                  },
                  "spec": {
                    "restartPolicy": "Never",
                    "securityContext": {
                      "runAsNonRoot": true, "runAsUser": %7$d, "runAsGroup": %8$d, "supplementalGroups": %9$s,
                      "seccompProfile": {"type": "RuntimeDefault"}
                    },
                    "containers": [{
                      "name": "qpu",
                      "image": %10$s,
                      "args": %11$s,
                      "env": [{"name": "GST_QPU_SHARDS", "value": "%3$d"}, {"name": "HOME", "value": "%12$s"}],
                      "resources": {"requests": %13$s, "limits": %13$s},
                      "securityContext": %14$s,
                      "volumeMounts": %15$s,
                      // Which units were set aside, for kubectl describe.
                      "terminationMessagePolicy": "FallbackToLogsOnError"
                    }],
                    "volumes": %16$s
                  }
                }
              }
            }
            """;

    private static final Map<String, Object> UNPRIVILEGED = object(
            "readOnlyRootFilesystem",
            true,
            "allowPrivilegeEscalation",
            false,
            "capabilities",
            Map.of("drop", List.of("ALL")));
    /** A device file of the node can be opened only by a privileged container; with a device plugin, none has to be. */
    private static final Map<String, Object> PRIVILEGED = object("readOnlyRootFilesystem", true, "privileged", true);

    private static final Gson JSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    private static final long LIMIT_SECONDS = 300;

    private final ClusterWork work;
    private final Container container;

    /**
     * What the pods are.
     *
     * @param image with qpu as its entry point
     * @param namespace empty for the one that kubectl is set to
     * @param user number of the user that runs qpu, not root
     * @param group number of the user's group
     * @param renderGroup number of the group that may open {@link #DRI} on the nodes
     * @param volumes one of them holds the plan
     */
    record Container(
            String image,
            Optional<String> namespace,
            int user,
            int group,
            Optional<Integer> renderGroup,
            List<ContainerVolume> volumes) {
        Container {
            volumes = List.copyOf(volumes);
        }
    }

    KubernetesJob(ClusterWork work, Container container) {
        this.work = work;
        this.container = container;
    }

    /** Prints the manifest as JSON, which kubectl takes as it takes YAML. */
    void print(PrintWriter out) {
        out.println(text());
        out.flush();
    }

    /** Gives the manifest to kubectl, and prints what that says. */
    void submit(PrintWriter out) throws IOException {
        try (TemporaryFile manifest = TemporaryFile.create(".json")) {
            Files.writeString(manifest.path(), text());
            ChildProcess.Result result = new ChildProcess(
                            List.of("kubectl", "apply", "-f", manifest.path().toString()), Map.of())
                    .require(
                            LIMIT_SECONDS,
                            "there is no kubectl here: install it, or give what --dry-run prints to a machine that has it");
            if (result.status() != 0) {
                throw unavailable("kubectl does not take the job (" + result.lastLines(2)
                        + "): look at it with --dry-run, and at the cluster with kubectl config current-context");
            }
            out.print(result.output());
            out.flush();
        }
    }

    private String text() {
        boolean dri = work.gpu().equals(Optional.of(DRI));
        List<ContainerVolume> folders = new ArrayList<>();
        folders.add(new ContainerVolume(Path.of(SCRATCH), object("emptyDir", Map.of()), false));
        folders.addAll(container.volumes());
        if (dri) {
            folders.add(new ContainerVolume(
                    Path.of(DRI), object("hostPath", object("path", DRI, "type", "Directory")), false));
        }
        List<Map<String, Object>> volumes = new ArrayList<>();
        List<Map<String, Object>> mounts = new ArrayList<>();
        for (ContainerVolume folder : folders) {
            String name = "folder-" + volumes.size();
            Map<String, Object> volume = object("name", name);
            volume.putAll(folder.source());
            volumes.add(volume);
            mounts.add(object(
                    "name", name, "mountPath", folder.path().toString(), "readOnly", folder.readOnly() ? true : null));
        }
        String manifest = MANIFEST.formatted(
                JSON.toJson(work.name()),
                JSON.toJson(container.namespace().orElse(null)),
                work.shards(),
                work.atOnce(),
                RETRIES,
                ExitStatus.UNUSABLE_INPUT,
                container.user(),
                container.group(),
                JSON.toJson(container.renderGroup().map(List::of).orElse(null)),
                JSON.toJson(container.image()),
                JSON.toJson(work.runArguments()),
                SCRATCH,
                JSON.toJson(resources(dri)),
                JSON.toJson(dri ? PRIVILEGED : UNPRIVILEGED),
                JSON.toJson(mounts),
                JSON.toJson(volumes));
        return JSON.toJson(JsonParser.parseString(manifest));
    }

    /** What a container asks for, and may take at most. */
    private Map<String, Object> resources(boolean dri) {
        int mebibytes = work.mebibytes().orElse(DEFAULT_MEBIBYTES);
        Map<String, Object> amounts = object(
                "cpu",
                Integer.toString(work.cpus()),
                "memory",
                mebibytes % MEBIBYTES_OF_GI == 0 ? mebibytes / MEBIBYTES_OF_GI + "Gi" : mebibytes + "Mi");
        if (!dri) {
            work.gpu().ifPresent(gpu -> amounts.put(gpu, "1"));
        }
        return amounts;
    }
}
