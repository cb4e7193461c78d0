/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the filters of a picture of 1920x1080 samples, NV12, cost on V3D: the cost of each kernel times the number of blocks.
 * Immutable.
 *
 * @param name the filters and their strengths
 * @param kernels the names of the {@link V3dCost} cases that run for every 8x8 block of luma and its chroma
 */
record V3dPicture(String name, List<String> kernels) {
    private static final int WIDTH = 1920;
    private static final int HEIGHT = 1080;
    private static final int BLOCKS = WIDTH / 8 * HEIGHT / 8;

    /** Of 240x135 blocks automatic strength measures one in four, across and down. */
    private static final int MEASURED_BLOCKS = 60 * 34;

    private static final int MEASURED_LINES = WIDTH - 3 + HEIGHT - 3;

    /** The cost of shrinkage of chroma is that of an 8x8 block of one component. There is one of these for two blocks of luma. */
    private static final double CHROMA = 2;

    private static final double MILLION = 1e6;

    private static final String MEASURED_BLOCK = "automatic strength, a measured block";
    private static final String MEASURED_LINE = "automatic strength, a column or a row";
    private static final String DEBLOCK = "H.264 picture, rows chasing, ";
    private static final String CDEF = "CDEF picture, ";
    private static final String SHRINK = "shrinkage picture, ";

    /** The costs of this picture, from those of all kernels. */
    Sum sum(List<V3dCost.Figures> figures) {
        Map<String, Long> slots =
                figures.stream().collect(Collectors.toMap(V3dCost.Figures::name, V3dCost.Figures::slots));
        double measured = slots.get(MEASURED_BLOCK) * MEASURED_BLOCKS + slots.get(MEASURED_LINE) * MEASURED_LINES;
        return new Sum(
                name,
                measured / MILLION,
                millions(slots, DEBLOCK),
                millions(slots, CDEF),
                millions(slots, SHRINK + "luma") + millions(slots, SHRINK + "chroma") / CHROMA);
    }

    private double millions(Map<String, Long> slots, String filter) {
        return kernels.stream()
                        .filter(kernel -> kernel.startsWith(filter))
                        .mapToDouble(kernel -> slots.get(kernel))
                        .sum()
                * BLOCKS
                / MILLION;
    }

    /**
     * Issue slots of a picture, in millions. The components are the field names of the report's JSON.
     *
     * @param name the filters and their strengths
     * @param measured for automatic strength
     * @param deblocked for deblocking
     * @param enhanced for CDEF
     * @param shrunk for shrinkage
     */
    record Sum(String name, double measured, double deblocked, double enhanced, double shrunk) {
        double all() {
            return measured + deblocked + enhanced + shrunk;
        }
    }
}
