/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memPutLong;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.WrongResultException;
import org.lwjgl.system.JNI;
import org.lwjgl.system.Library;
import org.lwjgl.system.SharedLibrary;

/**
 * Owns the loaded library of {@code pipelines/src/main/c}. It runs the last stage of {@link OverheadBenchmark} in C, on the same
 * Vulkan objects. Belongs to the thread of these objects.
 */
public final class DispatchLoopInC implements AutoCloseable {
    private static final long BUILD_LIMIT_SECONDS = 120;
    /** Exit status of {@code pipelines/src/main/c/build}. */
    private static final int NOTHING_TO_BUILD_WITH = 3;

    private static final int WRONG_RESULT = 1000;
    private static final int MOST_DISPATCHES = 1024;

    // Offsets of the fields of GstQpuDispatchLoop in dispatchloop.h, 8 bytes each.
    private static final int DEVICE = 0;
    private static final int QUEUE = 8;
    private static final int COMMANDS = 16;
    private static final int FENCE = 24;
    private static final int COEFFICIENTS = 32;
    private static final int BLOCK_COUNT = 40;
    private static final int RECORDS = 48;
    private static final int PICTURE = 56;
    private static final int DESTINATION = 64;
    private static final int FIRST = 72;
    private static final int COUNT = 80;
    private static final int NANOS = 88;
    private static final int FAILED = 96;
    private static final int SIZE = 104;

    private final SharedLibrary library;
    private final long function;
    private final ByteBuffer arguments = ByteBuffer.allocateDirect(SIZE).order(ByteOrder.nativeOrder());
    private final ByteBuffer nanos =
            ByteBuffer.allocateDirect(8 * MOST_DISPATCHES).order(ByteOrder.nativeOrder());
    private boolean closed;

    private DispatchLoopInC(SharedLibrary library) {
        this.library = library;
        function = library.getFunctionAddress("gst_qpu_dispatch_loop");
    }

    /**
     * Compiles the library.
     *
     * @param sources the folder {@code pipelines/src/main/c}
     * @param file the library to make
     * @param compiler the C compiler; empty for {@code $CC}, then {@code cc}
     * @return empty if the library was built; else one line with what this machine lacks to build it, and how to get that
     * @throws CommandFailedException when the compiler fails, with the compiler's reason
     */
    public static Optional<String> build(Path sources, Path file, Optional<String> compiler) {
        ChildProcess build = new ChildProcess(
                List.of("bash", sources.resolve("build").toString(), file.toString()),
                compiler.map(program -> Map.of("CC", program)).orElse(Map.of()));
        Optional<ChildProcess.Result> result = build.run(BUILD_LIMIT_SECONDS);
        if (result.isEmpty()) {
            return Optional.of("there is no bash to build with: apt install bash");
        }
        if (result.get().status() == NOTHING_TO_BUILD_WITH) {
            return Optional.of(result.get().lastLines(1));
        }
        if (result.get().status() != 0) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
                    "the loop in C cannot be built (--no-c leaves it out): "
                            + result.get().lastLines(3));
        }
        return Optional.empty();
    }

    /**
     * Loads the library.
     *
     * @throws CommandFailedException when the file is not that library
     */
    public static DispatchLoopInC load(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE, file + ": no such file; build it with pipelines/src/main/c/build");
        }
        SharedLibrary library;
        try {
            library = Library.loadNative(
                    DispatchLoopInC.class,
                    "org.gstqpu.pipelines",
                    file.toAbsolutePath().toString());
        } catch (UnsatisfiedLinkError e) {
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE,
                    file + " cannot be loaded; build it on this machine with pipelines/src/main/c/build: "
                            + e.getMessage(),
                    e);
        }
        DispatchLoopInC loop = new DispatchLoopInC(library);
        if (loop.function == 0) {
            loop.close();
            throw new CommandFailedException(
                    ExitStatus.UNAVAILABLE, file + " is not what pipelines/src/main/c/build makes: build it anew");
        }
        return loop;
    }

    /**
     * Runs dispatches and checks the result of each.
     *
     * @param handles idle Vulkan objects; their owner keeps them
     * @param destinationAddress the caller's picture; the device works on it, or the result is copied to it
     * @param first number of the first dispatch, which selects its input
     * @param times receives the nanoseconds of each dispatch
     * @param index of the first of these in {@code times}
     * @param count dispatches to run, 1 to 1024
     * @throws WrongResultException when a result differs from that of the IDCT in C, or a Vulkan call failed
     */
    public void dispatch(
            DispatchHandles handles, long destinationAddress, int first, long[] times, int index, int count) {
        if (count < 1 || count > MOST_DISPATCHES) {
            throw new IllegalArgumentException("1 to " + MOST_DISPATCHES + " dispatches at once, given " + count);
        }
        long struct = memAddress(arguments);
        memPutLong(struct + DEVICE, handles.device());
        memPutLong(struct + QUEUE, handles.queue());
        memPutLong(struct + COMMANDS, handles.commandBuffer());
        memPutLong(struct + FENCE, handles.fence());
        memPutLong(struct + COEFFICIENTS, handles.inputAddresses().get(0));
        memPutLong(struct + BLOCK_COUNT, handles.inputAddresses().get(1));
        memPutLong(struct + RECORDS, handles.inputAddresses().get(2));
        memPutLong(struct + PICTURE, handles.destinationAddress());
        memPutLong(struct + DESTINATION, destinationAddress);
        memPutLong(struct + FIRST, first);
        memPutLong(struct + COUNT, count);
        memPutLong(struct + NANOS, memAddress(nanos));
        memPutLong(struct + FAILED, 0);
        int result = JNI.invokePI(struct, function);
        if (result == WRONG_RESULT) {
            throw new WrongResultException("the loop in C: the result of dispatch " + memGetLong(struct + FAILED)
                    + " differs from the IDCT in C");
        }
        if (result != 0) {
            throw new WrongResultException("the loop in C: VkResult " + result);
        }
        nanos.asLongBuffer().get(0, times, index, count);
    }

    /** Unloads the library; a second call does nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            library.free();
        }
    }
}
