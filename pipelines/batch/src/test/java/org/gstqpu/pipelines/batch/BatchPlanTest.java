/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.play.CutTimes;
import org.gstqpu.pipelines.play.TranscodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class BatchPlanTest {
    static final String SOFTWARE = "1.2";
    private static final TranscodeSettings SETTINGS =
            new TranscodeSettings("transcode", null, 20, null, Map.of("qp", "36"));
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path folder;

    static BatchPlan plan(List<BatchTask.Unit> units) {
        return new BatchPlan(BatchPlan.FORMAT, BatchPlan.VERSION, SOFTWARE, "/out", null, SETTINGS, units);
    }

    private static Planner.Wish wish(Long segment) {
        return new Planner.Wish(SOFTWARE, SETTINGS, ".mkv", segment, false);
    }

    private static CutTimes uncut(String input) {
        return CutTimes.NONE;
    }

    private Path in(String... names) throws IOException {
        Path in = folder.resolve("in");
        for (String name : names) {
            Path file = in.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, name);
        }
        return in;
    }

    private BatchPlan plan(Path out, String... sources) throws IOException {
        return Planner.plan(BatchInputs.find(List.of(sources), out), out, wish(null), BatchPlanTest::uncut);
    }

    private static void assertUnusable(String words, Executable call) {
        CommandFailedException failure = assertThrows(CommandFailedException.class, call);
        assertTrue(failure.getMessage().contains(words), failure.getMessage());
        assertEquals(ExitStatus.UNUSABLE_INPUT, failure.exitStatus());
        assertEquals(1, failure.getMessage().lines().count());
    }

    private static List<String> outputs(BatchPlan plan) {
        return plan.units().stream().map(BatchTask.Unit::output).toList();
    }

    @Test
    void aFolderIsPlannedWithItsFoldersAndWithoutOtherFilesAndItsOwnOutputs() throws IOException {
        Path in = in("b.avi", "a.MP4", "sub/c.ts", "words.srt", ".hidden.avi", ".trash/d.avi");
        Path out = in.resolve("out");
        Files.createDirectories(out);
        Files.writeString(out.resolve("old.mkv"), "");
        BatchPlan plan = plan(out, in.toString());
        assertEquals(List.of("a.mkv", "b.mkv", "sub/c.mkv"), outputs(plan));
        assertEquals(
                List.of("000001", "000002", "000003"),
                plan.units().stream().map(BatchTask.Unit::id).toList());
        assertEquals(in.resolve("sub/c.ts").toString(), plan.units().get(2).input());
        assertEquals(plan, BatchPlan.read(out.resolve("plan.json"), SOFTWARE));
    }

    @Test
    void listsPatternsAddressesAndFilesAreInputs() throws IOException {
        Path in = in("x/a.avi", "x/y/b.avi", "z.bin");
        Path list = Files.writeString(in.resolve("all.txt"), "# a comment\nx/a.avi\n\nhttp://host/film.mpg?x=1\n");
        Path out = folder.resolve("out");
        assertEquals(List.of("a.mkv", "film.mkv"), outputs(plan(out, list.toString())));
        assertEquals(List.of("a.mkv", "y/b.mkv"), outputs(plan(folder.resolve("out2"), in + "/x/**.avi")));
        assertEquals(
                List.of("z.mkv"),
                outputs(plan(folder.resolve("out3"), in.resolve("z.bin").toString())));
    }

    @Test
    void mistakesAreToldInOneLine() throws IOException {
        Path in = in("a.avi", "a.mp4", "empty/words.txt");
        Path out = folder.resolve("out");
        assertUnusable("would both become a.mkv", () -> plan(out, in.toString()));
        assertUnusable(
                "the folder has no video", () -> plan(out, in.resolve("empty").toString()));
        assertUnusable("no file matches", () -> plan(out, in + "/*.ogv"));
        assertUnusable("no such file", () -> plan(out, in + "/b.avi"));
        assertUnusable("the list names no input", () -> plan(out, in + "/empty/../" + "empty/none.txt"), in);
        assertUnusable("the same folder", () -> plan(in, in.toString()));
        assertUnusable("/dev/null: it is no file", () -> plan(out, "/dev/null"));
        Path links = Files.createDirectories(folder.resolve("links"));
        Files.createSymbolicLink(links.resolve("c.avi"), links.resolve("nothing"));
        assertUnusable("c.avi: it is a link to nothing", () -> plan(out, links.toString()));
        Files.createDirectories(out);
        Files.writeString(out.resolve("a.mkv"), "");
        assertUnusable("exists already", () -> plan(out, in + "/a.avi"));
    }

    private static void assertUnusable(String words, Executable call, Path in) throws IOException {
        Files.writeString(in.resolve("empty/none.txt"), "# nothing\n");
        assertUnusable(words, call);
    }

    @Test
    void aPlanIsNamedByItsFolderToo() throws IOException {
        plan(List.of()).write(folder);
        Path file = folder.resolve(BatchPlan.FILE);
        assertEquals(file, BatchPlan.file(folder));
        assertEquals(file, BatchPlan.file(file));
    }

    @Test
    void aPlanOfAnotherVersionOrProgramIsRefused() throws IOException {
        Path file = folder.resolve("plan.json");
        assertUnusable("there is no plan", () -> BatchPlan.read(file, SOFTWARE));
        plan(List.of()).write(folder);
        assertUnusable("was made by qpu 1.2, and this is qpu 1.3", () -> BatchPlan.read(file, "1.3"));
        String text = Files.readString(file);
        Files.writeString(file, text.replace("\"version\": 1", "\"version\": 2"));
        assertUnusable("is a plan of version 2", () -> BatchPlan.read(file, SOFTWARE));
        Files.writeString(file, text.substring(0, text.length() / 2));
        assertUnusable("it is damaged", () -> BatchPlan.read(file, SOFTWARE));
        Files.writeString(file, "{}");
        assertUnusable("it is no plan", () -> BatchPlan.read(file, SOFTWARE));
    }

    private static BatchTask.Unit whole(String id, String output) {
        return new BatchTask.Unit(id, "/in/a.avi", null, null, null, output, null, 1);
    }

    private static BatchTask.Unit segment(String id, Long from, Long to) {
        return new BatchTask.Unit(id, "/in/a.avi", 5L, from, to, ".batch/segments/000001/" + id + ".gdp", "a.mkv", 1);
    }

    private void assertRefused(String words, BatchTask.Unit... units) throws IOException {
        plan(List.of(units)).write(folder);
        assertUnusable(words, () -> BatchPlan.read(folder.resolve(BatchPlan.FILE), SOFTWARE));
    }

    private void assertRefused(String words, String text, String other) throws IOException {
        plan(List.of(whole("000001", "a.mkv"))).write(folder);
        Path file = folder.resolve(BatchPlan.FILE);
        String right = Files.readString(file);
        BatchPlan.read(file, SOFTWARE);
        assertTrue(right.contains(text), right);
        Files.writeString(file, right.replace(text, other));
        assertUnusable(words, () -> BatchPlan.read(file, SOFTWARE));
    }

    @Test
    void unitsThatReachBeyondThePlanAreRefused() throws IOException {
        for (String output : List.of("../a.mkv", "/a.mkv", "b/../../a.mkv", "b/../a.mkv", "./a.mkv", "..", "")) {
            assertRefused("output", whole("000001", output));
            assertRefused(
                    "output",
                    new BatchTask.Unit(
                            "000001", "/in/a.avi", 5L, null, null, ".batch/segments/000001/000001.gdp", output, 1));
        }
        assertRefused("an output in the place of the plan", whole("000001", "plan.json"));
        assertRefused("an output in the place of the plan", whole("000001", ".batch/000002.done"));
        assertRefused("control characters", whole("000001", "a\n.mkv"));
        assertRefused("control characters", whole("000001", "a\u0000.mkv"));
        assertRefused(
                "is a segment, whose output is not",
                new BatchTask.Unit(
                        "000001", "/in/a.avi", 5L, null, null, ".batch/segments/../a/000001.gdp", "a.mkv", 1));
        for (String id : List.of("", "1", "../../id", "/tmp/id", "a00001", "000001.a", "000001\n", "000001/1")) {
            assertRefused("unit 2 of 2 has no id", whole("000002", "b.mkv"), whole(id, "a.mkv"));
        }
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        Path out = Files.createDirectories(folder.resolve("out"));
        plan(List.of(whole("000001", "sub/new/a.mkv"))).write(out);
        Path file = out.resolve(BatchPlan.FILE);
        assertEquals(1, BatchPlan.read(file, SOFTWARE).units().size());
        Path link = Files.createSymbolicLink(out.resolve("sub"), elsewhere);
        assertUnusable("leads out of OUT through a link", () -> BatchPlan.read(file, SOFTWARE));
        Files.delete(link);
        Files.createSymbolicLink(link, folder.resolve("nothing"));
        assertUnusable("leads out of OUT through a link", () -> BatchPlan.read(file, SOFTWARE));
        Files.delete(link);
        Files.createSymbolicLink(link, Files.createDirectories(out.resolve("inside")));
        assertEquals(1, BatchPlan.read(file, SOFTWARE).units().size());
        Files.createSymbolicLink(out.resolve(StateFolder.NAME), elsewhere);
        assertUnusable("its folder .batch leads out of OUT", () -> BatchPlan.read(file, SOFTWARE));
    }

    @Test
    void unitsThatShareWhatIsEachOnesOwnAreRefused() throws IOException {
        assertRefused("unit 2 of 2 has the id of another", whole("000001", "a.mkv"), whole("000001", "b.mkv"));
        assertRefused("unit 2 of 2 has the output of another", whole("000001", "a.mkv"), whole("000002", "a.mkv"));
        assertRefused("joins the output of another", whole("000001", "a.mkv"), segment("000002", null, null));
        assertRefused("has the output of another", segment("000002", null, null), whole("000001", "a.mkv"));
    }

    @Test
    void segmentsThatDoNotFollowOneAnotherAreRefused() throws IOException {
        plan(List.of(segment("000001", null, 10L), segment("000002", 10L, 20L), segment("000003", 20L, null)))
                .write(folder);
        Path file = folder.resolve(BatchPlan.FILE);
        assertEquals(1, BatchPlan.read(file, SOFTWARE).joins().size());
        assertRefused("ends before it begins", segment("000001", null, 5L));
        assertRefused("ends before it begins", segment("000001", null, -1L));
        assertRefused("ends before it begins", segment("000001", null, 10L), segment("000002", 10L, 9L));
        assertRefused("does not begin where", segment("000001", null, 10L), segment("000002", 9L, null));
        assertRefused("does not begin where", segment("000001", null, 10L), segment("000002", 11L, null));
        assertRefused("does not begin where", segment("000001", null, null), segment("000002", 11L, null));
        assertRefused("does not begin where its input does", segment("000001", 7L, null));
        assertRefused("does not reach its end", segment("000001", null, 10L));
        assertRefused(
                "has times, but joins nothing",
                new BatchTask.Unit("000001", "/in/a.avi", null, 3L, null, "a.mkv", null, 1));
        BatchTask.Unit first = segment("000001", null, 10L);
        assertRefused(
                "another input or folder",
                first,
                new BatchTask.Unit(
                        "000002", "/in/b.avi", 5L, 10L, null, ".batch/segments/000001/000002.gdp", "a.mkv", 1));
        assertRefused(
                "another input or folder",
                first,
                new BatchTask.Unit(
                        "000002", "/in/a.avi", 5L, 10L, null, ".batch/segments/000003/000002.gdp", "a.mkv", 1));
    }

    @Test
    void textsOfAPlanAreNoParts() throws IOException {
        assertRefused("no input", "\"input\":\"/in/a.avi\"", "\"input\":null");
        assertRefused("no input", "\"input\":\"/in/a.avi\"", "\"input\":\"/in/\\u001b[31m\"");
        assertRefused("negative size", "\"bytes\":1", "\"bytes\":-1");
        assertRefused("it is damaged", "\"bytes\":1", "\"bytes\":1e400");
        assertRefused("lacks its settings or units", "\"units\": [", "\"units\": null, \"u\": [");
        assertRefused("lacks its settings or units", "\"units\": [", "\"units\": [null,");
        assertRefused("lacks its settings or units", "\"set\": {", "\"s\": {");
        assertRefused("it is no plan", "\"1.2\"", "\"1.2\\n\"");
        assertRefused("it is damaged", "\"units\": [", "\"u\": " + "[".repeat(100000) + ", \"units\": [");
        String as = "\"as\": \"transcode\"";
        assertRefused("--as takes", as, "\"as\": \"../transcode\"");
        assertRefused("--as takes", as, "\"as\": null");
        for (String encoder : List.of(
                "x264enc ! filesink location=/tmp/x",
                "x264enc name=z videotestsrc",
                "x264enc a=b! fakesink",
                "x264enc a=\\\"b ! fakesink\\\"",
                "x264enc z.",
                "( x264enc )",
                "")) {
            assertRefused("--encoder takes", as, as + ", \"encoder\": \"" + encoder + "\"");
        }
        assertRefused("--quality 51", "\"quality\": 20", "\"quality\": 51");
        assertRefused("--bitrate 0", "\"quality\": 20", "\"quality\": 20, \"bitrate\": 0");
        assertRefused("PROPERTY=VALUE", "\"qp\":", "\"qp=1 ! filesink location=/tmp/x ! x\":");
        assertRefused("PROPERTY=VALUE", "\"qp\": \"36\"", "\"qp\": null");
        assertUnusable("it is no file", () -> BatchPlan.read(Path.of("/dev/zero"), SOFTWARE));
    }

    @Test
    void aNameThatNoPlanCanHoldIsRefused() throws IOException {
        Path in = in("a\u001b[31m.avi");
        assertUnusable("a?[31m.avi: the name", () -> plan(folder.resolve("out"), in.toString()));
        assertUnusable("the name", () -> plan(folder.resolve("out"), "http://a/b\tc.avi"));
    }

    @Test
    void newInputsAreAddedAndOtherSettingsRefused() throws IOException {
        Path in = in("b.avi");
        Path out = folder.resolve("out");
        plan(out, in.toString());
        Files.writeString(out.resolve("b.mkv"), "done");
        in("a.avi");
        BatchPlan plan = plan(out, in.toString());
        assertEquals(List.of("b.mkv", "a.mkv"), outputs(plan));
        assertEquals("000002", plan.units().get(1).id());
        assertUnusable(
                "has a plan with other settings",
                () -> Planner.plan(
                        BatchInputs.find(List.of(in.toString()), out), out, wish(SECOND), BatchPlanTest::uncut));
    }

    @Test
    void longInputsBecomeSegmentsAndAJoin() throws IOException {
        Path in = in("a.avi", "b.avi");
        Path out = folder.resolve("out");
        BatchPlan plan = Planner.plan(
                BatchInputs.find(List.of(in.toString()), out),
                out,
                wish(SECOND),
                input -> input.endsWith("b.avi")
                        ? new CutTimes(5, List.of(SECOND, 2 * SECOND), Optional.empty())
                        : CutTimes.NONE);
        assertEquals(4, plan.units().size());
        assertEquals(
                new BatchTask.Unit(
                        "000003",
                        in.resolve("b.avi").toString(),
                        5L,
                        SECOND,
                        2 * SECOND,
                        ".batch/segments/000002/000003.gdp",
                        "b.mkv",
                        1),
                plan.units().get(2));
        assertEquals(
                List.of(new BatchTask.Join(
                        "join-000002",
                        in.resolve("b.avi").toString(),
                        "b.mkv",
                        plan.units().subList(1, 4))),
                plan.joins());
    }

    @Test
    void sharesAreThoseOfTheEngineAndHaveEachUnitOnce() {
        assertEquals(Optional.empty(), Shard.ofEngine(Map.of()));
        assertEquals(
                Optional.of(new Shard(2, 4)),
                Shard.ofEngine(Map.of(
                        "SLURM_ARRAY_TASK_ID", "3", "SLURM_ARRAY_TASK_MIN", "1", "SLURM_ARRAY_TASK_COUNT", "4")));
        assertEquals(
                Optional.of(new Shard(1, 3)),
                Shard.ofEngine(Map.of("JOB_COMPLETION_INDEX", "1", "GST_QPU_SHARDS", "3")));
        assertEquals(
                Optional.of(new Shard(0, 2)),
                Shard.ofEngine(Map.of("AWS_BATCH_JOB_ARRAY_INDEX", "0", "AWS_BATCH_JOB_ARRAY_SIZE", "2")));
        assertUnusable("GST_QPU_SHARDS is not", () -> Shard.ofEngine(Map.of("JOB_COMPLETION_INDEX", "1")));
        assertUnusable("is none of", () -> Shard.ofEngine(Map.of("JOB_COMPLETION_INDEX", "3", "GST_QPU_SHARDS", "3")));
        List<Integer> places = new ArrayList<>();
        for (int index = 0; index < 3; index++) {
            for (int place = 0; place < 10; place++) {
                if (new Shard(index, 3).has(place)) {
                    places.add(place);
                }
            }
        }
        assertEquals(10, places.stream().distinct().count());
        assertEquals(10, places.size());
    }

    @Test
    void aTaskIsSetAsideAfterThreeFailures() throws IOException {
        StateFolder state = StateFolder.of(folder);
        for (int attempt = 1; attempt <= StateFolder.ATTEMPTS; attempt++) {
            assertEquals(false, state.list().isSetAside("000001"));
            assertEquals(attempt, state.failed("000001", "what came before\nthe reason"));
        }
        StateFolder.Listing listing = state.list();
        assertTrue(listing.isSetAside("000001"));
        assertEquals("the reason", state.reason("000001", listing));
        state.forgive("000001");
        assertEquals(false, state.list().isSetAside("000001"));
    }
}
