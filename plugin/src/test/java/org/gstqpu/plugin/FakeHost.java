/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * Builds and binds src/test/c/fakehost.c, which takes the place of libgstqpu.so for {@link ElementRuntime}, without an element. The
 * test JVM has one, as it has one ElementRuntime; tests that use it run one after the other.
 */
final class FakeHost {
    /** How a buffer holds its picture, in the order of the C enum. */
    enum BufferKind {
        PACKED,
        PADDED,
        WORDS,
        PLANE_EACH,
        SPLIT,
        DMABUF,
        DMABUF_PLANES,
        LARGER,
        TOO_SHORT,
        META_TOO_SHORT,
        EMPTY
    }

    private static Path library;

    private FakeHost() {}

    /**
     * Builds and binds the library, and boots the runtime with it; a second call does nothing. Skips the test if there is no C compiler,
     * or no GStreamer to compile against.
     */
    static synchronized void boot() throws IOException, InterruptedException {
        if (library != null) {
            return;
        }
        Path built = build();
        Native.register(FakeHost.class, NativeLibrary.getInstance(built.toString()));
        fake_init();
        ElementRuntime.boot(built.toString());
        library = built;
    }

    private static Path build() throws IOException, InterruptedException {
        for (List<String> probe : List.of(
                List.of("gcc", "--version"),
                List.of(
                        "pkg-config",
                        "--exists",
                        "gstreamer-video-1.0",
                        "gstreamer-base-1.0",
                        "gstreamer-allocators-1.0"))) {
            if (!succeeds(probe, ProcessBuilder.Redirect.DISCARD)) {
                throw new TestAbortedException(String.join(" ", probe)
                        + " fails: apt install gcc pkg-config libgstreamer-plugins-base1.0-dev to run this test");
            }
        }
        Path directory = Files.createTempDirectory("fakehost");
        Path output = directory.resolve("libfakehost.so");
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                "gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fPIC -shared -O1 $(pkg-config --cflags"
                        + " gstreamer-video-1.0 gstreamer-base-1.0 gstreamer-allocators-1.0) src/test/c/fakehost.c -o"
                        + " \"$0\" $(pkg-config --libs gstreamer-video-1.0 gstreamer-base-1.0 gstreamer-allocators-1.0)",
                output.toString()));
        Path messages = directory.resolve("messages");
        assertTrue(
                succeeds(command, ProcessBuilder.Redirect.to(messages.toFile())),
                () -> "src/test/c/fakehost.c does not compile: " + read(messages));
        messages.toFile().deleteOnExit();
        directory.toFile().deleteOnExit();
        output.toFile().deleteOnExit();
        return output;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static boolean succeeds(List<String> command, ProcessBuilder.Redirect output) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(new File("."))
                    .redirectErrorStream(true)
                    .redirectOutput(output)
                    .start();
            return process.waitFor(600, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Caps of raw video with this format and size. */
    static String caps(String format, int width, int height) {
        return String.format(
                Locale.ROOT, "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1", format, width, height);
    }

    /** Uses a GstCaps. */
    @FunctionalInterface
    interface CapsUser {
        /** Uses the caps, which are freed afterwards. */
        void use(long caps) throws ElementException;
    }

    /** Makes a GstCaps, has it used, and frees it. */
    static void withCaps(String text, CapsUser user) throws ElementException {
        long caps = fake_caps(text);
        try {
            user.use(caps);
        } finally {
            fake_free_caps(caps);
        }
    }

    /** The lines that the library has noted since the last call. */
    static List<String> takeEvents() {
        // When the kernels are compiled is the machine's affair.
        return text(fake_take_events())
                .lines()
                .filter(event -> !event.contains(" full speed: "))
                .toList();
    }

    /** A text field of the statistics. */
    static String stat(int handle, String field) {
        return text(fake_stat_text(handle, field));
    }

    /** Offsets, sizes and constants as the C compiler knows them, one line for each. */
    static List<String> layout() {
        return text(fake_layout()).lines().toList();
    }

    private static String text(long address) {
        String text = new Pointer(address).getString(0, "UTF-8");
        GstVideoLibrary.g_free(address);
        return text;
    }

    /** The native values of an element, with their defaults, and its property {@code device}. */
    static final class Values implements AutoCloseable {
        private final Memory values = new Memory((long) Integer.BYTES * ElementProperty.values().length);
        private Memory device;

        Values() {
            for (ElementProperty property : ElementProperty.values()) {
                set(property, property.defaultValue());
            }
            set(ElementProperty.SUBSTRATE, 1);
            set(ElementProperty.THREADS, 2);
        }

        /** Sets a value without a call of {@code property_changed}. */
        Values set(ElementProperty property, int value) {
            values.setInt((long) Integer.BYTES * property.slot(), value);
            return this;
        }

        /** Sets the device. */
        Values device(String name) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            device = new Memory(bytes.length + 1L);
            device.write(0, bytes, 0, bytes.length);
            device.setByte(bytes.length, (byte) 0);
            return this;
        }

        /** The view of these values that Java uses. */
        ElementValues view() {
            return ElementValues.at(Pointer.nativeValue(values));
        }

        /** Opens an element with these values, and returns its handle, or -1. */
        int open() {
            return fake_open(device == null ? 0 : Pointer.nativeValue(device), Pointer.nativeValue(values));
        }

        /** Sets a value and calls {@code property_changed}. */
        void change(int handle, ElementProperty property, int value) {
            set(property, value);
            fake_property_changed(handle);
        }

        @Override
        public void close() {
            values.close();
            if (device != null) {
                device.close();
            }
        }
    }

    /** A GstBuffer with a picture. */
    record Buffer(long address, String caps) implements AutoCloseable {
        /** A buffer of this kind that holds the test picture with this seed; with a negative seed every byte is 0xaa. */
        static Buffer of(String caps, BufferKind kind, int seed) {
            return new Buffer(fake_buffer(caps, List.of(BufferKind.values()).indexOf(kind), seed), caps);
        }

        /** A buffer with this buffer's picture, in a new GstMemory that shares a part of this buffer's memory. */
        Buffer part() {
            return new Buffer(fake_part(address), caps);
        }

        /** Puts these bytes in place of the first ones. */
        void fill(byte[] bytes) {
            try (Memory memory = new Memory(bytes.length)) {
                memory.write(0, bytes, 0, bytes.length);
                fake_fill(address, Pointer.nativeValue(memory), bytes.length);
            }
        }

        /** The samples of a plane, with packed rows. */
        ByteBuffer plane(int plane) {
            int size = Math.toIntExact(fake_read_plane(address, caps, plane, 0, 0));
            try (Memory memory = new Memory(size)) {
                assertEquals(size, fake_read_plane(address, caps, plane, Pointer.nativeValue(memory), size));
                return ByteBuffer.wrap(memory.getByteArray(0, size)).order(ByteOrder.LITTLE_ENDIAN);
            }
        }

        /** Number of bytes outside the samples that were overwritten. */
        long paddingChanged() {
            return fake_padding_changed(address, caps);
        }

        @Override
        public void close() {
            fake_free_buffer(address);
        }
    }

    private static native void fake_init();

    private static native long fake_take_events();

    private static native long fake_caps(String text);

    private static native void fake_free_caps(long caps);

    private static native int fake_open(long device, long values);

    static native void fake_close(int handle);

    static native int fake_start(int handle);

    static native int fake_stop(int handle);

    static native int fake_set_caps(int handle, String caps);

    static native int fake_transform(int handle, long inBuffer, long outBuffer, int times);

    /** Begins a picture at a place. */
    static native int fake_begin(int handle, int place, long inBuffer, long outBuffer, long runningTime);

    /** A QoS event for the picture of a running time. */
    static native int fake_qos(int handle, long jitter, long runningTime);

    /** What a flush does. */
    static native void fake_restart(int handle);

    static native int fake_finish(int handle, int place, int wait);

    /** 1 if the buffer's only memory is mapped for reading, else 0. */
    static native int fake_is_mapped(long buffer);

    /** How often memory for side information was freed. */
    static native int fake_freed_params();

    /** The number of references to a buffer. */
    static native int fake_references(long buffer);

    static native int fake_transform_on_new_thread(int handle, long inBuffer, long outBuffer, int times);

    private static native void fake_property_changed(int handle);

    static native void fake_set_timing(int handle, int live, int keepsTime);

    static native long fake_stat(int handle, String field);

    private static native long fake_stat_text(int handle, String field);

    private static native long fake_buffer(String caps, int kind, int seed);

    private static native long fake_part(long buffer);

    /** Puts a GstMemory, a reference of which it takes over, in the place of one of a buffer's. */
    static native void gst_buffer_replace_memory(long buffer, int index, long memory);

    /** Moves the begin of a GstMemory, and changes its size. */
    static native void gst_memory_resize(long memory, long offsetBytes, long sizeBytes);

    /** Leaves a buffer without memory, as no element should. */
    static native void gst_buffer_remove_all_memory(long buffer);

    static native void fake_free_buffer(long buffer);

    private static native void fake_fill(long buffer, long bytes, long size);

    private static native long fake_read_plane(long buffer, String caps, int plane, long bytes, long size);

    private static native long fake_padding_changed(long buffer, String caps);

    private static native long fake_layout();
}
