/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.example;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** Filters an NV12 picture: H.264 deblocking for QP 34, then AV1 CDEF. Both files have the samples and nothing else. */
public final class FilterOnePicture {
    public static void main(String[] args) throws IOException {
        if (args.length < 4) {
            System.err.println("usage: FilterOnePicture WIDTH HEIGHT SOURCE RESULT [AUTO|CPU|QPU]");
            System.exit(2);
        }
        int width = Integer.parseInt(args[0]);
        int height = Integer.parseInt(args[1]);
        SubstrateRequest request = SubstrateRequest.of(args.length > 4 ? Substrate.valueOf(args[4]) : Substrate.AUTO);

        // Planes and rows follow each other without padding, as in the file.
        PictureLayout layout = PictureLayout.packed(PixelFormat.NV12, width, height, 1);
        ByteBuffer source = ByteBuffer.allocateDirect((int) layout.sizeBytes());
        ByteBuffer result = ByteBuffer.allocateDirect((int) layout.sizeBytes());
        try (FileChannel file = FileChannel.open(Path.of(args[2]))) {
            while (source.hasRemaining() && file.read(source) >= 0) {}
        }
        if (source.hasRemaining()) {
            System.err.println(args[2] + " is shorter than a picture of " + layout.sizeBytes() + " bytes");
            System.exit(1);
        }
        source.flip();

        FilterParameters parameters = FilterParameters.deblocking(H264DeblockParameters.intra(34, 0, 0, 0, 0, false))
                .withCdef(CdefParameters.uniform(5, new CdefStrength(4, 2, 2, 1)));
        PicturePlan plan = PicturePlan.fixed(parameters);
        // A decoder opens the context and the filter once, and filters picture after picture.
        try (FilterContext context = Substrates.open(request);
                PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, width, height)) {
            System.out.println(context.deviceName() + ": " + context.reason());
            filter.filter(Picture.of(HostMemory.of(source), layout), Picture.of(HostMemory.of(result), layout), plan);
        } catch (SubstrateUnavailableException | DeviceException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }

        try (FileChannel file = FileChannel.open(
                Path.of(args[3]),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            while (result.hasRemaining()) {
                file.write(result);
            }
        }
    }
}
