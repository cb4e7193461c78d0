/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.ReferenceQuality;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lwjgl.system.MemoryUtil;

/** PSNR, SSIM and PSNR-HVS: the same on every substrate, by their definitions and by public implementations. */
class QualityMeterTest {
    /** Less than half of the fourth decimal. */
    private static final double SAME = 2e-5;

    private static final Set<QualityMetric> CLASSIC =
            EnumSet.of(QualityMetric.PSNR, QualityMetric.SSIM, QualityMetric.PSNR_HVS);

    private static final List<PixelFormat> FORMATS = List.of(PixelFormat.values());
    private static final int PICTURES = 35;

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void everyFormatSizeAndLayoutHasItsFigures(TestSubstrates.Choice choice) throws Exception {
        long seed = RandomSeed.get();
        try (MeterContext context = choice.openMeters()) {
            for (int i = 0; i < PICTURES; i++) {
                Random random = new Random(seed + i);
                PixelFormat format = FORMATS.get(i % FORMATS.size());
                boolean small = random.nextInt(4) == 0;
                int width = 1 + random.nextInt(small ? 12 : 200);
                int height = 1 + random.nextInt(small ? 12 : 120);
                String where = choice + ": " + format + " " + width + "x" + height + ", -Dgstqpu.seed=" + (seed + i);
                SamplePicture reference =
                        SamplePicture.random(random, format.bitDepth(), format.chroma(), width, height);
                SamplePicture picture = random.nextInt(8) == 0
                        ? SamplePicture.random(random, format.bitDepth(), format.chroma(), width, height)
                        : changed(reference, random);
                try (QualityMeter meter = context.newMeter(format, width, height, CLASSIC);
                        MappedPicture from = new MappedPicture(layout(context, random, format, width, height), random);
                        MappedPicture to = new MappedPicture(layout(context, random, format, width, height), random)) {
                    from.write(reference);
                    to.write(picture);
                    check(context, meter, random, from, to, reference, picture, where);
                }
            }
        }
    }

    private static void check(
            MeterContext context,
            QualityMeter meter,
            Random random,
            MappedPicture from,
            MappedPicture to,
            SamplePicture reference,
            SamplePicture picture,
            String where) {
        Optional<DeviceMemory> importedFrom = imported(context, random, from);
        Optional<DeviceMemory> importedTo = imported(context, random, to);
        byte[] before = to.bytes();
        QualityFigures figures = new QualityFigures();
        QualitySums sums = figures.sums();
        meter.measure(
                Picture.of(importedFrom.isPresent() ? importedFrom.get() : from.memory(), from.layout()),
                Picture.of(importedTo.isPresent() ? importedTo.get() : to.memory(), to.layout()),
                figures);
        importedFrom.ifPresent(DeviceMemory::close);
        importedTo.ifPresent(DeviceMemory::close);
        assertArrayEquals(before, to.bytes(), () -> "the picture was written to, " + where);
        assertEquals(1, sums.pictures());
        for (PictureComponent component : PictureComponent.values()) {
            String of = component + ", " + where;
            if (component != PictureComponent.Y && reference.components() == 1) {
                assertTrue(Double.isNaN(sums.psnr(component)) && Double.isNaN(sums.ssim(component)), of);
                continue;
            }
            int index = List.of(PictureComponent.values()).indexOf(component);
            assertEquals(ReferenceQuality.psnr(reference, picture, index), sums.psnr(component), 1e-9, of);
            assertEquals(ReferenceQuality.ssim(reference, picture, index), sums.ssim(component), SAME, of);
        }
        assertEquals(ReferenceQuality.psnrHvs(reference, picture), sums.psnrHvs(), SAME, where);
    }

    /** What a codec might make of it: noise of some strength, or a shade. */
    private static SamplePicture changed(SamplePicture picture, Random random) {
        SamplePicture changed = picture.copy();
        int max = (1 << picture.bitDepth) - 1;
        int noise = 1 + random.nextInt(random.nextBoolean() ? 3 : 40);
        int shade = random.nextInt(9) - 4;
        for (int component = 0; component < picture.components(); component++) {
            for (int y = 0; y < picture.height(component); y++) {
                for (int x = 0; x < picture.width(component); x++) {
                    int value = picture.get(component, x, y) + random.nextInt(noise) - noise / 2 + shade;
                    changed.set(component, x, y, Math.max(0, Math.min(max, value)));
                }
            }
        }
        return changed;
    }

    private static PictureLayout layout(
            MeterContext context, Random random, PixelFormat format, int width, int height) {
        return format == PixelFormat.NV12 && context.substrate() == Substrate.QPU && random.nextInt(3) == 0
                ? MappedPicture.randomColumns(random, PixelFormat.NV12, width, height)
                : MappedPicture.randomLayout(random, format, width, height);
    }

    private static Optional<DeviceMemory> imported(MeterContext context, Random random, MappedPicture picture) {
        return random.nextBoolean()
                ? context.importHost(
                        picture.memory().address(), picture.memory().sizeBytes())
                : Optional.empty();
    }

    /**
     * PSNR and PSNR-HVS of pictures that anyone can make again, as printed by version 0.2.4 of the Python package psnr_hvsm (on
     * NumPy), a public implementation that is checked against the authors' own.
     */
    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void agreesWithAPublicImplementationOfPsnrHvs(TestSubstrates.Choice choice) throws Exception {
        SamplePicture reference = new SamplePicture(8, PixelFormat.Chroma.NONE, 64, 48);
        SamplePicture noise = new SamplePicture(8, PixelFormat.Chroma.NONE, 64, 48);
        SamplePicture blocks = new SamplePicture(8, PixelFormat.Chroma.NONE, 64, 48);
        SamplePicture shade = new SamplePicture(8, PixelFormat.Chroma.NONE, 64, 48);
        for (int y = 0; y < 48; y++) {
            for (int x = 0; x < 64; x++) {
                int r = 128 + (x * x + 3 * y * y) / 40 % 90 - 45;
                reference.set(0, x, y, r);
                noise.set(0, x, y, Math.min(255, r + (x * 31 + y * 17 + x * y) % 23 - 11));
                blocks.set(0, x, y, r / 16 * 16 + 8 + (x / 8 + y / 8) % 3 * 4);
                shade.set(0, x, y, r + Math.floorDiv(x - y, 6));
            }
        }
        try (MeterContext context = choice.openMeters();
                QualityMeter meter = context.newMeter(PixelFormat.GRAY8, 64, 48, CLASSIC)) {
            checkFigures(meter, reference, noise, 31.534593788262796, 30.988641482585702);
            checkFigures(meter, reference, blocks, 31.163583227538094, 27.656893199698878);
            checkFigures(meter, reference, shade, 36.1623086429818, 31.9708880320987);
        }
    }

    private static void checkFigures(
            QualityMeter meter, SamplePicture reference, SamplePicture picture, double psnr, double psnrHvs) {
        Random random = new Random(7);
        PictureLayout layout = PictureLayout.packed(PixelFormat.GRAY8, 64, 48, 1);
        try (MappedPicture from = new MappedPicture(layout, random);
                MappedPicture to = new MappedPicture(layout, random)) {
            from.write(reference);
            to.write(picture);
            QualityFigures figures = new QualityFigures();
            QualitySums sums = figures.sums();
            meter.measure(from, to, figures);
            assertEquals(psnr, sums.psnr(PictureComponent.Y), 1e-9);
            assertEquals(psnrHvs, sums.psnrHvs(), SAME);
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void equalPicturesAreInfinitelyClose(TestSubstrates.Choice choice) throws Exception {
        Random random = new Random(3);
        PictureLayout layout = PictureLayout.packed(PixelFormat.P010_10LE, 50, 34, 4);
        try (MeterContext context = choice.openMeters();
                QualityMeter meter = context.newMeter(PixelFormat.P010_10LE, 50, 34, CLASSIC);
                MappedPicture picture = new MappedPicture(layout, random)) {
            picture.write(SamplePicture.random(random, 10, PixelFormat.Chroma.HALF_BOTH, 50, 34));
            QualityFigures figures = new QualityFigures();
            QualitySums sums = figures.sums();
            meter.measure(picture, picture, figures);
            for (PictureComponent component : PictureComponent.values()) {
                assertEquals(0, sums.squaredError(component));
                assertEquals(Double.POSITIVE_INFINITY, sums.psnr(component));
                assertEquals(1, sums.ssim(component), 1e-6);
            }
            assertEquals(Double.POSITIVE_INFINITY, sums.psnrHvs());
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void bitsBeyondTheDepthCountForNothing(TestSubstrates.Choice choice) throws Exception {
        long seed = RandomSeed.get();
        Random random = new Random(seed);
        try (MeterContext context = choice.openMeters()) {
            for (PixelFormat format : FORMATS) {
                if (format.sampleBytes() == 1) {
                    continue;
                }
                PictureLayout layout = PictureLayout.packed(format, 192, 176, 4);
                try (QualityMeter meter =
                                context.newMeter(format, 192, 176, QualityMetric.definedFor(format, 192, 176));
                        MappedPicture from = new MappedPicture(layout, random);
                        MappedPicture to = new MappedPicture(layout, random)) {
                    QualityFigures wild = new QualityFigures();
                    // From the third one on, what was before a picture that stays the same changes no figure.
                    for (int i = 0; i < 3; i++) {
                        meter.measure(from, to, wild);
                    }
                    clearBitsBeyondTheDepth(from);
                    clearBitsBeyondTheDepth(to);
                    QualityFigures masked = new QualityFigures();
                    meter.measure(from, to, masked);
                    String where = choice + ": " + format + ", -Dgstqpu.seed=" + seed;
                    for (QualityFeature feature : QualityFeature.values()) {
                        if (feature.base() != null) {
                            // Not known before the next picture.
                            continue;
                        }
                        assertEquals(masked.get(feature), wild.get(feature), feature + ", " + where);
                    }
                    for (PictureComponent component : PictureComponent.values()) {
                        assertEquals(
                                masked.sums().squaredError(component),
                                wild.sums().squaredError(component),
                                where);
                        assertEquals(masked.sums().ssim(component), wild.sums().ssim(component), where);
                    }
                    assertEquals(masked.sums().psnrHvs(), wild.sums().psnrHvs(), where);
                }
            }
        }
    }

    private static void clearBitsBeyondTheDepth(MappedPicture picture) {
        PixelFormat format = picture.layout().format();
        for (long at = 0; at < picture.layout().sizeBytes(); at += 2) {
            long word = picture.memory().address() + at;
            MemoryUtil.memPutShort(
                    word, (short) (MemoryUtil.memGetShort(word) & format.peak() << format.sampleShift()));
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void whatCannotBeMeasuredIsRefused(TestSubstrates.Choice choice) throws Exception {
        PictureLayout layout = PictureLayout.packed(PixelFormat.I420, 32, 16, 4);
        PictureLayout other = PictureLayout.packed(PixelFormat.I420, 32, 18, 4);
        try (MeterContext context = choice.openMeters();
                MappedPicture picture = new MappedPicture(layout, new Random(1))) {
            QualityMeter meter = context.newMeter(PixelFormat.I420, 32, 16, CLASSIC);
            QualityFigures figures = new QualityFigures();
            QualitySums sums = figures.sums();
            HostMemory memory = picture.memory();
            Picture otherSize = Picture.of(memory, other);
            Picture tooSmall = Picture.of(new HostMemory().set(memory.address(), memory.sizeBytes() - 1), layout);
            assertThrows(IllegalArgumentException.class, () -> meter.measure(otherSize, picture, figures));
            assertThrows(IllegalArgumentException.class, () -> meter.measure(picture, otherSize, figures));
            assertThrows(IllegalArgumentException.class, () -> meter.measure(picture, tooSmall, figures));
            assertEquals(0, sums.pictures());
            meter.close();
            meter.close();
            assertThrows(IllegalStateException.class, () -> meter.measure(picture, picture, figures));
        }
    }

    @Test
    void figuresOfSeveralPicturesComeFromAllTheirSamples() {
        // Two windows across and down, and one block.
        PictureLayout layout = PictureLayout.packed(PixelFormat.GRAY8, 13, 12, 1);
        QualitySums first = new QualitySums();
        first.add(PictureComponent.Y, layout, 0, 4, 4);
        first.addSeen(layout, 64, 0);
        QualitySums all = new QualitySums();
        all.add(PictureComponent.Y, layout, 4 * 13 * 12, 4, 2);
        all.addSeen(layout, 64, 128);
        all.add(first);
        assertEquals(2, all.pictures());
        assertEquals(10 * Math.log10(255.0 * 255 / 2), all.psnr(PictureComponent.Y), 1e-12);
        assertEquals(0.75, all.ssim(PictureComponent.Y), 1e-12);
        assertEquals(20 * Math.log10(255), all.psnrHvs(), 1e-12);
        all.clear();
        assertEquals(0, all.pictures());
        assertTrue(Double.isNaN(all.psnr(PictureComponent.Y)));
    }
}
