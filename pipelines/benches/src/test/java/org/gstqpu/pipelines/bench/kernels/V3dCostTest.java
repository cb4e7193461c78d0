/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.WrongResultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class V3dCostTest {
    /**
     * Of kernels by the beginnings of their names. A block of shrinkage is 64 coefficients, which do not fit in the registers of one
     * invocation. ADM multiplies numbers of 64 bits, a word at a time.
     */
    private static final Map<String, Integer> MOST_SPILLS = Map.of(
            "shrinkage picture, luma", 86,
            "shrinkage picture, chroma", 95,
            "shrinkage picture, I420_10LE luma", 121,
            "temporal fusion, fuse", 81,
            "quality, ADM, detail", 276);

    /** The cost of the kernels, which is checked in so that a change of it shows. */
    private static final Path TABLE = Installation.current().root().resolve("kernels/v3d-cost.txt");

    private static Path tool() {
        return Optional.ofNullable(System.getenv("V3DSTAT"))
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache", "v3d-offline", "v3dstat"));
    }

    @Test
    void theTableIsWhatTheCompilerMakesOfTheKernels() throws Exception {
        assumeTrue(
                Files.isExecutable(tool()), () -> "no " + tool() + ": the table of V3D's costs is not computed again");
        assertEquals(
                Files.readString(TABLE),
                V3dReport.of(new V3dCompiler(tool())).table(),
                () -> "a kernel costs more or less than before: look, then pipelines/bench v3d --tool " + tool()
                        + " > kernels/v3d-cost.txt");
    }

    @Test
    void noKernelSpillsButThoseThatNeedMoreThanTheRegisters() throws Exception {
        List<String> lines = Files.readAllLines(TABLE);
        assertTrue(lines.get(0).contains("spill+fill"), lines::toString);
        List<String> rows = lines.subList(1, lines.indexOf(""));
        assertEquals(V3dCases.ALL.kernels().size(), rows.size());
        for (String row : rows) {
            List<String> cells =
                    Pattern.compile(" {2,}").splitAsStream(row.strip()).toList();
            int most = MOST_SPILLS.entrySet().stream()
                    .filter(entry -> cells.get(0).startsWith(entry.getKey()))
                    .mapToInt(Map.Entry::getValue)
                    .findFirst()
                    .orElse(0);
            assertTrue(Integer.parseInt(cells.get(4)) <= most, row);
        }
    }

    @Test
    void everyConstantIsOneOfItsShader() {
        for (V3dCost cost : V3dCases.ALL.kernels()) {
            // Names are looked up there.
            List<Integer> words = cost.words();
            assertEquals(cost.constants().get("localSizeX").getAsInt(), words.get(0), cost.name());
        }
    }

    /** 12 instructions: a loop of 6 of them, and in it a branch over 1. */
    @Test
    void loopsCountAsOftenAsTheyAreGoneThrough() {
        List<String> assembly = List.of(
                "nop ; nop",
                "nop ; nop",
                "bu.allna  8, r:unif",
                "nop ; nop",
                "nop ; nop",
                "nop ; nop",
                "add rf1, rf1, rf2 ; nop",
                "bu.anyap  -72, r:unif",
                "nop ; nop",
                "nop ; nop",
                "nop ; nop",
                "nop ; nop");
        V3dCompiler.Compiled compiled = new V3dCompiler.Compiled(new JsonObject(), assembly);
        assertEquals(1, compiled.loops());
        assertEquals(12, compiled.issued(List.of(1), Map.of()));
        assertEquals(12 + 2 * 9, compiled.issued(List.of(3), Map.of()));
        assertEquals(3, compiled.issued(List.of(0), Map.of()));
        assertThrows(WrongResultException.class, () -> compiled.issued(List.of(1, 1), Map.of()));
        // The branch leaves out one of the instructions of the loop.
        assertEquals(11, compiled.issued(List.of(1), Map.of(0, 1.0)));
        assertEquals(11.5, compiled.issued(List.of(1), Map.of(0, 0.5)));
        assertEquals(3 + 3 * 8, compiled.issued(List.of(3), Map.of(0, 1.0)));
    }

    /** 10 instructions: a branch to the second of two sides, the first of which ends in a branch over the second. */
    @Test
    void ofTwoSidesOneCounts() {
        List<String> assembly = List.of(
                "bu.anyap  40, r:unif",
                "nop ; nop",
                "nop ; nop",
                "nop ; nop",
                "add rf1, rf1, rf2 ; nop",
                "bu  16, r:unif",
                "nop ; nop",
                "nop ; nop",
                "nop ; nop",
                "add rf1, rf1, rf3 ; nop",
                "add rf1, rf1, rf4 ; nop",
                "nop ; nop");
        V3dCompiler.Compiled compiled = new V3dCompiler.Compiled(new JsonObject(), assembly);
        assertEquals(10, compiled.issued(List.of(), Map.of()));
        assertEquals(4 + 3, compiled.issued(List.of(), Map.of(0, 1.0)));
    }

    @Test
    void aPictureCostsWhatItsKernelsCost() {
        List<V3dCost.Figures> figures = V3dCases.ALL.kernels().stream()
                .map(cost -> new V3dCost.Figures(cost.name(), cost.kernel().path(), 0, 0, 0, 0, 0, 0, 0, 16, 0))
                .toList();
        for (V3dPicture picture : V3dCases.ALL.pictures()) {
            // Every kernel is known, and none belongs to no filter.
            V3dPicture.Sum sum = picture.sum(figures);
            long chroma = picture.kernels().stream()
                    .filter(kernel -> kernel.startsWith("shrinkage picture, chroma"))
                    .count();
            double blocks = 240 * 135 * (picture.kernels().size() - chroma / 2.0);
            assertEquals(16 * (blocks + 60 * 34 + 1917 + 1077) / 1e6, sum.all(), 1e-9, picture.name());
        }
    }

    @Test
    void aStreamCostsWhatItsPicturesCost() {
        List<V3dPicture.Sum> sums = V3dCases.ALL.pictures().stream()
                .map(picture -> new V3dPicture.Sum(
                        picture.name(), 1, 2, 3, picture.name().contains("nothing") ? 0 : 9))
                .toList();
        for (V3dStream stream : V3dCases.ALL.streams()) {
            // Every picture is known.
            List<String> names =
                    V3dCases.ALL.pictures().stream().map(V3dPicture::name).toList();
            assertTrue(names.containsAll(stream.pictures().keySet()), stream.name());
            int all = stream.pictures().values().stream().mapToInt(many -> many).sum();
            int shrunk = stream.pictures().entrySet().stream()
                    .filter(entry -> !entry.getKey().contains("nothing"))
                    .mapToInt(Map.Entry::getValue)
                    .sum();
            assertEquals(6 + 9.0 * shrunk / all, stream.sum(sums).all(), 1e-9, stream.name());
        }
    }

    @Test
    void withoutTheCompilerItSaysSo() {
        V3dCompiler none = new V3dCompiler(Path.of("no-such-v3dstat"));
        CommandFailedException failure = assertThrows(
                CommandFailedException.class,
                () -> V3dCases.ALL.kernels().get(0).measure(none));
        assertEquals(ExitStatus.UNAVAILABLE, failure.exitStatus());
    }
}
