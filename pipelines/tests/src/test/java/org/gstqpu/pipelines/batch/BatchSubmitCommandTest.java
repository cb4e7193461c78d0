/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Volume;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gstqpu.pipelines.QpuCommand;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code qpu batch submit} gives to engines. {@code SlurmIT} gives it to a real Slurm. */
class BatchSubmitCommandTest {
    private static final int UNITS = 40;

    @TempDir
    private Path folder;

    private Path plan;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void makePlan() throws IOException {
        Path in = Files.createDirectories(folder.resolve("in"));
        List<String> arguments = new ArrayList<>(List.of("batch", "plan"));
        for (int i = 0; i < UNITS; i++) {
            arguments.add(Files.createFile(in.resolve(i + ".avi")).toString());
        }
        arguments.add("http://camera/one.avi");
        arguments.add(folder.resolve("Out 100%").toString());
        assertEquals(0, qpu(arguments.toArray(String[]::new)), err::toString);
        plan = folder.resolve("Out 100%/plan.json");
    }

    /** Runs the command line; returns its exit status. */
    private int qpu(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine qpu = QpuCommand.commandLine();
        return qpu.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }

    private int submit(String... options) {
        List<String> arguments = new ArrayList<>(List.of("batch", "submit", plan.toString()));
        arguments.addAll(List.of(options));
        return qpu(arguments.toArray(String[]::new));
    }

    private JsonObject manifest(String... more) {
        List<String> options = new ArrayList<>(
                List.of("--engine=kubernetes", "--dry-run", "--image=registry/qpu:1", "--user=1000:100"));
        options.add("--volume=" + folder.toAbsolutePath() + "=claim:archive");
        options.addAll(List.of(more));
        assertEquals(0, submit(options.toArray(String[]::new)), err::toString);
        return JsonParser.parseString(out.toString()).getAsJsonObject();
    }

    @Test
    void kubernetesKnowsAllThatIsInTheManifests() throws IOException {
        for (String gpu : List.of("", "--gpu", "--gpu=gpu.intel.com/i915", "--gpu=/dev/dri")) {
            JsonObject manifest = gpu.isEmpty()
                    ? manifest()
                    : manifest(
                            gpu,
                            "--shards=7",
                            "--at-once=3",
                            "--memory=1500M",
                            "--namespace=video",
                            "--render-group=105",
                            "--volume=/films=nfs:server:/export/films,ro",
                            "--volume=/scratch=host:/mnt/scratch");
            check(manifest);
        }
    }

    /** Throws an exception at a field that the API does not know, lacks or has as another type. */
    private static void check(JsonObject manifest) throws IOException {
        V1Job.validateJsonElement(manifest);
        V1Job.fromJson(manifest.toString());
        JsonObject pod = pod(manifest);
        V1PodSpec.validateJsonElement(pod);
        for (JsonElement container : pod.getAsJsonArray("containers")) {
            V1Container.validateJsonElement(container);
        }
        for (JsonElement volume : pod.getAsJsonArray("volumes")) {
            V1Volume.validateJsonElement(volume);
        }
    }

    private static JsonObject pod(JsonObject manifest) {
        return manifest.getAsJsonObject("spec").getAsJsonObject("template").getAsJsonObject("spec");
    }

    @Test
    void whatKubernetesDoesNotKnowIsFound() throws IOException {
        JsonObject whole = manifest();
        check(whole);
        JsonObject unknown = whole.deepCopy();
        unknown.getAsJsonObject("spec").addProperty("backoffLimitForIndex", 3);
        assertThrows(IllegalArgumentException.class, () -> check(unknown));
        JsonObject deep = whole.deepCopy();
        pod(deep).getAsJsonArray("containers").get(0).getAsJsonObject().addProperty("arguments", "run");
        assertThrows(IllegalArgumentException.class, () -> check(deep));
        JsonObject lacking = whole.deepCopy();
        pod(lacking).getAsJsonArray("volumes").get(0).getAsJsonObject().remove("name");
        assertThrows(IllegalArgumentException.class, () -> check(lacking));
        JsonObject mistyped = whole.deepCopy();
        mistyped.getAsJsonObject("spec").addProperty("completions", "many");
        assertThrows(RuntimeException.class, () -> check(mistyped));
    }

    @Test
    void anIndexedJobHasAPodForEachShard() throws IOException {
        V1Job job = V1Job.fromJson(manifest("--workers=2", "--lease-seconds=30").toString());
        assertEquals("qpu-out-100", job.getMetadata().getName());
        assertEquals("Indexed", job.getSpec().getCompletionMode());
        assertEquals(16, job.getSpec().getCompletions());
        assertEquals(16, job.getSpec().getParallelism());
        assertEquals(3, job.getSpec().getBackoffLimitPerIndex());
        V1PodSpec pod = job.getSpec().getTemplate().getSpec();
        assertEquals(true, pod.getSecurityContext().getRunAsNonRoot());
        assertEquals(1000, pod.getSecurityContext().getRunAsUser());
        V1Container qpu = pod.getContainers().get(0);
        assertEquals(
                List.of("batch", "run", plan.toString(), "--lease-seconds=30", "--stall-seconds=600", "--workers=2"),
                qpu.getArgs());
        assertTrue(qpu.getEnv().stream()
                .anyMatch(variable -> variable.getName().equals("GST_QPU_SHARDS")
                        && variable.getValue().equals("16")));
        assertEquals("2Gi", qpu.getResources().getLimits().get("memory").toSuffixedString());
        assertEquals(
                Set.of("/tmp", folder.toString()),
                qpu.getVolumeMounts().stream()
                        .map(mount -> mount.getMountPath())
                        .collect(Collectors.toSet()));
        assertFalse(qpu.getSecurityContext().getAllowPrivilegeEscalation());
    }

    @Test
    void aGpuIsAResourceOrAFolderOfTheNode() throws IOException {
        V1Container nvidia = container(manifest("--gpu"));
        assertEquals(
                Set.of("cpu", "memory", "nvidia.com/gpu"),
                nvidia.getResources().getLimits().keySet());
        V1Container dri = container(manifest("--gpu=/dev/dri"));
        assertEquals(Set.of("cpu", "memory"), dri.getResources().getLimits().keySet());
        assertTrue(dri.getSecurityContext().getPrivileged());
        assertTrue(dri.getVolumeMounts().stream()
                .anyMatch(mount -> mount.getMountPath().equals("/dev/dri")));
    }

    private static V1Container container(JsonObject manifest) throws IOException {
        return V1Job.fromJson(manifest.toString())
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0);
    }

    @Test
    void whatACommandLineLacksIsSaid() throws IOException {
        refused("--image is missing", "--engine=kubernetes", "--dry-run");
        refused(
                "no container would see " + plan,
                "--engine=kubernetes",
                "--dry-run",
                "--image=i",
                "--volume=/a=claim:a");
        refused(
                "no container would see " + folder.resolve("in/0.avi"),
                "--engine=kubernetes",
                "--dry-run",
                "--image=i",
                "--volume=" + plan.getParent() + "=claim:a");
        refused("is no folder with its source", "--engine=kubernetes", "--volume=/a=s3:bucket");
        refused("is no user but root", "--engine=kubernetes", "--user=0:0");
        refused("--partition is not for --engine kubernetes", "--engine=kubernetes", "--partition=fast");
        refused("--shards is not for --engine local", "--engine=local", "--shards=2");
        refused("are at least 1", "--engine=slurm", "--dry-run", "--shards=0");
        refused("a name has lower-case letters", "--engine=slurm", "--dry-run", "--name=My_Job");
        refused("'3T' is no size", "--engine=slurm", "--memory=3T");
    }

    private void refused(String reason, String... options) {
        assertEquals(2, submit(options), out::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertTrue(err.toString().contains(reason), err::toString);
    }

    @Test
    void theDryRunOfSlurmShowsTheScriptAndBothCommands() {
        assertEquals(
                0,
                submit(
                        "--engine=slurm",
                        "--dry-run",
                        "--shards=8",
                        "--at-once=2",
                        "--gpu=gpu:a100:1",
                        "--memory=4G",
                        "--partition=video"),
                err::toString);
        List<String> lines = out.toString().lines().toList();
        assertEquals("#!/bin/bash", lines.get(0));
        String qpu = Installation.current().program().toString();
        String folderName = plan.getParent().toString();
        assertEquals(
                "# sbatch --parsable --job-name=qpu-out-100 --array=0-7%2 --requeue --cpus-per-task=2 --mem=4096M --gres=gpu:a100:1 --partition=video '--chdir="
                        + folderName + "' '--output="
                        + folderName.replace("%", "%%") + "/slurm-%A_%a.log' --open-mode=append slurm-job.sh " + qpu
                        + " batch run '" + plan + "' --lease-seconds=60 --stall-seconds=600",
                lines.get(lines.size() - 2));
        assertTrue(
                lines.get(lines.size() - 1).endsWith(" slurm-job.sh " + qpu + " batch join '" + plan + "'"),
                out::toString);
        assertTrue(lines.get(lines.size() - 1).contains(" --dependency=afterany:JOB "), out::toString);
    }

    /** What the job after Slurm's array job says if that was cancelled. */
    @Test
    void aJoinFailsAndListsWhatNobodyHasDone() {
        assertEquals(1, qpu("batch", "join", plan.toString()), err::toString);
        List<String> lines = out.toString().lines().toList();
        assertEquals("0 of " + (UNITS + 1) + " done", lines.get(0));
        assertEquals(UNITS + 2, lines.size(), lines::toString);
        assertTrue(lines.get(1).endsWith("/in/0.avi: not done"), lines::toString);
    }

    /** The script of the jobs, with a stand-in for qpu that is killed as often as its second argument says. */
    @Test
    void aKilledProgramStartsAgainTwice() throws IOException {
        Path script = folder.resolve("slurm-job.sh");
        assertEquals(0, submit("--engine=slurm", "--dry-run"), err::toString);
        Files.writeString(script, out.toString());
        Path standIn = folder.resolve("stand-in");
        Files.writeString(
                standIn,
                "#!/bin/bash\necho start >>" + folder + "/starts\n[ $(wc -l <" + folder
                        + "/starts) -gt \"$2\" ] || kill -KILL $$\nexit \"$3\"\n");
        Files.setPosixFilePermissions(standIn, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (Map.Entry<List<String>, List<Integer>> run : Map.of(
                        List.of("0", "0"), List.of(0, 1),
                        List.of("0", "1"), List.of(1, 1),
                        List.of("2", "0"), List.of(0, 3),
                        List.of("9", "0"), List.of(137, 3))
                .entrySet()) {
            Files.deleteIfExists(folder.resolve("starts"));
            List<String> command = List.of(
                    "bash",
                    script.toString(),
                    standIn.toString(),
                    "two words",
                    run.getKey().get(0),
                    run.getKey().get(1));
            int status =
                    new ChildProcess(command, Map.of()).run(600).orElseThrow().status();
            int starts = Files.readAllLines(folder.resolve("starts")).size();
            assertEquals(run.getValue(), List.of(status, starts), run::toString);
        }
    }
}
