/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.lwjgl.system.MemoryUtil;

/**
 * Runs golden files through the filters and the block library of a context, and counts the samples that differ. Belongs
 * to its context's thread. The caller closes the context.
 */
public final class GoldenVerifier {
    /** Formats with planar chroma, and with interleaved chroma whose first sample is Cb. */
    private static final List<PixelFormat> FORMATS = List.of(
            PixelFormat.I420,
            PixelFormat.NV12,
            PixelFormat.I420_10LE,
            PixelFormat.P010_10LE,
            PixelFormat.Y42B,
            PixelFormat.NV16,
            PixelFormat.I422_10LE,
            PixelFormat.Y444,
            PixelFormat.Y444_10LE);

    /** Bits of a sample of a packed picture. */
    private static final int PACKED_BITS = 10;

    private final FilterContext context;
    private final BlockContext blocks;

    /** Makes a verifier that runs pictures on {@code context}, and block calls on {@code blocks}, of the same substrate. */
    public GoldenVerifier(FilterContext context, BlockContext blocks) {
        this.context = context;
        this.blocks = blocks;
    }

    /**
     * Verifies one file. A picture is run with planar and with interleaved chroma. Each of these is run with packed
     * rows, and with padded rows that begin at odd sample offsets; and, where it has a layout in columns and the context is a
     * device's, in columns. A list of edges is run as a call of the block library. A list of H.264 edges is run as pictures, too.
     *
     * @throws GoldenUnsupportedException if the file's kernel cannot be run here
     * @throws GoldenFormatException if the file lacks what its kernel needs
     */
    public GoldenResult verify(GoldenFile file) throws GoldenUnsupportedException, GoldenFormatException {
        if (file instanceof GoldenRecords records) {
            return new GoldenBlocks(blocks, records).verify();
        }
        GoldenPicture picture = (GoldenPicture) file;
        return switch (picture.kernel()) {
            case "h264_deblock_picture" -> {
                int bitDepth = picture.header().integer("bit_depth");
                yield verifyPicture(picture, bitDepth, layout -> PicturePlan.fixed(deblockParameters(picture)));
            }
            case "av1_cdef_picture" -> {
                int bitDepth = picture.header().integer("bit_depth");
                yield verifyPicture(picture, bitDepth, layout -> PicturePlan.fixed(cdefParameters(picture)));
            }
            case "shrinkage_picture" -> {
                int bitDepth = picture.header().integer("bit_depth");
                yield verifyPicture(picture, bitDepth, layout -> shrinkagePlan(picture));
            }
            case "vp9_lpf_picture" -> new GoldenOperations(blocks, picture).verify();
            case "h264_deblock_ops_picture" ->
                verifyPicture(picture, 8, new GoldenEdges(picture)).and(new GoldenOperations(blocks, picture).verify());
            default -> throw new GoldenUnsupportedException(file.name(), file.kernel());
        };
    }

    private static FilterParameters deblockParameters(GoldenPicture picture) throws GoldenFormatException {
        GoldenHeader header = picture.header();
        int chromaQpOffset = header.integer("chroma_qp_index_offset");
        try {
            H264DeblockParameters parameters = H264DeblockParameters.intra(
                    header.integer("qp"),
                    header.integer("filter_offset_a"),
                    header.integer("filter_offset_b"),
                    chromaQpOffset,
                    chromaQpOffset,
                    false);
            return new FilterParameters(Optional.of(parameters), Optional.empty());
        } catch (IllegalArgumentException e) {
            throw new GoldenFormatException(picture.name(), e.getMessage(), e);
        }
    }

    private static FilterParameters cdefParameters(GoldenPicture picture) throws GoldenFormatException {
        GoldenHeader header = picture.header();
        List<CdefStrength> strengths = new ArrayList<>();
        try {
            for (GoldenHeader entry : header.objects("strengths")) {
                strengths.add(new CdefStrength(
                        entry.integer("y_pri"),
                        entry.integer("y_sec"),
                        entry.integer("uv_pri"),
                        entry.integer("uv_sec")));
            }
            CdefParameters parameters = new CdefParameters(header.integer("damping"), strengths, blockMap(picture));
            return new FilterParameters(Optional.empty(), Optional.of(parameters));
        } catch (IllegalArgumentException e) {
            throw new GoldenFormatException(picture.name(), e.getMessage(), e);
        }
    }

    /** Shrinkage, after deblocking if the header has a QP and after CDEF if it has a damping. */
    private static PicturePlan shrinkagePlan(GoldenPicture picture) throws GoldenFormatException {
        GoldenHeader header = picture.header();
        FilterParameters before = new FilterParameters(
                header.has("qp") ? deblockParameters(picture).deblock() : Optional.empty(),
                header.has("damping") ? cdefParameters(picture).cdef() : Optional.empty());
        try {
            ShrinkageParameters parameters = new ShrinkageParameters(
                    header.integer("shifts"),
                    header.integer("luma_threshold"),
                    header.integer("chroma_threshold"),
                    header.integer("bound"));
            return PicturePlan.fixed(before.withShrinkage(parameters))
                    .deblockingFrom(header.integer("grid_column"), header.integer("grid_row"));
        } catch (IllegalArgumentException e) {
            throw new GoldenFormatException(picture.name(), e.getMessage(), e);
        }
    }

    private static Optional<CdefBlockMap> blockMap(GoldenPicture picture) throws GoldenFormatException {
        if (!picture.has("idx64") && !picture.has("filtered8x8")) {
            return Optional.empty();
        }
        int width = picture.header().positive("width", 1 << 15);
        int height = picture.header().positive("height", 1 << 15);
        byte[] strengthIndex64 = map(picture, "idx64", (width + 63) / 64, (height + 63) / 64, 0);
        byte[] filtered8 = map(picture, "filtered8x8", (width + 7) / 8, (height + 7) / 8, 1);
        return Optional.of(new CdefBlockMap(width, height, strengthIndex64, filtered8));
    }

    private static byte[] map(GoldenPicture picture, String name, int columns, int rows, int whenMissing)
            throws GoldenFormatException {
        boolean present = picture.has(name);
        if (present) {
            checkSize(picture, name, columns, rows);
        }
        byte[] map = new byte[columns * rows];
        for (int i = 0; i < map.length; i++) {
            map[i] = (byte) (present ? picture.value(name, i % columns, i / columns) : whenMissing);
        }
        return map;
    }

    private static void checkSize(GoldenPicture picture, String name, int width, int height)
            throws GoldenFormatException {
        if (!picture.has(name)) {
            throw new GoldenFormatException(picture.name(), "it has no section '" + name + "'");
        }
        if (picture.width(name) != width || picture.height(name) != height) {
            throw new GoldenFormatException(
                    picture.name(),
                    "section '" + name + "' is " + picture.width(name) + "x" + picture.height(name) + ", not " + width
                            + "x" + height);
        }
    }

    /** Says what is to happen to a file's picture. */
    interface Planner {
        /** The plan for the file's picture, in a layout of one of the formats that it fits. */
        PicturePlan plan(PictureLayout layout) throws GoldenFormatException;
    }

    /** The formats that a picture's samples fit, chosen by the size of its Cb plane. */
    private static List<PixelFormat> formats(GoldenPicture picture, int bitDepth, int width, int height)
            throws GoldenFormatException {
        if (!picture.has("in_u")) {
            throw new GoldenFormatException(picture.name(), "it has no section 'in_u'");
        }
        List<PixelFormat> formats = FORMATS.stream()
                .filter(format -> format.bitDepth() == bitDepth
                        && format.chromaWidth(width) == picture.width("in_u")
                        && format.chromaHeight(height) == picture.height("in_u"))
                .toList();
        if (formats.isEmpty()) {
            throw new GoldenFormatException(
                    picture.name(),
                    "no format has a bit depth of " + bitDepth + " and chroma of " + picture.width("in_u") + "x"
                            + picture.height("in_u") + " to luma of " + width + "x" + height);
        }
        return formats;
    }

    private GoldenResult verifyPicture(GoldenPicture picture, int bitDepth, Planner planner)
            throws GoldenFormatException {
        int width = picture.header().positive("width", 1 << 15);
        int height = picture.header().positive("height", 1 << 15);
        List<PixelFormat> formats = formats(picture, bitDepth, width, height);
        PixelFormat any = formats.get(0);
        for (String side : List.of("in", "out")) {
            checkSize(picture, side + "_y", width, height);
            checkSize(picture, side + "_u", any.chromaWidth(width), any.chromaHeight(height));
            checkSize(picture, side + "_v", any.chromaWidth(width), any.chromaHeight(height));
        }
        Comparison comparison = new Comparison(picture);
        for (PixelFormat format : formats) {
            PictureLayout packed = PictureLayout.packed(format, width, height, 1);
            PictureLayout padded = padded(packed);
            run(picture, planner, packed, padded, comparison);
            run(picture, planner, padded, packed, comparison);
            if (hasColumns(format)) {
                PictureLayout columns = columns(format, width, height);
                run(picture, planner, columns, columns, comparison);
            }
        }
        return new GoldenResult(
                picture.kernel(),
                1,
                comparison.samples,
                comparison.mismatches,
                Optional.ofNullable(comparison.firstMismatch),
                true);
    }

    /** A layout of the same picture, with an odd number of padding samples before each plane and after each row. */
    private static PictureLayout padded(PictureLayout packed) {
        int sampleBytes = packed.format().sampleBytes();
        long[] offset = new long[3];
        int[] stride = new int[3];
        long next = 0;
        for (int plane = 0; plane < packed.format().planes(); plane++) {
            offset[plane] = next + 3L * sampleBytes;
            stride[plane] =
                    packed.rowBytes(plane) + (packed.rowBytes(plane) / sampleBytes % 2 == 0 ? 13 : 14) * sampleBytes;
            next = offset[plane] + (long) stride[plane] * packed.rows(plane);
        }
        return new PictureLayout(
                packed.format(),
                packed.width(),
                packed.height(),
                offset[0],
                stride[0],
                offset[1],
                stride[1],
                offset[2],
                stride[2]);
    }

    /** Whether the context takes columns of this format. A device unpacks samples of 10 bit only where they lie. */
    private boolean hasColumns(PixelFormat format) {
        if (context.substrate() != Substrate.QPU) {
            return false;
        }
        if (format != PixelFormat.P010_10LE) {
            return format == PixelFormat.NV12;
        }
        try (VerifiedMemory memory = new VerifiedMemory(context, columns(format, 1, 1))) {
            return memory.isImported();
        }
    }

    /** Columns that hold luma above chroma, with some rows to spare. */
    private static PictureLayout columns(PixelFormat format, int width, int height) {
        int lumaRows = height + 3;
        int columnBytes = (lumaRows + format.planeRows(1, height) + 5) * PictureLayout.COLUMN_BYTES;
        return PictureLayout.inColumns(
                format, width, height, 0, columnBytes, (long) lumaRows * PictureLayout.COLUMN_BYTES, columnBytes);
    }

    private void run(
            GoldenPicture picture,
            Planner planner,
            PictureLayout sourceLayout,
            PictureLayout destinationLayout,
            Comparison comparison)
            throws GoldenFormatException {
        try (VerifiedMemory source = new VerifiedMemory(context, sourceLayout);
                VerifiedMemory destination = new VerifiedMemory(context, destinationLayout);
                PictureFilter filter =
                        context.newPictureFilter(sourceLayout.format(), sourceLayout.width(), sourceLayout.height())) {
            for (Component component : Component.values()) {
                component.write(picture, "in_" + component.suffix, source.address(), sourceLayout);
            }
            filter.filter(source.picture(), destination.picture(), planner.plan(sourceLayout));
            for (Component component : Component.values()) {
                comparison.add(component, destination.address(), destinationLayout);
            }
        }
    }

    private enum Component {
        Y("y"),
        CB("u"),
        CR("v");

        private final String suffix;

        Component(String suffix) {
            this.suffix = suffix;
        }

        private int plane(PixelFormat format) {
            return this == Y ? 0 : this == CB ? format.cbPlane() : format.crPlane();
        }

        /** The sample's index in its row of the plane. */
        private int rowSample(PixelFormat format, int x) {
            int step = this == Y ? 1 : format.chromaPixelStep();
            int first = this == Y ? 0 : this == CB ? format.cbFirstSample() : format.crFirstSample();
            return x * step + first;
        }

        /** The address of a sample, or of the word that holds it. */
        private long address(long memory, PictureLayout layout, int rowSample, int y) {
            int rowByte = layout.isPacked()
                    ? rowSample / PictureLayout.SAMPLES_PER_WORD * Integer.BYTES
                    : rowSample * layout.format().sampleBytes();
            return memory + layout.offsetBytes(plane(layout.format()), y, rowByte);
        }

        /** The sample's lowest bit in its word. */
        private static int packedShift(int rowSample) {
            return rowSample % PictureLayout.SAMPLES_PER_WORD * PACKED_BITS;
        }

        private void write(GoldenPicture picture, String section, long memory, PictureLayout layout) {
            PixelFormat format = layout.format();
            for (int y = 0; y < picture.height(section); y++) {
                for (int x = 0; x < picture.width(section); x++) {
                    int sample = rowSample(format, x);
                    long address = address(memory, layout, sample, y);
                    if (layout.isPacked()) {
                        MemoryUtil.memPutInt(
                                address,
                                MemoryUtil.memGetInt(address) | picture.value(section, x, y) << packedShift(sample));
                        continue;
                    }
                    int value = picture.value(section, x, y) << format.sampleShift();
                    MemoryUtil.memPutByte(address, (byte) value);
                    if (format.sampleBytes() == 2) {
                        MemoryUtil.memPutByte(address + 1, (byte) (value >> 8));
                    }
                }
            }
        }

        private int read(long memory, PictureLayout layout, int x, int y) {
            PixelFormat format = layout.format();
            int sample = rowSample(format, x);
            long address = address(memory, layout, sample, y);
            if (layout.isPacked()) {
                return MemoryUtil.memGetInt(address) >> packedShift(sample) & (1 << PACKED_BITS) - 1;
            }
            int value = MemoryUtil.memGetByte(address) & 255;
            if (format.sampleBytes() == 2) {
                value |= (MemoryUtil.memGetByte(address + 1) & 255) << 8;
            }
            return value >> format.sampleShift();
        }
    }

    private static final class Comparison {
        private final GoldenPicture picture;
        private long samples;
        private long mismatches;
        private String firstMismatch;

        Comparison(GoldenPicture picture) {
            this.picture = picture;
        }

        void add(Component component, long memory, PictureLayout layout) {
            String section = "out_" + component.suffix;
            for (int y = 0; y < picture.height(section); y++) {
                for (int x = 0; x < picture.width(section); x++) {
                    int expected = picture.value(section, x, y);
                    int found = component.read(memory, layout, x, y);
                    samples++;
                    if (found != expected) {
                        mismatches++;
                        if (firstMismatch == null) {
                            firstMismatch = layout.format() + " " + component + " column " + x + " row " + y
                                    + ": expected " + expected + ", got " + found;
                        }
                    }
                }
            }
        }
    }
}
