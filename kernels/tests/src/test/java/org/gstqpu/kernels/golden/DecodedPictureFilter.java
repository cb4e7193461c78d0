/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.nio.ByteBuffer;
import java.util.List;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.filter.H264MacroblockMaps;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.lwjgl.system.MemoryUtil;

/**
 * Deblocks pictures that a decoder has handed over, and counts the samples that differ from the decoder's. Keeps a filter while format
 * and size stay the same. Owns its context. One thread.
 */
final class DecodedPictureFilter implements AutoCloseable {
    private static final List<String> PLANES = List.of("y", "u", "v");

    private final FilterContext context;
    private final H264MacroblockMaps maps = new H264MacroblockMaps();
    private PictureLayout layout;
    private VerifiedMemory source;
    private VerifiedMemory destination;
    private PictureFilter filter;
    private PictureParameters parameters;

    DecodedPictureFilter(FilterContext context) {
        this.context = context;
    }

    /** What the filter runs on. */
    String name() {
        return context.deviceName();
    }

    /** True if there are edge maps for the picture's format. */
    static boolean fits(GoldenPicture picture) throws GoldenFormatException {
        return picture.header().integer("bit_depth") == 8 && picture.header().integer("chroma_format_idc") <= 1;
    }

    /** The picture's format in words. */
    static String describe(GoldenPicture picture) throws GoldenFormatException {
        String[] chroma = {"4:0:0", "4:2:0", "4:2:2", "4:4:4"};
        return picture.header().integer("bit_depth") + " bits "
                + chroma[picture.header().integer("chroma_format_idc")];
    }

    /** Deblocks by the edges that the decoder filtered. Returns the number of samples that differ. */
    long differsByEdges(GoldenPicture picture) throws GoldenFormatException {
        prepare(picture);
        parameters.clear();
        H264EdgeMap edges = parameters.deblockByEdge();
        edges.clear();
        if (picture.has("ops")) {
            GoldenEdges.addTo(edges, picture);
        }
        return run(picture);
    }

    /** Deblocks by edges that are derived from what the decoder knows of the macroblocks. */
    long differsByMaps(GoldenPicture picture) throws GoldenFormatException {
        prepare(picture);
        try (Section qp = new Section(picture, "qp");
                Section bs = new Section(picture, "bs");
                Section transform8x8 = new Section(picture, "transform8x8");
                Section sliceMap = new Section(picture, "slice_map");
                Section slices = new Section(picture, "slices")) {
            maps.reset();
            maps.chromaQpIndexOffsets(
                    picture.header().integer("chroma_qp_index_offset"),
                    picture.header().integer("second_chroma_qp_index_offset"));
            maps.qpMap(qp.address, qp.bytes);
            maps.bsMap(bs.address, bs.bytes);
            maps.transform8x8Map(transform8x8.address, transform8x8.bytes);
            maps.sliceMap(sliceMap.address, sliceMap.bytes);
            maps.sliceTable(slices.address, slices.bytes);
            parameters.clear();
            parameters.deblockByEdge().derive(maps);
        }
        return run(picture);
    }

    /** A copy of a section in memory of its own. */
    private static final class Section implements AutoCloseable {
        private final long address;
        private final int bytes;

        Section(GoldenPicture picture, String name) {
            ByteBuffer content = picture.bytes(name);
            bytes = content.capacity();
            address = MemoryUtil.nmemAllocChecked(bytes);
            MemoryUtil.memByteBuffer(address, bytes).put(content);
        }

        @Override
        public void close() {
            MemoryUtil.nmemFree(address);
        }
    }

    private void prepare(GoldenPicture picture) throws GoldenFormatException {
        int width = picture.header().positive("width", 1 << 15);
        int height = picture.header().positive("height", 1 << 15);
        PixelFormat format = picture.has("in_u") ? PixelFormat.I420 : PixelFormat.GRAY8;
        PictureLayout wanted = PictureLayout.packed(format, width, height, 1);
        if (wanted.equals(layout)) {
            return;
        }
        release();
        source = new VerifiedMemory(context, wanted);
        destination = new VerifiedMemory(context, wanted);
        filter = context.newPictureFilter(format, width, height);
        parameters = new PictureParameters(format, width, height);
        layout = wanted;
    }

    private long run(GoldenPicture picture) {
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            plane(source, plane).put(picture.bytes("in_" + PLANES.get(plane)));
        }
        MemoryUtil.memSet(destination.address(), 0, layout.sizeBytes());
        filter.filter(source.picture(), destination.picture(), PicturePlan.decoded(parameters));
        long different = 0;
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            ByteBuffer expected = picture.bytes("out_" + PLANES.get(plane));
            ByteBuffer found = plane(destination, plane);
            if (expected.mismatch(found) < 0) {
                continue;
            }
            for (int i = 0; i < expected.capacity(); i++) {
                if (expected.get(i) != found.get(i)) {
                    different++;
                }
            }
        }
        return different;
    }

    private ByteBuffer plane(VerifiedMemory memory, int plane) {
        return MemoryUtil.memByteBuffer(
                memory.address() + layout.offsetBytes(plane), layout.rowBytes(plane) * layout.rows(plane));
    }

    private void release() {
        if (filter != null) {
            filter.close();
            source.close();
            destination.close();
            filter = null;
            layout = null;
        }
    }

    @Override
    public void close() {
        release();
        context.close();
    }
}
