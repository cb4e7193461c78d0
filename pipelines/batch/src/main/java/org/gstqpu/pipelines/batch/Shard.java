/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.cli.CommandFailedException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * One of equal shares of a plan: the units whose place in the plan, divided by {@code count}, leaves {@code index}. Immutable.
 *
 * @param index from 0
 * @param count of shares
 */
record Shard(int index, int count) {
    static final Shard WHOLE = new Shard(0, 1);

    private static final Pattern WORDS = Pattern.compile("(\\d{1,7})/(\\d{1,7})");

    boolean has(int place) {
        return place % count == index;
    }

    /** As a command line says it. */
    String text() {
        return index + "/" + count;
    }

    private static Optional<Shard> of(String text) {
        Matcher words = WORDS.matcher(text);
        if (!words.matches()) {
            return Optional.empty();
        }
        Shard shard = new Shard(Integer.parseInt(words.group(1)), Integer.parseInt(words.group(2)));
        return Optional.of(shard).filter(found -> found.index < found.count);
    }

    /** Lets picocli read a share. */
    static final class Converter implements ITypeConverter<Shard> {
        @Override
        public Shard convert(String value) {
            return of(value)
                    .orElseThrow(() -> new TypeConversionException(
                            "'" + value + "' is no share: write I/N, where I counts from 0, such as 0/4 to 3/4"));
        }
    }

    /**
     * The share that an engine gave to this process: an array job of Slurm or AWS Batch, or an indexed job of Kubernetes.
     *
     * @return empty if no engine did
     * @throws CommandFailedException when the engine says it so that it cannot be understood
     */
    static Optional<Shard> ofEngine(Map<String, String> environment) {
        if (environment.containsKey("SLURM_ARRAY_TASK_ID")) {
            // Slurm counts from what the job says.
            String least = environment.getOrDefault("SLURM_ARRAY_TASK_MIN", "0");
            return Optional.of(engine(
                    environment,
                    "SLURM_ARRAY_TASK_ID",
                    "SLURM_ARRAY_TASK_COUNT",
                    number("SLURM_ARRAY_TASK_MIN", least)));
        }
        if (environment.containsKey("JOB_COMPLETION_INDEX")) {
            return Optional.of(engine(environment, "JOB_COMPLETION_INDEX", "GST_QPU_SHARDS", 0));
        }
        if (environment.containsKey("AWS_BATCH_JOB_ARRAY_INDEX")) {
            return Optional.of(engine(environment, "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", 0));
        }
        return Optional.empty();
    }

    private static Shard engine(Map<String, String> environment, String index, String count, int least) {
        if (!environment.containsKey(count)) {
            throw unusable(index + " is set, but " + count + " is not");
        }
        Shard shard = new Shard(number(index, environment.get(index)) - least, number(count, environment.get(count)));
        if (shard.index < 0 || shard.index >= shard.count) {
            throw unusable(index + "=" + environment.get(index) + " is none of " + count + "=" + environment.get(count)
                    + " shares");
        }
        return shard;
    }

    private static int number(String name, String value) {
        if (!value.matches("\\d{1,7}")) {
            throw unusable(name + "=" + value + " is no number");
        }
        return Integer.parseInt(value);
    }

    private static CommandFailedException unusable(String why) {
        return CommandFailedException.unusable(why + ": say the share with --shard I/N, where I counts from 0");
    }
}
