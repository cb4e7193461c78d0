/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.FuzzInput;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.lwjgl.system.MemoryUtil;

/** Side information that anyone may have sent: a picture is filtered by it, or it is refused with a reason. */
public final class SideInformationFuzz {
    private static final FilterContext CONTEXT = context();
    private static final PixelFormat[] FORMATS = {PixelFormat.I420, PixelFormat.NV12, PixelFormat.I420_10LE};

    private SideInformationFuzz() {}

    private static FilterContext context() {
        try {
            // Without workers: nobody closes it.
            return Substrates.open(SubstrateRequest.of(Substrate.CPU).withThreads(1));
        } catch (SubstrateUnavailableException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Bytes in native memory of exactly their size, as side information has them; address 0 for a field that is missing. */
    private static long copy(byte[] bytes) {
        if (bytes.length == 0) {
            return MemoryUtil.NULL;
        }
        long address = MemoryUtil.nmemAllocChecked(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            MemoryUtil.memPutByte(address + i, bytes[i]);
        }
        return address;
    }

    /**
     * Filters a picture by side information, on the CPU.
     *
     * @param data the format, the size, and numbers and maps in the order in which they are read below
     */
    public static void fuzzerTestOneInput(byte[] data) {
        filter(CONTEXT, data);
    }

    /** Does the same on any substrate. Returns the bytes of the result and around it; empty if the input was refused. */
    public static Optional<byte[]> filter(FilterContext context, byte[] data) {
        FuzzInput input = new FuzzInput(data);
        PixelFormat format = FORMATS[input.below(FORMATS.length)];
        int width = 1 + input.below(80);
        int height = 1 + input.below(80);
        PictureParameters parameters = new PictureParameters(format, width, height);
        long[] memory = new long[5];
        try {
            fill(input, parameters, width, height, memory);
        } catch (PictureParametersException e) {
            if (e.getMessage().indexOf('\n') >= 0) {
                throw new IllegalStateException("more than one line", e);
            }
            return Optional.empty();
        } finally {
            for (long address : memory) {
                MemoryUtil.nmemFree(address);
            }
        }
        if (!parameters.deblocks() && !parameters.runsCdef()) {
            return Optional.empty();
        }
        PictureLayout layout = PictureLayout.packed(format, width, height, 4);
        try (MappedPicture source = new MappedPicture(layout, new Random(1));
                MappedPicture destination = new MappedPicture(layout, new Random(2));
                DeviceMemory imported = source.importedBy(context);
                DeviceMemory importedDestination = destination.importedBy(context);
                PictureFilter filter = context.newPictureFilter(format, width, height)) {
            Picture from = imported == null ? source : Picture.of(imported, layout);
            Picture result = importedDestination == null ? destination : Picture.of(importedDestination, layout);
            byte[] before = source.bytes();
            byte[] guard = destination.bytes();
            filter.filter(from, result, PicturePlan.decoded(parameters));
            if (!Arrays.equals(before, source.bytes())) {
                throw new IllegalStateException("the source was written to");
            }
            byte[] after = destination.bytes();
            int length = after.length;
            if (!Arrays.equals(guard, 0, 64, after, 0, 64)
                    || !Arrays.equals(guard, length - 64, length, after, length - 64, length)) {
                throw new IllegalStateException("written outside of the picture");
            }
            return Optional.of(after);
        }
    }

    private static void fill(FuzzInput input, PictureParameters parameters, int width, int height, long[] memory) {
        int macroblocks = (width + 15) / 16 * ((height + 15) / 16);
        int blocks = (width + 63) / 64 * ((height + 63) / 64);
        int what = input.octet();
        if ((what & 1) != 0) {
            H264MacroblockMaps maps = new H264MacroblockMaps();
            maps.reset();
            maps.qp(input.number());
            maps.slice(input.number(), input.number(), input.number());
            maps.chromaQpIndexOffsets(input.number(), input.number());
            maps.transform8x8((what & 2) != 0);
            byte[][] bytes = {
                field(input, macroblocks),
                field(input, macroblocks * H264MacroblockMaps.BS_BYTES),
                field(input, macroblocks),
                field(input, macroblocks * H264MacroblockMaps.SLICE_BYTES),
                field(input, H264MacroblockMaps.TABLE_BYTES * (1 + input.below(8)))
            };
            for (int i = 0; i < bytes.length; i++) {
                memory[i] = copy(bytes[i]);
            }
            maps.qpMap(memory[0], bytes[0].length);
            maps.bsMap(memory[1], bytes[1].length);
            maps.transform8x8Map(memory[2], bytes[2].length);
            maps.sliceMap(memory[3], bytes[3].length);
            maps.sliceTable(memory[4], bytes[4].length);
            parameters.deblockByEdge().derive(maps);
        } else if ((what & 4) != 0) {
            byte[] edges = field(input, H264EdgeMap.RECORD_BYTES * (1 + input.below(8)));
            memory[0] = copy(edges);
            parameters.deblockByEdge().addAll(memory[0], edges.length);
        }
        if ((what & 8) != 0) {
            CdefDecisions cdef = parameters.runCdef();
            cdef.begin(input.number());
            byte[] strengths = field(input, CdefDecisions.STRENGTH_BYTES * (1 + input.below(9)));
            byte[] index = field(input, blocks);
            byte[] skip = field(input, (width + 7) / 8 * ((height + 7) / 8));
            memory[0] = free(memory[0], strengths);
            memory[1] = free(memory[1], index);
            memory[2] = free(memory[2], skip);
            if ((what & 16) != 0) {
                cdef.add(input.number(), input.number(), input.number(), input.number());
            } else {
                cdef.addAll(memory[0], strengths.length);
            }
            cdef.map(memory[1], index.length, memory[2], skip.length);
        }
    }

    private static long free(long address, byte[] next) {
        MemoryUtil.nmemFree(address);
        return copy(next);
    }

    /** A field of the right size or another. Its bytes come from a few of the input, so that a map needs no long input. */
    private static byte[] field(FuzzInput input, int size) {
        int kind = input.octet();
        if (kind < 64) {
            return new byte[0];
        }
        byte[] bytes = new byte[kind < 240 ? size : Math.max(0, size + kind - 248)];
        byte[] pattern = input.take(1 + input.below(32));
        for (int i = 0; i < bytes.length && pattern.length > 0; i++) {
            bytes[i] = pattern[i % pattern.length];
        }
        return bytes;
    }
}
