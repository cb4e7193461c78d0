/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import static org.lwjgl.system.MemoryUtil.memByteBuffer;

import java.nio.ByteBuffer;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.ScheduledEdges;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/** Runs one picture's list of edge operations through an {@link EdgeSchedule}. Belongs to one verification. */
final class GoldenOperations {
    private static final String[] PLANES = {"y", "u", "v"};

    private final BlockContext context;
    private final GoldenPicture picture;
    private final EdgeSchedule.Codec codec;
    private final int operationBytes;
    private final GoldenTally tally = new GoldenTally();

    GoldenOperations(BlockContext context, GoldenPicture picture) {
        this.context = context;
        this.picture = picture;
        boolean vp9 = picture.kernel().equals("vp9_lpf_picture");
        this.codec = vp9 ? EdgeSchedule.Codec.VP9 : EdgeSchedule.Codec.H264;
        this.operationBytes = vp9 ? 11 : 13;
    }

    GoldenResult verify() throws GoldenFormatException {
        try {
            ByteBuffer operations = picture.bytes("ops");
            if (operations.capacity() % operationBytes != 0) {
                throw new GoldenFormatException(
                        picture.name(),
                        "section 'ops' has " + operations.capacity() + " bytes, no multiple of " + operationBytes);
            }
            run(layout(), operations);
        } catch (IllegalArgumentException e) {
            throw new GoldenFormatException(picture.name(), e.getMessage(), e);
        }
        return tally.result(picture.kernel(), 1, true);
    }

    /** Rows are 16 bytes longer than their samples, so that a kernel that takes a width for a stride fails. */
    private PictureLayout layout() throws GoldenFormatException {
        int width = picture.width("in_y");
        int height = picture.height("in_y");
        for (String side : new String[] {"in_", "out_"}) {
            for (String plane : PLANES) {
                boolean luma = plane.equals("y");
                int columns = luma ? width : (width + 1) / 2;
                int rows = luma ? height : (height + 1) / 2;
                if (picture.width(side + plane) != columns || picture.height(side + plane) != rows) {
                    throw new GoldenFormatException(picture.name(), "its planes are not of one 4:2:0 picture");
                }
            }
        }
        PictureLayout padded = PictureLayout.packed(PixelFormat.I420, width + 32, height, 16);
        return new PictureLayout(
                PixelFormat.I420,
                width,
                height,
                padded.offset0Bytes(),
                padded.stride0Bytes(),
                padded.offset1Bytes(),
                padded.stride1Bytes(),
                padded.offset2Bytes(),
                padded.stride2Bytes());
    }

    private void run(PictureLayout layout, ByteBuffer operations) {
        int count = operations.capacity() / operationBytes;
        try (KernelBuffer memory = context.newBuffer(layout.sizeBytes());
                EdgeSchedule schedule = new EdgeSchedule(context, codec, layout, count)) {
            ByteBuffer samples = memByteBuffer(memory.address(), (int) layout.sizeBytes());
            for (int plane = 0; plane < PLANES.length; plane++) {
                write(layout, plane, samples);
            }
            try (PreparedCall call = context.prepare(new ScheduledEdges(schedule, memory))) {
                schedule.clear();
                for (int i = 0; i < count; i++) {
                    add(schedule, operations, i * operationBytes);
                }
                schedule.arrange();
                call.run(count);
            }
            for (int plane = 0; plane < PLANES.length; plane++) {
                compare(layout, plane, samples);
            }
        }
    }

    private void add(EdgeSchedule schedule, ByteBuffer operations, int at) {
        int plane = operations.get(at);
        int code = operations.get(at + 1);
        EdgeDirection direction = code == 0 ? EdgeDirection.VERTICAL : EdgeDirection.HORIZONTAL;
        int x = operations.getShort(at + operationBytes - 4) & 0xffff;
        int y = operations.getShort(at + operationBytes - 2) & 0xffff;
        if (codec == EdgeSchedule.Codec.VP9) {
            schedule.addVp9(
                    plane,
                    direction,
                    operations.get(at + 2),
                    operations.get(at + 3) & 255,
                    operations.get(at + 4) & 255,
                    operations.get(at + 5) & 255,
                    x,
                    y);
            return;
        }
        int alpha = operations.get(at + 3) & 255;
        int beta = operations.get(at + 4) & 255;
        if (operations.get(at + 2) != 0) {
            schedule.addH264Strong(plane, direction, alpha, beta, x, y);
            return;
        }
        // For chroma, the file has tC0 + 1.
        int less = plane == 0 ? 0 : 1;
        schedule.addH264(
                plane,
                direction,
                alpha,
                beta,
                operations.get(at + 5) - less,
                operations.get(at + 6) - less,
                operations.get(at + 7) - less,
                operations.get(at + 8) - less,
                x,
                y);
    }

    private void write(PictureLayout layout, int plane, ByteBuffer samples) {
        ByteBuffer section = picture.bytes("in_" + PLANES[plane]);
        int columns = layout.rowBytes(plane);
        for (int y = 0; y < layout.rows(plane); y++) {
            int row = (int) layout.offsetBytes(plane) + y * layout.strideBytes(plane);
            samples.put(row, section, y * columns, columns);
        }
    }

    private void compare(PictureLayout layout, int plane, ByteBuffer samples) {
        ByteBuffer section = picture.bytes("out_" + PLANES[plane]);
        int columns = layout.rowBytes(plane);
        for (int y = 0; y < layout.rows(plane); y++) {
            int row = (int) layout.offsetBytes(plane) + y * layout.strideBytes(plane);
            for (int x = 0; x < columns; x++) {
                if (!tally.add(section.get(y * columns + x) & 255, samples.get(row + x) & 255)) {
                    tally.describe("plane " + plane + " column " + x + " row " + y);
                }
            }
        }
    }
}
