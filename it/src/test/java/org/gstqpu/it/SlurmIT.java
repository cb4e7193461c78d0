/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A plan on a real Slurm, of which one node and one worker process die in the middle. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Execution(ExecutionMode.CONCURRENT)
final class SlurmIT {
    @RegisterExtension
    private static final SharedMachines MACHINES = new SharedMachines();

    private static final int SHORT_VIDEOS = 24;
    private static final int LONG_PICTURES = 600;

    /**
     * Segments of 100 pictures. With mb-tree, x264 reads memory that it has not written, so that the output depends on what the process did
     * before.
     */
    private static final String HOW =
            " --segment 4s --encoder 'x264enc pass=qual vbv-buf-capacity=0 quantizer=21 mb-tree=false'";

    /** Much longer than anything that is waited for takes. */
    private static final Duration LIMIT = Duration.ofMinutes(30);

    private static final Duration PAUSE = Duration.ofMillis(500);

    private static final Pattern SUBMITTED =
            Pattern.compile("Slurm's job (\\d+) is the plan in 3 shards, job (\\d+) the join after it");

    @Test
    void aPlanIsDoneThoughANodeAndAWorkerDie() throws IOException, InterruptedException {
        CleanMachines machines = MACHINES.get();
        try (QpuImage image = QpuImage.build(machines, machines.image("slurm"), "gst-qpu-test:slurm");
                SlurmCluster cluster = new SlurmCluster(image)) {
            makeVideos(cluster);
            cluster.asUser("qpu batch in alone --workers 1" + HOW);
            assertEquals(List.of(), lines(cluster, "ls alone/.batch | grep failed || true"));

            cluster.asUser("qpu batch plan in out" + HOW);
            await(cluster, "three nodes", "[ \"$(sinfo -h -t idle -o %D)\" = 3 ]");
            for (String node : SlurmCluster.NODES) {
                cluster.asRoot(node, "setsid strike /archive/out >/archive/strike-" + node + ".log 2>&1 </dev/null &");
            }
            cluster.asUser(
                    "setsid bash -c 'qpu batch status --watch out/plan.json; echo \"status $?\"' >watch.log 2>&1 </dev/null &");
            Matcher submitted = SUBMITTED.matcher(cluster.asUser(
                            "qpu batch submit out/plan.json --engine slurm --shards 3 --gpu --workers 1 --lease-seconds 15")
                    .strip());
            assertTrue(submitted.matches(), submitted::toString);

            await(cluster, "a node in the middle of a task", "[ -s struck/machine/by ]");
            String[] node = cluster.asUser("cat struck/machine/by").strip().split(" ", -1);
            cluster.kill(node[0]);
            await(cluster, "a worker killed", "[ -s struck/worker/by ]");
            // Slurm would let the shard of the node wait for two minutes before it starts it again.
            await(
                    cluster,
                    "the node's shard requeued",
                    "job=$(squeue -h -r -t PENDING -o '%i %r' | sed -n 's/ BeginTime$//p'); [ -n \"$job\" ]"
                            + " && scontrol update jobid=$job StartTime=now");
            await(cluster, "all jobs ended", "[ -z \"$(squeue -h)\" ]");
            await(cluster, "end of the watch", "grep -q '^status ' watch.log");

            check(cluster, submitted.group(1), submitted.group(2), node[1]);
        }
    }

    /** Short videos of different content and a long one, as MJPEG of a camera. */
    private static void makeVideos(SlurmCluster cluster) throws IOException, InterruptedException {
        String pipeline = IntStream.range(0, SHORT_VIDEOS)
                .mapToObj(i -> video(12, "pattern=" + i % 20 + " horizontal-speed=" + (i / 20 + 1), "short" + i))
                .collect(Collectors.joining(" "));
        cluster.asUser("mkdir in && gst-launch-1.0 -q " + pipeline + " "
                + video(LONG_PICTURES, "pattern=ball animation-mode=frames", "long"));
    }

    private static String video(int pictures, String properties, String name) {
        return "videotestsrc num-buffers=" + pictures + " " + properties
                + " ! video/x-raw,width=96,height=64,framerate=25/1 ! jpegenc quality=30 ! matroskamux ! filesink location=in/"
                + name + ".mkv";
    }

    private static void await(SlurmCluster cluster, String what, String condition)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (!cluster.asUser("if " + condition + "; then echo yes; fi").endsWith("yes\n")) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                fail("no " + what + " after " + LIMIT.toMinutes() + " minutes\n"
                        + cluster.asRoot(
                                SlurmCluster.CONTROLLER,
                                "squeue; sinfo; tail -n 30 watch.log out/slurm-*.log strike-*.log /var/log/slurmctld.log;"
                                        + " ls -la out/.batch struck | tail -n 100"));
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }

    private static void check(SlurmCluster cluster, String array, String join, String lostTask)
            throws IOException, InterruptedException {
        // The shards that died are started again, so that Slurm calls all of them completed, and the join after them.
        String jobs = cluster.asUser("scontrol -o show jobs");
        assertEquals(
                3,
                jobs.lines()
                        .filter(job -> job.contains("ArrayJobId=" + array + " "))
                        .count(),
                jobs);
        assertTrue(jobs.lines().allMatch(job -> job.contains(" JobState=COMPLETED ")), jobs);
        assertTrue(jobs.lines().anyMatch(job -> job.startsWith("JobId=" + join + " ")), jobs);
        assertEquals(1, jobs.lines().filter(job -> job.contains(" Restarts=1 ")).count(), jobs);

        List<String> outputs = lines(cluster, "cd out && ls *.mkv");
        assertEquals(SHORT_VIDEOS + 1, outputs.size(), outputs::toString);
        assertEquals(pictures(cluster, "alone", outputs), pictures(cluster, "out", outputs));

        // The journals of the workers have a line for each task.
        TreeMap<String, String> done = new TreeMap<>();
        Set<String> hosts = new TreeSet<>();
        for (String line : lines(cluster, "cat out/.batch/*.worker")) {
            JsonObject entry = JsonParser.parseString(line).getAsJsonObject();
            String task = entry.get("id").getAsString();
            assertEquals(null, done.put(task, line), () -> "done twice: " + done.get(task) + " " + line);
            hosts.add(entry.get("host").getAsString());
        }
        List<String> marked = lines(cluster, "cd out/.batch && ls *.done");
        assertEquals(marked.stream().map(name -> name.replace(".done", "")).toList(), List.copyOf(done.keySet()));
        assertTrue(marked.size() > SHORT_VIDEOS + LONG_PICTURES / 100, marked::toString);
        assertTrue(hosts.size() >= 2, hosts::toString);
        assertEquals(List.of(), lines(cluster, "cd out/.batch && ls *.lease 2>/dev/null || true"));

        // The task of the dead node went to another; the one of the dead worker failed once.
        assertEquals(
                1,
                lines(cluster, "ls out/.batch | grep '^" + lostTask + "[.]lost-'")
                        .size());
        String[] worker = cluster.asUser("cat struck/worker/by").strip().split(" ", -1);
        assertEquals(List.of(worker[1] + ".failed-1"), lines(cluster, "ls out/.batch | grep failed"));
        assertNotEquals(lostTask, worker[1]);

        List<String> watched = lines(cluster, "cat watch.log");
        assertTrue(watched.size() > 3, watched::toString);
        assertEquals("status 0", watched.get(watched.size() - 1));
        String last = watched.get(watched.size() - 2);
        assertTrue(
                last.startsWith(marked.size() + " of " + marked.size() + " done, 0 running, 0 failed, 0 left"), last);
    }

    /** What the videos of a folder decode to. */
    private static List<String> pictures(SlurmCluster cluster, String folder, List<String> files)
            throws IOException, InterruptedException {
        String inputs = files.stream().map(file -> "-i " + file).collect(Collectors.joining(" "));
        String outputs = IntStream.range(0, files.size())
                .mapToObj(i -> "-map " + i + ":v -f md5 /tmp/" + folder + "/" + files.get(i))
                .collect(Collectors.joining(" "));
        // The bytes of a file that cannot be read say more than its reader.
        cluster.asUser(
                "mkdir /tmp/" + folder + " && cd " + folder + " && { ffmpeg -nostdin -v error " + inputs + " " + outputs
                        + " || { for file in *.mkv; do ffprobe -v error $file >/tmp/probed 2>&1 || od -A x -t x1 $file | head -n 100; done;"
                        + " false; }; }");
        List<String> sums = lines(cluster, "cd /tmp/" + folder + " && grep . *");
        assertEquals(files.size(), sums.size());
        assertEquals(
                LONG_PICTURES + " ",
                cluster.asUser("ffprobe -v error -count_frames -show_entries stream=nb_read_frames"
                                + " -of default=nk=1:nw=1 " + folder + "/long.mkv")
                        .replaceAll("\\s+", " "));
        return sums;
    }

    private static List<String> lines(SlurmCluster cluster, String command) throws IOException, InterruptedException {
        return cluster.asUser(command).lines().toList();
    }
}
