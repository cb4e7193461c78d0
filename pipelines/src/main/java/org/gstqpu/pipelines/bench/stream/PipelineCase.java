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
 * A way to bring pictures from where they come from through a filter, for {@link PipelineBenchmark}. Immutable.
 *
 * @param name as the report has it
 * @param origin where pictures come from
 * @param elements that they pass; none where the origin itself is measured
 * @param path what the statistics of the element have to show
 */
record PipelineCase(String name, Origin origin, List<String> elements, Path path) {
    /** Where pictures come from. */
    enum Origin {
        /** Ordinary memory that is used again and again, NV12. */
        MEMORY,
        /** Dmabufs that are used again and again, NV12. */
        DMABUF,
        /** A software decoder, I420. */
        DECODER
    }

    /** How the element reaches a picture, by what it says of itself. */
    enum Path {
        /** The element is not in the pipeline: pictures come out as they went in. */
        NONE,
        /** GStreamer's own elements, which make them RGBA. */
        FOREIGN,
        /** On the CPU. */
        CPU,
        /** Copied there and back. */
        COPIES,
        /** In memory of the process that the device was let into. */
        HOST,
        /** In dmabufs of others, results in the element's own. */
        DMABUFS,
        /** In dmabufs of the element's own that the decoder writes into. */
        POOL
    }

    /** Name of the case without any filter, which shows what the measurement itself costs. */
    static final String NOTHING = "memory";

    /**
     * The element under test as gst-launch-1.0 takes it, but for its substrate: of strengths that do not follow the pictures,
     * so that the same picture comes out the same again.
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

    /** What is measured, in the order of the report. */
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

    /** Whether the element under test runs on the device. */
    boolean onDevice() {
        return path != Path.NONE && path != Path.FOREIGN && path != Path.CPU;
    }

    /**
     * Holds what the element says of itself against what the case is to measure.
     *
     * @param reading of a pipeline with the element
     * @return why this machine has not that path; empty where the pictures took it
     * @throws WrongResultException when pictures were not filtered where they should have been
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
                        : Optional.of("no dmabufs: the device imports none, or nothing here makes any");
        };
    }

    private static String noHostImport(ElementStats end) {
        if (end.number("imports-pool") > 0) {
            return "dmabufs were used instead: /dev/udmabuf is there";
        }
        return end.number("imports-host") > 0
                ? "the pictures' memory does not come again, so that they are copied: some decoders make their own of each"
                : "the device imports no memory of the process";
    }
}
