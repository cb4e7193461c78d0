/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceChoiceTest {
    private static final DeviceCapabilities LAVAPIPE =
            device(0, "llvmpipe (LLVM 15.0.6, 256 bits)", "11111111-0000-4000-8000-00000000000a", DeviceType.CPU, null);
    private static final DeviceCapabilities V3D =
            device(1, "V3D 7.1.7.0", "22222222-0000-4000-8000-00000000000b", DeviceType.INTEGRATED_GPU, null);
    private static final DeviceCapabilities BIG =
            device(2, "Some GPU 4090", "33333333-0000-4000-8000-00000000000c", DeviceType.DISCRETE_GPU, null);
    private static final DeviceCapabilities OLD =
            device(3, "Some GPU 1", "44444444-0000-4000-8000-00000000000d", DeviceType.DISCRETE_GPU, "it is of 1999");
    private static final List<DeviceCapabilities> ALL = List.of(LAVAPIPE, V3D, BIG, OLD);

    private static DeviceCapabilities device(int index, String name, String uuid, DeviceType type, String unusable) {
        return new DeviceCapabilities(
                index,
                name,
                uuid,
                type,
                "driver",
                "1.3.0",
                Optional.ofNullable(unusable),
                0,
                false,
                false,
                false,
                0,
                false,
                false,
                false,
                false,
                false,
                0,
                0,
                8,
                1 << 27,
                1 << 30,
                128,
                256,
                16384,
                32,
                16,
                false);
    }

    private static DeviceCapabilities choose(String wanted) throws SubstrateUnavailableException {
        return DeviceChoice.choose(ALL, Optional.of(wanted)).device();
    }

    @Test
    void aGpuComesBeforeACpuInDisguise() throws Exception {
        assertEquals(
                V3D,
                DeviceChoice.choose(List.of(LAVAPIPE, V3D), Optional.empty()).device());
        assertEquals(BIG, DeviceChoice.choose(ALL, Optional.empty()).device());
    }

    @Test
    void aCpuInDisguiseIsTakenWhereThereIsNothingElse() throws Exception {
        assertEquals(
                LAVAPIPE,
                DeviceChoice.choose(List.of(LAVAPIPE, OLD), Optional.empty()).device());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "' 2 ', 2",
        "v3d, 1",
        "V3D 7.1, 1",
        "LLVMPIPE, 0",
        "4090, 2",
        "22222222-0000-4000-8000-00000000000b, 1",
        "22222222000040008000-00000000000B, 1"
    })
    void aDeviceIsNamedByIndexUuidOrPartOfItsName(String wanted, int index) throws Exception {
        assertEquals(ALL.get(index), choose(wanted));
    }

    @ParameterizedTest
    @CsvSource({"nvidia", "7", "''", "55555555-0000-4000-8000-00000000000b"})
    void aNameThatFitsNothingListsWhatThereIs(String wanted) {
        String message = assertThrows(SubstrateUnavailableException.class, () -> choose(wanted))
                .getMessage();
        assertTrue(message.startsWith("no Vulkan device \"" + wanted + "\"; there is 0: llvmpipe"), message);
        assertTrue(message.contains(V3D.uuid()) && message.contains("it is of 1999"), message);
        assertEquals(1, message.lines().count());
    }

    @Test
    void aNameThatFitsSeveralListsThose() {
        String message = assertThrows(SubstrateUnavailableException.class, () -> choose("some gpu"))
                .getMessage();
        assertTrue(message.contains(BIG.summary()) && message.contains(OLD.summary()), message);
        assertFalse(message.contains(V3D.summary()), message);
    }

    @Test
    void anUnusableDeviceIsRefusedWithTheCause() {
        String message = assertThrows(SubstrateUnavailableException.class, () -> choose("3"))
                .getMessage();
        assertTrue(message.contains("it is of 1999"), message);
    }

    @Test
    void withoutAnyDeviceTheCureIsNamed() {
        String message = assertThrows(
                        SubstrateUnavailableException.class, () -> DeviceChoice.choose(List.of(), Optional.empty()))
                .getMessage();
        assertTrue(message.contains("apt install mesa-vulkan-drivers"), message);
    }

    @Test
    void withoutAUsableDeviceAllAreListed() {
        String message = assertThrows(
                        SubstrateUnavailableException.class, () -> DeviceChoice.choose(List.of(OLD), Optional.empty()))
                .getMessage();
        assertTrue(message.contains("it is of 1999"), message);
    }
}
