/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.example;

import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;

/** Filters an NV12 picture from one dmabuf into another, without a copy. The process has both descriptors open. */
public final class FilterDmabuf {
    public static void main(String[] args) {
        if (args.length < 4) {
            System.err.println("usage: FilterDmabuf WIDTH HEIGHT SOURCE_DESCRIPTOR RESULT_DESCRIPTOR [CPU|QPU]");
            System.exit(2);
        }
        int width = Integer.parseInt(args[0]);
        int height = Integer.parseInt(args[1]);
        SubstrateRequest request = SubstrateRequest.of(args.length > 4 ? Substrate.valueOf(args[4]) : Substrate.QPU);

        // Where the producer has put the planes. Offsets and strides must be multiples of 4.
        PictureLayout layout = PictureLayout.packed(PixelFormat.NV12, width, height, 64);
        DmabufPicture source = DmabufPicture.of(Integer.parseInt(args[2]), layout);
        DmabufPicture result = DmabufPicture.of(Integer.parseInt(args[3]), layout);

        FilterParameters parameters = FilterParameters.deblocking(H264DeblockParameters.intra(34, 0, 0, 0, 0, false))
                .withCdef(CdefParameters.uniform(5, new CdefStrength(4, 2, 2, 1)));
        PicturePlan plan = PicturePlan.fixed(parameters);
        // A decoder imports each dmabuf of its pool once.
        try (FilterContext context = Substrates.open(request);
                PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, width, height);
                DeviceMemory from = context.importDmabuf(source);
                DeviceMemory to = context.importDmabuf(result)) {
            filter.filter(Picture.of(from, layout), Picture.of(to, layout), plan);
            System.out.println(context.deviceName() + " filtered the picture, bytes copied: "
                    + context.counters().bytesCopied());
        } catch (DmabufRefusedException e) {
            // Nothing was filtered: a decoder now maps the dmabufs, and filters the mappings as HostMemory.
            System.err.println("refused by check " + e.check() + ": " + e.getMessage());
            System.exit(3);
        } catch (SubstrateUnavailableException | DeviceException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
