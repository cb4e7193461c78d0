/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.play.CutTimes;
import org.gstqpu.pipelines.play.TranscodeSettings;
import org.gstqpu.pipelines.play.Transcoder;

/** Makes a plan, or adds new inputs to the one that is there. Used by one thread. */
final class Planner {
    private final Path out;
    private final Wish wish;
    private final Cutter cutter;
    private final List<BatchTask.Unit> units = new ArrayList<>();

    /** The input of each output. */
    private final Map<String, String> outputs = new HashMap<>();

    /**
     * What is asked of a plan.
     *
     * @param software version of this program
     * @param settings how each unit is transcoded
     * @param suffix of the outputs, with its dot
     * @param segment the least length of a segment in nanoseconds; null if inputs are not cut
     * @param overwrite whether an output may take the place of a file that is there already
     */
    record Wish(String software, TranscodeSettings settings, String suffix, Long segment, boolean overwrite) {}

    private Planner(Path out, Wish wish, Cutter cutter) {
        this.out = out;
        this.wish = wish;
        this.cutter = cutter;
    }

    /**
     * Plans all inputs. If the folder has a plan with the same settings, its units stay as they are, and inputs that it does not have
     * are added.
     *
     * @throws CommandFailedException when two inputs would have the same output, an output exists, or the plan that is there has
     *     other settings
     */
    static BatchPlan plan(List<BatchInputs.Input> inputs, Path out, Wish wish, Cutter cutter) throws IOException {
        Planner planner = new Planner(out.toAbsolutePath().normalize(), wish, cutter);
        Files.createDirectories(planner.out);
        Path file = planner.out.resolve(BatchPlan.FILE);
        Optional<BatchPlan> old =
                Files.exists(file) ? Optional.of(BatchPlan.read(file, wish.software())) : Optional.empty();
        old.ifPresent(planner::keep);
        Set<String> planned = new HashSet<>();
        planner.units.forEach(unit -> planned.add(unit.input()));
        for (BatchInputs.Input input : inputs) {
            planner.add(input, planned.contains(input.source()));
        }
        BatchPlan plan = new BatchPlan(
                BatchPlan.FORMAT,
                BatchPlan.VERSION,
                wish.software(),
                planner.out.toString(),
                wish.segment(),
                wish.settings(),
                planner.units);
        if (!old.equals(Optional.of(plan))) {
            plan.write(planner.out);
        }
        return plan;
    }

    private void keep(BatchPlan old) {
        if (!old.settings().equals(wish.settings()) || !Objects.equals(old.segment(), wish.segment())) {
            throw unusable(out + " has a plan with other settings: name another OUT, or remove its " + BatchPlan.FILE
                    + " and " + StateFolder.NAME);
        }
        units.addAll(old.units());
        units.forEach(unit -> outputs.put(unit.isSegment() ? unit.joins() : unit.output(), unit.input()));
    }

    private void add(BatchInputs.Input input, boolean planned) throws IOException {
        String output = input.renamed(wish.suffix());
        String other = outputs.putIfAbsent(output, input.source());
        if (other != null && !other.equals(input.source())) {
            throw unusable(other + " and " + input.source() + " would both become " + output
                    + ": rename one, or plan them into two folders");
        }
        if (planned || other != null) {
            return;
        }
        if (!wish.overwrite() && Files.exists(out.resolve(output))) {
            throw unusable(out.resolve(output) + " exists already: give --overwrite, or name another OUT");
        }
        CutTimes found = wish.segment() == null ? CutTimes.NONE : cutter.times(input.source());
        List<Long> cuts = found.times();
        if (cuts.isEmpty()) {
            units.add(new BatchTask.Unit(nextId(), input.source(), null, null, null, output, null, input.bytes()));
            return;
        }
        String folder = StateFolder.NAME + "/segments/" + nextId() + "/";
        for (int i = 0; i <= cuts.size(); i++) {
            String id = nextId();
            units.add(new BatchTask.Unit(
                    id,
                    input.source(),
                    found.zero(),
                    i == 0 ? null : cuts.get(i - 1),
                    i == cuts.size() ? null : cuts.get(i),
                    folder + id + Transcoder.SEGMENT,
                    output,
                    input.bytes() / (cuts.size() + 1)));
        }
    }

    /** Says where an input is to be cut. */
    interface Cutter {
        CutTimes times(String input) throws IOException;
    }

    private String nextId() {
        return String.format("%06d", units.size() + 1);
    }
}
