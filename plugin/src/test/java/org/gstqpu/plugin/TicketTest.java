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
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.plugin.FakeHost.Buffer;
import org.gstqpu.plugin.FakeHost.BufferKind;
import org.gstqpu.plugin.FakeHost.Ticket;
import org.gstqpu.plugin.FakeHost.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tickets of pictures, and what becomes of pictures that fail. */
final class TicketTest {
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
                case "newPictureFilter" -> fake(PictureFilter.class, this::filter);
                case "importHost" -> Optional.empty();
                case "importsDmabufs", "timesPictures", "isWarmingUp" -> false;
                case "warmUpNanos" -> 0L;
                case "expect", "close" -> null;
                default -> throw new AssertionError(name);
            });
        }

        private Object filter(String name, Object... arguments) {
            return switch (name) {
                case "begin" -> {
                    if (begun + 1 == refused) {
                        throw new DeviceException(DeviceFailure.OUT_OF_MEMORY, "refused");
                    }
                    begun++;
                    yield begun;
                }
                case "isDone" -> isOver((long) arguments[0]);
                case "finish" -> {
                    if ((long) arguments[0] == hanging) {
                        throw new DeviceException(DeviceFailure.TIMED_OUT, "hung");
                    }
                    if ((long) arguments[0] == failing) {
                        throw new DeviceException(DeviceFailure.OUT_OF_MEMORY, "failed");
                    }
                    if (!isOver((long) arguments[0])) {
                        finished.add((long) arguments[0]);
                    }
                    yield null;
                }
                case "isHandedOver" -> false;
                case "estimate" -> Optional.empty();
                case "close" -> {
                    closedFilters++;
                    yield null;
                }
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
                Buffer out = Buffer.of(CAPS, BufferKind.PACKED, -1);
                Ticket ticket = new Ticket()) {
            assertEquals(
                    LoopFilterElement.PENDING,
                    element.begin(in.address(), out.address(), DegradeControl.NO_TIME, ticket.address()));
            assertEquals(LoopFilterElement.PENDING, element.finish(ticket.number(), false));
            assertEquals(LoopFilterElement.FILTERED, element.finish(ticket.number(), true));
            assertEquals(List.of(1L), device.finished);
            assertThrows(IllegalArgumentException.class, () -> element.finish(ticket.number(), true));
        }
    }

    @Test
    void thePicturesAreAwaitedAndTheFilterIsClosedThoughOneOfThemFails() throws ElementException {
        device.failing = 1;
        try (Buffer in = Buffer.of(CAPS, BufferKind.PACKED, 1);
                Buffer out = Buffer.of(CAPS, BufferKind.PACKED, -1);
                Buffer nextIn = Buffer.of(CAPS, BufferKind.PACKED, 2);
                Buffer nextOut = Buffer.of(CAPS, BufferKind.PACKED, -1);
                Ticket ticket = new Ticket();
                Ticket nextTicket = new Ticket()) {
            element.begin(in.address(), out.address(), DegradeControl.NO_TIME, ticket.address());
            element.begin(nextIn.address(), nextOut.address(), DegradeControl.NO_TIME, nextTicket.address());
            assertThrows(DeviceException.class, element::stop);
            assertEquals(List.of(2L), device.finished);
            assertEquals(1, device.closedFilters);
            assertEquals(LoopFilterElement.FLOW_ERROR, element.finish(ticket.number(), true));
            assertEquals(LoopFilterElement.FILTERED, element.finish(nextTicket.number(), true));
            assertEquals(0, FakeHost.fake_is_mapped(in.address()));
        }
    }

    /** The device may write to the buffers until the process ends. */
    @Test
    void aPictureThatNeverEndsKeepsItsBuffersForEver() throws ElementException {
        device.hanging = 1;
        try (Buffer in = Buffer.of(CAPS, BufferKind.PACKED, 1);
                Buffer out = Buffer.of(CAPS, BufferKind.PACKED, -1);
                Ticket ticket = new Ticket();
                Ticket nextTicket = new Ticket()) {
            element.begin(in.address(), out.address(), DegradeControl.NO_TIME, ticket.address());
            assertThrows(DeviceException.class, () -> element.finish(ticket.number(), true));
            assertEquals(1, FakeHost.fake_is_mapped(in.address()));
            assertEquals(2, FakeHost.fake_references(in.address()), "this test's and the one that nobody gives back");
            assertEquals(2, FakeHost.fake_references(out.address()));
            // The next picture has a place of its own.
            try (Buffer nextIn = Buffer.of(CAPS, BufferKind.PACKED, 2);
                    Buffer nextOut = Buffer.of(CAPS, BufferKind.PACKED, -1)) {
                element.begin(nextIn.address(), nextOut.address(), DegradeControl.NO_TIME, nextTicket.address());
                element.finish(nextTicket.number(), true);
                assertEquals(1, FakeHost.fake_references(nextIn.address()));
            }
            element.close();
            assertEquals(1, FakeHost.fake_is_mapped(in.address()));
        }
    }

    @Test
    void aPictureThatFailsBeforeTheDeviceHasItGetsNoTicket() {
        device.refused = 1;
        try (Buffer in = Buffer.of(CAPS, BufferKind.PACKED, 1);
                Buffer out = Buffer.of(CAPS, BufferKind.PACKED, -1);
                Ticket ticket = new Ticket()) {
            assertThrows(
                    DeviceException.class,
                    () -> element.begin(in.address(), out.address(), DegradeControl.NO_TIME, ticket.address()));
            assertEquals(0, ticket.number());
            assertEquals(0, FakeHost.fake_is_mapped(in.address()));
        }
    }
}
