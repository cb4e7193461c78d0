/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceCounters;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.plugin.FakeHost.Buffer;
import org.gstqpu.plugin.FakeHost.BufferKind;
import org.gstqpu.plugin.FakeHost.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The CPU takes the place of a device that fails. The devices here are made up: they filter as the CPU does when a picture is
 * finished, fail in all ways, and then leave garbage in the results of all pictures that they had begun.
 */
final class TakeoverTest {
    private static final int WIDTH = 48;
    private static final int HEIGHT = 32;
    private static final String CAPS = FakeHost.caps("I420", WIDTH, HEIGHT);
    private static final int PICTURES = 10_000;
    private static final int LOSSES = 200;
    private static final int[] QPS = {24, 32, 40, 48};
    private static final int SEEDS = 6;

    private enum Fault {
        REFUSED_MEMORY,
        LOST_AT_BEGIN,
        LOST_AT_POLL,
        LOST_AT_WAIT,
        HANGS
    }

    /** A device that fails in one way after some pictures. */
    private final class FakeDevice {
        private final Fault fault;

        /** Pictures that it takes before the one with which it fails. */
        private long good;

        /** Whether its pictures may go on before they are done. */
        private boolean passesOn;

        private final List<PictureFilter> makers = new ArrayList<>();
        private final Map<Long, Runnable> underWay = new HashMap<>();
        private final Map<Long, Picture> results = new HashMap<>();
        private long begun;
        private boolean failed;

        FakeDevice(Fault fault, long good) {
            this.fault = fault;
            this.good = good;
        }

        /** The device works once more, for so many pictures. */
        void repair(long pictures) {
            failed = false;
            underWay.clear();
            good = begun + pictures;
        }

        FilterContext context() {
            opened++;
            return fake(FilterContext.class, (name, arguments) -> switch (name) {
                case "substrate" -> Substrate.QPU;
                case "deviceName", "reason" -> "made up";
                case "newPictureFilter" -> {
                    PictureFilter maker =
                            cpu.newPictureFilter((PixelFormat) arguments[0], (int) arguments[1], (int) arguments[2]);
                    makers.add(maker);
                    yield fake(PictureFilter.class, (call, values) -> filter(maker, call));
                }
                case "importHost" -> Optional.empty();
                case "counters" -> DeviceCounters.NONE;
                case "importsDmabufs", "timesPictures" -> false;
                case "hurry" -> {
                    hurried.add((boolean) arguments[0]);
                    yield null;
                }
                case "close" -> {
                    closed++;
                    makers.forEach(PictureFilter::close);
                    yield null;
                }
                default -> 0L;
            });
        }

        private Object filter(PictureFilter maker, String name) {
            return switch (name) {
                case "newRun" -> {
                    long[] picture = {0};
                    yield fake(PictureRun.class, (call, values) -> run(maker, picture, call, values));
                }
                case "forgetPast" -> null;
                case "estimate" -> Optional.empty();
                case "fusion" -> FusionCounts.NONE;
                case "close" -> null;
                default -> throw new AssertionError(name);
            };
        }

        private Object run(PictureFilter maker, long[] picture, String name, Object... arguments) {
            return switch (name) {
                case "begin" -> {
                    if (begun == good && fault == Fault.REFUSED_MEMORY) {
                        throw fail(DeviceFailure.OUT_OF_MEMORY);
                    }
                    if (begun == good && fault == Fault.LOST_AT_BEGIN) {
                        throw fail(DeviceFailure.LOST);
                    }
                    begun++;
                    Picture destination = (Picture) arguments[1];
                    underWay.put(
                            begun, () -> maker.filter((Picture) arguments[0], destination, (PicturePlan) arguments[2]));
                    results.put(begun, destination);
                    picture[0] = begun;
                    yield true;
                }
                case "isDone" -> {
                    if (picture[0] == good + 1 && fault == Fault.LOST_AT_POLL && !failed) {
                        throw fail(DeviceFailure.LOST);
                    }
                    yield !underWay.containsKey(picture[0]);
                }
                case "finish" -> {
                    finish(picture[0]);
                    yield null;
                }
                case "isHandedOver" -> passesOn;
                default -> throw new AssertionError(name);
            };
        }

        private void finish(long picture) {
            if (failed) {
                // As Vulkan allows it: a lost device may say that work is done that it has not done.
                if (fault != Fault.HANGS) {
                    underWay.remove(picture);
                } else if (underWay.containsKey(picture)) {
                    throw new DeviceException(DeviceFailure.TIMED_OUT, "hangs");
                }
                return;
            }
            if (picture == good + 1 && fault == Fault.LOST_AT_WAIT) {
                throw fail(DeviceFailure.LOST);
            }
            if (picture == good + 1 && fault == Fault.HANGS) {
                throw fail(DeviceFailure.TIMED_OUT);
            }
            Runnable work = underWay.remove(picture);
            if (work != null) {
                work.run();
            }
        }

        private DeviceException fail(DeviceFailure kind) {
            failed = true;
            faults++;
            for (long picture : underWay.keySet()) {
                // Half of the luma rows, as if the device had got that far.
                Picture result = results.get(picture);
                long address = ((HostMemory) result.memory()).address()
                        + result.layout().offsetBytes(0);
                for (int row = 0; row < HEIGHT / 2; row++) {
                    new com.sun.jna.Pointer(
                                    address + (long) row * result.layout().strideBytes(0))
                            .setMemory(0, WIDTH, (byte) row);
                }
            }
            if (fault != Fault.HANGS) {
                if (fault != Fault.LOST_AT_WAIT && fault != Fault.LOST_AT_POLL) {
                    underWay.clear();
                }
            }
            return new DeviceException(kind, kind + " by " + fault);
        }
    }

    /** Stands in for every method of a fake. */
    @FunctionalInterface
    private interface Behaviour {
        Object of(String method, Object... arguments);
    }

    private static <T> T fake(Class<T> type, Behaviour behaviour) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> behaviour.of(method.getName(), arguments)));
    }

    /** A picture that has begun, as C keeps it. */
    private record UnderWay(Buffer in, Buffer out, int place, boolean done, int seed, int qp) {}

    private final Values values = new Values();
    private final List<String> warnings = new ArrayList<>();
    private final List<String> infos = new ArrayList<>();
    private final Deque<UnderWay> underWay = new ArrayDeque<>();
    private final Map<Integer, List<ByteBuffer>> expected = new HashMap<>();
    private final Deque<FakeDevice> devices = new ArrayDeque<>();
    private final List<Boolean> hurried = new ArrayList<>();
    private FilterContext cpu;
    private LoopFilterElement element;
    private int opened;
    private int closed;
    private int faults;
    private int right;

    @BeforeAll
    static void boot() throws IOException, InterruptedException {
        FakeHost.boot();
    }

    @BeforeEach
    void openCpu() throws SubstrateUnavailableException, ElementException {
        cpu = Substrates.open(SubstrateRequest.of(Substrate.CPU).withThreads(1));
        values.set(ElementProperty.THREADS, 1)
                .set(ElementProperty.SUBSTRATE, 0)
                .set(ElementProperty.CDEF, 0)
                .set(ElementProperty.QP, QPS[0]);
    }

    @AfterEach
    void close() {
        if (element != null) {
            element.close();
        }
        cpu.close();
        values.close();
    }

    private FilterContext openNext(SubstrateRequest request) throws SubstrateUnavailableException {
        if (request.substrate() == Substrate.CPU) {
            return Substrates.open(request);
        }
        if (devices.isEmpty()) {
            throw new SubstrateUnavailableException("there is no device left");
        }
        return devices.removeFirst().context();
    }

    private LoopFilterElement open(ServingSubstrate.Opener opener, Executor retries) throws ElementException {
        ElementHost host = fake(ElementHost.class, (name, arguments) -> switch (name) {
            case "logs" -> false;
            case "warning" -> warnings.add((String) arguments[1]);
            case "info" -> infos.add((String) arguments[1]);
            default -> null;
        });
        LoopFilterElement made =
                LoopFilterElement.open(host, values.view(), Optional.empty(), opener, new MemoryWatch(), retries);
        FakeHost.withCaps(CAPS, caps -> made.setCaps(caps, false, DmabufFrame.WHOLE_ROWS, DmabufFrame.WHOLE_ROWS));
        return made;
    }

    private void open() throws ElementException {
        element = open(this::openNext, Runnable::run);
    }

    /** What the CPU makes of a picture. */
    private List<ByteBuffer> expected(int seed, int qp) throws ElementException {
        int key = seed * 100 + qp;
        if (!expected.containsKey(key)) {
            int before = values.view().get(ElementProperty.QP);
            values.set(ElementProperty.QP, qp);
            try (LoopFilterElement alone =
                            open(request -> Substrates.open(SubstrateRequest.of(Substrate.CPU)), Runnable::run);
                    Buffer in = Buffer.of(CAPS, BufferKind.PACKED, seed);
                    Buffer out = Buffer.of(CAPS, BufferKind.PACKED, -1)) {
                assertEquals(Flow.FILTERED, alone.begin(0, in.address(), out.address(), DegradeControl.NO_TIME));
                expected.put(key, List.of(out.plane(0), out.plane(1), out.plane(2)));
            }
            values.set(ElementProperty.QP, before);
        }
        return expected.get(key);
    }

    /** Pushes a picture, as C does with this depth. */
    private void push(int seed, int depth) throws ElementException {
        if (begin(seed) == Flow.FILTERED || underWay.size() >= depth) {
            finishFirst();
        }
    }

    private int begin(int seed) throws ElementException {
        int qp = values.view().get(ElementProperty.QP);
        Buffer in = Buffer.of(CAPS, BufferKind.PACKED, seed);
        Buffer out = Buffer.of(CAPS, BufferKind.PACKED, -1);
        int place = IntStream.range(0, ElementProperty.MAX_QUEUE_DEPTH)
                .filter(free -> underWay.stream().noneMatch(other -> other.place() == free))
                .findFirst()
                .orElseThrow();
        int result = element.begin(place, in.address(), out.address(), DegradeControl.NO_TIME);
        assertTrue(result == Flow.FILTERED || result == Flow.PENDING || result == Flow.HANDED_OVER, "result " + result);
        underWay.addLast(new UnderWay(in, out, place, result == Flow.FILTERED, seed, qp));
        return result;
    }

    /** Finishes the first picture, which has no result, as C does: its buffers are freed whatever finish says. */
    private int finishLost() throws ElementException {
        UnderWay first = underWay.removeFirst();
        try {
            return element.finish(first.place(), true);
        } finally {
            first.in().close();
            first.out().close();
        }
    }

    private void finishFirst() throws ElementException {
        UnderWay first = underWay.removeFirst();
        // The input stays until the picture is finished.
        try (Buffer out = first.out()) {
            if (!first.done()) {
                assertEquals(Flow.FILTERED, element.finish(first.place(), true));
            }
            first.in().close();
            List<ByteBuffer> wanted = expected(first.seed(), first.qp());
            for (int plane = 0; plane < wanted.size(); plane++) {
                assertEquals(wanted.get(plane), out.plane(plane), "picture " + right + ", plane " + plane);
            }
            right++;
        }
    }

    private void drain() throws ElementException {
        while (!underWay.isEmpty()) {
            finishFirst();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void noPictureIsLostOrWrongThoughTheDeviceFailsTwoHundredTimes(int depth) throws ElementException {
        long seed = Long.getLong("gstqpu.seed", "all".equals(System.getenv("GST_QPU_TESTS")) ? System.nanoTime() : 1);
        System.out.println("TakeoverTest: -Dgstqpu.seed=" + seed);
        Random random = new Random(seed);
        Fault[] faultsOnce = {Fault.REFUSED_MEMORY, Fault.LOST_AT_BEGIN, Fault.LOST_AT_POLL, Fault.LOST_AT_WAIT};
        for (int i = 0; i < LOSSES; i++) {
            // It has served long enough to be tried again soon.
            devices.add(new FakeDevice(
                    faultsOnce[random.nextInt(faultsOnce.length)],
                    ServingSubstrate.FIRST_WAIT + depth + random.nextInt(12)));
        }
        devices.add(new FakeDevice(Fault.LOST_AT_WAIT, Long.MAX_VALUE - 1));
        open();
        for (int i = 0; i < PICTURES; i++) {
            if (i % 7 == 0) {
                // A picture that is done again has the settings with which it began.
                values.set(ElementProperty.QP, QPS[random.nextInt(QPS.length)]);
                element.propertyChanged();
            }
            push(random.nextInt(SEEDS), depth);
        }
        drain();
        assertEquals(PICTURES, right);
        assertEquals(LOSSES, faults);
        assertEquals(LOSSES + 1, opened);
        assertEquals(LOSSES, closed);
        assertEquals(LOSSES, warnings.size());
        assertEquals(LOSSES, infos.size(), "each device after the first was said to serve again");
    }

    @Test
    void picturesUnderWayAreDoneAgainAndTheUserIsTold() throws ElementException {
        devices.add(new FakeDevice(Fault.LOST_AT_WAIT, 1));
        open();
        for (int i = 0; i < 5; i++) {
            push(i, 4);
        }
        drain();
        assertEquals(5, right);
        assertEquals(
                List.of(
                        "made up failed: LOST by LOST_AT_WAIT. The CPU filters in its place, and does the 4 pictures under way again; the"
                                + " device is tried again after 16 pictures"),
                warnings);
        assertEquals(1, closed);
    }

    @Test
    void aTakeoverThatFailsIsToldOnceAndLosesItsPicturesOnly() throws ElementException {
        boolean[] withoutCpu = {true};
        FakeDevice device = new FakeDevice(Fault.LOST_AT_WAIT, 1);
        devices.add(device);
        element = open(
                request -> {
                    if (request.substrate() == Substrate.CPU && withoutCpu[0]) {
                        throw new SubstrateUnavailableException("no CPU today");
                    }
                    return openNext(request);
                },
                Runnable::run);
        for (int i = 0; i < 4; i++) {
            begin(i);
        }
        finishFirst();
        DeviceException failure = assertThrows(DeviceException.class, this::finishLost);
        assertEquals("no CPU today", failure.getSuppressed()[0].getMessage());
        for (int i = 0; i < 2; i++) {
            assertEquals(Flow.ERROR, finishLost(), "told already");
        }

        // The next stream, with the buffers of the last one gone.
        withoutCpu[0] = false;
        device.repair(1);
        element.stop();
        FakeHost.withCaps(CAPS, caps -> element.setCaps(caps, false, DmabufFrame.WHOLE_ROWS, DmabufFrame.WHOLE_ROWS));
        for (int i = 0; i < 6; i++) {
            push(i % SEEDS, 4);
        }
        drain();
        assertEquals(7, right);
        assertTrue(warnings.get(0).contains("does the 4 pictures under way again"), warnings.get(0));
    }

    @Test
    void aPictureThatCannotBeDoneAgainIsAnErrorAndThoseAfterItAreLost() throws ElementException {
        devices.add(new FakeDevice(Fault.LOST_AT_WAIT, 0));
        open();
        for (int i = 0; i < 4; i++) {
            begin(i);
        }
        FakeHost.gst_buffer_remove_all_memory(
                underWay.stream().skip(2).findFirst().orElseThrow().in().address());
        ElementException failure = assertThrows(ElementException.class, this::finishLost);
        assertTrue(
                failure.getMessage().startsWith("A picture of a device that failed cannot be filtered by the CPU: "));
        finishFirst();
        assertEquals(Flow.ERROR, finishLost());
        assertEquals(Flow.ERROR, finishLost());
        for (int i = 0; i < 6; i++) {
            push(i, 4);
        }
        assertEquals(7, right);
        assertEquals(1, warnings.size());
    }

    /** A device that was asked for by name: all its pictures fail with it. */
    @ParameterizedTest
    @EnumSource(names = {"LOST_AT_WAIT", "HANGS"})
    void aFailureIsThrownForOneOfThePicturesUnderWay(Fault fault) throws ElementException {
        values.set(ElementProperty.SUBSTRATE, 2);
        devices.add(new FakeDevice(fault, 0));
        open();
        for (int i = 0; i < 4; i++) {
            begin(i);
        }
        assertThrows(DeviceException.class, this::finishLost);
        for (int i = 0; i < 3; i++) {
            assertEquals(Flow.ERROR, finishLost());
        }
    }

    @Test
    void aPictureThatBeginsAfterAFailureTakesNoPlaceOfThoseThatFailed() throws ElementException {
        values.set(ElementProperty.SUBSTRATE, 2);
        devices.add(new FakeDevice(Fault.HANGS, 1));
        open();
        for (int i = 0; i < 3; i++) {
            begin(i);
        }
        finishFirst();
        // In the first place, before those of the older pictures.
        begin(3);
        assertThrows(DeviceException.class, this::finishLost);
        begin(4);
        for (int i = 0; i < 2; i++) {
            assertEquals(Flow.ERROR, finishLost());
        }
        assertThrows(DeviceException.class, this::finishLost);
    }

    /** What is downstream cannot be done again, and is not asked for again. */
    @Test
    void picturesThatWerePassedOnAreCountedInTheWarning() throws ElementException {
        FakeDevice device = new FakeDevice(Fault.LOST_AT_WAIT, 1);
        device.passesOn = true;
        devices.add(device);
        open();
        for (int i = 0; i < 4; i++) {
            assertEquals(Flow.HANDED_OVER, begin(i));
        }
        for (int i = 0; i < 4; i++) {
            assertEquals(Flow.FILTERED, finishLost());
        }
        assertEquals(
                List.of(
                        "made up failed: LOST by LOST_AT_WAIT. The CPU filters in its place; pictures that were passed on before and"
                                + " may be damaged: 3; the device is tried again after 16 pictures"),
                warnings);
        assertEquals(Flow.FILTERED, begin(4));
        finishFirst();
    }

    @Test
    void aDeviceThatDoesNotComeBackIsTriedMoreAndMoreSeldom() throws ElementException {
        List<Integer> tries = new ArrayList<>();
        devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 0));
        element = open(
                request -> {
                    if (request.substrate() != Substrate.CPU && opened > 0) {
                        tries.add(right);
                    }
                    return openNext(request);
                },
                Runnable::run);
        for (int i = 0; i < 300; i++) {
            push(i % SEEDS, 1);
        }
        // The first picture is the one that failed; then 16 pictures, 32, 64, 128.
        assertEquals(List.of(16, 48, 112, 240), tries);
        assertEquals(300, right);
        assertEquals(1, warnings.size());
        assertEquals(List.of(), infos);
    }

    /** Where a limit of the process or of the user is reached, a try of the device must not end the stream. */
    @Test
    void aTryThatFailsWithAnErrorIsATryThatFails() throws ElementException {
        devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 0));
        devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 100));
        int[] tries = {0};
        int[] threads = {0};
        element = open(
                request -> {
                    if (request.substrate() != Substrate.CPU && opened > 0 && tries[0]++ == 0) {
                        throw new NoClassDefFoundError("too many files are open");
                    }
                    return openNext(request);
                },
                task -> {
                    if (threads[0]++ == 1) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                });
        for (int i = 0; i < 200; i++) {
            push(i % SEEDS, 1);
        }
        assertEquals(200, right);
        assertEquals(3, threads[0]);
        assertEquals(2, tries[0], "the second failed for want of a thread");
        assertEquals(1, infos.size(), "the third was good");
    }

    @Test
    void aDeviceThatFailsAtItsFirstPictureAgainIsNoNews() throws ElementException {
        for (int i = 0; i < 3; i++) {
            devices.add(new FakeDevice(Fault.LOST_AT_WAIT, 0));
        }
        open();
        for (int i = 0; i < 120; i++) {
            push(i % SEEDS, 1);
        }
        assertEquals(3, faults);
        assertEquals(1, warnings.size(), warnings.toString());
        assertEquals(List.of(), infos);
        assertEquals(120, right);
    }

    /** What the device still may write to is no picture's any more, and the device gets no fourth chance. */
    @Test
    void aDeviceThatHangsKeepsTheBuffersAndThePicturesGetOthers() throws ElementException {
        for (int i = 0; i < ServingSubstrate.MOST_HANGS + 1; i++) {
            devices.add(new FakeDevice(Fault.HANGS, 2));
        }
        open();
        for (int i = 0; i < 2; i++) {
            push(i, 4);
        }
        drain();
        try (Buffer in = Buffer.of(CAPS, BufferKind.PACKED, 5);
                Buffer out = Buffer.of(CAPS, BufferKind.PACKED, -1)) {
            long memory = GstVideoLibrary.gst_buffer_peek_memory(out.address(), 0);
            element.begin(0, in.address(), out.address(), DegradeControl.NO_TIME);
            assertEquals(Flow.FILTERED, element.finish(0, true));
            assertNotEquals(memory, GstVideoLibrary.gst_buffer_peek_memory(out.address(), 0));
            assertEquals(expected(5, QPS[0]).get(0), out.plane(0));
            assertEquals(2, FakeHost.fake_references(in.address()), "this test's and the one that nobody gives back");
            assertEquals(1, FakeHost.fake_references(out.address()));
        }
        for (int i = 0; i < 400; i++) {
            push(i % SEEDS, 4);
        }
        drain();
        assertEquals(402, right);
        assertEquals(ServingSubstrate.MOST_HANGS, faults);
        assertEquals(1, devices.size());
        assertTrue(warnings.get(2).endsWith("the device is not tried again before the element is opened anew"));
    }

    @Test
    void aDeviceThatIsOpenedSlowlyHoldsNobodyUp() throws ElementException {
        List<Runnable> tasks = new ArrayList<>();
        devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 0));
        devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 100));
        devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 100));
        element = open(this::openNext, tasks::add);
        for (int i = 0; i < 40; i++) {
            push(i % SEEDS, 1);
        }
        assertEquals(1, tasks.size());
        assertEquals(1, opened);
        tasks.remove(0).run();
        push(0, 1);
        assertEquals(1, infos.size());
        assertEquals(41, right);
    }

    @Test
    void aDeviceIsHurriedFromTheEndOfAStreamToTheNextOne() throws ElementException {
        devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 0));
        devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 100));
        open();
        element.start();
        element.hurry();
        assertEquals(List.of(false, true), hurried);
        for (int i = 0; i < 20; i++) {
            push(i % SEEDS, 1);
        }
        assertEquals(List.of(false, true, true), hurried, "also the device that came back");
        element.start();
        assertEquals(List.of(false, true, true, false), hurried);
    }

    @Test
    void aDeviceThatComesBackAfterTheElementWasClosedIsClosed() throws ElementException {
        List<Runnable> tasks = new ArrayList<>();
        devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 0));
        devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 0));
        element = open(this::openNext, tasks::add);
        for (int i = 0; i < 40; i++) {
            push(i % SEEDS, 1);
        }
        element.close();
        assertEquals(1, closed);
        tasks.remove(0).run();
        assertEquals(2, opened);
        assertEquals(2, closed);
    }

    @Test
    void aDeviceThatWasAskedForByNameIsNotReplaced() throws ElementException {
        for (int[] choice : new int[][] {{2, 0}, {2, 1}, {0, 1}}) {
            values.set(ElementProperty.SUBSTRATE, choice[0]).set(ElementProperty.ON_DEVICE_FAILURE, choice[1]);
            devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 1));
            open();
            push(0, 1);
            DeviceException failure = assertThrows(DeviceException.class, () -> push(1, 1));
            assertEquals("LOST by LOST_AT_BEGIN", failure.getMessage());
            assertEquals(List.of(), warnings);
            element.close();
        }
    }

    @Test
    void itIsReplacedIfThatWasAskedFor() throws ElementException {
        values.set(ElementProperty.SUBSTRATE, 2).set(ElementProperty.ON_DEVICE_FAILURE, 2);
        devices.add(new FakeDevice(Fault.LOST_AT_BEGIN, 1));
        open();
        push(0, 1);
        push(1, 1);
        assertEquals(2, right);
        assertEquals(1, warnings.size());
        assertFalse(infos.contains("made up"));
    }
}
