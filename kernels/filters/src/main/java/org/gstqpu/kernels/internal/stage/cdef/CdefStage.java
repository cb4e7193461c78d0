/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.Arrays;
import java.util.List;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.CdefDecisions;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.internal.stage.FilterStage;
import org.gstqpu.kernels.internal.stage.ParameterRoom;
import org.gstqpu.kernels.internal.stage.StagePicture;
import org.gstqpu.kernels.internal.stage.StageRecording;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.layout.BlockStrengths;
import org.gstqpu.kernels.internal.vulkan.layout.CdefStrengthTable;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.picture.PixelFormat;

/** AV1 CDEF. Owns what its kernels hand to one another: directions of blocks, staged rows, the list of blocks. */
public final class CdefStage implements FilterStage {
    private static final int PLANES = 3;

    // Bits of the form.
    private static final int RUNS = 1;
    private static final int BLOCK_MAP = 2;

    private final DeviceRuntime runtime;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final CdefPass pass;

    /** Working memory: the decisions that are being written. */
    private final CdefDecisions decisions;

    /** Map that the room of each picture in flight holds. Null if the map was decoded with its picture. */
    private final CdefBlockMap[] writtenMaps = new CdefBlockMap[PictureFilter.MAX_IN_FLIGHT];

    /** Name of the memory that {@link #writtenMaps} is about. */
    private long mapsId;

    private DeviceBuffer blocks;
    private DeviceBuffer staged;
    private DeviceBuffer list;

    public CdefStage(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        this.runtime = runtime;
        this.format = format;
        this.width = width;
        this.height = height;
        decisions = new CdefDecisions(width, height);
        pass = new CdefPass(
                runtime.pipelines(),
                runtime.tuning(),
                runtime.device().canExchangeInSubgroups(),
                format,
                width,
                height);
    }

    @Override
    public int formBits() {
        return 2;
    }

    @Override
    public int form(StagePicture picture) {
        PictureStrength strength = picture.strength();
        if (!strength.runsCdef()) {
            return 0;
        }
        boolean mapped = strength instanceof PictureStrength.Fixed fixed
                ? fixed.cdefBlocks().isPresent()
                : strength instanceof PictureStrength.Decoded own
                        && own.parameters().cdef().isMapped();
        return mapped ? RUNS | BLOCK_MAP : RUNS;
    }

    @Override
    public int sets() {
        return PLANES;
    }

    @Override
    public int parameterBytes() {
        return CdefStrengthTable.BYTES;
    }

    @Override
    public long mapBytes() {
        return 4L * ((width + 7) / 8) * ((height + 7) / 8);
    }

    @Override
    public boolean hasMap(int form) {
        return (form & BLOCK_MAP) != 0;
    }

    /** True if CDEF gets a list of blocks. Searching only listed blocks pays only if a map may leave blocks unfiltered. */
    private boolean lists(int form) {
        return runtime.tuning().listsBlocks() && hasMap(form);
    }

    @Override
    public void make(int form) {
        if (blocks == null) {
            blocks = runtime.pool().acquire(MemoryKind.DEVICE, CdefPass.blocksBytes(width, height));
        }
        if (staged == null && CdefPass.stagesRows(format, width)) {
            staged = runtime.pool().acquire(MemoryKind.DEVICE, CdefPass.stagedBytes(width, height));
        }
        if (list == null && lists(form)) {
            list = runtime.pool().acquire(MemoryKind.UPLOAD, CdefPass.listBytes(width, height));
            CdefPass.emptyList(list.address());
        }
    }

    @Override
    public void write(FilterParameters parameters, ParameterRoom room) {
        if (parameters.cdef().isEmpty()) {
            return;
        }
        decisions.set(parameters.cdef().get());
        write(decisions, room);
        if (room.hasMap()) {
            CdefBlockMap map = parameters.cdef().get().blocks().orElseThrow();
            if (mapsId != room.mapsId()) {
                Arrays.fill(writtenMaps, null);
                mapsId = room.mapsId();
            }
            // An earlier picture may have left the same map.
            if (!map.equals(writtenMaps[room.place()])) {
                int[] words = decisions.map();
                room.map().put(0, words, 0, words.length);
                writtenMaps[room.place()] = map;
            }
        }
    }

    @Override
    public void write(PictureParameters own, ParameterRoom room) {
        if (room.hasMap()) {
            int[] words = own.cdef().map();
            room.map().put(0, words, 0, words.length);
            writtenMaps[room.place()] = null;
        }
        write(own.cdef(), room);
    }

    /** Writes {@link CdefStrengthTable}. */
    public static void write(CdefDecisions decisions, ParameterRoom room) {
        byte[] strengths = decisions.strengths();
        for (int i = 0; i < decisions.count(); i++) {
            int from = i * CdefDecisions.STRENGTH_BYTES;
            long at = room.address() + CdefStrengthTable.STRENGTHS + (long) i * CdefStrengthTable.STRENGTHS_STEP;
            memPutInt(at + BlockStrengths.Y_PRIMARY, strengths[from]);
            memPutInt(at + BlockStrengths.Y_SECONDARY, strengths[from + 1]);
            memPutInt(at + BlockStrengths.UV_PRIMARY, strengths[from + 2]);
            memPutInt(at + BlockStrengths.UV_SECONDARY, strengths[from + 3]);
        }
        memPutInt(room.address() + CdefStrengthTable.DAMPING, decisions.damping());
        // The index of the map's first word, plus 1.
        memPutInt(
                room.address() + CdefStrengthTable.MAP_AT,
                decisions.isMapped() ? (int) (room.mapAtBytes() / 4) + 1 : 0);
    }

    @Override
    public void record(StageRecording at, int form) {
        boolean listed = lists(form);
        pass.record(
                at.commands(),
                plane -> at.set(
                        plane,
                        List.of(
                                at.source().range(plane),
                                at.destination().range(plane),
                                at.parameters(),
                                blocks.range(),
                                at.maps(),
                                staged == null ? blocks.range() : staged.range(),
                                list == null ? at.maps() : list.range())),
                at.source(),
                at.destination(),
                listed ? list.handle() : 0,
                runtime.tuning().listsBlocks() && !listed);
    }

    @Override
    public void close() {
        runtime.pool().release(blocks);
        runtime.pool().release(staged);
        runtime.pool().release(list);
    }
}
