/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthRule;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.internal.stage.DeviceStage;
import org.gstqpu.kernels.internal.stage.FilterStage;
import org.gstqpu.kernels.internal.stage.ParameterRoom;
import org.gstqpu.kernels.internal.stage.PictureKernel;
import org.gstqpu.kernels.internal.stage.StagePicture;
import org.gstqpu.kernels.internal.stage.StageRecording;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthCounts;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthDecideConstants;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthFindings;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthGeometry;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthGrid;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthLadderTable;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthMeasureConstants;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Automatic strength: two dispatches that choose a picture's tier, and copy the tier's parameters to where its filters read them.
 * Owns what was found in the pictures, and the ladder of each slot.
 */
public final class MeasureStage implements DeviceStage {
    private static final int INVOCATIONS = 64;

    /** Bits of the offset of a grid, column | row &lt;&lt; 3. */
    private static final int OFFSET_BITS = 6;

    private static final int SLOTS_TOGETHER = 8;

    private static final int TIERS = StrengthTier.ALL.size();

    /** Offset of {@link StrengthFindings} in the memory, after {@link StrengthCounts}. */
    private static final long FINDINGS_AT = ParameterRoom.align(StrengthCounts.BYTES);

    /** Offset of the chosen tier's parameters in the memory. */
    private static final long CHOSEN_AT = FINDINGS_AT + ParameterRoom.align(StrengthFindings.BYTES);

    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final PixelFormat format;
    private final int width;
    private final int height;

    private final PushConstants geometry = new PushConstants(StrengthGeometry.BYTES);

    private final List<FilterStage> filters;

    /** Bytes of the parameters of a tier: those of each filter, one after the other. */
    private final long tierBytes;

    private final long ladderBytes;
    private final ParameterRoom tierRoom = new ParameterRoom();

    /** Mapped memory, so that the CPU can clear it without work on the device. Null before the first picture. */
    private DeviceBuffer memory;

    /**
     * The ladders of the slots, those of {@link #SLOTS_TOGETHER} in each buffer. Null before the first picture of one of these: few slots
     * are in use where the same buffers come again and again, and a ladder has more bytes than a small picture.
     */
    private final DeviceBuffer[] ladders;

    /** The ladder that was written last, in any slot. */
    private PictureStrength.Automatic lastLadder;

    /**
     * Number of {@link #lastLadder}. The device copies a tier's parameters if the number of the ladder or of the tier
     * has changed.
     */
    private int ladderGeneration;

    /** Number of pictures given to the device. Stays in the range in which the offsets repeat. */
    private int pictures;

    /**
     * @param filters the stages whose strength is chosen, in the order of their parameters in a tier
     */
    public MeasureStage(
            BufferPool pool,
            KernelPipelines pipelines,
            PixelFormat format,
            int width,
            int height,
            List<FilterStage> filters,
            int slots) {
        this.pool = pool;
        this.pipelines = pipelines;
        this.format = format;
        this.width = width;
        this.height = height;
        this.filters = filters;
        ladders = new DeviceBuffer[(slots + SLOTS_TOGETHER - 1) / SLOTS_TOGETHER];
        tierBytes = partAt(null);
        ladderBytes = ParameterRoom.align(StrengthLadderTable.TIERS + TIERS * tierBytes);
    }

    /** Where the parameters of a filter lie in a tier; without a filter, where they all end. */
    private long partAt(FilterStage filter) {
        long at = 0;
        for (FilterStage before : filters) {
            if (before == filter) {
                break;
            }
            at += ParameterRoom.align(before.parameterBytes());
        }
        return at;
    }

    /** Where among the parameters of a tier the filter that asks for combs reads them. */
    private long combsAt() {
        FilterStage asking = filters.stream()
                .filter(filter -> filter.combsAt() >= 0)
                .findFirst()
                .orElseThrow();
        return partAt(asking) + asking.combsAt();
    }

    /** The parameters that the device has chosen for a filter. */
    public BufferRange chosen(FilterStage filter) {
        return new BufferRange(
                memory.handle(), CHOSEN_AT + partAt(filter), ParameterRoom.align(filter.parameterBytes()));
    }

    @Override
    public int formBits() {
        return 1 + OFFSET_BITS;
    }

    @Override
    public int form(StagePicture picture) {
        return picture.strength() instanceof PictureStrength.Automatic ? 1 | picture.measuredOffset() << 1 : 0;
    }

    @Override
    public int sets() {
        return 1;
    }

    @Override
    public boolean makesPicture() {
        return false;
    }

    @Override
    public void make(int form) {
        if (memory == null) {
            memory = pool.acquireCleared(CHOSEN_AT + tierBytes);
            long at = memory.address() + FINDINGS_AT + StrengthFindings.RULE;
            for (int word : StrengthRule.words()) {
                memPutInt(at, word);
                at += StrengthFindings.RULE_STEP;
            }
            for (int pitch = 0; pitch < GridPitch.COUNT; pitch++) {
                memPutInt(
                        memory.address() + StrengthCounts.FREQUENCIES + (long) pitch * StrengthCounts.FREQUENCIES_STEP,
                        GridPitch.frequency(pitch));
            }
        }
    }

    @Override
    public void write(StagePicture picture, ParameterRoom room) {
        if (room.holdsStrength()) {
            return;
        }
        PictureStrength.Automatic automatic = (PictureStrength.Automatic) picture.strength();
        if (!automatic.equals(lastLadder)) {
            lastLadder = automatic;
            ladderGeneration++;
        }
        StrengthLadder ladder = automatic.ladder();
        int buffer = room.slot() / SLOTS_TOGETHER;
        if (ladders[buffer] == null) {
            ladders[buffer] = pool.acquireCleared(ladderBytes * SLOTS_TOGETHER);
        }
        long at = ladders[buffer].address() + ladderAt(room.slot());
        for (int tier = 0; tier < TIERS; tier++) {
            long partAt = at + StrengthLadderTable.TIERS + tier * tierBytes;
            for (FilterStage filter : filters) {
                filter.write(ladder.tiers().get(tier), tierRoom.set(room.slot(), partAt, false));
                partAt += ParameterRoom.align(filter.parameterBytes());
            }
        }
        memPutInt(at + StrengthLadderTable.GENERATION, ladderGeneration);
        memPutInt(at + StrengthLadderTable.SHRINKS, ladder.shifts() > 0 ? 1 : 0);
    }

    /** Where the ladder of a slot lies in its buffer. */
    private long ladderAt(int slot) {
        return slot % SLOTS_TOGETHER * ladderBytes;
    }

    /** What was found in the pictures. May be asked for at any time. Empty before the first picture. */
    public Optional<StrengthEstimate> estimate() {
        return memory == null
                ? Optional.empty()
                : Optional.of(PackedEstimate.unpack(
                        memGetInt(memory.address() + FINDINGS_AT + StrengthFindings.ESTIMATE),
                        memGetInt(memory.address() + FINDINGS_AT + StrengthFindings.FOUND_OFFSET)));
    }

    /**
     * The grid offset from which the next picture is measured and filtered, column | row &lt;&lt; 3. Never waits: the
     * device is done with the picture that showed the offset.
     */
    public int nextOffset() {
        return memory == null || pictures < StrengthState.OFFSET_DELAY
                ? 0
                : memGetInt(memory.address()
                        + FINDINGS_AT
                        + StrengthFindings.OFFSETS
                        + (long) ((pictures - StrengthState.OFFSET_DELAY) % StrengthState.OFFSETS)
                                * StrengthFindings.OFFSETS_STEP);
    }

    /**
     * Counts a picture that is about to be submitted. The device counts the pictures that it measures. A picture that
     * fails earlier is in neither count.
     */
    public void pictureGoes() {
        pictures = pictures == 2 * StrengthState.OFFSETS - 1 ? StrengthState.OFFSETS : pictures + 1;
    }

    @Override
    public void record(StageRecording at, int form) {
        Commands commands = at.commands();
        PicturePlace source = at.source();
        int offset = form >> 1;
        int gridColumn = offset & 7;
        int gridRow = offset >> 3;
        int blockColumns = StrengthHistograms.blocks(width - gridColumn);
        int blockRows = StrengthHistograms.blocks(height - gridRow);
        int step = StrengthHistograms.sampleStep(blockColumns, blockRows);
        int columns = StrengthHistograms.sampled(blockColumns, step);
        int rows = StrengthHistograms.sampled(blockRows, step);
        commands.bindDescriptorSet(at.set(
                0,
                List.of(
                        source.range(0),
                        new BufferRange(memory.handle(), 0, StrengthCounts.BYTES),
                        new BufferRange(memory.handle(), CHOSEN_AT, tierBytes),
                        new BufferRange(memory.handle(), FINDINGS_AT, StrengthFindings.BYTES),
                        new BufferRange(
                                ladders[at.slot().index() / SLOTS_TOGETHER].handle(),
                                ladderAt(at.slot().index()),
                                ladderBytes))));
        if (columns > 0 && rows > 0) {
            StrengthMeasureConstants constants = new StrengthMeasureConstants()
                    .localSizeX(INVOCATIONS)
                    .sampleBytes(format.sampleBytes())
                    .sampleShift(format.sampleShift() + format.bitDepth() - 8)
                    .sourceInColumns(source.isInColumns());
            commands.bindPipeline(pipelines.pipeline(PictureKernel.STRENGTH_MEASURE, constants.words()));
            commands.push(geometry.put(StrengthGeometry.SOURCE_OFFSET, source.offsetWords(0))
                    .put(StrengthGeometry.SOURCE_STRIDE, source.strideWords(0))
                    .put(StrengthGeometry.COLUMNS, columns)
                    .put(StrengthGeometry.ROWS, rows)
                    .put(StrengthGeometry.BLOCK_STEP, step)
                    .put(StrengthGeometry.SOURCE_SKIP, source.columnSkipWords(0))
                    .put(StrengthGeometry.GRID_COLUMN, gridColumn)
                    .put(StrengthGeometry.GRID_ROW, gridRow)
                    .put(StrengthGeometry.WIDTH, width)
                    .put(StrengthGeometry.HEIGHT, height));
            // One item for each block, then one for each column and row beside which there may be a step.
            int items = columns * rows + width - 3 + height - 3;
            commands.dispatch(Commands.groups(items, INVOCATIONS), 1, 1);
            commands.barrier();
        }
        StrengthDecideConstants constants =
                new StrengthDecideConstants().tierWords((int) tierBytes / 4).combsWord((int) combsAt() / 4);
        commands.bindPipeline(pipelines.pipeline(PictureKernel.STRENGTH_DECIDE, constants.words()));
        commands.push(StrengthGrid.OFFSET, offset);
        commands.dispatch(1, 1, 1);
    }

    @Override
    public void close() {
        pool.release(memory);
        for (DeviceBuffer buffer : ladders) {
            pool.release(buffer);
        }
    }
}
