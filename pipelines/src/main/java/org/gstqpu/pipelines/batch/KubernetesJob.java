/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;

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
        Path manifest = Files.createTempFile("qpu-kubernetes-", ".json");
        try {
            Files.writeString(manifest, text());
            ChildProcess.Result result = new ChildProcess(
                            List.of("kubectl", "apply", "-f", manifest.toString()), Map.of())
                    .run(LIMIT_SECONDS)
                    .orElseThrow(
                            () -> new CommandFailedException(
                                    ExitStatus.UNAVAILABLE,
                                    "there is no kubectl here: install it, or give what --dry-run prints to a machine that has it"));
            if (result.status() != 0) {
                throw new CommandFailedException(
                        ExitStatus.UNAVAILABLE,
                        "kubectl does not take the job (" + result.lastLines(2)
                                + "): look at it with --dry-run, and at the cluster with kubectl config current-context");
            }
            out.print(result.output());
            out.flush();
        } finally {
            Files.delete(manifest);
        }
    }

    private String text() {
        return new GsonBuilder()
                .setPrettyPrinting()
                .disableHtmlEscaping()
                .create()
                .toJson(manifest());
    }

    JsonObject manifest() {
        JsonObject labels = new JsonObject();
        labels.addProperty("app.kubernetes.io/name", "gst-qpu");
        labels.addProperty("app.kubernetes.io/component", "batch");
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", work.name());
        container.namespace().ifPresent(namespace -> metadata.addProperty("namespace", namespace));
        metadata.add("labels", labels);

        JsonObject template = new JsonObject();
        JsonObject podMetadata = new JsonObject();
        podMetadata.add("labels", labels);
        template.add("metadata", podMetadata);
        template.add("spec", pod());

        JsonObject spec = new JsonObject();
        spec.addProperty("completionMode", "Indexed");
        spec.addProperty("completions", work.shards());
        spec.addProperty("parallelism", work.atOnce());
        spec.addProperty("backoffLimitPerIndex", RETRIES);
        // A shard that fails does not end the others, which take over its units.
        spec.addProperty("maxFailedIndexes", work.shards());
        spec.add("podFailurePolicy", failurePolicy());
        spec.add("template", template);

        JsonObject job = new JsonObject();
        job.addProperty("apiVersion", "batch/v1");
        job.addProperty("kind", "Job");
        job.add("metadata", metadata);
        job.add("spec", spec);
        return job;
    }

    /** A node that is drained does not count as a failure. A plan that cannot be used ends the job: no pod can do it. */
    private static JsonObject failurePolicy() {
        JsonObject disrupted = new JsonObject();
        disrupted.addProperty("type", "DisruptionTarget");
        disrupted.addProperty("status", "True");
        JsonObject ignore = new JsonObject();
        ignore.addProperty("action", "Ignore");
        ignore.add("onPodConditions", array(disrupted));

        JsonObject unusable = new JsonObject();
        unusable.addProperty("containerName", "qpu");
        unusable.addProperty("operator", "In");
        unusable.add("values", array(new JsonPrimitive(ExitStatus.UNUSABLE_INPUT)));
        JsonObject end = new JsonObject();
        end.addProperty("action", "FailJob");
        end.add("onExitCodes", unusable);

        JsonObject policy = new JsonObject();
        policy.add("rules", array(ignore, end));
        return policy;
    }

    private JsonObject pod() {
        boolean dri = work.gpu().equals(Optional.of(DRI));
        JsonObject security = new JsonObject();
        security.addProperty("runAsNonRoot", true);
        security.addProperty("runAsUser", container.user());
        security.addProperty("runAsGroup", container.group());
        container.renderGroup().ifPresent(group -> security.add("supplementalGroups", array(new JsonPrimitive(group))));
        JsonObject profile = new JsonObject();
        profile.addProperty("type", "RuntimeDefault");
        security.add("seccompProfile", profile);

        List<JsonElement> volumes = new ArrayList<>();
        List<JsonElement> mounts = new ArrayList<>();
        JsonObject scratch = new JsonObject();
        scratch.add("emptyDir", new JsonObject());
        add(volumes, mounts, new ContainerVolume(Path.of(SCRATCH), scratch, false));
        container.volumes().forEach(volume -> add(volumes, mounts, volume));
        if (dri) {
            JsonObject folder = new JsonObject();
            folder.addProperty("path", DRI);
            folder.addProperty("type", "Directory");
            JsonObject source = new JsonObject();
            source.add("hostPath", folder);
            add(volumes, mounts, new ContainerVolume(Path.of(DRI), source, false));
        }

        JsonObject qpu = new JsonObject();
        qpu.addProperty("name", "qpu");
        qpu.addProperty("image", container.image());
        qpu.add(
                "args",
                array(work.runArguments().stream().map(JsonPrimitive::new).toArray(JsonElement[]::new)));
        qpu.add("env", array(variable("GST_QPU_SHARDS", Integer.toString(work.shards())), variable("HOME", SCRATCH)));
        qpu.add("resources", resources(dri));
        qpu.add("securityContext", containerSecurity(dri));
        qpu.add("volumeMounts", array(mounts.toArray(JsonElement[]::new)));
        // Which units were set aside, for kubectl describe.
        qpu.addProperty("terminationMessagePolicy", "FallbackToLogsOnError");

        JsonObject pod = new JsonObject();
        pod.addProperty("restartPolicy", "Never");
        pod.add("securityContext", security);
        pod.add("containers", array(qpu));
        pod.add("volumes", array(volumes.toArray(JsonElement[]::new)));
        return pod;
    }

    private JsonObject resources(boolean dri) {
        JsonObject amounts = new JsonObject();
        amounts.addProperty("cpu", Integer.toString(work.cpus()));
        int mebibytes = work.mebibytes().orElse(DEFAULT_MEBIBYTES);
        amounts.addProperty(
                "memory", mebibytes % MEBIBYTES_OF_GI == 0 ? mebibytes / MEBIBYTES_OF_GI + "Gi" : mebibytes + "Mi");
        if (!dri) {
            work.gpu().ifPresent(gpu -> amounts.addProperty(gpu, "1"));
        }
        JsonObject resources = new JsonObject();
        resources.add("requests", amounts);
        resources.add("limits", amounts);
        return resources;
    }

    /** A device file of the node can be opened only by a privileged container; with a device plugin, no container has to be. */
    private static JsonObject containerSecurity(boolean dri) {
        JsonObject security = new JsonObject();
        security.addProperty("readOnlyRootFilesystem", true);
        if (dri) {
            security.addProperty("privileged", true);
        } else {
            JsonObject capabilities = new JsonObject();
            capabilities.add("drop", array(new JsonPrimitive("ALL")));
            security.addProperty("allowPrivilegeEscalation", false);
            security.add("capabilities", capabilities);
        }
        return security;
    }

    private static void add(List<JsonElement> volumes, List<JsonElement> mounts, ContainerVolume folder) {
        String name = "folder-" + volumes.size();
        JsonObject volume = new JsonObject();
        volume.addProperty("name", name);
        folder.source().entrySet().forEach(entry -> volume.add(entry.getKey(), entry.getValue()));
        volumes.add(volume);
        JsonObject mount = new JsonObject();
        mount.addProperty("name", name);
        mount.addProperty("mountPath", folder.path().toString());
        if (folder.readOnly()) {
            mount.addProperty("readOnly", true);
        }
        mounts.add(mount);
    }

    private static JsonObject variable(String name, String value) {
        JsonObject variable = new JsonObject();
        variable.addProperty("name", name);
        variable.addProperty("value", value);
        return variable;
    }

    private static JsonArray array(JsonElement... elements) {
        JsonArray array = new JsonArray();
        Stream.of(elements).forEach(array::add);
        return array;
    }
}
