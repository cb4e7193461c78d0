/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.TemporaryFile;

/**
 * A plan as jobs of Slurm: an array job whose tasks are the shards, and a job after it that joins segments and fails if anything is
 * missing. Slurm's variables for sbatch, such as {@code SBATCH_ACCOUNT}, hold as ever. Immutable.
 */
final class SlurmJobs {
    /** What {@code --gpu} alone asks for. */
    static final String GPU = "gpu:1";

    private static final long LIMIT_SECONDS = 300;

    /** Slurm's number of a job, and with several clusters the name of the one that took it. */
    private static final Pattern JOB = Pattern.compile("(\\d+)(?:;.*)?");

    /** Stands for the number of the array job where it is not known yet. */
    private static final String UNKNOWN_JOB = "JOB";

    private final ClusterWork work;
    private final Optional<String> partition;
    private final Path qpu;

    /**
     * @param partition empty for the cluster's default
     * @param qpu the program, the same on all nodes
     */
    SlurmJobs(ClusterWork work, Optional<String> partition, Path qpu) {
        this.work = work;
        this.partition = partition;
        this.qpu = qpu;
    }

    /** Prints the script of both jobs and the commands that submit them. */
    void print(PrintWriter out) {
        out.print(script());
        out.println();
        out.println("# The commands that submit this script as two jobs; " + UNKNOWN_JOB
                + " is what the first one prints:");
        Path script = Path.of("slurm-job.sh");
        out.println("# " + new ChildProcess(arrayCommand(script), Map.of()).commandLine());
        out.println("# " + new ChildProcess(joinCommand(script, UNKNOWN_JOB), Map.of()).commandLine());
        out.flush();
    }

    /** Submits both jobs, or none. Prints their numbers. */
    void submit(PrintWriter out) throws IOException {
        // Slurm keeps a copy.
        try (TemporaryFile script = TemporaryFile.create(".sh")) {
            Files.writeString(script.path(), script());
            String array = submit(arrayCommand(script.path()));
            String join;
            try {
                join = submit(joinCommand(script.path(), array));
            } catch (CommandFailedException e) {
                new ChildProcess(List.of("scancel", array), Map.of()).run(LIMIT_SECONDS);
                throw e;
            }
            out.println("Slurm's job " + array + " is the plan in " + work.shards() + " shards, job " + join
                    + " the join after it");
            out.flush();
        }
    }

    private static String submit(List<String> command) {
        ChildProcess.Result result = new ChildProcess(command, Map.of())
                .require(
                        LIMIT_SECONDS,
                        "there is no sbatch here: submit on a machine of the cluster (apt install slurm-client)");
        Optional<String> job = result.output()
                .lines()
                .map(JOB::matcher)
                .filter(line -> line.matches())
                .map(line -> line.group(1))
                .reduce((first, last) -> last);
        if (result.status() != 0 || job.isEmpty()) {
            throw unavailable("Slurm takes no such job (" + result.lastLines(2)
                    + "): change what is asked for, here or in sbatch's own variables, such as SBATCH_ACCOUNT");
        }
        return job.get();
    }

    /** The array job. A task whose node fails is started again on another one. */
    List<String> arrayCommand(Path script) {
        List<String> command = new ArrayList<>(List.of("sbatch", "--parsable", "--job-name=" + work.name()));
        command.add("--array=0-" + (work.shards() - 1) + (work.atOnce() < work.shards() ? "%" + work.atOnce() : ""));
        command.add("--requeue");
        command.add("--cpus-per-task=" + work.cpus());
        work.mebibytes().ifPresent(mebibytes -> command.add("--mem=" + mebibytes + "M"));
        work.gpu().ifPresent(gpu -> command.add("--gres=" + gpu));
        addPlace(command, "slurm-%A_%a.log");
        command.add(script.toString());
        command.add(qpu.toString());
        command.addAll(work.runArguments());
        return command;
    }

    /** The job after all tasks of the array job have ended, in whatever way. */
    List<String> joinCommand(Path script, String arrayJob) {
        List<String> command = new ArrayList<>(List.of("sbatch", "--parsable", "--job-name=" + work.name() + "-join"));
        command.add("--dependency=afterany:" + arrayJob);
        command.add("--requeue");
        work.mebibytes().ifPresent(mebibytes -> command.add("--mem=" + mebibytes + "M"));
        addPlace(command, "slurm-%j-join.log");
        command.add(script.toString());
        command.addAll(List.of(qpu.toString(), "batch", "join", work.plan().toString()));
        return command;
    }

    private void addPlace(List<String> command, String log) {
        partition.ifPresent(name -> command.add("--partition=" + name));
        command.add("--chdir=" + work.out());
        // In a path of sbatch, a percent sign stands for itself if it is doubled.
        command.add("--output=" + work.out().toString().replace("%", "%%") + "/" + log);
        command.add("--open-mode=append");
    }

    private static String script() {
        try (InputStream script = SlurmJobs.class.getResourceAsStream("slurm-job.sh")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("slurm-job.sh in qpu's own jar cannot be read", e);
        }
    }
}
