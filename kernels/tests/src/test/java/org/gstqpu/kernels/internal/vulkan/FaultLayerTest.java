/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.VK11.*;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.gstqpu.kernels.internal.vulkan.device.VulkanInstance;
import org.gstqpu.kernels.internal.vulkan.work.TestDevice;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkFenceCreateInfo;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** That the layer under {@link DeviceFailureTest} does what it says. */
class FaultLayerTest {
    private static final List<Path> SOURCES = Stream.of("runtime", "filters", "blocks", "metrics")
            .map(module -> Path.of("..", module, "src/main/java"))
            .toList();
    private static final Pattern CALL = Pattern.compile("\\bn?(vk[A-Z]\\w*)\\(");
    private static final Pattern BINDINGS = Pattern.compile("import static (org\\.lwjgl\\.vulkan\\.\\w+)\\.");

    /** Calls that the loader answers before there is an instance: no layer sees them. */
    private static final Set<String> LOADERS_OWN = Set.of("vkEnumerateInstanceLayerProperties");

    private static final Path REGISTRY = Path.of("/usr/share/vulkan/registry/vk.xml");

    /** What any call may return by the specification; and what the product never asks for, as faultcalls.h says. */
    private static final Set<String> NOT_LISTED = Set.of(
            "VK_ERROR_UNKNOWN",
            "VK_ERROR_VALIDATION_FAILED",
            "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS",
            "VK_ERROR_INVALID_SHADER_NV");

    private FaultLayer layer;

    @BeforeEach
    void openLayer() throws Exception {
        layer = FaultLayer.open();
    }

    @AfterEach
    void closeLayer() {
        if (layer != null) {
            layer.close();
        }
    }

    private static int createFence(VkDevice device, int flags, LongBuffer fence) {
        try (MemoryStack stack = stackPush()) {
            return vkCreateFence(
                    device, VkFenceCreateInfo.calloc(stack).sType$Default().flags(flags), null, fence);
        }
    }

    @Test
    void aNamedCallFailsOnceAndIsNotMade() throws SubstrateUnavailableException {
        try (TestDevice device = VulkanTestContexts.device();
                MemoryStack stack = stackPush()) {
            LongBuffer fence = stack.longs(VK_NULL_HANDLE);
            layer.failNext("vkCreateFence", VK_ERROR_TOO_MANY_OBJECTS);
            assertEquals(VK_ERROR_TOO_MANY_OBJECTS, createFence(device.handle(), 0, fence));
            assertEquals(VK_NULL_HANDLE, fence.get(0));
            assertFalse(layer.failNone(), "it has failed");
            assertEquals(VK_SUCCESS, createFence(device.handle(), 0, fence));
            vkDestroyFence(device.handle(), fence.get(0), null);
        }
    }

    @Test
    void otherCallsSucceedMeanwhile() throws SubstrateUnavailableException {
        try (TestDevice device = VulkanTestContexts.device()) {
            layer.failNext("vkQueueSubmit", VK_ERROR_DEVICE_LOST);
            assertEquals(VK_SUCCESS, vkDeviceWaitIdle(device.handle()));
            assertTrue(layer.failNone(), "it is still to fail");
        }
    }

    @Test
    void aPollFailsOnceItHasSucceeded() throws SubstrateUnavailableException {
        try (TestDevice device = VulkanTestContexts.device();
                MemoryStack stack = stackPush()) {
            LongBuffer pending = stack.mallocLong(1);
            LongBuffer done = stack.mallocLong(1);
            assertEquals(VK_SUCCESS, createFence(device.handle(), 0, pending));
            assertEquals(VK_SUCCESS, createFence(device.handle(), VK_FENCE_CREATE_SIGNALED_BIT, done));
            layer.failNext("vkGetFenceStatus", VK_ERROR_DEVICE_LOST);
            assertEquals(VK_NOT_READY, vkGetFenceStatus(device.handle(), pending.get(0)));
            assertEquals(VK_ERROR_DEVICE_LOST, vkGetFenceStatus(device.handle(), done.get(0)));
            assertEquals(VK_SUCCESS, vkGetFenceStatus(device.handle(), done.get(0)));
            vkDestroyFence(device.handle(), pending.get(0), null);
            vkDestroyFence(device.handle(), done.get(0), null);
        }
    }

    @Test
    void anInstanceCallAndADevicesCreationFail() throws SubstrateUnavailableException {
        for (String call : List.of("vkEnumeratePhysicalDevices", "vkCreateDevice")) {
            layer.failNext(call, VK_ERROR_OUT_OF_HOST_MEMORY);
            Exception failure = assertThrows(
                    Exception.class, () -> VulkanTestContexts.device().close(), call);
            assertTrue(
                    failure.getMessage().contains(call + " failed: VK_ERROR_OUT_OF_HOST_MEMORY"), failure.toString());
            VulkanTestContexts.device().close();
        }
    }

    @Test
    void callsAreCountedForEachNameAndTogether() throws SubstrateUnavailableException {
        try (TestDevice device = VulkanTestContexts.device()) {
            long total = layer.calls();
            long waits = layer.calls("vkDeviceWaitIdle");
            long submits = layer.calls("vkQueueSubmit");
            assertEquals(VK_SUCCESS, vkDeviceWaitIdle(device.handle()));
            layer.failNext("vkDeviceWaitIdle", VK_ERROR_DEVICE_LOST);
            assertEquals(VK_ERROR_DEVICE_LOST, vkDeviceWaitIdle(device.handle()));
            assertEquals(waits + 2, layer.calls("vkDeviceWaitIdle"));
            assertEquals(submits, layer.calls("vkQueueSubmit"));
            assertEquals(total + 2, layer.calls());
        }
    }

    @Test
    void unknownCallsAndNoFailureAreRefused() {
        assertFalse(layer.knows("vkCmdDispatch"));
        assertThrows(IllegalArgumentException.class, () -> layer.calls("vkCmdDispatch"));
        assertThrows(IllegalArgumentException.class, () -> layer.failNext("vkCmdDispatch", VK_ERROR_DEVICE_LOST));
        assertThrows(IllegalArgumentException.class, () -> layer.failNext("vkQueueSubmit", VK_SUCCESS));
    }

    /** Tests would not see otherwise that the product calls what its device does not have. */
    @Test
    void aDeviceWithoutAnExtensionDoesNotGetItsCallsFromTheLayer() throws SubstrateUnavailableException {
        assertTrue(layer.knows("vkGetMemoryFdPropertiesKHR"));
        try (TestDevice device = VulkanTestContexts.device(DeviceAllowances.ALL.withoutDmabufs())) {
            assertEquals(0, vkGetDeviceProcAddr(device.handle(), "vkGetMemoryFdPropertiesKHR"));
        }
    }

    @Test
    void aDeviceKeepsItsCallsWhenAnotherIsDestroyed() throws SubstrateUnavailableException {
        try (TestDevice first = VulkanTestContexts.device();
                MemoryStack stack = stackPush()) {
            LongBuffer fence = stack.mallocLong(1);
            try (TestDevice second = VulkanTestContexts.device()) {
                assertEquals(VK_SUCCESS, createFence(second.handle(), 0, fence));
                vkDestroyFence(second.handle(), fence.get(0), null);
            }
            assertEquals(VK_SUCCESS, createFence(first.handle(), 0, fence));
            vkDestroyFence(first.handle(), fence.get(0), null);
        }
    }

    @Test
    void aLostDeviceStaysLostAndOthersGoOn() throws SubstrateUnavailableException {
        try (TestDevice lost = VulkanTestContexts.device();
                TestDevice other = VulkanTestContexts.device();
                MemoryStack stack = stackPush()) {
            LongBuffer fence = stack.longs(VK_NULL_HANDLE);
            layer.loseDevice(2);
            assertEquals(VK_SUCCESS, vkDeviceWaitIdle(lost.handle()));
            assertEquals(VK_ERROR_DEVICE_LOST, vkDeviceWaitIdle(lost.handle()));
            assertEquals(Optional.of("vkDeviceWaitIdle"), layer.failedByNumber());
            assertEquals(VK_ERROR_DEVICE_LOST, createFence(lost.handle(), 0, fence));
            assertEquals(VK_NULL_HANDLE, fence.get(0));
            assertEquals(VK_SUCCESS, vkDeviceWaitIdle(other.handle()));
            layer.failNone();
            assertEquals(VK_ERROR_DEVICE_LOST, vkDeviceWaitIdle(lost.handle()));
        }
        try (TestDevice next = VulkanTestContexts.device()) {
            assertEquals(VK_SUCCESS, vkDeviceWaitIdle(next.handle()));
        }
    }

    @Test
    void aLossAtACallOfNoDeviceTakesTheNextDevice() throws SubstrateUnavailableException {
        try (TestDevice device = VulkanTestContexts.device()) {
            layer.loseDevice(1);
            VulkanDevices.list();
            assertEquals(Optional.of("vkEnumeratePhysicalDevices"), layer.failedByNumber());
            assertEquals(VK_ERROR_DEVICE_LOST, vkDeviceWaitIdle(device.handle()));
        }
    }

    @Test
    void aCallGivesEachResultOfItsList() throws SubstrateUnavailableException {
        List<Integer> results = layer.listed("vkGetFenceStatus");
        try (TestDevice device = VulkanTestContexts.device();
                MemoryStack stack = stackPush()) {
            LongBuffer done = stack.mallocLong(1);
            assertEquals(VK_SUCCESS, createFence(device.handle(), VK_FENCE_CREATE_SIGNALED_BIT, done));
            for (int i = 0; i < 2 * results.size(); i++) {
                layer.failListed(1, i);
                assertEquals(results.get(i % results.size()), vkGetFenceStatus(device.handle(), done.get(0)));
                assertEquals(VK_SUCCESS, vkGetFenceStatus(device.handle(), done.get(0)));
            }
            vkDestroyFence(device.handle(), done.get(0), null);
        }
    }

    @Test
    void theListsAreTheSpecifications() throws Exception {
        assumeTrue(Files.exists(REGISTRY), "Vulkan's registry vk.xml is missing: apt install libvulkan-dev");
        NodeList commands = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(REGISTRY.toFile())
                .getElementsByTagName("command");
        Set<String> compared = new TreeSet<>();
        for (int i = 0; i < commands.getLength(); i++) {
            Element command = (Element) commands.item(i);
            Node prototype = command.getElementsByTagName("proto").item(0);
            if (prototype == null) {
                continue;
            }
            String call =
                    ((Element) prototype).getElementsByTagName("name").item(0).getTextContent();
            if (layer.knows(call)) {
                compared.add(call);
                assertEquals(specified(command), new TreeSet<>(layer.listed(call)), call);
            }
        }
        assertTrue(compared.contains("vkCreateDevice") && compared.size() > 30, compared.toString());
    }

    /** The results of a command that mean a failure, or a part of what was asked for. */
    private static Set<Integer> specified(Element command) throws ReflectiveOperationException {
        Set<Integer> results = new TreeSet<>();
        for (String name : command.getAttribute("errorcodes").split(",", -1)) {
            // Some were an extension's in older registries.
            String result = name.replaceFirst("_(?:EXT|KHR)$", "");
            if (!NOT_LISTED.contains(result)) {
                results.add(VK13.class.getField(result).getInt(null));
            }
        }
        if (command.getAttribute("successcodes").contains("VK_INCOMPLETE")) {
            results.add(VK_INCOMPLETE);
        }
        return results;
    }

    /** A program whose Vulkan has no layer unless the environment names one. */
    static final class ListsDevices {
        public static void main(String[] arguments) throws Exception {
            try (VulkanInstance instance = VulkanInstance.open()) {
                System.out.println(
                        "devices: " + VulkanDevices.probeAll(instance).size());
                System.out.println(
                        "layer: " + Files.readString(Path.of("/proc/self/maps")).contains("libfaultlayer"));
            }
        }
    }

    @Test
    void childrenDoNotHaveTheLayer() throws Exception {
        ChildJvm child = ChildJvm.run(ListsDevices.class);
        assertEquals(0, child.exitValue(), child.output());
        assertTrue(child.output().contains("layer: false"), child.output());
    }

    @Test
    void everyCallOfTheProductThatCanFailIsKnown() throws Exception {
        Set<String> canFail = new TreeSet<>();
        for (Path source : sources()) {
            String text = Files.readString(source);
            List<Class<?>> bindings = new ArrayList<>();
            for (MatchResult found : BINDINGS.matcher(text).results().toList()) {
                bindings.add(Class.forName(found.group(1), false, FaultLayerTest.class.getClassLoader()));
            }
            CALL.matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .filter(call -> bindings.stream().anyMatch(binding -> returnsResult(binding, call)))
                    .forEach(canFail::add);
        }
        assertTrue(canFail.contains("vkQueueSubmit"), canFail.toString());
        canFail.removeAll(LOADERS_OWN);
        assertEquals(
                Set.of(),
                canFail.stream().filter(call -> !layer.knows(call)).collect(Collectors.toSet()),
                "missing in src/test/c/faultcalls.h");
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path folder : SOURCES) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    private static boolean returnsResult(Class<?> binding, String call) {
        return Stream.of(binding.getMethods())
                .filter(method -> method.getName().equals(call))
                .map(Method::getReturnType)
                .anyMatch(int.class::equals);
    }
}
