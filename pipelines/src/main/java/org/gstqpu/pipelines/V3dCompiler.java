package org.gstqpu.pipelines;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.kernels.vulkan.VulkanFilterContext;

/**
 * Runs Mesa's compiler for V3D on a kernel, without a V3D: a program {@code v3dstat} that takes SPIR-V and specialisation
 * constants, and writes figures as JSON with {@code -j} and the assembly with {@code -a}. Immutable.
 *
 * @param tool the program
 */
record V3dCompiler(Path tool) {
    private static final long LIMIT_SECONDS = 60;
    private static final int INSTRUCTION_BYTES = 8;

    /** A branch is relative to the instruction after its three delay slots. */
    private static final int DELAY_SLOTS = 3;

    private static final Pattern BRANCH = Pattern.compile("bu?(?:\\.\\w+)? +(-?\\d+), .*");

    /**
     * What the compiler made of a kernel.
     *
     * @param figures as the tool names them
     * @param instructions of the assembly, one a line
     */
    record Compiled(JsonObject figures, List<String> instructions) {
        int figure(String name) {
            return figures.get(name).getAsInt();
        }

        /** A part of the assembly: a loop, or what a branch may skip; {@code last} belongs to it. */
        private record Range(int first, int last) {
            boolean holds(int instruction) {
                return instruction >= first && instruction <= last;
            }
        }

        private List<Range> branches(boolean back) {
            List<Range> ranges = new ArrayList<>();
            for (int i = 0; i < instructions.size(); i++) {
                Matcher branch = BRANCH.matcher(instructions.get(i).strip());
                if (branch.matches()) {
                    int target = i + 1 + DELAY_SLOTS + Integer.parseInt(branch.group(1)) / INSTRUCTION_BYTES;
                    if (back && target <= i) {
                        ranges.add(new Range(target, i + DELAY_SLOTS));
                    } else if (!back && target > i) {
                        ranges.add(new Range(i + 1 + DELAY_SLOTS, target - 1));
                    }
                }
            }
            return ranges.stream().sorted(Comparator.comparing(Range::first)).toList();
        }

        /** Loops, in the order in which they begin. */
        int loops() {
            return branches(true).size();
        }

        /**
         * Instructions that are issued, both sides of every branch counted.
         *
         * @param trips how often each loop is gone through, in the order in which they begin; 0 for one that is not
         * @param skipping the loop in which the longest part that a branch may skip is skipped, -1 for none
         */
        long issued(List<Integer> trips, int skipping) {
            List<Range> loops = branches(true);
            if (loops.size() != trips.size()) {
                throw new WrongResultException("the compiler made " + loops.size() + " loops, " + trips.size()
                        + " are known: look at the assembly again");
            }
            Range skipped = skipping < 0
                    ? new Range(0, -1)
                    : branches(false).stream()
                            .filter(range -> loops.get(skipping).holds(range.first())
                                    && loops.get(skipping).holds(range.last()))
                            .max(Comparator.comparing(range -> range.last() - range.first()))
                            .orElseThrow(() -> new WrongResultException("the loop has no branch to skip"));
            long issued = 0;
            for (int i = 0; i < instructions.size(); i++) {
                long times = skipped.holds(i) ? 0 : 1;
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
     * @param kernel name of its resource, without {@code .spv}
     * @param constants specialisation constants, numbered from 0
     * @throws CommandFailedException when there is no such program, or it fails
     */
    Compiled compile(String kernel, List<Integer> constants) {
        Path spirv = null;
        try {
            spirv = Files.createTempFile(kernel, ".spv");
            try (InputStream in = VulkanFilterContext.class.getResourceAsStream(kernel + ".spv")) {
                Files.write(spirv, in.readAllBytes());
            }
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
