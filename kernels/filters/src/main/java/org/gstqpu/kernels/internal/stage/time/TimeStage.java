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
 * Temporal fusion of luma, in the picture that shrinkage left: chroma stays where it is. Owns the history, which it makes for the first
 * picture: what the kernels read of the pictures before lies in memory of its own, in entries that take turns.
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

    /** Words of a plane of the whole picture, of a pyramid, and of a reference's vectors. */
    private final int planeWords;

    private final int pyramidWords;
    private final int vectorWords;
    private final int cornerWords;
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
        int pyramid = 0;
        int vectors = 0;
        for (int level = 0; level < LEVELS; level++) {
            widths[level] = level == 0 ? width : (widths[level - 1] + 1) / 2;
            heights[level] = level == 0 ? height : (heights[level - 1] + 1) / 2;
            geometry.put(TimeGeometry.WIDTH, level, widths[level])
                    .put(TimeGeometry.HEIGHT, level, heights[level])
                    .put(TimeGeometry.PLANE_AT, level, pyramid)
                    .put(TimeGeometry.VECTORS_AT, level, vectors);
            pyramid += RowWords.words(format, 0, widths[level]) * heights[level];
            // A block of the whole picture has its guard beside its vector.
            vectors += blocks(widths[level]) * blocks(heights[level]) * (level == 0 ? 2 : 1);
        }
        planeWords = RowWords.words(format, 0, width) * height;
        pyramidWords = pyramid;
        vectorWords = vectors;
        cornerWords = (blocks(width) + 1) * (blocks(height) + 1);
        betweenStride = RowWords.words(format, 0, width + 2 * MARGIN);
        betweenWords = betweenStride * (height + 2 * MARGIN);
        geometry.put(TimeGeometry.BETWEEN_STRIDE, betweenStride)
                .put(TimeGeometry.BETWEEN_WORDS, betweenWords)
                .put(TimeGeometry.PYRAMID_WORDS, pyramidWords)
                .put(TimeGeometry.PLANE_WORDS, planeWords)
                .put(TimeGeometry.VECTOR_WORDS, vectorWords)
                .put(TimeGeometry.TAIL, RowWords.tailMask(format, 0, width));
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

    /** One for the kernels that read or make samples between samples, in place of results and the picture; and one for the others. */
    @Override
    public int sets() {
        return 2;
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
            past.results = acquire(turns.entries() * (long) planeWords);
            past.work = acquire(TimeWork.VECTORS / WORD_BYTES
                    + turns.references() * ((long) vectorWords + planeWords + cornerWords));
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
        PicturePlace picture = at.destination();
        PicturePlace decoded = at.decoded();
        Past past = past(form);
        long others = at.set(
                0,
                List.of(
                        past.pyramids.range(),
                        past.results.range(),
                        past.work.range(),
                        at.parameters(),
                        at.own(),
                        picture.range(0),
                        decoded.range(0)));
        long between = at.set(
                1,
                List.of(
                        past.pyramids.range(),
                        past.upper.range(),
                        past.work.range(),
                        at.parameters(),
                        at.own(),
                        past.lower.range(),
                        decoded.range(0)));
        commands.bindDescriptorSet(others);
        int offset = (form >> 1) & ((1 << OFFSET_BITS) - 1);
        int firstColumn = -(-(offset & 7) & 7);
        int firstRow = -(-(offset >> 3) & 7);
        int wordSamples = WORD_BYTES / format.sampleBytes();
        int columnStep = firstColumn % wordSamples == 0 ? TILE_COLUMNS : TILE_COLUMNS - BLOCK;
        int references = past.turns.references();
        commands.push(geometry.put(TimeGeometry.PREDICTIONS_AT, references * vectorWords)
                .put(TimeGeometry.CORNERS_AT, references * (vectorWords + planeWords))
                .put(TimeGeometry.PICTURE_OFFSET, picture.offsetWords(0))
                .put(TimeGeometry.PICTURE_STRIDE, picture.strideWords(0))
                .put(TimeGeometry.PICTURE_SKIP, picture.columnSkipWords(0))
                .put(TimeGeometry.DECODED_OFFSET, decoded.offsetWords(0))
                .put(TimeGeometry.DECODED_STRIDE, decoded.strideWords(0))
                .put(TimeGeometry.DECODED_SKIP, decoded.columnSkipWords(0))
                .put(TimeGeometry.FIRST_COLUMN, firstColumn)
                .put(TimeGeometry.FIRST_ROW, firstRow)
                .put(TimeGeometry.COLUMN_STEP, columnStep));
        boolean barriers = tuning.lockstep() == 0;
        int invocations = barriers ? INVOCATIONS : tuning.lockstep();
        int sampleBytes = format.sampleBytes();
        if (!completes(form)) {
            commands.bindPipeline(pipelines.pipeline(
                    PictureKernel.TIME_PYRAMID,
                    new TimePyramidConstants()
                            .localSizeX(INVOCATIONS)
                            .sampleBytes(sampleBytes)
                            .sampleShift(format.sampleShift())
                            .sourceInColumns(picture.isInColumns())
                            .words()));
            commands.dispatch(Commands.groups(RowWords.words(format, 0, widths[2]), INVOCATIONS), heights[2], 1);
            commands.bindDescriptorSet(between);
            recordBetween(commands, false, FIRST_PLANES);
            recordBetween(commands, true, SECOND_PLANES);
            if (ahead(form) > 0) {
                return;
            }
            commands.bindDescriptorSet(others);
            commands.barrier();
        }
        // The kernels that take blocks share their constants.
        List<Integer> ofBlocks = new TimeSearchConstants()
                .localSizeX(invocations)
                .workgroupBarriers(barriers)
                .sampleBytes(sampleBytes)
                .words();
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
        commands.bindDescriptorSet(others);
        commands.bindPipeline(pipelines.pipeline(PictureKernel.TIME_PREDICT, ofBlocks));
        // One more than there are blocks: those around a block's corners predict its samples.
        commands.dispatch(blocks(widths[0]) + 1, blocks(heights[0]) + 1, references);
        commands.barrier();
        commands.bindPipeline(pipelines.pipeline(PictureKernel.TIME_DRIFT, ofBlocks));
        commands.dispatch(squares(widths[0]), squares(heights[0]), references);
        commands.barrier();
        // Eight invocations take a block: a subgroup in lockstep that has no eight needs the barriers, too.
        boolean fuseBarriers = barriers || invocations % BLOCK != 0;
        int most = tuning.shrinkageBytes() >= MANY_BYTES ? MANY_INVOCATIONS : INVOCATIONS;
        commands.bindPipeline(pipelines.pipeline(
                PictureKernel.TIME_FUSE,
                new TimeFuseConstants()
                        .localSizeX(fuseBarriers ? most : invocations)
                        .workgroupBarriers(fuseBarriers)
                        .sampleBytes(sampleBytes)
                        .sampleShift(format.sampleShift())
                        .pictureInColumns(picture.isInColumns())
                        .decodedInColumns(decoded.isInColumns())
                        .words()));
        // Before the first word that the first tile writes, there is no sample of the picture.
        int firstWritten = Math.floorDiv(firstColumn + wordSamples - 1, wordSamples) * wordSamples;
        commands.dispatch(
                Commands.groups(widths[0] - firstWritten, columnStep),
                Commands.groups(heights[0] - firstRow, TILE_ROWS),
                1);
    }

    private void recordBetween(Commands commands, boolean second, int planes) {
        commands.barrier();
        commands.bindPipeline(pipelines.pipeline(
                PictureKernel.TIME_BETWEEN,
                new TimeBetweenConstants()
                        .localSizeX(INVOCATIONS)
                        .sampleBytes(format.sampleBytes())
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
