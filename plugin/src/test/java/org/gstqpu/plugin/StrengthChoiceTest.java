/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.plugin.FakeHost.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StrengthChoiceTest {
    private final Values values = new Values();

    @AfterEach
    void close() {
        values.close();
    }

    /** A tier that deblocks if shrinkage does not run. */
    private static final int TIER = 22;

    /** The tests of deblocking and CDEF ask for the quality that runs both. */
    private void choose(Quality quality) {
        values.set(
                ElementProperty.QUALITY,
                List.of(Quality.FAST, Quality.BALANCED, Quality.BEST).indexOf(quality) + 1);
    }

    @BeforeEach
    void runBoth() {
        choose(Quality.FAST);
    }

    private FilterParameters chosen() {
        FilterParameters chosen = ladder().tiers().get(TIER);
        if (!automatic()) {
            assertEquals(chosen, StrengthChoice.fixed(settings()));
        }
        return chosen;
    }

    private FilterSettings settings() {
        return FilterSettings.read(values.view(), false, Temporal.Choice.NONE);
    }

    private StrengthLadder ladder() {
        return StrengthChoice.ladder(settings());
    }

    private boolean automatic() {
        return StrengthChoice.isAutomatic(settings());
    }

    @Test
    void withoutShrinkageBothFiltersHaveTheTiersWithoutIt() {
        assertTrue(automatic());
        assertEquals(new StrengthTier(26, 33, 4, 1, 5, 0), StrengthTier.WITHOUT_SHRINKAGE.get(TIER));
        assertEquals(Optional.of(new H264DeblockParameters(26, 33, 26, 32, 26, 32, 3, 3, true)), chosen().deblock());
        assertEquals(Optional.of(CdefParameters.uniform(5, new CdefStrength(4, 1, 2, 0))), chosen().cdef());
        FilterParameters none = ladder().tiers().get(0);
        assertEquals(0, none.deblock().orElseThrow().macroblockEdgeBs());
        assertEquals(0, none.deblock().orElseThrow().innerEdgeBs());
        assertEquals(Optional.of(CdefParameters.uniform(4, new CdefStrength(0, 0, 0, 0))), none.cdef());
        assertEquals(Optional.empty(), none.shrinkage());
    }

    @Test
    void withShrinkageTheOtherFiltersHaveTheTiersBesideIt() {
        choose(Quality.BEST);
        StrengthTier tier = StrengthTier.ALL.get(TIER);
        int luma = tier.shrinkage() * 115 / 100;
        assertEquals(
                new FilterParameters(
                        Optional.empty(),
                        Optional.of(CdefParameters.uniform(
                                tier.damping(), new CdefStrength(tier.primary(), tier.secondary(), 0, 0))),
                        Optional.of(
                                new ShrinkageParameters(8, luma, luma * 70 / 100, ShrinkageParameters.DEFAULT_BOUND))),
                chosen());
    }

    @Test
    void offsetsMoveTheTiersDoubled() {
        values.set(ElementProperty.ALPHA_OFFSET, -3)
                .set(ElementProperty.BETA_OFFSET, 6)
                .set(ElementProperty.CHROMA_QP_OFFSET, 12);
        // QPc of 26 + 12 is 35, of 33 + 12 it is 38 (table 8-15).
        assertEquals(Optional.of(new H264DeblockParameters(20, 45, 29, 50, 29, 50, 3, 3, true)), chosen().deblock());
    }

    @Test
    void offsetsOfTheTiersAreClippedToTheTables() {
        values.set(ElementProperty.CHROMA_QP_OFFSET, -12)
                .set(ElementProperty.ALPHA_OFFSET, -6)
                .set(ElementProperty.BETA_OFFSET, -6);
        assertEquals(Optional.of(new H264DeblockParameters(14, 21, 2, 9, 2, 9, 3, 3, true)), chosen().deblock());
    }

    @Test
    void nothingIsAutomaticWhereAllThatRunsIsSet() {
        values.set(ElementProperty.QP, 30);
        assertTrue(automatic());
        values.set(ElementProperty.CDEF, 0);
        assertFalse(automatic());
        values.set(ElementProperty.CDEF, 1)
                .set(ElementProperty.CDEF_DAMPING, 3)
                .set(ElementProperty.CDEF_Y_PRIMARY, 0)
                .set(ElementProperty.CDEF_Y_SECONDARY, 0)
                .set(ElementProperty.CDEF_UV_PRIMARY, 0);
        assertTrue(automatic());
        values.set(ElementProperty.CDEF_UV_SECONDARY, 0);
        assertFalse(automatic());
        values.set(ElementProperty.QP, -1);
        assertTrue(automatic());
    }

    @ParameterizedTest
    @CsvSource({"0,-1,true", "1,-1,false", "2,-1,true", "0,30,false", "1,30,false", "2,30,true"})
    void gridIsEightForAutomaticAndFourForExactUnlessSet(int grid, int qp, boolean transform8x8) {
        values.set(ElementProperty.GRID, grid).set(ElementProperty.QP, qp);
        assertEquals(transform8x8, chosen().deblock().orElseThrow().transform8x8());
    }

    @Test
    void aQpAsksForTheStandardsIntraFilter() {
        values.set(ElementProperty.QP, 37)
                .set(ElementProperty.ALPHA_OFFSET, -2)
                .set(ElementProperty.BETA_OFFSET, 3)
                .set(ElementProperty.CHROMA_QP_OFFSET, -5);
        assertEquals(Optional.of(H264DeblockParameters.intra(37, -4, 6, -5, -5, false)), chosen().deblock());
        assertEquals(4, chosen().deblock().orElseThrow().macroblockEdgeBs());
    }

    @Test
    void aQpOfZeroIsExactToo() {
        values.set(ElementProperty.QP, 0);
        assertEquals(Optional.of(H264DeblockParameters.intra(0, 0, 0, 0, 0, false)), chosen().deblock());
    }

    @Test
    void eachCdefValueThatIsSetIsExactAndTheOthersAreTheTiers() {
        values.set(ElementProperty.CDEF_DAMPING, 6).set(ElementProperty.CDEF_UV_PRIMARY, 0);
        assertEquals(Optional.of(CdefParameters.uniform(6, new CdefStrength(4, 1, 0, 0))), chosen().cdef());
        values.set(ElementProperty.CDEF_DAMPING, 3)
                .set(ElementProperty.CDEF_Y_PRIMARY, 15)
                .set(ElementProperty.CDEF_Y_SECONDARY, 4)
                .set(ElementProperty.CDEF_UV_PRIMARY, 7)
                .set(ElementProperty.CDEF_UV_SECONDARY, 0);
        assertEquals(Optional.of(CdefParameters.uniform(3, new CdefStrength(15, 4, 7, 0))), chosen().cdef());
    }

    @Test
    void theFiltersThatRunAreThoseOfTheDocumentedTable() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("../docs/PROPERTIES.md")).stream()
                .dropWhile(line -> !line.startsWith("| set | filters that run |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertTrue(rows.size() > 20, rows::toString);
        for (String row : rows) {
            List<String> cells =
                    Arrays.stream(row.split("\\|", -1)).map(String::strip).toList();
            try (Values set = new Values()) {
                set(set, cells.get(1));
                FilterSettings settings = FilterSettings.read(set.view(), false, Temporal.Choice.NONE);
                RunningFilters running = settings.running();
                assertEquals(cells.get(2), "`" + running.names() + "`", row);
                assertEquals(cells.get(3), running.shifts() == 0 ? "" : String.valueOf(running.shifts()), row);
                assertEquals(cells.get(4), strengths(settings, running), row);
            }
        }
    }

    @Test
    void eachQualityRunsWhatIsDocumented() throws IOException {
        List<String> documented = Files.readAllLines(Path.of("../docs/PROPERTIES.md")).stream()
                .dropWhile(line -> !line.startsWith("| `quality` | what runs |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1))
                .toList();
        assertEquals(
                Arrays.stream(Quality.values())
                        .map(quality -> "| `" + quality.nick() + "` | " + quality.description() + " |")
                        .toList(),
                documented);
    }

    @Test
    void theReasonsOfAStrengthAreDocumented() throws IOException {
        List<String> documented = Files.readAllLines(Path.of("../docs/STATISTICS.md")).stream()
                .dropWhile(line -> !line.startsWith("| `strength-reason` | meaning |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split("`", -1)[1])
                .toList();
        assertEquals(
                Arrays.stream(StrengthReason.values())
                        .map(StrengthReason::words)
                        .toList(),
                documented);
    }

    @ParameterizedTest
    @CsvSource({
        // comb, drawing, step, texture, tier, reason
        "false,false,1,0,0,CLEAN",
        "false,true,1,0,0,CLEAN",
        "false,true,6,0,12,DRAWING",
        "true,false,12.5,0,12,COMB",
        "false,false,4,0,12,BLOCKS",
        "true,false,12.5,380,1,TEXTURE",
        "false,false,2.5,380,0,TEXTURE"
    })
    void theReasonIsWhatDecidedTheTier(
            boolean comb, boolean drawing, double step, int texture, int tier, StrengthReason reason) {
        StrengthEstimate found = new StrengthEstimate(comb, drawing, step, texture, tier, 0, 0);
        assertEquals(reason, StrengthReason.of(settings(), Optional.of(found)));
    }

    private static String strengths(FilterSettings settings, RunningFilters running) {
        return running.none() ? "" : StrengthChoice.isAutomatic(settings) ? "the element" : "you";
    }

    /** Sets what a cell such as {@code `qp=36` `cdef=false`} says. */
    private static void set(Values values, String cell) {
        for (String setting :
                cell.equals("nothing") ? new String[0] : cell.replace("`", "").split(" ", -1)) {
            String[] parts = setting.split("=", -1);
            ElementProperty property = Arrays.stream(ElementProperty.values())
                    .filter(one -> one.gstName().equals(parts[0]))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no property " + setting));
            values.set(property, number(property, parts[1]));
        }
    }

    private static int number(ElementProperty property, String text) {
        if (property.type() instanceof ElementProperty.Bool) {
            return Boolean.parseBoolean(text) ? 1 : 0;
        }
        if (property.type() instanceof ElementProperty.RealRange range) {
            return (int) Math.round(Double.parseDouble(text) * range.parts());
        }
        if (property.type() instanceof ElementProperty.Choice choice) {
            int index = choice.values().stream()
                    .map(ElementProperty.Value::nick)
                    .toList()
                    .indexOf(text);
            assertTrue(index >= 0, text);
            return index;
        }
        return Integer.parseInt(text);
    }

    @Test
    void aThresholdIsExactForLumaAndChromaInEveryTier() {
        choose(Quality.BEST);
        values.set(ElementProperty.SHRINKAGE_THRESHOLD, 160)
                .set(ElementProperty.SHRINKAGE_BOUND, 0)
                .set(ElementProperty.STRENGTH, ElementProperty.STRENGTH_PARTS / 2);
        for (FilterParameters tier : ladder().tiers()) {
            assertEquals(Optional.of(new ShrinkageParameters(8, 160, 160, 0)), tier.shrinkage());
        }
    }

    @Test
    void shrinkageLeavesPicturesOfTheFirstTierAsTheyAre() {
        choose(Quality.BEST);
        ShrinkageParameters first = ladder().tiers().get(0).shrinkage().orElseThrow();
        assertEquals(new ShrinkageParameters(8, 0, 0, ShrinkageParameters.DEFAULT_BOUND), first);
        assertTrue(chosen().shrinkage().orElseThrow().lumaThreshold() > 0);
    }

    @Test
    void fusionHasTheThresholdsOfShrinkageAndLeavesDrawingsAlone() {
        choose(Quality.BEST);
        assertTrue(ladder().tiers().stream().allMatch(tier -> tier.time().isEmpty()), "fusion nobody asked for");
        values.set(ElementProperty.TEMPORAL, 1);
        List<FilterParameters> tiers = ladder().tiers();
        for (int number = 0; number < tiers.size(); number++) {
            ShrinkageParameters shrinkage = tiers.get(number).shrinkage().orElseThrow();
            TimeParameters time = tiers.get(number).time().orElseThrow();
            boolean drawn = StrengthTier.isDrawn(number);
            assertEquals(drawn ? 0 : shrinkage.lumaThreshold(), time.threshold(), "tier " + number);
            assertEquals(drawn ? 0 : shrinkage.chromaThreshold(), time.chromaThreshold(), "tier " + number);
        }
        values.set(ElementProperty.SHRINKAGE_THRESHOLD, 160);
        assertTrue(
                ladder().tiers().stream().allMatch(tier -> tier.time().isEmpty()), "fusion behind an exact strength");
    }

    @Test
    void drawingsAreFilteredByCdefFirstAndHaveTheirOwnChroma() {
        choose(Quality.BEST);
        int number = StrengthTier.number(true, TIER);
        StrengthTier tier = StrengthTier.ALL.get(number);
        FilterParameters drawn = ladder().tiers().get(number);
        assertEquals(
                Optional.of(new ShrinkageParameters(
                        8, tier.shrinkage(), tier.shrinkage() * 35 / 100, ShrinkageParameters.DEFAULT_BOUND)),
                drawn.shrinkage());
        assertTrue(primary(drawn) > 0);
        assertTrue(chosen().cdef().orElseThrow().changesNothing());
    }

    @Test
    void fewerShiftsHaveALowerThreshold() {
        choose(Quality.BEST);
        int best = threshold();
        choose(Quality.BALANCED);
        assertTrue(threshold() < best);
        assertEquals(4, chosen().shrinkage().orElseThrow().shifts());
    }

    private int threshold() {
        return chosen().shrinkage().orElseThrow().lumaThreshold();
    }

    private int indexA() {
        return chosen().deblock().orElseThrow().lumaIndexA();
    }

    @Test
    void strengthScalesWhatIsAutomaticAndNothingElse() {
        int primary = primary(chosen());
        int indexA = indexA();
        choose(Quality.BEST);
        int threshold = threshold();
        values.set(ElementProperty.STRENGTH, 2 * ElementProperty.STRENGTH_PARTS);
        assertEquals(2.0 * threshold, threshold(), 2);
        choose(Quality.FAST);
        assertTrue(primary(chosen()) > primary);
        values.set(ElementProperty.STRENGTH, ElementProperty.STRENGTH_PARTS / 2);
        assertTrue(primary(chosen()) < primary);
        assertTrue(indexA() < indexA);
        choose(Quality.BEST);
        assertEquals(threshold / 2.0, threshold(), 2);
        choose(Quality.FAST);
        values.set(ElementProperty.CDEF_Y_PRIMARY, 9);
        assertEquals(9, primary(chosen()));
        values.set(ElementProperty.QP, 30).set(ElementProperty.STRENGTH, 0);
        assertEquals(Optional.of(H264DeblockParameters.intra(30, 0, 0, 0, 0, false)), chosen().deblock());
        assertEquals(
                new CdefStrength(9, 0, 0, 0),
                chosen().cdef().orElseThrow().strengths().get(0));
    }

    private static int primary(FilterParameters parameters) {
        return parameters.cdef().orElseThrow().strengths().get(0).yPrimary();
    }
}
