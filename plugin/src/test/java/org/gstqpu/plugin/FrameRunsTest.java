/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.substrate.DeviceCounters;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.plugin.FakeHost.Buffer;
import org.gstqpu.plugin.FakeHost.BufferKind;
import org.gstqpu.plugin.FakeHost.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tickets of pictures, and what becomes of pictures that fail. */
final class FrameRunsTest {
    private static final String CAPS = FakeHost.caps("NV12", 64, 64);
    private static final long NEVER = -1;

    /** A device that refuses one picture, fails one picture, and is done with a picture only once the picture is finished. */
    private static final class FakeDevice {
        private final List<Long> finished = new ArrayList<>();
        private long begun;
        private int closedFilters;

        /** The picture that cannot begin. */
        private long refused = NEVER;

        /** The picture that begins, and fails when it is finished. */
        private long failing = NEVER;

        /** The picture that begins and never ends. */
        private long hanging = NEVER;

        FilterContext context() {
            return fake(FilterContext.class, (name, arguments) -> switch (name) {
                case "substrate" -> Substrate.QPU;
                case "deviceName", "reason" -> "fake";
                case "newPictureFilter" -> fake(PictureFilter.class, (call, values) -> filter(call));
                case "importHost" -> Optional.empty();
                case "counters" -> DeviceCounters.NONE;
                case "importsDmabufs", "timesPictures" -> false;
                case "close" -> null;
                default -> throw new AssertionError(name);
            });
        }

        private Object filter(String name) {
            return switch (name) {
                case "newRun" -> {
                    long[] picture = {0};
                    yield fake(PictureRun.class, (call, values) -> run(picture, call));
                }
                case "forgetPast" -> null;
                case "estimate" -> Optional.empty();
                case "fusion" -> FusionCounts.NONE;
                case "close" -> {
                    closedFilters++;
                    yield null;
                }
                default -> throw new AssertionError(name);
            };
        }

        private Object run(long[] picture, String name) {
            return switch (name) {
                case "begin" -> {
                    if (begun + 1 == refused) {
                        throw new DeviceException(DeviceFailure.OUT_OF_MEMORY, "refused");
                    }
                    begun++;
                    picture[0] = begun;
                    yield true;
                }
                case "isDone" -> isOver(picture[0]);
                case "finish" -> {
                    if (picture[0] == hanging) {
                        throw new DeviceException(DeviceFailure.TIMED_OUT, "hung");
                    }
                    if (picture[0] == failing) {
                        throw new DeviceException(DeviceFailure.OUT_OF_MEMORY, "failed");
                    }
                    if (!isOver(picture[0])) {
                        finished.add(picture[0]);
                    }
                    yield null;
                }
                case "isHandedOver" -> false;
                default -> throw new AssertionError(name);
            };
        }

        private boolean isOver(long picture) {
            return picture == 0 || picture == failing || finished.contains(picture);
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

    private final FakeDevice device = new FakeDevice();
    private final Values values = new Values();
    private LoopFilterElement element;

    @BeforeAll
    static void boot() throws IOException, InterruptedException {
        FakeHost.boot();
    }

    @BeforeEach
    void open() throws ElementException {
        ElementHost host = fake(ElementHost.class, (name, arguments) -> name.equals("logs") ? (Object) false : null);
        values.set(ElementProperty.SUBSTRATE, 2);
        element = LoopFilterElement.open(
                host, values.view(), Optional.empty(), request -> device.context(), new MemoryWatch(), Runnable::run);
        FakeHost.withCaps(CAPS, caps -> element.setCaps(caps, false, DmabufFrame.WHOLE_ROWS, DmabufFrame.WHOLE_ROWS));
    }

    @AfterEach
    void close() {
        element.close();
        values.close();
    }

    @Test
    void aPictureIsUnderWayUntilItIsFinished() throws ElementException {
        try (Buffer in = Buffer.of(CAPS, BufferKind.PACKED, 1);
                Buffer out = Buffer.of(CAPS, BufferKind.PACKED, -1)) {
            assertEquals(Flow.PENDING, element.begin(0, in.address(), out.address(), DegradeControl.NO_TIME));
            assertEquals(Flow.PENDING, element.finish(0, false));
            assertEquals(Flow.FILTERED, element.finish(0, true));
            assertEquals(List.of(1L), device.finished);
            assertEquals(Flow.ERROR, element.finish(0, true), "no picture is under way there");
            assertEquals(List.of(1L), device.finished);
        }
    }

    @Test
    void thePicturesAreAwaitedAndTheFilterIsClosedThoughOneOfThemFails() throws ElementException {
        device.failing = 1;
        try (Buffer in = Buffer.of(CAPS, BufferKind.PACKED, 1);
                Buffer out = Buffer.of(CAPS, BufferKind.PACKED, -1);
                Buffer nextIn = Buffer.of(CAPS, BufferKind.PACKED, 2);
                Buffer nextOut = Buffer.of(CAPS, BufferKind.PACKED, -1)) {
            element.begin(0, in.address(), out.address(), DegradeControl.NO_TIME);
            element.begin(1, nextIn.address(), nextOut.address(), DegradeControl.NO_TIME);
            assertThrows(DeviceException.class, element::stop);
            assertEquals(List.of(2L), device.finished);
            assertEquals(1, device.closedFilters);
            assertEquals(Flow.ERROR, element.finish(0, true));
            assertEquals(Flow.FILTERED, element.finish(1, true));
            assertEquals(0, FakeHost.fake_is_mapped(in.address()));
        }
    }

    /** The device may write to the buffers until the process ends. */
    @Test
    void aPictureThatNeverEndsKeepsItsBuffersForEver() throws ElementException {
        device.hanging = 1;
        try (Buffer in = Buffer.of(CAPS, BufferKind.PACKED, 1);
                Buffer out = Buffer.of(CAPS, BufferKind.PACKED, -1)) {
            element.begin(0, in.address(), out.address(), DegradeControl.NO_TIME);
            assertThrows(DeviceException.class, () -> element.finish(0, true));
            assertEquals(1, FakeHost.fake_is_mapped(in.address()));
            assertEquals(2, FakeHost.fake_references(in.address()), "this test's and the one that nobody gives back");
            assertEquals(2, FakeHost.fake_references(out.address()));
            // The next picture has a place of its own.
            try (Buffer nextIn = Buffer.of(CAPS, BufferKind.PACKED, 2);
                    Buffer nextOut = Buffer.of(CAPS, BufferKind.PACKED, -1)) {
                element.begin(1, nextIn.address(), nextOut.address(), DegradeControl.NO_TIME);
                element.finish(1, true);
                assertEquals(1, FakeHost.fake_references(nextIn.address()));
            }
            element.close();
            assertEquals(1, FakeHost.fake_is_mapped(in.address()));
        }
    }

    @Test
    void aPictureThatFailsBeforeTheDeviceHasItIsNotUnderWay() throws ElementException {
        device.refused = 1;
        try (Buffer in = Buffer.of(CAPS, BufferKind.PACKED, 1);
                Buffer out = Buffer.of(CAPS, BufferKind.PACKED, -1)) {
            assertThrows(
                    DeviceException.class, () -> element.begin(0, in.address(), out.address(), DegradeControl.NO_TIME));
            assertEquals(Flow.ERROR, element.finish(0, true));
            assertEquals(0, FakeHost.fake_is_mapped(in.address()));
        }
    }
}
