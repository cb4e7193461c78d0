/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import com.google.gson.JsonPrimitive;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gstqpu.kernels.internal.stage.PictureKernel;
import org.gstqpu.kernels.internal.vulkan.block.CallKernel;
import org.gstqpu.kernels.internal.vulkan.quality.QualityKernel;
import org.gstqpu.kernels.internal.vulkan.work.CommonKernel;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * A case of a kernel on V3D, whose cost is that of an 8x8 block of luma samples. The components are field names of JSON. Immutable.
 *
 * @param name name of the case
 * @param kernel the kernel
 * @param constants numbers and booleans by the names of specialisation constants; the others keep the shader's values
 * @param trips iterations of each loop, in the order of the assembly
 * @param taken branches that all invocations take, as {@link V3dCompiler.Compiled#issued} has them
 * @param invocations invocations for {@code blocks}, of which 16 run together; 0 if the issue slots are not counted
 * @param blocks 8x8 luma blocks
 * @param bar limit for the issue slots, 0 for none
 */
record V3dCost(
        String name,
        Kernel kernel,
        Map<String, JsonPrimitive> constants,
        List<Integer> trips,
        Map<Integer, Double> taken,
        int invocations,
        int blocks,
        int bar) {
    private static final int TOGETHER = 16;
    /** The packages of the classes of specialisation constants, which the build makes of the shaders of each module. */
    private static final Map<Class<?>, String> GENERATED = Map.of(
            CommonKernel.class, "work.layout.",
            PictureKernel.class, "layout.",
            CallKernel.class, "block.layout.",
            QualityKernel.class, "quality.layout.");

    V3dCost {
        trips = trips == null ? List.of() : List.copyOf(trips);
        taken = taken == null ? Map.of() : Map.copyOf(taken);
        blocks = Math.max(1, blocks);
    }

    /** The specialisation constants, numbered from 0. */
    @SuppressWarnings("unchecked")
    List<Integer> words() {
        String shader = kernel.path().replaceFirst("(_plain|_wide|_16)+$", "");
        String type = Arrays.stream(shader.split("[/_]", -1))
                .map(part -> Character.toUpperCase(part.charAt(0)) + part.substring(1))
                .collect(Collectors.joining(
                        "", "org.gstqpu.kernels.internal.vulkan." + GENERATED.get(kernel.getClass()), "Constants"));
        try {
            Object set = Class.forName(type).getConstructor().newInstance();
            for (Map.Entry<String, JsonPrimitive> constant : constants.entrySet()) {
                JsonPrimitive value = constant.getValue();
                if (value.isBoolean()) {
                    set.getClass().getMethod(constant.getKey(), boolean.class).invoke(set, value.getAsBoolean());
                } else {
                    set.getClass().getMethod(constant.getKey(), int.class).invoke(set, value.getAsInt());
                }
            }
            return (List<Integer>) set.getClass().getMethod("words").invoke(set);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " names a constant that its shader does not have", e);
        }
    }

    /**
     * Compiles the kernel and computes its cost.
     *
     * @throws WrongResultException when the number of loops is not that of {@code trips}
     */
    Figures measure(V3dCompiler compiler) {
        V3dCompiler.Compiled compiled = compiler.compile(kernel, words());
        return new Figures(
                name,
                kernel.path(),
                compiled.figure("inst"),
                compiled.figure("threads"),
                compiled.figure("max_temps"),
                compiled.figure("spills") + compiled.figure("fills"),
                compiled.figure("tmua"),
                compiled.figure("ldtmu"),
                compiled.figure("tmud"),
                invocations == 0 ? 0 : Math.round(compiled.issued(trips, taken) * invocations / blocks / TOGETHER),
                bar);
    }

    /**
     * The cost of a kernel. The components are the field names of the report's JSON.
     *
     * @param name of the case
     * @param kernel its path, as {@link Kernel#path} has it
     * @param instructions of the whole kernel, each counted once
     * @param threads of a QPU that can run it side by side: 4, or 2 where it takes more than half of the registers
     * @param registers of a thread
     * @param spillsAndFills registers put into memory, and brought back
     * @param requests to memory, in the whole kernel
     * @param wordsRead in the whole kernel
     * @param wordsStored in the whole kernel
     * @param slots issue slots of an 8x8 luma block: instructions with their loops, for the invocations of a block, 16 at a time;
     *     0 if they are not counted
     * @param bar as above
     */
    record Figures(
            String name,
            String kernel,
            int instructions,
            int threads,
            int registers,
            int spillsAndFills,
            int requests,
            int wordsRead,
            int wordsStored,
            long slots,
            int bar) {}
}
