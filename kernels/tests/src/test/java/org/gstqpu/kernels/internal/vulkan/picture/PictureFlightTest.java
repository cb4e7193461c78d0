/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several pictures on their way through the device at once. */
class PictureFlightTest {
    private static final int WIDTH = 176;
    private static final int HEIGHT = 144;
    private static final PictureLayout LAYOUT = PictureLayout.packed(PixelFormat.NV12, WIDTH, HEIGHT, 4);
    private static final int PICTURES = 6;

    private final Random random = new Random(11);
    private final List<MappedPicture> sources = new ArrayList<>();
    private final List<MappedPicture> expected = new ArrayList<>();
    private final List<MappedPicture> destinations = new ArrayList<>();
    private VulkanFilterContext context;
    private PictureFilter filter;

    @BeforeEach
    void open() throws Exception {
        context = VulkanTestContexts.usual();
        filter = context.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT);
        for (int i = 0; i < PICTURES; i++) {
            sources.add(new MappedPicture(LAYOUT, random));
            expected.add(new MappedPicture(LAYOUT, new Random(i)));
            destinations.add(new MappedPicture(LAYOUT, new Random(i)));
            filter.filter(sources.get(i), expected.get(i), plan(30));
        }
    }

    @AfterEach
    void close() {
        filter.close();
        context.close();
        List.of(sources, expected, destinations).forEach(all -> all.forEach(MappedPicture::close));
    }

    private static PicturePlan plan(int qp) {
        return PicturePlan.fixed(new FilterParameters(
                Optional.of(H264DeblockParameters.intra(qp, 0, 0, 0, 0, false)),
                Optional.of(CdefParameters.uniform(3, new CdefStrength(9, 4, 9, 4)))));
    }

    private PictureRun begin(Picture source, Picture destination) {
        PictureRun run = filter.newRun();
        assertTrue(run.begin(source, destination, plan(30)));
        return run;
    }

    private DeviceMemory imported(MappedPicture picture) {
        return context.importHost(picture.memory().address(), picture.memory().sizeBytes())
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void picturesThatBeganTogetherAreEachFilteredAsAlone(boolean inPlace) {
        List<DeviceMemory> imports = new ArrayList<>();
        List<PictureRun> pictures = new ArrayList<>();
        for (int i = 0; i < PICTURES; i++) {
            Picture from = sources.get(i);
            Picture to = destinations.get(i);
            if (inPlace) {
                imports.add(imported(sources.get(i)));
                imports.add(imported(destinations.get(i)));
                from = Picture.of(imports.get(2 * i), LAYOUT);
                to = Picture.of(imports.get(2 * i + 1), LAYOUT);
            }
            pictures.add(begin(from, to));
        }
        for (int i = 0; i < PICTURES; i++) {
            pictures.get(i).finish();
            assertTrue(pictures.get(i).isDone());
            assertFalse(pictures.get(i).isHandedOver(), "memory of the process goes to no driver");
            assertArrayEquals(expected.get(i).bytes(), destinations.get(i).bytes(), "picture " + i);
            pictures.get(i).finish();
        }
        imports.forEach(DeviceMemory::close);
    }

    @Test
    void aPictureIsDoneWithoutAnyoneWaitingForIt() throws InterruptedException {
        try (DeviceMemory from = imported(sources.get(0));
                DeviceMemory to = imported(destinations.get(0))) {
            long waits = context.runtime().device().counters().get(Counted.WAITS);
            PictureRun picture = begin(Picture.of(from, LAYOUT), Picture.of(to, LAYOUT));
            while (!picture.isDone()) {
                Thread.sleep(1);
            }
            assertEquals(waits, context.runtime().device().counters().get(Counted.WAITS));
            assertArrayEquals(expected.get(0).bytes(), destinations.get(0).bytes());
            picture.finish();
        }
    }

    @Test
    void aStagedResultIsThereAfterTheWaitAndNotBefore() throws InterruptedException {
        byte[] before = destinations.get(0).bytes();
        PictureRun picture = begin(sources.get(0), destinations.get(0));
        while (!picture.isDone()) {
            Thread.sleep(1);
        }
        assertArrayEquals(before, destinations.get(0).bytes());
        picture.finish();
        assertArrayEquals(expected.get(0).bytes(), destinations.get(0).bytes());
    }

    @Test
    void moreThanCanFlyAreRefused() {
        List<PictureRun> pictures = new ArrayList<>();
        // One run is that of the method filter.
        for (int i = 1; i < PictureFilter.MAX_IN_FLIGHT; i++) {
            pictures.add(begin(sources.get(0), destinations.get(0)));
        }
        assertThrows(IllegalStateException.class, () -> filter.newRun());
        PictureRun one = pictures.get(5);
        assertTrue(one.begin(sources.get(1), destinations.get(1), plan(30)));
        assertThrows(IllegalStateException.class, () -> filter.newRun(), "a run is not given back");
        pictures.forEach(PictureRun::finish);
        assertArrayEquals(expected.get(1).bytes(), destinations.get(1).bytes());
    }

    @Test
    void anotherPlanDoesNotReachThePicturesInFlight() {
        List<PictureRun> pictures = new ArrayList<>();
        for (int i = 0; i < PICTURES - 1; i++) {
            pictures.add(begin(sources.get(i), destinations.get(i)));
        }
        PictureRun last = filter.newRun();
        last.begin(sources.get(PICTURES - 1), destinations.get(PICTURES - 1), plan(51));
        pictures.add(last);
        pictures.forEach(PictureRun::finish);
        for (int i = 0; i < PICTURES - 1; i++) {
            assertArrayEquals(expected.get(i).bytes(), destinations.get(i).bytes(), "picture " + i);
        }
        byte[] strong = destinations.get(PICTURES - 1).bytes();
        assertFalse(Arrays.equals(expected.get(PICTURES - 1).bytes(), strong), "the last has its own plan");
    }

    @Test
    void runsMayBeFinishedInAnyOrderAndAgain() {
        List<PictureRun> runs = new ArrayList<>();
        for (int i = 0; i < PICTURES; i++) {
            runs.add(begin(sources.get(i), destinations.get(i)));
        }
        for (int i : new int[] {3, 5, 0, 4, 1, 2}) {
            runs.get(i).finish();
            assertArrayEquals(expected.get(i).bytes(), destinations.get(i).bytes(), "picture " + i);
        }
        long waits = context.runtime().device().counters().get(Counted.WAITS);
        PictureRun fresh = filter.newRun();
        for (PictureRun run : List.of(runs.get(0), fresh)) {
            run.finish();
            assertTrue(run.isDone());
            assertFalse(run.isHandedOver());
        }
        assertEquals(
                waits,
                context.runtime().device().counters().get(Counted.WAITS),
                "a run without a picture is not waited for");
    }

    @Test
    void threeInFlightMakeNothingAndRecordNothingAfterTheFirst() {
        List<PictureRun> runs = List.of(filter.newRun(), filter.newRun(), filter.newRun());
        VulkanCalls before = null;
        for (int i = 0; i < 60; i++) {
            if (i == 30) {
                before = VulkanCalls.of(context);
            }
            int place = i % 3;
            runs.get(place).finish();
            runs.get(place).begin(sources.get(place), destinations.get(place), plan(30));
        }
        VulkanCalls since = VulkanCalls.of(context).since(before);
        assertEquals(new VulkanCalls(0, 0, 0, 30, since.waits(), 0), since);
        runs.forEach(PictureRun::finish);
        assertArrayEquals(expected.get(2).bytes(), destinations.get(2).bytes());
    }

    @Test
    void closingWaitsForWhatIsUnderWay() {
        PictureRun run = filter.newRun();
        for (int i = 0; i < PICTURES; i++) {
            begin(sources.get(i), destinations.get(i));
        }
        filter.close();
        assertThrows(IllegalStateException.class, () -> run.begin(sources.get(0), destinations.get(0), plan(30)));
    }
}
