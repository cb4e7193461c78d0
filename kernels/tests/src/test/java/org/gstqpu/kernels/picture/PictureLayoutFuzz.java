/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.FuzzInput;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.lwjgl.system.MemoryUtil;

/**
 * Sizes, offsets, strides and plans that anyone may have chosen: each is refused, or a picture of that layout is filtered and no
 * byte outside of it changes. The bytes of the picture are random, also above the depth of its samples.
 */
public final class PictureLayoutFuzz {
    private static final int LARGEST_BYTES = 1 << 17;
    private static final FilterContext CONTEXT = context();

    private PictureLayoutFuzz() {}

    private static FilterContext context() {
        try {
            // Without workers: nobody closes it.
            return Substrates.open(SubstrateRequest.of(Substrate.CPU).withThreads(1));
        } catch (SubstrateUnavailableException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Filters a picture of a layout by a plan, on the CPU.
     *
     * @param data the format, the layout and the plan, in the order in which they are read below
     */
    public static void fuzzerTestOneInput(byte[] data) {
        filter(CONTEXT, data);
    }

    /**
     * Does the same on any substrate. A picture in columns, which the CPU does not take, has its rows made whole for the CPU. Returns
     * the bytes of the result and around it; empty if the input was refused.
     */
    public static Optional<byte[]> filter(FilterContext context, byte[] data) {
        FuzzInput input = new FuzzInput(data);
        List<PixelFormat> formats = List.of(PixelFormat.values());
        PixelFormat format = formats.get(input.below(formats.size()));
        int width = input.number();
        int height = input.number();
        PictureLayout layout;
        PicturePlan plan;
        try {
            layout = layout(input, format, width, height);
            check(layout);
            if (layout.isPacked() && (layout.offsetBytes(0) | layout.offsetBytes(1)) % Integer.BYTES != 0) {
                // A device takes such a picture in whole words alone.
                return Optional.empty();
            }
            plan = plan(input);
            // A picture in columns has no fields.
            plan = layout.isInColumns() ? plan.byFields(false) : plan;
        } catch (IllegalArgumentException e) {
            if (e.getMessage().indexOf('\n') >= 0) {
                throw new IllegalStateException("more than one line", e);
            }
            return Optional.empty();
        }
        return layout.sizeBytes() <= LARGEST_BYTES ? filter(context, input, layout, plan) : Optional.empty();
    }

    private static PictureLayout layout(FuzzInput input, PixelFormat format, int width, int height) {
        return switch (input.below(3)) {
            case 0 -> PictureLayout.packed(format, width, height, 1 << input.below(8));
            case 1 ->
                PictureLayout.inColumns(
                        format, width, height, input.number(), input.number(), input.number(), input.number());
            default ->
                new PictureLayout(
                        format,
                        width,
                        height,
                        input.number(),
                        input.number(),
                        input.number(),
                        input.number(),
                        input.number(),
                        input.number());
        };
    }

    /** No sample of an accepted layout lies outside of its bytes. */
    private static void check(PictureLayout layout) {
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            int rows = layout.rows(plane);
            int rowBytes = layout.rowBytes(plane);
            if (rows < 1 || rowBytes < 1) {
                throw new IllegalStateException(
                        "plane " + plane + " of " + layout + " has " + rows + " rows of " + rowBytes);
            }
            long first = layout.offsetBytes(plane, 0, 0);
            long last = layout.offsetBytes(plane, rows - 1, rowBytes - 1);
            if (first < 0 || last < first || last >= layout.sizeBytes()) {
                throw new IllegalStateException(layout + ": " + first + " to " + last + " of " + layout.sizeBytes());
            }
        }
    }

    private static PicturePlan plan(FuzzInput input) {
        int what = input.octet();
        Optional<H264DeblockParameters> deblock = Optional.empty();
        Optional<CdefParameters> cdef = Optional.empty();
        Optional<ShrinkageParameters> shrinkage = Optional.empty();
        if ((what & 1) != 0) {
            deblock = Optional.of(H264DeblockParameters.intra(
                    input.number(), input.number(), input.number(), input.number(), input.number(), (what & 8) != 0));
        }
        if ((what & 2) != 0) {
            cdef = Optional.of(CdefParameters.uniform(
                    input.number(), new CdefStrength(input.number(), input.number(), input.number(), input.number())));
        }
        if ((what & 4) != 0) {
            shrinkage = Optional.of(
                    new ShrinkageParameters(input.number(), input.number(), input.number(), input.number()));
        }
        FilterParameters parameters = new FilterParameters(deblock, cdef, shrinkage);
        PicturePlan plan = (what & 16) == 0
                ? PicturePlan.fixed(parameters)
                : PicturePlan.automatic(new StrengthLadder(Collections.nCopies(StrengthTier.ALL.size(), parameters)));
        if ((what & 32) != 0) {
            plan = plan.deblockingFrom(input.number(), input.number());
        }
        if ((what & 64) != 0) {
            plan = plan.keepingLeft(input.number() / 64.0);
        }
        return plan.byFields((what & 128) != 0);
    }

    private static Optional<byte[]> filter(
            FilterContext context, FuzzInput input, PictureLayout layout, PicturePlan plan) {
        PictureLayout to = PictureLayout.packed(layout.format(), layout.width(), layout.height(), 4);
        int seed = input.octet();
        try (MappedPicture source = source(context.substrate(), layout, new Random(seed));
                MappedPicture destination = new MappedPicture(to, new Random(seed + 1));
                DeviceMemory imported = source.importedBy(context);
                DeviceMemory importedDestination = destination.importedBy(context);
                PictureFilter filter = context.newPictureFilter(layout.format(), layout.width(), layout.height())) {
            Picture from = imported == null ? source : Picture.of(imported, source.layout());
            Picture result = importedDestination == null ? destination : Picture.of(importedDestination, to);
            byte[] before = source.bytes();
            byte[] guard = destination.bytes();
            for (int i = 0; i < 2; i++) {
                try {
                    filter.filter(from, result, plan);
                } catch (IllegalArgumentException e) {
                    // Fields of a picture that has none.
                    return Optional.empty();
                }
            }
            byte[] after = destination.bytes();
            int length = after.length;
            if (!Arrays.equals(before, source.bytes())
                    || !Arrays.equals(guard, 0, 64, after, 0, 64)
                    || !Arrays.equals(guard, length - 64, length, after, length - 64, length)) {
                throw new IllegalStateException("written outside of the picture: " + layout + ", " + plan);
            }
            return Optional.of(after);
        }
    }

    /** A picture of that layout, or the same picture in whole rows if it lies in columns and the substrate is the CPU. */
    private static MappedPicture source(Substrate substrate, PictureLayout layout, Random random) {
        MappedPicture picture = new MappedPicture(layout, random);
        if (substrate != Substrate.CPU || !layout.isInColumns()) {
            return picture;
        }
        try (picture) {
            return inRows(picture);
        }
    }

    private static MappedPicture inRows(MappedPicture picture) {
        PictureLayout layout = picture.layout();
        PixelFormat format = layout.format();
        MappedPicture rows =
                new MappedPicture(PictureLayout.packed(format, layout.width(), layout.height(), 1), new Random(0));
        ByteBuffer from = bytes(picture);
        ByteBuffer to = bytes(rows);
        for (int plane = 0; plane < format.planes(); plane++) {
            int samples = format.planeRowSamples(plane, layout.width());
            for (int row = 0; row < layout.rows(plane); row++) {
                int rowBegin = Math.toIntExact(rows.layout().offsetBytes(plane, row, 0));
                for (int sample = 0; sample < samples; sample++) {
                    if (layout.isPacked()) {
                        int word = from.getInt(Math.toIntExact(layout.offsetBytes(plane, row, sample / 3 * 4)));
                        int value = (word >> (10 * (sample % 3))) & 0x3ff;
                        to.putShort(rowBegin + 2 * sample, (short) (value << format.sampleShift()));
                    } else {
                        to.put(rowBegin + sample, from.get(Math.toIntExact(layout.offsetBytes(plane, row, sample))));
                    }
                }
            }
        }
        return rows;
    }

    private static ByteBuffer bytes(MappedPicture picture) {
        HostMemory memory = picture.memory();
        return MemoryUtil.memByteBuffer(memory.address(), Math.toIntExact(memory.sizeBytes()))
                .order(ByteOrder.LITTLE_ENDIAN);
    }
}
