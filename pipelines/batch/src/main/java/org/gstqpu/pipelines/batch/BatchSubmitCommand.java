/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command {@code qpu batch submit}: hands a plan to an engine that has more machines. Lives on the main thread. */
@Command(
        name = "submit",
        description = {
            "Hands a plan to an engine, in shards that each do a part of it and then what is left. All machines see the plan's"
                    + " folder and the inputs by the same paths.",
            "slurm: an array job, whose tasks start again if their node fails, and a job after it that joins segments and fails if"
                    + " anything is missing. kubernetes: an Indexed Job, whose pods start again if they fail; it runs without"
                    + " root. local: this machine, as qpu batch run does it."
        })
final class BatchSubmitCommand implements Callable<Integer> {
    /** The name of an engine is that of its constant. */
    enum Engine {
        SLURM,
        KUBERNETES,
        LOCAL
    }

    /** More shards than this by default would be more machines than many have. */
    private static final int DEFAULT_MOST_SHARDS = 16;

    /** The option {@code --gpu} without a value. */
    private static final String ANY_GPU = "";

    /** The engines, as {@code --engine} says them, that an option is for. Options that are not here are for all. */
    private static final Map<String, List<Engine>> OPTIONS = Map.ofEntries(
            Map.entry("--shards", List.of(Engine.SLURM, Engine.KUBERNETES)),
            Map.entry("--at-once", List.of(Engine.SLURM, Engine.KUBERNETES)),
            Map.entry("--cpus", List.of(Engine.SLURM, Engine.KUBERNETES)),
            Map.entry("--memory", List.of(Engine.SLURM, Engine.KUBERNETES)),
            Map.entry("--gpu", List.of(Engine.SLURM, Engine.KUBERNETES)),
            Map.entry("--name", List.of(Engine.SLURM, Engine.KUBERNETES)),
            Map.entry("--dry-run", List.of(Engine.SLURM, Engine.KUBERNETES)),
            Map.entry("--partition", List.of(Engine.SLURM)),
            Map.entry("--image", List.of(Engine.KUBERNETES)),
            Map.entry("--volume", List.of(Engine.KUBERNETES)),
            Map.entry("--user", List.of(Engine.KUBERNETES)),
            Map.entry("--render-group", List.of(Engine.KUBERNETES)),
            Map.entry("--namespace", List.of(Engine.KUBERNETES)));

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "PLAN", description = "the file plan.json, or its folder")
    private Path plan;

    @Option(names = "--engine", required = true, paramLabel = "NAME", description = "slurm, kubernetes or local")
    private Engine engine;

    @Option(
            names = "--shards",
            paramLabel = "N",
            description = "how many shards (default: one for each unit, at most " + DEFAULT_MOST_SHARDS + ")")
    private Optional<Integer> shards;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "how many shards run at the same time at most (default: all)")
    private Optional<Integer> atOnce;

    @Option(
            names = "--cpus",
            paramLabel = "N",
            defaultValue = "2",
            description = "processors of a shard (default: ${DEFAULT-VALUE})")
    private int cpus;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = Memory.class,
            description = "memory of a shard, such as 1500M or 4G (default: what Slurm gives; 2G in Kubernetes)")
    private Optional<Integer> mebibytes;

    @Option(
            names = "--gpu",
            paramLabel = "NAME",
            arity = "0..1",
            fallbackValue = ANY_GPU,
            description =
                    "a GPU for each shard. NAME is a resource of Slurm (default: gpu:1) or of Kubernetes (default:"
                            + " nvidia.com/gpu), or /dev/dri: that folder of the node, for a privileged container")
    private Optional<String> gpu;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "the name of the job (default: qpu- and the name of the plan's folder)")
    private Optional<String> name;

    @Option(names = "--partition", paramLabel = "NAME", description = "Slurm's partition (default: the cluster's)")
    private Optional<String> partition;

    @Option(names = "--image", paramLabel = "NAME", description = "the container image, which Kubernetes needs")
    private Optional<String> image;

    @Option(
            names = "--volume",
            paramLabel = "/FOLDER=SOURCE",
            converter = ContainerVolume.Converter.class,
            description =
                    "a folder of Kubernetes' containers and its source: claim:NAME, nfs:SERVER:/EXPORT or host:/FOLDER;"
                            + " ,ro behind it: nothing is written there. May be repeated; the plan's folder and all inputs must lie in"
                            + " such folders")
    private List<ContainerVolume> volumes = new ArrayList<>();

    @Option(
            names = "--user",
            paramLabel = "UID[:GID]",
            converter = User.Converter.class,
            description =
                    "the user and group that Kubernetes' containers run as, by their numbers (default: the owner of the"
                            + " plan's folder)")
    private Optional<User> user;

    @Option(
            names = "--render-group",
            paramLabel = "GID",
            description = "the number of the group that may open /dev/dri on Kubernetes' nodes")
    private Optional<Integer> renderGroup;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Kubernetes' namespace (default: kubectl's)")
    private Optional<String> namespace;

    @Option(names = "--dry-run", description = "print what would be submitted, and submit nothing")
    private boolean dryRun;

    @Mixin
    private RunOptions run;

    /** A user and a group, by their numbers. Neither is root's. */
    private record User(int user, int group) {
        private static final Pattern WORDS = Pattern.compile("(\\d{1,9})(?::(\\d{1,9}))?");

        static final class Converter implements ITypeConverter<User> {
            @Override
            public User convert(String value) {
                Matcher words = WORDS.matcher(value);
                if (words.matches()) {
                    int user = Integer.parseInt(words.group(1));
                    int group = words.group(2) == null ? user : Integer.parseInt(words.group(2));
                    if (user > 0) {
                        return new User(user, group);
                    }
                }
                throw new TypeConversionException(
                        "'" + value + "' is no user but root: write numbers, such as 1000 or 1000:100");
            }
        }
    }

    /** Lets picocli read an amount of memory, in mebibytes. */
    private static final class Memory implements ITypeConverter<Integer> {
        private static final Pattern WORDS = Pattern.compile("(\\d{1,6})([MG])");
        private static final int MEBIBYTES_OF_G = 1024;

        @Override
        public Integer convert(String value) {
            Matcher words = WORDS.matcher(value);
            if (!words.matches()) {
                throw new TypeConversionException("'" + value + "' is no size: write 1500M or 4G");
            }
            return Integer.parseInt(words.group(1)) * (words.group(2).equals("G") ? MEBIBYTES_OF_G : 1);
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        refuseOptionsOfOthers();
        Path file = BatchPlan.file(plan);
        if (engine == Engine.LOCAL) {
            return run.run(file, Shard.WHOLE, false, true, true, spec);
        }
        BatchPlan planned = BatchPlan.read(file, PlanOptions.software(spec));
        if (!dryRun) {
            run.forgive(planned, StateFolder.of(file.getParent()));
        }
        PrintWriter out = spec.commandLine().getOut();
        if (engine == Engine.SLURM) {
            SlurmJobs jobs = new SlurmJobs(
                    work(file, planned, SlurmJobs.GPU),
                    partition,
                    Installation.current().program());
            if (dryRun) {
                jobs.print(out);
            } else {
                jobs.submit(out);
            }
        } else {
            KubernetesJob job = new KubernetesJob(work(file, planned, KubernetesJob.GPU), container(file, planned));
            if (dryRun) {
                job.print(out);
            } else {
                job.submit(out);
            }
        }
        return ExitStatus.OK;
    }

    private void refuseOptionsOfOthers() {
        CommandLine.ParseResult given = spec.commandLine().getParseResult();
        OPTIONS.forEach((option, engines) -> {
            if (given.hasMatchedOption(option) && !engines.contains(engine)) {
                throw unusable(
                        option + " is not for --engine " + engine.name().toLowerCase(Locale.ROOT) + ": leave it out");
            }
        });
    }

    private ClusterWork work(Path file, BatchPlan planned, String anyGpu) {
        int units = planned.units().size();
        int count = shards.orElse(Math.max(1, Math.min(units, DEFAULT_MOST_SHARDS)));
        if (count < 1 || cpus < 1 || atOnce.orElse(1) < 1) {
            throw unusable("--shards, --at-once and --cpus are at least 1");
        }
        String job = name.orElseGet(() -> ClusterWork.nameFor(file.getParent()));
        if (!ClusterWork.isName(job)) {
            throw unusable("--name " + job + ": a name has lower-case letters, digits and hyphens, at most "
                    + ClusterWork.LONGEST_NAME);
        }
        return new ClusterWork(
                file,
                run.arguments(),
                job,
                count,
                Math.min(count, atOnce.orElse(count)),
                cpus,
                mebibytes,
                gpu.map(value -> value.equals(ANY_GPU) ? anyGpu : value));
    }

    private KubernetesJob.Container container(Path file, BatchPlan planned) throws IOException {
        if (image.isEmpty()) {
            throw unusable("--image is missing: name the image that the cluster is to run");
        }
        requireVolume(file);
        for (BatchTask.Unit unit : planned.units()) {
            if (!unit.input().contains("://")) {
                requireVolume(Path.of(unit.input()));
            }
        }
        User runs = user.isPresent() ? user.get() : owner(file.getParent());
        return new KubernetesJob.Container(image.get(), namespace, runs.user(), runs.group(), renderGroup, volumes);
    }

    private void requireVolume(Path needed) {
        if (volumes.stream().noneMatch(volume -> volume.holds(needed))) {
            throw unusable(
                    "no container would see " + needed + ": name a folder above it and its source, such as --volume "
                            + needed.getParent() + "=claim:NAME");
        }
    }

    private static User owner(Path folder) throws IOException {
        int user = (Integer) Files.getAttribute(folder, "unix:uid");
        if (user == 0) {
            throw unusable(
                    folder + " belongs to root, and the containers run without root: name a user who may write there"
                            + " with --user UID:GID");
        }
        return new User(user, (Integer) Files.getAttribute(folder, "unix:gid"));
    }
}
