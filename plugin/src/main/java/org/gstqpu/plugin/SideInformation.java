/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.gstqpu.kernels.filter.CdefDecisions;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264MacroblockMaps;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PictureParametersException;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Reads the meta {@code qpu-filter-params} of a buffer, whose fields {@link FilterParam} describes, and makes the picture's
 * parameters from it. Owns these parameters and the native memory that fields are read into. Belongs to the streaming thread;
 * closed by the element. In the steady state nothing is allocated.
 */
final class SideInformation implements AutoCloseable {
    /** What {@link #read} found in a buffer. */
    enum Finding {
        /** No side information: the properties hold. */
        NONE,
        /** Side information, which {@link #parameters} follow. */
        TAKEN,
        /** Side information that cannot be used; {@link #problem} says why, and {@link #parameters} change no sample. */
        UNFIT
    }

    private static final FilterParam[] PARAMS = FilterParam.values();
    private static final int FIELD_BYTES = 2 * Long.BYTES;
    private static final int NO_CODEC = -1;
    private static final int QPS = 52;

    private final boolean onDevice;
    private final long params;
    private final ByteBuffer fields;
    private final H264MacroblockMaps maps = new H264MacroblockMaps();
    private PictureParameters parameters;
    private boolean held;
    private boolean closed;
    private String cause = "";
    private String problem = "";

    /** Deblocking parameters made so far, by QP. All were made with the values of {@link #uniformAlpha} to {@link #uniform8x8}. */
    private final H264DeblockParameters[] uniform = new H264DeblockParameters[QPS];

    private int uniformAlpha;
    private int uniformBeta;
    private int uniformCb;
    private int uniformCr;
    private boolean uniform8x8;

    /**
     * Has read nothing yet.
     *
     * @param onDevice true if a device filters; a device needs a filter even to copy a picture unchanged
     */
    SideInformation(boolean onDevice) {
        this.onDevice = onDevice;
        params = GstQpuLibrary.gst_qpu_params_new();
        fields = new Pointer(params)
                .getByteBuffer(0, (long) PARAMS.length * FIELD_BYTES)
                .order(ByteOrder.nativeOrder());
    }

    /**
     * Reads a buffer's side information, which stays readable until {@link #release}.
     *
     * @param buffer a GstBuffer, which the caller keeps until {@link #release}
     * @param settings the settings in force, without invalid values
     * @param format format of the picture in the buffer
     * @param width width of the picture
     * @param height height of the picture
     */
    Finding read(long buffer, FilterSettings settings, PixelFormat format, int width, int height) {
        int found = GstQpuLibrary.gst_qpu_params_read(params, buffer);
        if (found == 0) {
            return Finding.NONE;
        }
        held = true;
        if (parameters == null
                || parameters.format() != format
                || parameters.width() != width
                || parameters.height() != height) {
            parameters = new PictureParameters(format, width, height);
        }
        parameters.clear();
        if (found < 0) {
            return unfit(GstQpuLibrary.gst_qpu_params_cause(params), GstQpuLibrary.gst_qpu_params_problem(params));
        }
        try {
            fill(settings, width, height);
        } catch (PictureParametersException e) {
            return unfit(e.part(), e.getMessage());
        }
        leaveAlone();
        return Finding.TAKEN;
    }

    private Finding unfit(String cause, String problem) {
        this.cause = cause;
        this.problem = problem;
        parameters.clear();
        leaveAlone();
        return Finding.UNFIT;
    }

    /** On a device, adds a CDEF that changes no sample to parameters that run no filter. */
    private void leaveAlone() {
        if (onDevice && !parameters.deblocks() && !parameters.runsCdef()) {
            CdefDecisions nothing = parameters.runCdef();
            nothing.begin(3);
            nothing.add(0, 0, 0, 0);
        }
    }

    private void fill(FilterSettings settings, int width, int height) {
        int codec = has(FilterParam.CODEC) ? number(FilterParam.CODEC, 0) : NO_CODEC;
        for (FilterParam param : PARAMS) {
            if (has(param) && !param.goesWith(codec)) {
                throw new PictureParametersException(
                        param.gstName(),
                        param.gstName() + " cannot be used "
                                + (codec == NO_CODEC
                                        ? "without a codec"
                                        : "with codec="
                                                + FilterParam.CODEC.choices().get(codec)));
            }
        }
        int forWidth = number(FilterParam.WIDTH, width);
        int forHeight = number(FilterParam.HEIGHT, height);
        if (forWidth != width || forHeight != height) {
            throw new PictureParametersException(
                    "size", "it is for " + forWidth + "x" + forHeight + ", and the picture is " + width + "x" + height);
        }
        switch (codec) {
            case FilterParam.H264 -> fillH264(settings);
            case FilterParam.AV1 -> fillAv1(settings);
            default -> fillPlain(settings);
        }
    }

    private void fillPlain(FilterSettings settings) {
        int qp = number(FilterParam.QP, settings.get(ElementProperty.QP));
        if (settings.is(ElementProperty.DEBLOCK) && qp >= 0) {
            int cb = number(FilterParam.CHROMA_QP_OFFSET, settings.get(ElementProperty.CHROMA_QP_OFFSET));
            boolean every8 = settings.grid() == FilterSettings.Grid.EVERY_8;
            deblock(
                    qp,
                    number(FilterParam.ALPHA_OFFSET, settings.get(ElementProperty.ALPHA_OFFSET)),
                    number(FilterParam.BETA_OFFSET, settings.get(ElementProperty.BETA_OFFSET)),
                    cb,
                    number(FilterParam.CR_QP_OFFSET, cb),
                    transform8x8(every8 ? 1 : 0));
        }
        int damping = number(FilterParam.CDEF_DAMPING, settings.get(ElementProperty.CDEF_DAMPING));
        int yPrimary = number(FilterParam.CDEF_Y_PRIMARY, settings.get(ElementProperty.CDEF_Y_PRIMARY));
        int ySecondary = number(FilterParam.CDEF_Y_SECONDARY, settings.get(ElementProperty.CDEF_Y_SECONDARY));
        int uvPrimary = number(FilterParam.CDEF_UV_PRIMARY, settings.get(ElementProperty.CDEF_UV_PRIMARY));
        int uvSecondary = number(FilterParam.CDEF_UV_SECONDARY, settings.get(ElementProperty.CDEF_UV_SECONDARY));
        boolean known = damping >= 0 && yPrimary >= 0 && ySecondary >= 0 && uvPrimary >= 0 && uvSecondary >= 0;
        if (settings.is(ElementProperty.CDEF) && known) {
            CdefDecisions cdef = parameters.runCdef();
            cdef.begin(damping);
            cdef.add(yPrimary, ySecondary, uvPrimary, uvSecondary);
        }
    }

    private void fillH264(FilterSettings settings) {
        if (has(FilterParam.EDGES)) {
            fillEdges(settings);
            return;
        }
        if (!has(FilterParam.QP) && !has(FilterParam.QP_MAP)) {
            throw new PictureParametersException("qp", "codec=h264 needs qp, qp-map or edges");
        }
        int qp = number(FilterParam.QP, 0);
        int alpha = number(FilterParam.ALPHA_OFFSET, 0);
        int beta = number(FilterParam.BETA_OFFSET, 0);
        int cb = number(FilterParam.CHROMA_QP_OFFSET, 0);
        int cr = number(FilterParam.CR_QP_OFFSET, cb);
        int idc = number(FilterParam.DISABLE_DEBLOCKING_FILTER_IDC, 0);
        boolean transform8x8 = transform8x8(0);
        maps.reset();
        maps.qp(qp);
        maps.slice(alpha, beta, idc);
        maps.chromaQpIndexOffsets(cb, cr);
        maps.transform8x8(transform8x8);
        if (!settings.is(ElementProperty.DEBLOCK)) {
            return;
        }
        boolean mapped = has(FilterParam.QP_MAP)
                || has(FilterParam.BS_MAP)
                || has(FilterParam.TRANSFORM_8X8_MAP)
                || has(FilterParam.SLICE_MAP)
                || has(FilterParam.SLICE_TABLE);
        if (mapped) {
            maps.qpMap(address(FilterParam.QP_MAP), size(FilterParam.QP_MAP));
            maps.bsMap(address(FilterParam.BS_MAP), size(FilterParam.BS_MAP));
            maps.transform8x8Map(address(FilterParam.TRANSFORM_8X8_MAP), size(FilterParam.TRANSFORM_8X8_MAP));
            maps.sliceMap(address(FilterParam.SLICE_MAP), size(FilterParam.SLICE_MAP));
            maps.sliceTable(address(FilterParam.SLICE_TABLE), size(FilterParam.SLICE_TABLE));
            parameters.deblockByEdge().derive(maps);
        } else if (idc != 1) {
            deblock(qp, alpha, beta, cb, cr, transform8x8);
        }
    }

    private void fillEdges(FilterSettings settings) {
        for (FilterParam param : PARAMS) {
            if (has(param)
                    && param != FilterParam.EDGES
                    && param != FilterParam.CODEC
                    && param != FilterParam.WIDTH
                    && param != FilterParam.HEIGHT) {
                throw new PictureParametersException(
                        param.gstName(), param.gstName() + " cannot be used with edges, which replace it");
            }
        }
        if (settings.is(ElementProperty.DEBLOCK)) {
            parameters.deblockByEdge().addAll(address(FilterParam.EDGES), size(FilterParam.EDGES));
        }
    }

    private void fillAv1(FilterSettings settings) {
        CdefDecisions cdef = parameters.runCdef();
        cdef.begin(needed(FilterParam.CDEF_DAMPING));
        if (has(FilterParam.CDEF_STRENGTHS)) {
            cdef.addAll(address(FilterParam.CDEF_STRENGTHS), size(FilterParam.CDEF_STRENGTHS));
        } else {
            cdef.add(
                    needed(FilterParam.CDEF_Y_PRIMARY),
                    needed(FilterParam.CDEF_Y_SECONDARY),
                    needed(FilterParam.CDEF_UV_PRIMARY),
                    needed(FilterParam.CDEF_UV_SECONDARY));
        }
        if (has(FilterParam.CDEF_INDEX_MAP) || has(FilterParam.CDEF_SKIP_MAP)) {
            cdef.map(
                    address(FilterParam.CDEF_INDEX_MAP),
                    size(FilterParam.CDEF_INDEX_MAP),
                    address(FilterParam.CDEF_SKIP_MAP),
                    size(FilterParam.CDEF_SKIP_MAP));
        }
        if (!settings.is(ElementProperty.CDEF)) {
            parameters.clear();
        }
    }

    private boolean transform8x8(int otherwise) {
        int value = number(FilterParam.TRANSFORM_8X8, otherwise);
        if (value != 0 && value != 1) {
            throw new PictureParametersException("transform-8x8", "transform-8x8 is 0 or 1, given " + value);
        }
        return value == 1;
    }

    private void deblock(int qp, int alpha, int beta, int cb, int cr, boolean transform8x8) {
        // The maps check the values.
        maps.qp(qp);
        maps.slice(alpha, beta, 0);
        maps.chromaQpIndexOffsets(cb, cr);
        if (alpha != uniformAlpha
                || beta != uniformBeta
                || cb != uniformCb
                || cr != uniformCr
                || transform8x8 != uniform8x8) {
            Arrays.fill(uniform, null);
            uniformAlpha = alpha;
            uniformBeta = beta;
            uniformCb = cb;
            uniformCr = cr;
            uniform8x8 = transform8x8;
        }
        if (uniform[qp] == null) {
            uniform[qp] = H264DeblockParameters.intra(qp, 2 * alpha, 2 * beta, cb, cr, transform8x8);
        }
        parameters.deblock(uniform[qp]);
    }

    private boolean has(FilterParam param) {
        return size(param) >= 0;
    }

    private int needed(FilterParam param) {
        if (!has(param)) {
            throw new PictureParametersException(
                    param.gstName(),
                    "codec=av1 needs cdef-damping and cdef-strengths, or the four single strengths, and "
                            + param.gstName() + " is missing");
        }
        return number(param, 0);
    }

    private int number(FilterParam param, int otherwise) {
        if (!has(param)) {
            return otherwise;
        }
        long value = fields.getLong(param.slot() * FIELD_BYTES);
        return (int) Math.min(Integer.MAX_VALUE, value);
    }

    /** Address of the field's bytes; 0 if the field is missing. */
    private long address(FilterParam param) {
        return has(param) ? fields.getLong(param.slot() * FIELD_BYTES) : 0;
    }

    /** Number of the field's bytes; -1 if the field is missing. */
    private long size(FilterParam param) {
        return fields.getLong(param.slot() * FIELD_BYTES + Long.BYTES);
    }

    /** The picture's parameters; valid after {@link Finding#TAKEN} and {@link Finding#UNFIT}. */
    PictureParameters parameters() {
        return parameters;
    }

    /** The kind of fault of the last unusable side information. */
    String cause() {
        return cause;
    }

    /** The fault of the last unusable side information, as a part of a sentence. */
    String problem() {
        return problem;
    }

    /** Ends {@link #read}; does nothing if no side information is held. */
    void release() {
        if (held) {
            held = false;
            GstQpuLibrary.gst_qpu_params_release(params);
        }
    }

    /** Frees the native memory; a second call does nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            GstQpuLibrary.gst_qpu_params_free(params);
        }
    }
}
