/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an engine is asked to do: a plan, in shards that may run at the same time on any of its machines. Immutable.
 *
 * @param plan absolute path of the plan, the same on all machines
 * @param options of qpu batch run
 * @param name of the job: lower-case letters, digits and hyphens, at most {@link #LONGEST_NAME}
 * @param shards at least 1
 * @param atOnce how many shards run at the same time at most
 * @param cpus processors of a shard
 * @param mebibytes memory of a shard; empty for what the engine gives
 * @param gpu what the engine calls the GPU that each shard gets; empty for none
 */
record ClusterWork(
        Path plan,
        List<String> options,
        String name,
        int shards,
        int atOnce,
        int cpus,
        Optional<Integer> mebibytes,
        Optional<String> gpu) {
    /** A host name has at most 63 characters, and Kubernetes makes one of this name, a hyphen and the number of the shard. */
    static final int LONGEST_NAME = 50;

    private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[-a-z0-9]*[a-z0-9])?");

    ClusterWork {
        options = List.copyOf(options);
    }

    static boolean isName(String text) {
        return text.length() <= LONGEST_NAME && NAME.matcher(text).matches();
    }

    /** A name for the job of a plan in a folder. */
    static String nameFor(Path folder) {
        String words =
                String.valueOf(folder.getFileName()).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String name = "qpu-" + words.substring(0, Math.min(words.length(), LONGEST_NAME - 4));
        return name.replaceAll("-+$", "");
    }

    /** The folder of the plan and of everything that is written. */
    Path out() {
        return plan.getParent();
    }

    /** The arguments of qpu for each shard; the engine's environment says which one. */
    List<String> runArguments() {
        List<String> arguments = new ArrayList<>(List.of("batch", "run", plan.toString()));
        arguments.addAll(options);
        return arguments;
    }
}
