/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.List;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.stage.FilterStage;
import org.gstqpu.kernels.internal.stage.ParameterRoom;
import org.gstqpu.kernels.internal.stage.PictureKernel;
import org.gstqpu.kernels.internal.stage.RowFilter;
import org.gstqpu.kernels.internal.stage.StagePicture;
import org.gstqpu.kernels.internal.stage.StageRecording;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.layout.TimeBetweenConstants;
import org.gstqpu.kernels.internal.vulkan.layout.TimeFuseConstants;
import org.gstqpu.kernels.internal.vulkan.layout.TimeGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.TimeGuardConstants;
import org.gstqpu.kernels.internal.vulkan.layout.TimePicture;
import org.gstqpu.kernels.internal.vulkan.layout.TimePyramidConstants;
import org.gstqpu.kernels.internal.vulkan.layout.TimeSearchConstants;
import org.gstqpu.kernels.internal.vulkan.layout.TimeTable;
import org.gstqpu.kernels.internal.vulkan.layout.TimeWork;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.memory.RowWords;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Temporal fusion in the picture that shrinkage left. Owns the history, which it makes for the first picture: what the kernels read of the pictures before lies in memory of its own, in entries that take turns.
 */
public final class TimeStage implements FilterStage {
    private static final int LEVELS = 3;
    private static final int BLOCK = 8;
    private static final int OFFSET_BITS = 6;
    private static final int SEQUENCE_BITS = 1;
    private static final int AHEAD_BITS = 2;

    /** What {@link TimePicture#REFERENCES} has of a picture after the one at hand. */
    private static final int AFTER = 8;

    private static final int WORD_BYTES = 4;

    /** Samples around the picture in the planes of samples between samples: MARGIN of time/between.glsl. */
    private static final int MARGIN = 52;

    /** Planes of one of their two buffers: quarters across, of two of four quarters down. */
    private static final int BETWEEN_PLANES = 8;

    /** Planes that each dispatch of time/between.comp makes. */
    private static final int FIRST_PLANES = 7;

    private static final int SECOND_PLANES = 9;

    private static final int PLANES = 3;

    /** Columns and rows of a tile of time/fuse.comp. */
    private static final int TILE_COLUMNS = 64;

    private static final int TILE_ROWS = 32;

    /** Invocations of a workgroup where these wait at barriers. */
    private static final int INVOCATIONS = 64;

    /** The same for time/fuse.comp, of which so many need 18 KiB of shared memory. */
    private static final int MANY_INVOCATIONS = 128;

    /** Shared memory of a workgroup on devices that have enough for {@link #MANY_INVOCATIONS}. */
    private static final int MANY_BYTES = 32 << 10;

    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final KernelTuning tuning;
    private final PixelFormat format;
    private final int[] widths = new int[LEVELS];
    private final int[] heights = new int[LEVELS];
    private final PushConstants geometry = new PushConstants(TimeGeometry.BYTES);

    /** Components of a picture. */
    private final int components;

    /** Words of all components, of these and luma's smaller pictures, and of what is found and predicted by a reference. */
    private final int planesWords;

    private final int pyramidWords;
    private final int referenceWords;
    private final int betweenStride;
    private final int betweenWords;

    /** By sequence, and by how many pictures ahead fusion looks. */
    private final Past[][] pasts = new Past[RowFilter.SEQUENCES][TimeParameters.MOST_AHEAD + 1];

    private int sequence;

    /** How many references pictures have had. */
    private long allReferences;

    /** What is kept of a sequence. */
    private static final class Past {
        private final TimeTurns turns;

        /** Null before the first picture, like the others. */
        private DeviceBuffer pyramids;

        private DeviceBuffer upper;
        private DeviceBuffer lower;

        private DeviceBuffer results;

        /** What is found and predicted for one picture. */
        private DeviceBuffer work;

        Past(int ahead) {
            turns = new TimeTurns(ahead);
        }
    }

    public TimeStage(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        pool = runtime.pool();
        pipelines = runtime.pipelines();
        tuning = runtime.tuning();
        this.format = format;
        for (Past[] ofSequence : pasts) {
            for (int ahead = 0; ahead < ofSequence.length; ahead++) {
                ofSequence[ahead] = new Past(ahead);
            }
        }
        components = format.hasChroma() ? 3 : 1;
        int chromaColumns = format.chromaWidth(width);
        int chromaRows = format.chromaHeight(height);
        planesWords = wordsOf(width) * height + (components - 1) * wordsOf(chromaColumns) * chromaRows;
        int pyramid = planesWords;
        int vectors = 0;
        for (int level = 0; level < LEVELS; level++) {
            widths[level] = level == 0 ? width : (widths[level - 1] + 1) / 2;
            heights[level] = level == 0 ? height : (heights[level - 1] + 1) / 2;
            int blocks = blocks(widths[level]) * blocks(heights[level]);
            if (level == 0) {
                // A block of the whole picture has its guard beside its vector.
                vectors += 2 * blocks;
            } else {
                geometry.put(TimeGeometry.SMALLER_AT, level - 1, pyramid)
                        .put(TimeGeometry.SMALLER_VECTORS_AT, level - 1, vectors);
                pyramid += wordsOf(widths[level]) * heights[level];
                vectors += blocks;
            }
        }
        pyramidWords = pyramid;
        // Chroma has no more blocks than luma.
        int corners = vectors + planesWords;
        int guards = corners + components * (blocks(width) + 1) * (blocks(height) + 1);
        referenceWords = guards + components * blocks(width) * blocks(height);
        betweenStride = wordsOf(width + 2 * MARGIN);
        betweenWords = betweenStride * (height + 2 * MARGIN);
        geometry.put(TimeGeometry.WIDTH, width)
                .put(TimeGeometry.HEIGHT, height)
                .put(TimeGeometry.PYRAMID_WORDS, pyramidWords)
                .put(TimeGeometry.PLANES_WORDS, planesWords)
                .put(TimeGeometry.REFERENCE_WORDS, referenceWords)
                .put(TimeGeometry.PREDICTIONS_AT, vectors)
                .put(TimeGeometry.CORNERS_AT, corners)
                .put(TimeGeometry.GUARDS_AT, guards)
                .put(TimeGeometry.BETWEEN_STRIDE, betweenStride);
    }

    /** Words of a row of so many samples of a component. */
    private int wordsOf(int samples) {
        return RowWords.words(format, 0, samples);
    }

    private static int blocks(int samples) {
        return Commands.groups(samples, BLOCK);
    }

    private static int squares(int samples) {
        return TimeFusion.squares(blocks(samples));
    }

    @Override
    public int formBits() {
        return 1 + OFFSET_BITS + SEQUENCE_BITS + AHEAD_BITS + 1;
    }

    @Override
    public int form(StagePicture picture) {
        if (!picture.strength().fuses()) {
            return 0;
        }
        int whose = sequence
                | picture.ahead() << SEQUENCE_BITS
                | (picture.completes() ? 1 : 0) << (SEQUENCE_BITS + AHEAD_BITS);
        return 1 | picture.gridOffset() << 1 | whose << (1 + OFFSET_BITS);
    }

    @Override
    public boolean completes() {
        return true;
    }

    /**
     * One for each plane, of which those that have the same buffers share the first; and one for the kernels that read or make samples
     * between samples, in place of results and the picture.
     */
    @Override
    public int sets() {
        return PLANES + 1;
    }

    @Override
    public boolean makesPicture() {
        return false;
    }

    @Override
    public int parameterBytes() {
        return TimePicture.BYTES;
    }

    @Override
    public int combsAt() {
        return TimeTable.COMBS;
    }

    private Past past(int form) {
        return pasts[form >> (1 + OFFSET_BITS) & 1][ahead(form)];
    }

    private static int ahead(int form) {
        return form >> (1 + OFFSET_BITS + SEQUENCE_BITS) & ((1 << AHEAD_BITS) - 1);
    }

    private static boolean completes(int form) {
        return form >> (1 + OFFSET_BITS + SEQUENCE_BITS + AHEAD_BITS) != 0;
    }

    @Override
    public void make(int form) {
        Past past = past(form);
        if (past.pyramids == null) {
            // Kernels read the word after the last one, of which they use nothing.
            TimeTurns turns = past.turns;
            past.pyramids = acquire(turns.entries() * (long) pyramidWords + 1);
            past.upper = acquire(turns.entries() * (long) BETWEEN_PLANES * betweenWords + 1);
            past.lower = acquire(turns.entries() * (long) BETWEEN_PLANES * betweenWords + 1);
            past.results = acquire(turns.entries() * (long) planesWords);
            past.work = acquire(TimeWork.VECTORS / WORD_BYTES + turns.references() * (long) referenceWords);
        }
    }

    private DeviceBuffer acquire(long words) {
        return pool.acquire(MemoryKind.DEVICE, words * WORD_BYTES);
    }

    @Override
    public void setSequence(int sequence) {
        this.sequence = sequence;
    }

    @Override
    public void forgetPast() {
        for (Past[] ofSequence : pasts) {
            for (Past past : ofSequence) {
                past.turns.forget();
            }
        }
    }

    @Override
    public FusionCounts fusion() {
        int held = 0;
        for (Past[] ofSequence : pasts) {
            for (Past past : ofSequence) {
                held += past.turns.held();
            }
        }
        // The guards are a part of the last kernel, and nothing of them is read back.
        return new FusionCounts(held, allReferences, allReferences == 0 ? 0 : FusionCounts.UNKNOWN);
    }

    @Override
    public void write(StagePicture picture, ParameterRoom room) {
        FilterStage.super.write(picture, room);
        TimeTurns turns = pasts[sequence][picture.ahead()].turns;
        if (!picture.completes()) {
            memPutInt(room.address() + TimePicture.ENTRY, turns.begin());
        }
        if (picture.completes() || picture.ahead() == 0) {
            memPutInt(room.address() + TimePicture.ENTRY, turns.waiting(0));
            int count = 0;
            for (int i = 0; i < turns.known(); i++) {
                putReference(room, count++, turns.past(i));
            }
            for (int i = 1; i < turns.waiting(); i++) {
                putReference(room, count++, turns.waiting(i) | AFTER);
            }
            memPutInt(room.address() + TimePicture.COUNT, count);
            allReferences += count;
            turns.keep();
        }
    }

    private static void putReference(ParameterRoom room, int number, int reference) {
        memPutInt(room.address() + TimePicture.REFERENCES + (long) number * TimePicture.REFERENCES_STEP, reference);
    }

    @Override
    public void write(FilterParameters parameters, ParameterRoom room) {
        if (parameters.time().isPresent()) {
            TimeParameters time = parameters.time().get();
            memPutInt(room.address() + TimeTable.THRESHOLD, time.threshold());
            memPutInt(room.address() + TimeTable.CHROMA_THRESHOLD, time.chromaThreshold());
            memPutInt(room.address() + TimeTable.COMBS, (time.combs() ? 1 : 0) | time.comb() << 1);
        }
    }

    @Override
    public void write(PictureParameters own, ParameterRoom room) {
        throw new IllegalStateException("no decoder gives parameters of temporal fusion");
    }

    @Override
    public void record(StageRecording at, int form) {
        Commands commands = at.commands();
        Past past = past(form);
        boolean apart = at.destination().isApart() || at.decoded().isApart();
        long[] ofPlanes = planeSets(at, past, apart);
        long between = at.set(
                PLANES,
                List.of(
                        past.pyramids.range(),
                        past.upper.range(),
                        past.work.range(),
                        at.parameters(),
                        at.own(),
                        past.lower.range(),
                        at.decoded().range(0)));
        for (int i = 0; i < PLANES; i++) {
            putPlane(i, Math.min(i, format.planes() - 1), at.destination(), at.decoded());
        }
        boolean barriers = tuning.lockstep() == 0;
        int invocations = barriers ? INVOCATIONS : tuning.lockstep();
        if (!completes(form)) {
            int together = apart ? 1 : format.planes();
            for (int plane = 0; plane < format.planes(); plane += together) {
                commands.bindDescriptorSet(ofPlanes[plane]);
                recordPyramid(commands, plane, together, at.destination().isInColumns());
            }
            commands.bindDescriptorSet(between);
            recordBetween(commands, false, FIRST_PLANES);
            recordBetween(commands, true, SECOND_PLANES);
            if (ahead(form) > 0) {
                return;
            }
            commands.barrier();
        }
        int offset = (form >> 1) & ((1 << OFFSET_BITS) - 1);
        push(commands, 0, offset);
        // The kernels that take blocks share their constants.
        List<Integer> ofBlocks = new TimeSearchConstants()
                .localSizeX(invocations)
                .workgroupBarriers(barriers)
                .sampleBytes(format.sampleBytes())
                .components(components)
                .subWidth(format.subWidth())
                .subHeight(format.subHeight())
                .words();
        int references = past.turns.references();
        commands.bindDescriptorSet(ofPlanes[0]);
        commands.bindPipeline(pipelines.pipeline(PictureKernel.TIME_SEARCH, ofBlocks));
        commands.dispatch(blocks(widths[2]), blocks(heights[2]), references);
        commands.barrier();
        commands.bindPipeline(pipelines.pipeline(PictureKernel.TIME_REFINE, ofBlocks));
        commands.dispatch(blocks(widths[1]), blocks(heights[1]), references);
        commands.barrier();
        commands.bindDescriptorSet(between);
        commands.bindPipeline(pipelines.pipeline(PictureKernel.TIME_MOTION, ofBlocks));
        commands.dispatch(blocks(widths[0]), blocks(heights[0]), references);
        commands.barrier();
        commands.bindDescriptorSet(ofPlanes[0]);
        commands.bindPipeline(pipelines.pipeline(PictureKernel.TIME_PREDICT, ofBlocks));
        // One more than there are blocks: those around a block's corners predict its samples.
        commands.dispatch(blocks(widths[0]) + 1, blocks(heights[0]) + 1, components * references);
        commands.barrier();
        // Components whose planes lie in the same buffer share a dispatch; but what fuses luma is another kernel than
        // what fuses chroma.
        int ofChroma = apart && format.planes() == PLANES ? 1 : 2;
        int step = apart ? 1 : components;
        for (int component = 0; component < components; component += step) {
            step = component == 0 ? step : ofChroma;
            bindComponent(commands, ofPlanes, component, offset);
            recordGuard(at, step, references);
        }
        commands.barrier();
        step = 1;
        for (int component = 0; component < components; component += step) {
            step = component == 0 ? 1 : ofChroma;
            bindComponent(commands, ofPlanes, component, offset);
            recordFuse(at, component, step, offset);
        }
    }

    /** Binds what the kernels need that take components from this one on. */
    private void bindComponent(Commands commands, long[] ofPlanes, int component, int offset) {
        commands.bindDescriptorSet(ofPlanes[Math.min(component, format.planes() - 1)]);
        push(commands, component, offset);
    }

    private void recordGuard(StageRecording at, int taken, int references) {
        boolean barriers = tuning.lockstep() == 0;
        at.commands()
                .bindPipeline(pipelines.pipeline(
                        PictureKernel.TIME_GUARD,
                        new TimeGuardConstants()
                                .localSizeX(barriers ? INVOCATIONS : tuning.lockstep())
                                .workgroupBarriers(barriers)
                                .sampleBytes(format.sampleBytes())
                                .components(components)
                                .subWidth(format.subWidth())
                                .subHeight(format.subHeight())
                                .sampleShift(format.sampleShift())
                                .decodedInColumns(at.decoded().isInColumns())
                                .chromaStep(Math.max(1, format.chromaPixelStep()))
                                .taken(taken)
                                .words()));
        at.commands().dispatch(squares(widths[0]), squares(heights[0]), taken * references);
    }

    /** The descriptors of the kernels that read or write a plane of pictures, by plane. */
    private long[] planeSets(StageRecording at, Past past, boolean apart) {
        long[] sets = new long[PLANES];
        for (int plane = 0; plane < format.planes(); plane++) {
            sets[plane] = plane > 0 && !apart
                    ? sets[0]
                    : at.set(
                            plane,
                            List.of(
                                    past.pyramids.range(),
                                    past.results.range(),
                                    past.work.range(),
                                    at.parameters(),
                                    at.own(),
                                    at.destination().range(plane),
                                    at.decoded().range(plane)));
        }
        return sets;
    }

    /** Puts where a plane of pictures lies. */
    private void putPlane(int index, int plane, PicturePlace picture, PicturePlace decoded) {
        geometry.put(TimeGeometry.PICTURE_OFFSET, index, picture.offsetWords(plane))
                .put(TimeGeometry.PICTURE_STRIDE, index, picture.strideWords(plane))
                .put(TimeGeometry.DECODED_OFFSET, index, decoded.offsetWords(plane))
                .put(TimeGeometry.DECODED_STRIDE, index, decoded.strideWords(plane));
        // Pictures in columns have two planes.
        geometry.put(TimeGeometry.PICTURE_SKIP, Math.min(index, 1), picture.columnSkipWords(plane))
                .put(TimeGeometry.DECODED_SKIP, Math.min(index, 1), decoded.columnSkipWords(plane));
    }

    private void push(Commands commands, int plane, int offset) {
        commands.push(geometry.put(TimeGeometry.FIRST_COLUMN, firstColumn(plane, offset))
                .put(TimeGeometry.FIRST_ROW, firstRow(plane, offset))
                .put(TimeGeometry.PLANE, plane));
    }

    private int firstColumn(int plane, int offset) {
        return -(-((offset & 7) / (plane == 0 ? 1 : format.subWidth())) & 7);
    }

    private int firstRow(int plane, int offset) {
        return -(-((offset >> 3) / (plane == 0 ? 1 : format.subHeight())) & 7);
    }

    private void recordPyramid(Commands commands, int plane, int planes, boolean inColumns) {
        push(commands, plane, 0);
        commands.bindPipeline(pipelines.pipeline(
                PictureKernel.TIME_PYRAMID,
                new TimePyramidConstants()
                        .localSizeX(INVOCATIONS)
                        .sampleBytes(format.sampleBytes())
                        .components(components)
                        .subWidth(format.subWidth())
                        .subHeight(format.subHeight())
                        .sampleShift(format.sampleShift())
                        .sourceInColumns(inColumns)
                        .chromaStep(Math.max(1, format.chromaPixelStep()))
                        .words()));
        commands.dispatch(Commands.groups(wordsOf(widths[2]), INVOCATIONS), heights[2], planes);
    }

    private void recordFuse(StageRecording at, int component, int components, int offset) {
        boolean lockstep = tuning.lockstep() != 0;
        // Eight invocations take a block: a subgroup in lockstep that has no eight needs the barriers, too.
        boolean barriers = !lockstep || tuning.lockstep() % BLOCK != 0;
        int most = tuning.shrinkageBytes() >= MANY_BYTES ? MANY_INVOCATIONS : INVOCATIONS;
        at.commands()
                .bindPipeline(pipelines.pipeline(
                        PictureKernel.TIME_FUSE,
                        new TimeFuseConstants()
                                .localSizeX(barriers ? most : tuning.lockstep())
                                .workgroupBarriers(barriers)
                                .sampleBytes(format.sampleBytes())
                                .components(this.components)
                                .subWidth(format.subWidth())
                                .subHeight(format.subHeight())
                                .sampleShift(format.sampleShift())
                                .pictureInColumns(at.destination().isInColumns())
                                .decodedInColumns(at.decoded().isInColumns())
                                .chroma(component > 0)
                                .chromaStep(Math.max(1, format.chromaPixelStep()))
                                .words()));
        int firstColumn = firstColumn(component, offset);
        int wordSamples = WORD_BYTES / format.sampleBytes();
        // As in stepOfTiles() of the kernel.
        int columnStep = firstColumn % wordSamples == 0 ? TILE_COLUMNS : TILE_COLUMNS - BLOCK;
        // Before the first word that the first tile writes, there is no sample of the picture.
        int firstWritten = Math.floorDiv(firstColumn + wordSamples - 1, wordSamples) * wordSamples;
        int columns = component == 0 ? widths[0] : format.chromaWidth(widths[0]);
        int rows = component == 0 ? heights[0] : format.chromaHeight(heights[0]);
        at.commands()
                .dispatch(
                        Commands.groups(columns - firstWritten, columnStep),
                        Commands.groups(rows - firstRow(component, offset), TILE_ROWS),
                        components);
    }

    private void recordBetween(Commands commands, boolean second, int planes) {
        commands.barrier();
        commands.bindPipeline(pipelines.pipeline(
                PictureKernel.TIME_BETWEEN,
                new TimeBetweenConstants()
                        .localSizeX(INVOCATIONS)
                        .sampleBytes(format.sampleBytes())
                        .components(this.components)
                        .subWidth(format.subWidth())
                        .subHeight(format.subHeight())
                        .second(second)
                        .words()));
        commands.dispatch(Commands.groups(betweenStride, INVOCATIONS), betweenWords / betweenStride, planes);
    }

    @Override
    public void close() {
        for (Past[] ofSequence : pasts) {
            for (Past past : ofSequence) {
                pool.release(past.pyramids);
                pool.release(past.upper);
                pool.release(past.lower);
                pool.release(past.results);
                pool.release(past.work);
            }
        }
    }
}
