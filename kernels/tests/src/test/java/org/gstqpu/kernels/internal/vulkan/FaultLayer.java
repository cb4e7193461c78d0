/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memUTF8Safe;
import static org.lwjgl.vulkan.VK11.VK_SUCCESS;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.gstqpu.kernels.internal.vulkan.device.VulkanInstance;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.lwjgl.system.JNI;
import org.lwjgl.system.Library;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.SharedLibrary;

/**
 * Makes calls to Vulkan fail on request, by the layer of src/test/c/faultlayer.c. All instances of the tests' process have this
 * layer, and the validation layer lies below it, so that it does not see calls that fail without being made. While this object
 * is open, all contexts share one instance. One object is open at a time.
 */
public final class FaultLayer implements AutoCloseable {
    private static final String NAME = "VK_LAYER_GSTQPU_faults";
    private static final String SOURCE = "src/test/c/faultlayer.c";
    private static final String PASS_FOR_GPU = "GSTQPU_FAULTS_PASS_FOR_GPU";
    private static final int BUILD_LIMIT_SECONDS = 600;

    /** Puts the layer into the environment before any test of this module makes an instance. Registered for all of them. */
    public static final class InEveryInstance implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) throws Exception {
            enable();
        }
    }

    /** True after the first {@link #enable}. */
    private static boolean enabled;
    /** What a test is skipped for; null if the layer could be built. */
    private static String missing;
    /** Stays loaded until the process ends, so that counts outlive instances; null if the layer was not built. */
    private static SharedLibrary library;

    private final VulkanInstance instance;

    private FaultLayer(VulkanInstance instance) {
        this.instance = instance;
    }

    /**
     * Skips the calling test where a compiler or Vulkan's headers are missing.
     *
     * @throws SubstrateUnavailableException if there is no Vulkan
     */
    public static synchronized FaultLayer open() throws SubstrateUnavailableException {
        assumeTrue(missing == null, missing);
        FaultLayer layer = new FaultLayer(VulkanInstance.open());
        long before = layer.calls();
        VulkanDevices.list();
        if (layer.calls() == before) {
            layer.close();
            throw new IllegalStateException("the instance is without " + NAME
                    + ": it was made too early, or VK_LAYER_PATH makes the loader ignore VK_ADD_LAYER_PATH");
        }
        return layer;
    }

    /**
     * Builds the layer and names it to the loader, in the first call. A process that {@link ChildJvm} starts does not have the
     * layer: it gets Java's copy of the environment, which is older.
     */
    private static synchronized void enable() throws IOException, InterruptedException {
        if (enabled) {
            return;
        }
        enabled = true;
        if (!succeeds(new File("/dev/null"), "gcc", "--version")) {
            missing = "gcc is missing: apt install gcc libc6-dev";
        } else if (!succeeds(
                new File("/dev/null"), "gcc", "-fsyntax-only", "-include", "vulkan/vk_layer.h", "-xc", "/dev/null")) {
            missing = "Vulkan's header vk_layer.h is missing: apt install libvulkan-dev";
        } else {
            Path folder = build();
            library = Library.loadNative(
                    FaultLayer.class,
                    "org.gstqpu.kernels",
                    folder.resolve("libfaultlayer.so").toString());
            prepend("VK_ADD_LAYER_PATH", folder.toString());
            prepend("VK_INSTANCE_LAYERS", NAME);
        }
    }

    private static void prepend(String name, String value) {
        String given = System.getenv(name);
        set(name, given == null || given.isEmpty() ? value : value + File.pathSeparator + given);
    }

    private static void set(String name, String value) {
        try (MemoryStack stack = stackPush()) {
            assertEquals(
                    0,
                    JNI.invokePPI(
                            memAddress(stack.UTF8(name)),
                            memAddress(stack.UTF8(value)),
                            1,
                            libc().getFunctionAddress("setenv")),
                    name);
        }
    }

    private static SharedLibrary libc() {
        return Library.loadNative(FaultLayer.class, "org.gstqpu.kernels", "libc.so.6");
    }

    private static Path build() throws IOException, InterruptedException {
        Path made = Files.createTempDirectory("faultlayer");
        Path output = made.resolve("libfaultlayer.so");
        Path manifest = made.resolve("faultlayer.json");
        Path messages = made.resolve("messages");
        for (Path path : List.of(made, output, manifest, messages)) {
            // They are deleted in the opposite order, the folder last.
            path.toFile().deleteOnExit();
        }
        if (!succeeds(
                messages.toFile(),
                "gcc",
                "-std=c11",
                "-O2",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-fPIC",
                "-fvisibility=hidden",
                "-shared",
                "-o",
                output.toString(),
                SOURCE)) {
            throw new AssertionError(SOURCE + " does not compile: " + Files.readString(messages));
        }
        Files.writeString(manifest, """
            {
                "file_format_version": "1.1.2",
                "layer": {
                    "name": "%s",
                    "type": "GLOBAL",
                    "library_path": "./libfaultlayer.so",
                    "api_version": "1.3.0",
                    "implementation_version": "1",
                    "description": "Makes calls fail that a test names"
                }
            }
            """.formatted(NAME), StandardCharsets.UTF_8);
        return made;
    }

    private static boolean succeeds(File output, String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output)
                    .start();
            return process.waitFor(BUILD_LIMIT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            // There is no such program.
            return false;
        }
    }

    /**
     * Lets the next call of that name return {@code result}, once, on any device. Replaces the last request. A call that waits
     * or polls is made all the same, and returns {@code result} in place of VK_SUCCESS. Any other call is not made.
     *
     * @throws IllegalArgumentException if the layer does not know the call, or if {@code result} is VK_SUCCESS
     */
    public void failNext(String call, int result) {
        try (MemoryStack stack = stackPush()) {
            if (JNI.invokePI(memAddress(stack.UTF8(call)), result, library.getFunctionAddress("fault_layer_arm"))
                    == 0) {
                throw new IllegalArgumentException("the layer cannot make " + call + " return " + result);
            }
        }
    }

    /**
     * Lets the next calls of that name return {@code result} without being made, also those that wait or poll: the work that
     * they ask about goes on. Replaces the last request.
     *
     * @param times how many calls fail, 1 to 65535
     * @throws IllegalArgumentException if the layer does not know the call, or if {@code result} is VK_SUCCESS
     */
    public void failUnmade(String call, int result, int times) {
        try (MemoryStack stack = stackPush()) {
            if (JNI.invokePI(
                            memAddress(stack.UTF8(call)),
                            result,
                            times,
                            library.getFunctionAddress("fault_layer_arm_unmade"))
                    == 0) {
                throw new IllegalArgumentException("the layer cannot make " + call + " return " + result);
            }
        }
    }

    /**
     * Lets one call return one of the results that the specification lists for it. The call is not made, except that a call which is to
     * return VK_INCOMPLETE is.
     *
     * @param number of the call, counted over all that the layer knows, 1 for the next
     * @param index of the result, which is counted over and over: 0 for the first
     */
    public void failListed(int number, int index) {
        JNI.invokeV(number, index, library.getFunctionAddress("fault_layer_arm_listed"));
    }

    /** Returns how a call may fail, as the layer lists it by the specification; empty if the layer does not know the call. */
    public List<Integer> listed(String call) {
        List<Integer> results = new ArrayList<>();
        try (MemoryStack stack = stackPush()) {
            long name = memAddress(stack.UTF8(call));
            long listed = library.getFunctionAddress("fault_layer_listed");
            for (int result = JNI.invokePI(name, 0, listed);
                    result != VK_SUCCESS;
                    result = JNI.invokePI(name, results.size(), listed)) {
                results.add(result);
            }
        }
        return results;
    }

    /**
     * Lets a device be lost for good: all its calls, from one on, return VK_ERROR_DEVICE_LOST once the device is idle, and are not made.
     *
     * @param number of the call, counted over all that the layer knows, 1 for the next; if it is no device's, the next device that is
     *     called is lost
     */
    public void loseDevice(int number) {
        JNI.invokeV(number, library.getFunctionAddress("fault_layer_lose_device"));
    }

    /** Lets the next submissions of work get lost: their calls succeed, and the work never ends, as on a device that hangs. */
    public void dropSubmits(int times) {
        JNI.invokeV(times, library.getFunctionAddress("fault_layer_drop_submits"));
    }

    /** How many instances and devices there are. */
    public int alive() {
        return JNI.invokeI(library.getFunctionAddress("fault_layer_alive"));
    }

    /** Lets devices that run on the CPU pass for GPUs, so that AUTO races them, or lets them be what they are. */
    public void passForGpu(boolean passes) {
        if (passes) {
            set(PASS_FOR_GPU, "yes");
            return;
        }
        try (MemoryStack stack = stackPush()) {
            assertEquals(0, JNI.invokePI(memAddress(stack.UTF8(PASS_FOR_GPU)), libc().getFunctionAddress("unsetenv")));
        }
    }

    /** Returns the name of the call that has failed by its number; empty if none has. */
    public Optional<String> failedByNumber() {
        return Optional.ofNullable(memUTF8Safe(JNI.invokeP(library.getFunctionAddress("fault_layer_numbered"))));
    }

    /**
     * Lets no call fail any more.
     *
     * @return true if the last {@link #failNext} was still waiting for its call
     */
    public boolean failNone() {
        return JNI.invokeI(library.getFunctionAddress("fault_layer_disarm")) != 0;
    }

    /** Returns true if the layer counts that call and can make it fail. */
    public boolean knows(String call) {
        return count(call) >= 0;
    }

    /**
     * Returns how often a call was made through the layer since the process began, failures included.
     *
     * @throws IllegalArgumentException if the layer does not know the call
     */
    public long calls(String call) {
        if (!knows(call)) {
            throw new IllegalArgumentException("the layer does not know " + call);
        }
        return count(call);
    }

    /** Returns the same sum over all calls that the layer knows, which are those that can fail. */
    public long calls() {
        return JNI.invokeJ(library.getFunctionAddress("fault_layer_total"));
    }

    private static long count(String call) {
        try (MemoryStack stack = stackPush()) {
            return JNI.invokePJ(memAddress(stack.UTF8(call)), library.getFunctionAddress("fault_layer_count"));
        }
    }

    /** Lets no call fail any more and every device be what it is, and gives the share of the instance back. The contexts are closed before. */
    @Override
    public void close() {
        failNone();
        passForGpu(false);
        instance.close();
    }
}
