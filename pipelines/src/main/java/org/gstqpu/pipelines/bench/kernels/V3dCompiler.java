/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import static org.lwjgl.system.MemoryUtil.memFree;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Runs Mesa's compiler for V3D on a kernel; no V3D is needed. The compiler is a program {@code v3dstat} that takes SPIR-V and
 * specialisation constants. It prints figures as JSON with {@code -j}, and the assembly with {@code -a}. Immutable.
 *
 * @param tool the program {@code v3dstat}
 */
record V3dCompiler(Path tool) {
    private static final long LIMIT_SECONDS = 60;
    private static final int INSTRUCTION_BYTES = 8;

    /** A branch is relative to the instruction after its delay slots. */
    private static final int DELAY_SLOTS = 3;

    private static final Pattern BRANCH = Pattern.compile("bu?(?:\\.\\w+)? +(-?\\d+), .*");

    /**
     * A compiled kernel.
     *
     * @param figures the figures, named as the tool names them
     * @param instructions the lines of the assembly, one instruction each
     */
    record Compiled(JsonObject figures, List<String> instructions) {
        int figure(String name) {
            return figures.get(name).getAsInt();
        }

        /** The indices of the first and the last instruction of a loop. */
        private record Loop(int first, int last) {
            boolean holds(int instruction) {
                return instruction >= first && instruction <= last;
            }
        }

        private List<Loop> findLoops() {
            List<Loop> loops = new ArrayList<>();
            for (int i = 0; i < instructions.size(); i++) {
                Matcher branch = BRANCH.matcher(instructions.get(i).strip());
                if (branch.matches()) {
                    int target = i + 1 + DELAY_SLOTS + Integer.parseInt(branch.group(1)) / INSTRUCTION_BYTES;
                    if (target <= i) {
                        loops.add(new Loop(target, i + DELAY_SLOTS));
                    }
                }
            }
            return loops.stream().sorted(Comparator.comparing(Loop::first)).toList();
        }

        /** The number of loops. */
        int loops() {
            return findLoops().size();
        }

        /**
         * The number of instructions that are issued, with both sides of every branch.
         *
         * @param trips iterations of each loop, in the order in which the loops begin; 0 for a loop that is not entered
         */
        long issued(List<Integer> trips) {
            List<Loop> loops = findLoops();
            if (loops.size() != trips.size()) {
                throw new WrongResultException("the compiler made " + loops.size() + " loops, " + trips.size()
                        + " are known: look at the assembly again");
            }
            long issued = 0;
            for (int i = 0; i < instructions.size(); i++) {
                long times = 1;
                for (int loop = 0; loop < loops.size(); loop++) {
                    times *= loops.get(loop).holds(i) ? trips.get(loop) : 1;
                }
                issued += times;
            }
            return issued;
        }
    }

    /**
     * Compiles a kernel.
     *
     * @param kernel the kernel
     * @param constants specialisation constants, numbered from 0
     * @throws CommandFailedException when there is no such program, or it fails
     */
    Compiled compile(Kernel kernel, List<Integer> constants) {
        Path spirv = null;
        ByteBuffer module = kernel.load();
        try {
            spirv = Files.createTempFile(kernel.name(), ".spv");
            byte[] bytes = new byte[module.remaining()];
            module.get(bytes);
            Files.write(spirv, bytes);
            JsonObject figures =
                    JsonParser.parseString(run("-j", spirv, constants)).getAsJsonObject();
            int count = figures.get("inst").getAsInt();
            List<String> assembly = run("-a", spirv, constants)
                    .lines()
                    .filter(line ->
                            line.contains(";") || BRANCH.matcher(line.strip()).matches())
                    .toList();
            if (assembly.size() != count) {
                throw new WrongResultException(kernel + ": " + assembly.size() + " lines of assembly for " + count
                        + " instructions; is " + tool + " another version?");
            }
            return new Compiled(figures, assembly);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            memFree(module.rewind());
            delete(spirv);
        }
    }

    private String run(String option, Path spirv, List<Integer> constants) {
        List<String> command = new ArrayList<>(List.of(tool.toString(), "-q", option, spirv.toString()));
        for (int i = 0; i < constants.size(); i++) {
            command.add(i + "=" + constants.get(i));
        }
        ChildProcess.Result result = new ChildProcess(command, Map.of())
                .run(LIMIT_SECONDS)
                .orElseThrow(() -> new CommandFailedException(ExitStatus.UNAVAILABLE, tool + ": no such program"));
        if (result.status() != 0) {
            throw new CommandFailedException(
                    ExitStatus.PROBLEM, tool + " ended with " + result.status() + ": " + result.lastLines(1));
        }
        return result.output();
    }

    private static void delete(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
