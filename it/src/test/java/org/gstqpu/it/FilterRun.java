/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Filters several raw videos in one {@code gst-launch-1.0} process, each with a {@code qpuloopfilter} of its own, so that the JVM starts
 * only once. Belongs to one test; its files lie in the test's folder.
 */
final class FilterRun {
    private final Path folder;
    private final List<Branch> branches = new ArrayList<>();

    private record Branch(RawVideo input, String properties, Path source, Path target) {
        String description() {
            return input.parserFor(source) + " ! qpuloopfilter " + properties + " ! filesink location=" + target;
        }
    }

    FilterRun(Path folder) {
        this.folder = folder;
    }

    /**
     * Adds a video.
     *
     * @param properties the element's properties as in a {@code gst-launch} line
     */
    void add(RawVideo input, String properties) {
        Path source = folder.resolve("in" + branches.size() + ".raw");
        branches.add(new Branch(input, properties, source, folder.resolve("out" + branches.size() + ".raw")));
    }

    /** Runs all branches to their end. Fails unless they succeed without a complaint. Returns results in the order of adding. */
    List<RawVideo> run(GstEnvironment environment) throws IOException {
        for (Branch branch : branches) {
            branch.input().write(branch.source());
        }
        GstLaunch.succeed(
                environment, branches.stream().map(Branch::description).toList());
        List<RawVideo> results = new ArrayList<>();
        for (Branch branch : branches) {
            RawVideo input = branch.input();
            results.add(RawVideo.read(branch.target(), input.format(), input.width(), input.height()));
        }
        return results;
    }
}
