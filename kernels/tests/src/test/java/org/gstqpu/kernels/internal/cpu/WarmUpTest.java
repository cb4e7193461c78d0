/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.row.Row;
import org.gstqpu.kernels.internal.stage.KernelRecord;
import org.gstqpu.kernels.internal.stage.RowFilter;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.internal.stage.cdef.Cdef;
import org.gstqpu.kernels.internal.stage.deblock.Deblock;
import org.gstqpu.kernels.internal.stage.shrinkage.Shrink;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {
    private static final FilterParameters BOTH = FilterParameters.deblocking(
                    H264DeblockParameters.intra(36, 0, 0, 0, 0, false))
            .withCdef(CdefParameters.uniform(5, new CdefStrength(4, 2, 3, 1)));
    private static final PicturePlan ALL =
            PicturePlan.fixed(BOTH.withShrinkage(new ShrinkageParameters(8, 160, 120, 10))
                    .withTime(new TimeParameters(160, 160, 160, true, 0)));
    private static final PixelFormat FORMAT = PixelFormat.GRAY8;

    private static KernelRecord record() {
        return new KernelRecord("conditions\n", Optional.empty(), InstantSource.system());
    }

    private static boolean inUse(VectorUse vectors, RowFilter kernel) {
        return vectors.inUse(kernel, FORMAT);
    }

    @Test
    void vectorsAreUsedOnceTheyAreFaster() throws InterruptedException {
        PictureLayout layout = PictureLayout.packed(FORMAT, 64, 64, 32);
        Random random = new Random(7);
        KernelRecord record = record();
        VectorUse vectors = VectorUse.onceWarmWithoutDelay(record);
        try (CpuFilterContext context = new CpuFilterContext(1, "because", vectors);
                MappedPicture source = new MappedPicture(layout, random);
                MappedPicture destination = new MappedPicture(layout, random);
                PictureFilter filter = context.newPictureFilter(FORMAT, 64, 64)) {
            for (RowFilter kernel : Row.FILTERS) {
                assertFalse(inUse(vectors, kernel), () -> kernel + " is in vectors before its trial");
            }
            filter.filter(source, destination, ALL);
            byte[] before = destination.bytes();
            context.warmUp().await();
            for (RowFilter kernel : Row.FILTERS) {
                assertTrue(inUse(vectors, kernel), () -> "the trial of " + kernel + " ended without vectors in use");
                assertEquals(Optional.of(KernelRecord.Winner.VECTOR), record.find(kernel, FORMAT));
            }
            filter.filter(source, destination, ALL);
            assertArrayEquals(before, destination.bytes());
        }
    }

    @Test
    void picturesDoWithoutAWarmUpThatMayStartNoThread() {
        List<Thread> refused = new ArrayList<>();
        PictureLayout layout = PictureLayout.packed(FORMAT, 64, 64, 32);
        try (MappedPicture picture = new MappedPicture(layout, new Random(7));
                WarmUp warmUp = new WarmUp(VectorUse.onceWarmWithoutDelay(record()), thread -> {
                    refused.add(thread);
                    throw new OutOfMemoryError("unable to create native thread");
                })) {
            warmUp.begin(Cdef.FILTER, FORMAT, BOTH, false);
            warmUp.rehearse(picture, ALL, 1);
            assertFalse(warmUp.isOnTrial(), "all processors are the pictures'");
            assertFalse(warmUp.isWarmingUp(), "no picture passes unfiltered");
            warmUp.begin(Cdef.FILTER, FORMAT, BOTH, false);
            assertEquals(3, refused.size(), "the next stream may be luckier");
        }
    }

    @Test
    void whatIsExpectedIsMadeReadyBeforeAPictureComes() throws InterruptedException {
        VectorUse vectors = VectorUse.onceWarmWithoutDelay(record());
        try (CpuFilterContext context = new CpuFilterContext(3, "because", vectors)) {
            assertEquals(3, context.warmUp().workers(3));
            context.expect(FORMAT, PicturePlan.fixed(BOTH));
            assertEquals(1, context.warmUp().workers(3), "the compiler has two of three processors during a trial");
            context.warmUp().await();
            assertTrue(inUse(vectors, Cdef.FILTER));
            assertTrue(inUse(vectors, Deblock.FILTER));
            assertFalse(inUse(vectors, Shrink.FILTER), "the plan runs no shrinkage");
            assertEquals(3, context.warmUp().workers(3));
            long nanos = context.warmUpNanos();
            assertTrue(nanos > 0);
            context.expect(FORMAT, PicturePlan.fixed(BOTH));
            assertEquals(nanos, context.warmUpNanos(), "what is ready is not exercised again");
        }
    }

    @Test
    void automaticStrengthExpectsWhatMostFootageNeeds() throws InterruptedException {
        List<FilterParameters> deblocking = new ArrayList<>();
        for (StrengthTier tier : StrengthTier.WITHOUT_SHRINKAGE) {
            int bS = tier.deblocks() ? 3 : 0;
            deblocking.add(new FilterParameters(
                    Optional.of(new H264DeblockParameters(tier.indexA(), tier.indexB(), 0, 0, 0, 0, bS, bS, true)),
                    Optional.of(cdef(tier))));
        }
        assertEquals(Set.of(Deblock.FILTER, Cdef.FILTER), expected(deblocking));
        List<FilterParameters> shrinking = new ArrayList<>();
        for (StrengthTier tier : StrengthTier.ALL) {
            shrinking.add(FilterParameters.cdef(cdef(tier))
                    .withShrinkage(new ShrinkageParameters(4, tier.shrinkage(), tier.shrinkage(), 10)));
        }
        assertEquals(Set.of(Shrink.FILTER), expected(shrinking), "only drawings need CDEF, too");
    }

    private static CdefParameters cdef(StrengthTier tier) {
        return CdefParameters.uniform(tier.damping(), new CdefStrength(tier.primary(), tier.secondary(), 0, 0));
    }

    /** The kernels that are in vectors once a context was told to expect these tiers. */
    private static Set<RowFilter> expected(List<FilterParameters> tiers) throws InterruptedException {
        VectorUse vectors = VectorUse.onceWarmWithoutDelay(record());
        try (CpuFilterContext context = new CpuFilterContext(2, "because", vectors)) {
            context.expect(FORMAT, PicturePlan.automatic(new StrengthLadder(tiers)));
            context.warmUp().await();
            return Row.FILTERS.stream().filter(kernel -> inUse(vectors, kernel)).collect(Collectors.toSet());
        }
    }

    @Test
    void aPictureIsRehearsedOnce() throws InterruptedException {
        PictureLayout layout = PictureLayout.packed(FORMAT, 200, 120, 32);
        VectorUse vectors = VectorUse.onceWarmWithoutDelay(record());
        try (CpuFilterContext context = new CpuFilterContext(2, "because", vectors);
                MappedPicture later = new MappedPicture(layout, new Random(8))) {
            context.expect(FORMAT, ALL);
            try (MappedPicture picture = new MappedPicture(layout, new Random(7))) {
                context.rehearse(picture, ALL);
            }
            assertTrue(context.isWarmingUp());
            context.warmUp().await();
            assertFalse(context.isWarmingUp());
            assertTrue(context.warmUpNanos() > 0);
            context.rehearse(later, ALL);
            assertFalse(context.isWarmingUp(), "a second picture is rehearsed");
        }
    }

    @Test
    void closingEndsARehearsal() throws InterruptedException {
        PictureLayout layout = PictureLayout.packed(FORMAT, 200, 120, 32);
        CpuFilterContext context = new CpuFilterContext(2, "because", VectorUse.onceWarmWithoutDelay(record()));
        try (context;
                MappedPicture picture = new MappedPicture(layout, new Random(7))) {
            context.rehearse(picture, ALL);
            assertTrue(context.isWarmingUp());
        }
        context.warmUp().await();
        assertFalse(context.isWarmingUp());
    }

    @Test
    void theFormIsNotTriedThatLostBefore() throws InterruptedException {
        KernelRecord record = record();
        record.add(Cdef.FILTER, FORMAT, KernelRecord.Winner.PLAIN);
        VectorUse vectors = VectorUse.onceWarmWithoutDelay(record);
        try (CpuFilterContext context = new CpuFilterContext(1, "because", vectors)) {
            context.expect(FORMAT, PicturePlan.fixed(BOTH));
            context.warmUp().await();
            assertFalse(inUse(vectors, Cdef.FILTER));
            assertTrue(inUse(vectors, Deblock.FILTER));
            assertTrue(context.warmUpNanos() > 0, "the plain form was not made ready");
        }
    }

    @Test
    void closingEndsTheThreadsInTheMiddleOfATrial() throws InterruptedException {
        List<Thread> threads;
        CpuFilterContext context = new CpuFilterContext(1, "because", VectorUse.onceWarmWithoutDelay(record()));
        try (context) {
            context.expect(PixelFormat.I420, ALL);
            context.expect(PixelFormat.NV12, ALL);
            threads = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("qpu-cpu-warm-up"))
                    .toList();
            assertFalse(threads.isEmpty());
        }
        assertEquals(0, context.warmUpNanos());
        for (Thread thread : threads) {
            thread.join(TimeUnit.MINUTES.toMillis(10));
            assertEquals(Thread.State.TERMINATED, thread.getState());
        }
        context.expect(PixelFormat.I420, ALL);
        assertEquals(0, context.warmUpNanos());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aPictureWaitsForTheCompilerUnlessItIsAwaited() throws InterruptedException {
        CountDownLatch trialMayEnd = new CountDownLatch(1);
        AtomicBoolean known = new AtomicBoolean();
        KernelRecord record = new KernelRecord("conditions\n", Optional.empty(), () -> {
            if (known.get()) {
                await(trialMayEnd);
            }
            return Instant.EPOCH;
        });
        record.add(Deblock.FILTER, FORMAT, KernelRecord.Winner.PLAIN);
        known.set(true);
        VectorUse vectors = VectorUse.onceWarmWithoutDelay(record);
        PicturePlan plan =
                PicturePlan.fixed(FilterParameters.deblocking(H264DeblockParameters.intra(36, 0, 0, 0, 0, false)));
        PictureLayout layout = PictureLayout.packed(FORMAT, 64, 64, 32);
        Random random = new Random(8);
        try (CpuFilterContext context = new CpuFilterContext(1, "because", vectors);
                MappedPicture source = new MappedPicture(layout, random);
                MappedPicture destination = new MappedPicture(layout, random);
                PictureFilter filter = context.newPictureFilter(FORMAT, 64, 64)) {
            context.expect(FORMAT, plan);
            filter.filter(source, destination, plan);
            Thread streaming = Thread.currentThread();
            AtomicBoolean waited = new AtomicBoolean();
            Thread watch = new Thread(() -> {
                while (!waited.get() && trialMayEnd.getCount() > 0) {
                    waited.set(streaming.getState() == Thread.State.TIMED_WAITING);
                    Thread.onSpinWait();
                }
                trialMayEnd.countDown();
            });
            watch.setDaemon(true);
            watch.start();
            filter.filter(source, destination, plan.promptly(true));
            assertFalse(waited.get(), "an awaited picture waited");
            assertTrue(context.warmUp().isOnTrial());
            filter.filter(source, destination, plan);
            trialMayEnd.countDown();
            watch.join();
            assertTrue(waited.get(), "the picture did not wait");
        }
    }

    @Test
    void whatIsFasterButAllocatesDoesNotWin() {
        LongSupplier allocatedBytes = WarmUp.allocationCounter();
        byte[][] kept = new byte[1][];
        Runnable slow = () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        Runnable littering = () -> kept[0] = new byte[16];
        Runnable clean = () -> kept[0] = null;
        for (int i = 0; i < 3; i++) {
            assertFalse(WarmUp.wins(littering, WarmUp.bestNanos(slow), allocatedBytes));
            assertFalse(WarmUp.wins(slow, WarmUp.bestNanos(clean), allocatedBytes));
        }
        assertTrue(WarmUp.wins(clean, WarmUp.bestNanos(slow), allocatedBytes));
    }

    @Test
    void outcomesAreKeptForTheSameConditionsAlone(@TempDir Path folder) {
        Optional<CacheFile> file = Optional.of(new CacheFile(folder, "kernels.txt"));
        new KernelRecord("java 17\n", file, InstantSource.system())
                .add(Cdef.FILTER, FORMAT, KernelRecord.Winner.VECTOR);
        KernelRecord same = new KernelRecord("java 17\n", file, InstantSource.system());
        assertEquals(Optional.of(KernelRecord.Winner.VECTOR), same.find(Cdef.FILTER, FORMAT));
        assertEquals(Optional.empty(), same.find(Cdef.FILTER, PixelFormat.NV12));
        assertEquals(Optional.empty(), same.find(Deblock.FILTER, FORMAT));
        KernelRecord other = new KernelRecord("java 21\n", file, InstantSource.system());
        assertEquals(Optional.empty(), other.find(Cdef.FILTER, FORMAT));
        file.orElseThrow().write("java 17\nCDEF\tGRAY8\tvector\tfast\n".getBytes(StandardCharsets.UTF_8));
        KernelRecord broken = new KernelRecord("java 17\n", file, InstantSource.system());
        assertEquals(Optional.empty(), broken.find(Cdef.FILTER, FORMAT));
    }

    @Test
    void aLossCountsForSomeTimeAndAWinForGood(@TempDir Path folder) {
        Optional<CacheFile> file = Optional.of(new CacheFile(folder, "kernels.txt"));
        Instant then = Instant.ofEpochSecond(1_800_000_000);
        KernelRecord record = new KernelRecord("java 17\n", file, () -> then);
        record.add(Cdef.FILTER, FORMAT, KernelRecord.Winner.PLAIN);
        record.add(Shrink.FILTER, FORMAT, KernelRecord.Winner.PLAIN);
        record.add(Shrink.FILTER, FORMAT, KernelRecord.Winner.VECTOR);
        record.add(Deblock.FILTER, FORMAT, KernelRecord.Winner.VECTOR);
        record.add(Deblock.FILTER, FORMAT, KernelRecord.Winner.PLAIN);
        Duration[] ages = {
            Duration.ZERO, KernelRecord.LOSS_COUNTS.minusSeconds(1), KernelRecord.LOSS_COUNTS, Duration.ofSeconds(-1)
        };
        for (Duration age : ages) {
            KernelRecord later = new KernelRecord("java 17\n", file, () -> then.plus(age));
            boolean counts = !age.isNegative() && age.compareTo(KernelRecord.LOSS_COUNTS) < 0;
            assertEquals(
                    counts ? Optional.of(KernelRecord.Winner.PLAIN) : Optional.empty(),
                    later.find(Cdef.FILTER, FORMAT),
                    () -> "after " + age);
            for (RowFilter won : List.of(Shrink.FILTER, Deblock.FILTER)) {
                assertEquals(Optional.of(KernelRecord.Winner.VECTOR), later.find(won, FORMAT), () -> "after " + age);
            }
        }
    }
}
