/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.PictureLayout;
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
import org.junit.jupiter.api.Test;

/** A device fails whose pictures were passed on before they were done: the CPU cannot do them again, and has the next ones. */
final class PassedOnTest {
    private static final String CAPS = FakeHost.caps("GRAY8", 32, 32);

    /** A picture that was passed on: its output buffer is gone, and this test has a reference of the output's memory. */
    private record PassedOn(Buffer in, long memory, int place) {}

    /** The device's memory of a dmabuf. */
    private record FakeImport(long sizeBytes) implements DeviceMemory {
        @Override
        public Optional<String> obstacle(PictureLayout layout) {
            return Optional.empty();
        }

        @Override
        public void close() {}
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

    private final Values values = new Values();
    private final List<String> warnings = new ArrayList<>();
    private final List<PassedOn> underWay = new ArrayList<>();
    private LoopFilterElement element;
    private long begun;

    @BeforeAll
    static void boot() throws IOException, InterruptedException {
        FakeHost.boot();
    }

    /** Opens an element whose device passes all pictures on, and fails when it is asked for one. */
    private void open(DeviceFailure failure) throws ElementException {
        ElementHost host = fake(ElementHost.class, (name, arguments) -> switch (name) {
            case "logs" -> false;
            case "warning" -> warnings.add((String) arguments[1]);
            default -> null;
        });
        PictureRun run = fake(PictureRun.class, (name, arguments) -> switch (name) {
            case "begin" -> {
                begun++;
                yield true;
            }
            case "isHandedOver" -> true;
            case "isDone" -> {
                if (failure == DeviceFailure.LOST) {
                    throw new DeviceException(failure, "made up");
                }
                yield false;
            }
            case "finish" -> throw new DeviceException(failure, "made up");
            default -> throw new AssertionError(name);
        });
        PictureFilter filter = fake(PictureFilter.class, (name, arguments) -> switch (name) {
            case "newRun" -> run;
            case "forgetPast" -> null;
            case "estimate" -> Optional.empty();
            case "fusion" -> FusionCounts.NONE;
            case "close" -> null;
            default -> throw new AssertionError(name);
        });
        FilterContext device = fake(FilterContext.class, (name, arguments) -> switch (name) {
            case "substrate" -> Substrate.QPU;
            case "deviceName", "reason" -> "a device";
            case "newPictureFilter" -> filter;
            case "importDmabuf" -> new FakeImport(1 << 20);
            case "counters" -> DeviceCounters.NONE;
            case "importsDmabufs" -> true;
            case "timesPictures" -> false;
            case "hurry", "close" -> null;
            default -> 0L;
        });
        values.set(ElementProperty.SUBSTRATE, 0).set(ElementProperty.THREADS, 1);
        Executor never = task -> {};
        element = LoopFilterElement.open(
                host,
                values.view(),
                Optional.empty(),
                request -> request.substrate() == Substrate.CPU ? openCpu(request) : device,
                new MemoryWatch(),
                never);
        FakeHost.withCaps(CAPS, caps -> element.setCaps(caps, true, DmabufFrame.WHOLE_ROWS, DmabufFrame.WHOLE_ROWS));
    }

    private static FilterContext openCpu(SubstrateRequest request) throws SubstrateUnavailableException {
        return Substrates.open(request);
    }

    /** Pushes a picture, as C does where downstream takes dmabufs. */
    private void passOn() throws ElementException {
        Buffer in = Buffer.of(CAPS, BufferKind.DMABUF, 1);
        int place = underWay.size();
        try (Buffer out = Buffer.of(CAPS, BufferKind.DMABUF, -1)) {
            long memory = GstVideoLibrary.gst_buffer_peek_memory(out.address(), 0);
            assertEquals(Flow.HANDED_OVER, element.begin(place, in.address(), out.address(), DegradeControl.NO_TIME));
            GstVideoLibrary.gst_mini_object_ref(memory);
            underWay.add(new PassedOn(in, memory, place));
        }
    }

    @AfterEach
    void close() {
        element.close();
        for (PassedOn picture : underWay) {
            FakeHost.fake_free_buffer(picture.memory());
            picture.in().close();
        }
        values.close();
    }

    private void requireTakeover(DeviceFailure failure, int keptForEver) throws ElementException {
        open(failure);
        for (int i = 0; i < 3; i++) {
            passOn();
        }
        for (PassedOn picture : underWay) {
            assertEquals(Flow.FILTERED, element.finish(picture.place(), true));
        }
        assertEquals(1, warnings.size(), warnings.toString());
        assertEquals(
                "a device failed: made up. The CPU filters in its place; pictures that were passed on before and may be damaged: 3;"
                        + " the device is tried again after 16 pictures",
                warnings.get(0));
        for (PassedOn picture : underWay) {
            assertEquals(1 + keptForEver, FakeHost.fake_references(picture.memory()), "output");
            assertEquals(1 + keptForEver, FakeHost.fake_references(picture.in().address()), "input");
        }
        try (Buffer in = Buffer.of(CAPS, BufferKind.DMABUF, 1);
                Buffer out = Buffer.of(CAPS, BufferKind.DMABUF, -1)) {
            assertEquals(Flow.FILTERED, element.begin(0, in.address(), out.address(), DegradeControl.NO_TIME));
        }
    }

    @Test
    void aLostDeviceLeavesThePicturesThatItPassedOn() throws ElementException {
        requireTakeover(DeviceFailure.LOST, 0);
    }

    @Test
    void aDeviceThatHangsKeepsTheInputsAndTheMemoryOfOutputsThatAreGone() throws ElementException {
        requireTakeover(DeviceFailure.TIMED_OUT, 1);
    }
}
