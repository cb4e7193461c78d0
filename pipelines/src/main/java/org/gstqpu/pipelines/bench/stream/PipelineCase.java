/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.gstqpu.pipelines.cli.WrongResultException;
import org.gstqpu.pipelines.media.ElementStats;

/**
 * A pipeline that {@link PipelineBenchmark} measures: where its pictures come from, and what filters them. Immutable.
 *
 * @param name name in the report
 * @param origin where the pictures come from
 * @param elements the elements that the pictures pass; empty to measure the origin alone
 * @param path the path that the element's statistics must show
 */
record PipelineCase(String name, Origin origin, List<String> elements, Path path) {
    /** Where the pictures come from. */
    enum Origin {
        /** Ordinary memory, which is used again for later pictures; NV12. */
        MEMORY,
        /** Dmabufs, which are used again for later pictures; NV12. */
        DMABUF,
        /** A software decoder; I420. */
        DECODER
    }

    /** How the element reaches a picture, according to its statistics. */
    enum Path {
        /** The pipeline does not contain the element; pictures come out unchanged. */
        NONE,
        /** GStreamer's own elements convert the pictures to RGBA. */
        FOREIGN,
        /** The element runs on the CPU. */
        CPU,
        /** Pictures are copied to the device and back. */
        COPIES,
        /** The device imports memory of the process. */
        HOST,
        /** The device imports dmabufs of other elements, and writes into dmabufs of the element. */
        DMABUFS,
        /** The decoder writes into dmabufs of the element's pool. */
        POOL
    }

    /** Name of the case without a filter, which shows the cost of the measurement itself. */
    static final String NOTHING = "memory";

    /**
     * The element under test with its properties except {@code substrate}, as gst-launch-1.0 takes it. Its strengths are fixed:
     * with automatic strength, the same picture would not always give the same result.
     */
    static final String FILTER = "qpuloopfilter name=filter qp=34 cdef-damping=5 cdef-y-primary=4 cdef-uv-primary=4"
            + " cdef-y-secondary=2 cdef-uv-secondary=2";

    private static final List<String> VULKAN = List.of(
            "vulkanupload",
            "!",
            "vulkancolorconvert",
            "!",
            "video/x-raw(memory:VulkanImage),format=RGBA",
            "!",
            "vulkandownload");
    private static final String DMABUFS_OUT = "video/x-raw(memory:DMABuf),format=NV12";

    /** All cases, in the order of the report. */
    static List<PipelineCase> all(String filter) {
        String qpu = filter + " substrate=qpu";
        return List.of(
                new PipelineCase(NOTHING, Origin.MEMORY, List.of(), Path.NONE),
                new PipelineCase("memory, cpu", Origin.MEMORY, List.of(filter + " substrate=cpu"), Path.CPU),
                new PipelineCase("memory, copies", Origin.MEMORY, List.of(qpu), Path.COPIES),
                new PipelineCase("memory, host import", Origin.MEMORY, List.of(qpu), Path.HOST),
                new PipelineCase("dmabuf in and out", Origin.DMABUF, List.of(qpu, "!", DMABUFS_OUT), Path.DMABUFS),
                new PipelineCase("memory, GStreamer's Vulkan", Origin.MEMORY, VULKAN, Path.FOREIGN),
                new PipelineCase("decoder", Origin.DECODER, List.of(), Path.NONE),
                new PipelineCase("decoder, copies", Origin.DECODER, List.of(qpu), Path.COPIES),
                new PipelineCase("decoder, host import", Origin.DECODER, List.of(qpu), Path.HOST),
                new PipelineCase("decoder, our pool", Origin.DECODER, List.of(qpu), Path.POOL),
                new PipelineCase(
                        "decoder, GStreamer's Vulkan",
                        Origin.DECODER,
                        concat(List.of("videoconvert", "!", "video/x-raw,format=NV12", "!"), VULKAN),
                        Path.FOREIGN));
    }

    private static List<String> concat(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /** Whether the element under test must run on the device. */
    boolean onDevice() {
        return path != Path.NONE && path != Path.FOREIGN && path != Path.CPU;
    }

    /**
     * Compares the element's statistics with the path of this case.
     *
     * @param reading reading of a pipeline with the element
     * @return why this machine does not have that path; empty if the pictures took it
     * @throws WrongResultException when the pictures were filtered on another substrate than asked for
     */
    Optional<String> otherPath(PipelineMeter.Reading reading) {
        ElementStats begin = reading.begin().orElseThrow();
        ElementStats end = reading.end().orElseThrow();
        String substrate = path == Path.CPU ? "cpu" : "qpu";
        if (!end.substrate().equals(substrate)) {
            throw new WrongResultException(name + ": ran on " + end.substrate() + ", not on " + substrate);
        }
        long submits = end.since(begin, "submits");
        if (submits != (path == Path.CPU ? 0 : reading.pictures())) {
            throw new WrongResultException(
                    name + ": " + submits + " submissions for " + reading.pictures() + " pictures");
        }
        long copies = end.since(begin, "copies");
        return switch (path) {
            case NONE, FOREIGN, CPU -> Optional.empty();
            case COPIES ->
                copies == 2 * reading.pictures()
                        ? Optional.empty()
                        : Optional.of(copies + " copies for " + reading.pictures() + " pictures");
            case HOST ->
                copies == 0 && end.number("imports-host") > 0 ? Optional.empty() : Optional.of(noHostImport(end));
            case DMABUFS ->
                copies == 0 && end.number("imports-dmabuf") > 0
                        ? Optional.empty()
                        : Optional.of("the device imports no dmabufs");
            case POOL ->
                copies == 0 && end.number("imports-pool") > 0
                        ? Optional.empty()
                        : Optional.of("no dmabufs: the device imports none, or this machine cannot make any");
        };
    }

    private static String noHostImport(ElementStats end) {
        if (end.number("imports-pool") > 0) {
            return "dmabufs were used instead: /dev/udmabuf is there";
        }
        return end.number("imports-host") > 0
                ? "the memory of pictures does not come again, so they are copied: some decoders allocate memory for each"
                : "the device imports no memory of the process";
    }
}
