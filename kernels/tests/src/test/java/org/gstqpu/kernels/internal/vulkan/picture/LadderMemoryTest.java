/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Test;

/** The memory of automatic strength follows the recordings that are in use, not those that could be. */
class LadderMemoryTest {
    private static final PictureLayout LAYOUT = PictureLayout.packed(PixelFormat.GRAY8, 64, 48, 4);
    private static final PicturePlan PLAN = PicturePlan.automatic(new StrengthLadder(Collections.nCopies(
            StrengthTier.ALL.size(),
            new FilterParameters(
                    Optional.empty(), Optional.of(CdefParameters.uniform(3, new CdefStrength(9, 4, 9, 4)))))));
    private static final long FEW_BYTES = 2 << 20;
    private static final int PICTURES = 20;

    @Test
    void aPictureThatComesAgainAndAgainTakesLittle() throws Exception {
        try (MappedPicture source = new MappedPicture(LAYOUT, new Random(1));
                MappedPicture destination = new MappedPicture(LAYOUT, new Random(2));
                VulkanFilterContext context = VulkanTestContexts.usual();
                PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 64, 48)) {
            for (int i = 0; i < PICTURES; i++) {
                filter.filter(source, destination, PLAN);
            }
            assertTrue(context.poolBytes() < FEW_BYTES, context.poolBytes() + " bytes");
        }
    }

    @Test
    void picturesInMemoryOfTheirOwnAreFilteredAlikeInEveryRecording() throws Exception {
        List<MappedPicture> sources = new ArrayList<>();
        List<DeviceMemory> imported = new ArrayList<>();
        try (MappedPicture destination = new MappedPicture(LAYOUT, new Random(2));
                VulkanFilterContext context = VulkanTestContexts.usual();
                PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 64, 48)) {
            byte[] first = null;
            for (int i = 0; i < PICTURES; i++) {
                MappedPicture source = new MappedPicture(LAYOUT, new Random(1));
                sources.add(source);
                DeviceMemory memory = source.importedBy(context);
                if (memory != null) {
                    imported.add(memory);
                }
                filter.filter(memory == null ? source : Picture.of(memory, LAYOUT), destination, PLAN);
                first = first == null ? destination.picture() : first;
                assertEquals(
                        HexFormat.of().formatHex(first),
                        HexFormat.of().formatHex(destination.picture()),
                        "picture " + i);
            }
            imported.forEach(DeviceMemory::close);
        } finally {
            sources.forEach(MappedPicture::close);
        }
    }
}
