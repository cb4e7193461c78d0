/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import static org.gstqpu.pipelines.cli.CommandFailedException.problem;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.TemporaryFile;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Runs Mesa's compiler for V3D on a kernel; no V3D is needed. The compiler is a program {@code v3dstat} that takes SPIR-V and
 * specialisation constants. It prints the assembly with {@code -a}, and then figures as a line of JSON with {@code -j}. Keeps what it
 * has compiled. For one thread.
 */
final class V3dCompiler {
    private static final long LIMIT_SECONDS = 600;
    private static final int INSTRUCTION_BYTES = 8;

    /** A branch is relative to the instruction after its delay slots. */
    private static final int DELAY_SLOTS = 3;

    private static final Pattern BRANCH = Pattern.compile("bu?(\\.\\w+)? +(-?\\d+), .*");

    private record Source(Kernel kernel, List<Integer> constants) {}

    private final Path tool;
    private final Map<Source, Compiled> compiled = new HashMap<>();

    /**
     * @param tool the program {@code v3dstat}
     */
    V3dCompiler(Path tool) {
        this.tool = tool;
    }

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

        /**
         * A branch.
         *
         * @param after the instruction after its delay slots
         * @param target where it leads
         * @param conditional whether it depends on a condition
         */
        private record Branch(int after, int target, boolean conditional) {
            boolean leadsBack() {
                return target < after - DELAY_SLOTS;
            }

            boolean loops(int instruction) {
                return instruction >= target && instruction < after;
            }
        }

        private List<Branch> branches() {
            List<Branch> branches = new ArrayList<>();
            for (int i = 0; i < instructions.size(); i++) {
                Matcher branch = BRANCH.matcher(instructions.get(i).strip());
                if (branch.matches()) {
                    int after = i + 1 + DELAY_SLOTS;
                    int target = after + Integer.parseInt(branch.group(2)) / INSTRUCTION_BYTES;
                    branches.add(new Branch(after, target, branch.group(1) != null));
                }
            }
            return branches;
        }

        private List<Branch> loopsInOrder() {
            return branches().stream()
                    .filter(Branch::leadsBack)
                    .sorted(Comparator.comparing(Branch::target))
                    .toList();
        }

        /** The number of loops. */
        int loops() {
            return loopsInOrder().size();
        }

        /**
         * The number of instructions that are issued.
         *
         * @param trips iterations of each loop, in the order in which the loops begin; 0 for a loop that is not entered
         * @param taken for conditional branches forward, numbered from 0 in the order of the code: the share of the times that all
         *     invocations take it. A branch that is not named here is never taken, so what it would leave out is counted
         */
        double issued(List<Integer> trips, Map<Integer, Double> taken) {
            List<Branch> loops = loopsInOrder();
            if (loops.size() != trips.size()) {
                throw new WrongResultException("the compiler made " + loops.size() + " loops, " + trips.size()
                        + " are known: look at the assembly again");
            }
            List<Branch> forward =
                    branches().stream().filter(branch -> !branch.leadsBack()).toList();
            double[] arrives = new double[instructions.size() + 1];
            double share = 1;
            double issued = 0;
            int next = 0;
            int number = 0;
            for (int i = 0; i < instructions.size(); i++) {
                if (next < forward.size() && forward.get(next).after() == i) {
                    Branch branch = forward.get(next++);
                    double leaves = share * (branch.conditional() ? taken.getOrDefault(number++, 0.0) : 1);
                    arrives[branch.target()] += leaves;
                    share -= leaves;
                }
                share += arrives[i];
                double times = share;
                for (int loop = 0; loop < loops.size(); loop++) {
                    times *= loops.get(loop).loops(i) ? trips.get(loop) : 1;
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
        return compiled.computeIfAbsent(new Source(kernel, constants), this::compile);
    }

    private Compiled compile(Source source) {
        Kernel kernel = source.kernel();
        ByteBuffer module = kernel.load();
        try (TemporaryFile spirv = TemporaryFile.create(".spv")) {
            byte[] bytes = new byte[module.remaining()];
            module.get(bytes);
            Files.write(spirv.path(), bytes);
            List<String> lines = run(spirv.path(), source.constants()).lines().toList();
            JsonObject figures = lines.stream()
                    .filter(line -> line.startsWith("{"))
                    .findFirst()
                    .map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .orElseThrow(
                            () -> new WrongResultException(kernel + ": no figures; is " + tool + " another version?"));
            int count = figures.get("inst").getAsInt();
            List<String> assembly = lines.stream()
                    .filter(line -> !line.startsWith("{"))
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
        }
    }

    private String run(Path spirv, List<Integer> constants) {
        List<String> command = new ArrayList<>(List.of(tool.toString(), "-q", "-a", "-j", spirv.toString()));
        for (int i = 0; i < constants.size(); i++) {
            command.add(i + "=" + constants.get(i));
        }
        ChildProcess.Result result =
                new ChildProcess(command, Map.of()).require(LIMIT_SECONDS, tool + ": no such program");
        if (result.status() != 0) {
            throw problem(tool + " ended with " + result.status() + ": " + result.lastLines(1));
        }
        return result.output();
    }
}
