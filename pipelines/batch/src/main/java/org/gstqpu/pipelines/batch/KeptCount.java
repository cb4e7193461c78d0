/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.cache.RunConditions;

/**
 * Keeps the number of workers that pays in a file of the user's cache folder, for the conditions under which it was found. The file is
 * text: {@link #conditions}, the number, and why. Immutable.
 *
 * @param conditions lines
 * @param file empty if nothing is kept
 */
record KeptCount(String conditions, Optional<CacheFile> file) {
    private static final int LINES = 2;

    /** For what the workers of this machine share. */
    static KeptCount of(MachineShare share) {
        String conditions = String.join(
                "\n",
                "gst-qpu " + RunConditions.libraryVersion(),
                "java " + RunConditions.java(),
                "memory " + share.mebibytes() + " MiB",
                "gpus " + share.gpus().stream().map(Gpu::uuid).toList(),
                "settings " + Json.LINES.toJson(share.settings()),
                "");
        String name = "workers-" + Integer.toHexString(conditions.hashCode()) + ".txt";
        return new KeptCount(conditions, CacheFile.folder(System.getenv()).map(folder -> new CacheFile(folder, name)));
    }

    /** The number that was found earlier; empty if none was, or what is kept cannot be read. */
    Optional<WorkerCount> find() {
        String text = file.flatMap(CacheFile::read)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .filter(kept -> kept.startsWith(conditions))
                .orElse("");
        List<String> lines = text.isEmpty()
                ? List.of()
                : text.substring(conditions.length()).lines().toList();
        return lines.size() == LINES && lines.get(0).matches("[1-9]\\d{0,4}")
                ? Optional.of(WorkerCount.known(Integer.parseInt(lines.get(0)), lines.get(1)))
                : Optional.empty();
    }

    /** Keeps a number that was found. */
    void keep(WorkerCount count) {
        file.ifPresent(cache -> cache.write(
                (conditions + count.number() + "\n" + count.why() + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
