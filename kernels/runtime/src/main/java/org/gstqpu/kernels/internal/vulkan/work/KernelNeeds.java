/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;

/**
 * What a compiled kernel needs from a device, read from its SPIR-V. Immutable.
 *
 * @param storageBuffers number of storage buffers that it declares
 * @param pushConstantBytes bytes of push constants that it declares
 * @param sharedMemoryBytes bytes of shared memory that a workgroup takes
 * @param arithmetic8Bit whether it computes with 8-bit integers
 * @param arithmetic16Bit whether it computes with 16-bit integers or floats
 */
record KernelNeeds(
        int storageBuffers,
        int pushConstantBytes,
        int sharedMemoryBytes,
        boolean arithmetic8Bit,
        boolean arithmetic16Bit) {

    /**
     * Reads a module.
     *
     * @param spirv the module, little-endian, from position to limit; both stay as they are
     * @param constants values of the specialisation constants, numbered from 0; lengths of shared arrays may depend on them
     */
    static KernelNeeds of(ByteBuffer spirv, List<Integer> constants) {
        return new Reader(constants)
                .read(spirv.duplicate().order(ByteOrder.LITTLE_ENDIAN).asIntBuffer());
    }

    /**
     * Compares these needs with a device.
     *
     * @param invocations invocations of a workgroup
     * @throws DeviceException if the device allows less than the kernel needs; the message has both numbers
     */
    public void check(String kernel, int invocations, DeviceCapabilities device) {
        atMost(kernel, "invocations a workgroup", invocations, device, device.maxWorkgroupInvocations());
        atMost(kernel, "storage buffers a stage", storageBuffers, device, device.maxStorageBuffersPerStage());
        atMost(kernel, "bytes of push constants", pushConstantBytes, device, device.maxPushConstantsBytes());
        atMost(kernel, "bytes of shared memory", sharedMemoryBytes, device, device.maxSharedMemoryBytes());
        has(kernel, "8-bit arithmetic", arithmetic8Bit, device, device.arithmetic8Bit());
        has(kernel, "16-bit arithmetic", arithmetic16Bit, device, device.arithmetic16Bit());
    }

    private static void has(String kernel, String what, boolean needed, DeviceCapabilities device, boolean offered) {
        if (needed && !offered) {
            throw new DeviceException(
                    DeviceFailure.LIMIT_EXCEEDED,
                    kernel + " needs " + what + ", " + device.name() + " has none; use substrate=cpu");
        }
    }

    private static void atMost(String kernel, String what, int needed, DeviceCapabilities device, int allowed) {
        if (needed > allowed) {
            throw new DeviceException(
                    DeviceFailure.LIMIT_EXCEEDED,
                    kernel + " needs " + needed + " " + what + ", " + device.name() + " allows " + allowed
                            + "; use substrate=cpu");
        }
    }

    /**
     * Reads the words of a module in one pass, which suffices because SPIR-V declares before it uses. The numbers are
     * those of the SPIR-V specification.
     */
    private static final class Reader {
        private static final int HEADER_WORDS = 5;
        private static final int OP_CAPABILITY = 17;
        private static final int OP_TYPE_BOOL = 20;
        private static final int OP_TYPE_INT = 21;
        private static final int OP_TYPE_FLOAT = 22;
        private static final int OP_TYPE_VECTOR = 23;
        private static final int OP_TYPE_MATRIX = 24;
        private static final int OP_TYPE_ARRAY = 28;
        private static final int OP_TYPE_STRUCT = 30;
        private static final int OP_TYPE_POINTER = 32;
        private static final int OP_CONSTANT = 43;
        private static final int OP_SPEC_CONSTANT = 50;
        private static final int OP_SPEC_CONSTANT_OP = 52;
        private static final int OP_IADD = 128;
        private static final int OP_ISUB = 130;
        private static final int OP_IMUL = 132;
        private static final int OP_UDIV = 134;
        private static final int OP_LOGICAL_OR = 166;
        private static final int OP_SELECT = 169;
        private static final int OP_IEQUAL = 170;
        private static final int OP_VARIABLE = 59;
        private static final int OP_DECORATE = 71;
        private static final int OP_MEMBER_DECORATE = 72;
        private static final int CAPABILITY_FLOAT16 = 9;
        private static final int CAPABILITY_INT16 = 22;
        private static final int CAPABILITY_INT8 = 39;
        private static final int DECORATION_SPEC_ID = 1;
        private static final int DECORATION_BUFFER_BLOCK = 3;
        private static final int DECORATION_BINDING = 33;
        private static final int DECORATION_OFFSET = 35;
        private static final int CLASS_UNIFORM = 2;
        private static final int CLASS_WORKGROUP = 4;
        private static final int CLASS_PUSH_CONSTANT = 9;
        private static final int CLASS_STORAGE_BUFFER = 12;

        private final List<Integer> specialisation;
        private final Map<Integer, Integer> specIds = new HashMap<>();
        private final Map<Integer, Integer> constants = new HashMap<>();
        private final Map<Integer, Integer> typeBytes = new HashMap<>();
        private final Map<Integer, Integer> pointees = new HashMap<>();
        private final Map<Integer, Map<Integer, Integer>> memberOffsets = new HashMap<>();
        private final Set<Integer> bufferBlocks = new HashSet<>();
        private final Map<Integer, Integer> bindings = new HashMap<>();
        /** Binding numbers. A kernel may declare one buffer at one binding twice, as words and as vectors. */
        private final Set<Integer> storageBuffers = new HashSet<>();

        private int pushConstantBytes;
        private int sharedMemoryBytes;
        private boolean arithmetic8Bit;
        private boolean arithmetic16Bit;

        Reader(List<Integer> specialisation) {
            this.specialisation = specialisation;
        }

        KernelNeeds read(IntBuffer words) {
            int at = words.position() + HEADER_WORDS;
            while (at < words.limit()) {
                int length = words.get(at) >>> 16;
                if (length == 0) {
                    throw new IllegalArgumentException("not SPIR-V: an instruction of no words at word " + at);
                }
                instruction(words.get(at) & 0xffff, length, words, at);
                at += length;
            }
            return new KernelNeeds(
                    storageBuffers.size(), pushConstantBytes, sharedMemoryBytes, arithmetic8Bit, arithmetic16Bit);
        }

        private void instruction(int operation, int length, IntBuffer words, int at) {
            switch (operation) {
                case OP_CAPABILITY -> capability(words.get(at + 1));
                case OP_DECORATE -> {
                    if (words.get(at + 2) == DECORATION_SPEC_ID) {
                        specIds.put(words.get(at + 1), words.get(at + 3));
                    } else if (words.get(at + 2) == DECORATION_BINDING) {
                        bindings.put(words.get(at + 1), words.get(at + 3));
                    } else if (words.get(at + 2) == DECORATION_BUFFER_BLOCK) {
                        bufferBlocks.add(words.get(at + 1));
                    }
                }
                case OP_MEMBER_DECORATE -> {
                    if (words.get(at + 3) == DECORATION_OFFSET) {
                        memberOffsets
                                .computeIfAbsent(words.get(at + 1), id -> new HashMap<>())
                                .put(words.get(at + 2), words.get(at + 4));
                    }
                }
                case OP_TYPE_BOOL -> typeBytes.put(words.get(at + 1), 4);
                case OP_TYPE_INT, OP_TYPE_FLOAT -> typeBytes.put(words.get(at + 1), words.get(at + 2) / 8);
                case OP_TYPE_VECTOR, OP_TYPE_MATRIX ->
                    typeBytes.put(words.get(at + 1), bytes(words.get(at + 2)) * words.get(at + 3));
                case OP_TYPE_ARRAY ->
                    typeBytes.put(
                            words.get(at + 1), bytes(words.get(at + 2)) * constants.getOrDefault(words.get(at + 3), 1));
                case OP_TYPE_STRUCT -> typeBytes.put(words.get(at + 1), structBytes(length, words, at));
                case OP_TYPE_POINTER -> pointees.put(words.get(at + 1), words.get(at + 3));
                case OP_CONSTANT -> constants.put(words.get(at + 2), words.get(at + 3));
                case OP_SPEC_CONSTANT -> {
                    Integer number = specIds.get(words.get(at + 2));
                    boolean given = number != null && number < specialisation.size();
                    constants.put(words.get(at + 2), given ? specialisation.get(number) : words.get(at + 3));
                }
                case OP_SPEC_CONSTANT_OP -> constants.put(words.get(at + 2), computed(words, at));
                case OP_VARIABLE ->
                    variable(words.get(at + 2), pointees.getOrDefault(words.get(at + 1), 0), words.get(at + 3));
                default -> {
                    // All other instructions say nothing about the kernel's needs.
                }
            }
        }

        /** The value of a constant that is computed from other ones. */
        private int computed(IntBuffer words, int at) {
            int first = constants.getOrDefault(words.get(at + 4), 0);
            int second = constants.getOrDefault(words.get(at + 5), 0);
            return switch (words.get(at + 3)) {
                case OP_IADD -> first + second;
                case OP_ISUB -> first - second;
                case OP_IMUL -> first * second;
                case OP_UDIV -> second == 0 ? 0 : Integer.divideUnsigned(first, second);
                case OP_LOGICAL_OR -> first | second;
                case OP_SELECT -> first != 0 ? second : constants.getOrDefault(words.get(at + 6), 0);
                case OP_IEQUAL -> first == second ? 1 : 0;
                // No length of an array depends on any other operation.
                default -> 1;
            };
        }

        private void capability(int capability) {
            arithmetic8Bit |= capability == CAPABILITY_INT8;
            arithmetic16Bit |= capability == CAPABILITY_INT16 || capability == CAPABILITY_FLOAT16;
        }

        private int bytes(int type) {
            return typeBytes.getOrDefault(type, 0);
        }

        private int structBytes(int length, IntBuffer words, int at) {
            Map<Integer, Integer> offsets = memberOffsets.getOrDefault(words.get(at + 1), Map.of());
            int end = 0;
            for (int member = 0; member < length - 2; member++) {
                end = Math.max(offsets.getOrDefault(member, end), 0) + bytes(words.get(at + 2 + member));
            }
            return end;
        }

        private void variable(int id, int type, int storageClass) {
            switch (storageClass) {
                case CLASS_STORAGE_BUFFER -> storageBuffers.add(bindings.getOrDefault(id, 0));
                case CLASS_UNIFORM -> {
                    if (bufferBlocks.contains(type)) {
                        storageBuffers.add(bindings.getOrDefault(id, 0));
                    }
                }
                case CLASS_WORKGROUP -> sharedMemoryBytes += bytes(type);
                case CLASS_PUSH_CONSTANT -> pushConstantBytes = bytes(type);
                default -> {
                    // Other storage classes, such as registers and inputs.
                }
            }
        }
    }
}
