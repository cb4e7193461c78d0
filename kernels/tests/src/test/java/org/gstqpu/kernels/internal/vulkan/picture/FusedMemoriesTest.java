/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.ReferenceFilters;
import org.gstqpu.kernels.ReferenceTime;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.memory.ApartPlanes;
import org.gstqpu.kernels.internal.vulkan.work.DevicePicture;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lwjgl.system.MemoryUtil;

/** Temporal fusion of pictures that the device reads and writes where they are, against its definition: planes apart, and columns. */
class FusedMemoriesTest {
    private static final int WIDTH = 203;
    private static final int HEIGHT = 43;
    private static final int PICTURES = 3;
    private static final int COLUMN = 3;
    private static final int ROW = 5;
    private static final FilterParameters SHRINKAGE =
            FilterParameters.shrinkage(new ShrinkageParameters(4, 150, 90, 35));
    private static final TimeParameters TIME = new TimeParameters(150, 90, 100, true, 0);

    private final Random random = new Random(RandomSeed.get());

    /** Pictures of one scene with noise, what shrinkage leaves of each, and what fusion makes of that. */
    private static final class Sequence {
        final List<SamplePicture> decoded = new ArrayList<>();
        final List<SamplePicture> fused = new ArrayList<>();

        Sequence(Random random, PixelFormat format) {
            SamplePicture scene = hills(format);
            List<SamplePicture> shrunk = new ArrayList<>();
            boolean changedChroma = false;
            for (int i = 0; i < PICTURES; i++) {
                decoded.add(withNoise(scene, random));
                shrunk.add(ReferenceFilters.apply(decoded.get(i), SHRINKAGE, COLUMN, ROW));
                List<ReferenceTime.Reference> references = new ArrayList<>();
                for (int before = i - 1; before >= Math.max(0, i - 2); before--) {
                    references.add(new ReferenceTime.Reference(shrunk.get(before), fused.get(before), TIME.comb()));
                }
                fused.add(ReferenceTime.apply(
                        shrunk.get(i),
                        decoded.get(i),
                        references,
                        TIME.threshold(),
                        TIME.chromaThreshold(),
                        TIME.comb(),
                        TIME.combs(),
                        COLUMN,
                        ROW));
                changedChroma |= differ(shrunk.get(i), fused.get(i), 1) && differ(shrunk.get(i), fused.get(i), 2);
            }
            assertTrue(changedChroma, "fusion changes no chroma");
        }

        private static SamplePicture hills(PixelFormat format) {
            SamplePicture picture = new SamplePicture(format.bitDepth(), format.chroma(), WIDTH, HEIGHT);
            for (int component = 0; component < picture.components(); component++) {
                for (int i = 0; i < picture.width(component) * picture.height(component); i++) {
                    int x = i % picture.width(component);
                    int y = i / picture.width(component);
                    double value = 120 + 30 * Math.sin(0.3 * x + component) + 20 * Math.cos(0.4 * y);
                    picture.set(component, x, y, (int) value << (format.bitDepth() - 8));
                }
            }
            return picture;
        }

        private static SamplePicture withNoise(SamplePicture scene, Random random) {
            SamplePicture picture = scene.copy();
            int most = (1 << scene.bitDepth) - 1;
            int noise = 5 << (scene.bitDepth - 8);
            for (int component = 0; component < scene.components(); component++) {
                for (int i = 0; i < scene.width(component) * scene.height(component); i++) {
                    int x = i % scene.width(component);
                    int y = i / scene.width(component);
                    int value = scene.get(component, x, y) + random.nextInt(2 * noise + 1) - noise;
                    picture.set(component, x, y, Math.max(0, Math.min(most, value)));
                }
            }
            return picture;
        }

        private static boolean differ(SamplePicture one, SamplePicture other, int component) {
            for (int i = 0; i < one.width(component) * one.height(component); i++) {
                int x = i % one.width(component);
                int y = i / one.width(component);
                if (one.get(component, x, y) != other.get(component, x, y)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static PicturePlan plan() {
        return PicturePlan.fixed(SHRINKAGE.withTime(TIME)).deblockingFrom(COLUMN, ROW);
    }

    @ParameterizedTest
    @EnumSource(names = {"I420", "NV21", "P010_10LE", "I422_10LE", "Y42B"})
    void planesMayLieApart(PixelFormat format) throws Exception {
        Sequence sequence = new Sequence(random, format);
        PictureLayout layout = PictureLayout.packed(format, WIDTH, HEIGHT, 4);
        try (VulkanFilterContext context = VulkanTestContexts.usual();
                PictureFilter filter = context.newPictureFilter(format, WIDTH, HEIGHT)) {
            // A recording knows memories by their ids, so that these live until the end.
            List<ApartPlanes> open = new ArrayList<>();
            for (int i = 0; i < PICTURES; i++) {
                try (MappedPicture picture = new MappedPicture(layout, random)) {
                    picture.write(sequence.decoded.get(i));
                    byte[] found = picture.picture();
                    ApartPlanes source =
                            new ApartPlanes(context.runtime(), picture.memory().address(), layout);
                    open.add(source);
                    ApartPlanes destination =
                            new ApartPlanes(context.runtime(), picture.memory().address(), layout);
                    open.add(destination);
                    filter.filter(source, destination, plan());
                    destination.put(found, layout);
                    picture.write(sequence.fused.get(i));
                    assertArrayEquals(picture.picture(), found, format + ", picture " + i);
                }
            }
            open.forEach(ApartPlanes::close);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NV12", "P010_10LE"})
    void picturesMayLieInColumns(PixelFormat format) throws Exception {
        Sequence sequence = new Sequence(random, format);
        PictureLayout layout = MappedPicture.randomColumns(random, format, WIDTH, HEIGHT);
        try (VulkanFilterContext context = VulkanTestContexts.usual();
                PictureFilter filter = context.newPictureFilter(format, WIDTH, HEIGHT)) {
            for (int i = 0; i < PICTURES; i++) {
                try (MappedPicture picture = new MappedPicture(layout, random);
                        DevicePicture source = context.newDevicePicture(layout.sizeBytes());
                        DevicePicture destination = context.newDevicePicture(layout.sizeBytes())) {
                    picture.write(sequence.decoded.get(i));
                    ByteBuffer bytes = MemoryUtil.memCalloc((int) source.sizeBytes());
                    bytes.duplicate().put(picture.picture());
                    source.write(bytes);
                    destination.write(bytes);
                    filter.filter(Picture.of(source, layout), Picture.of(destination, layout), plan());
                    destination.read(bytes);
                    byte[] found = new byte[(int) layout.sizeBytes()];
                    bytes.duplicate().get(found);
                    MemoryUtil.memFree(bytes);
                    picture.write(sequence.fused.get(i));
                    assertArrayEquals(picture.picture(), found, format + ", " + layout + ", picture " + i);
                }
            }
        }
    }
}
