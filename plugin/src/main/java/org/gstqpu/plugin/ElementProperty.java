/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.List;
import org.gstqpu.kernels.filter.ShrinkageParameters;

/**
 * The properties of {@code qpuloopfilter}, declared once. The build generates libgstqpu.so's property table from this enum, and Java
 * indexes the element's values by {@link #ordinal()}. Immutable; any thread.
 *
 * <p>The native element has an array {@code int32 values[]} with one slot for each constant, in the order of the constants. A slot
 * holds a boolean (0 or 1), an integer, a real number in parts or a choice (the index of the {@link Value}). The slots of {@link Text} and {@link
 * Structure} are unused.
 */
public enum ElementProperty {
    /** The substrate that filters run on; index = {@code org.gstqpu.kernels.substrate.Substrate.ordinal()}. */
    SUBSTRATE(
            "substrate",
            "Substrate",
            "Where the filters run; if cpu or qpu is set and cannot run, the element stops with an error",
            Access.READY,
            new Choice(
                    "GstQpuSubstrate",
                    0,
                    List.of(
                            new Value("auto", "The faster of cpu and qpu on this machine"),
                            new Value("cpu", "The CPU, on several threads"),
                            new Value("qpu", "A Vulkan device, with compute shaders")))),
    /** The Vulkan device to use. */
    DEVICE(
            "device",
            "Vulkan device",
            "Vulkan device to use: its index, its UUID or a part of its name (unset = the best device found)",
            Access.READY,
            new Text()),
    /** What a failure of the device means: 0 = auto, 1 = error, 2 = cpu. */
    ON_DEVICE_FAILURE(
            "on-device-failure",
            "On device failure",
            "What happens if the device fails while it filters: it is lost, has no memory left, or does not finish in time",
            Access.READY,
            new Choice(
                    "GstQpuOnDeviceFailure",
                    0,
                    List.of(
                            new Value("auto", "As cpu with substrate=auto, as error with substrate=qpu"),
                            new Value("error", "The stream ends with an error"),
                            new Value(
                                    "cpu",
                                    "The CPU filters, and does the device's pictures again; the device is tried again"
                                            + " from time to time")))),
    /** How much time the filters may take; 0 = auto, else {@code Quality.of}. */
    QUALITY(
            "quality",
            "Quality",
            "How much time the filters may take for a better picture",
            Access.CONTROLLABLE,
            new Choice(
                    "GstQpuQuality",
                    0,
                    List.of(
                            new Value(
                                    "auto",
                                    Quality.automatic(false).nick() + "; "
                                            + Quality.automatic(true).nick() + " if the stream is live"),
                            value(Quality.FAST),
                            value(Quality.BALANCED),
                            value(Quality.BEST)))),
    /** True if pictures may be filtered less, so that they come in time. */
    DEGRADE(
            "degrade",
            "Degrade",
            "If pictures come late, filter less until they come in time: fewer shifts of shrinkage, then no shrinkage, no CDEF,"
                    + " no deblocking (needs qos=true and a sink that sends QoS events; a filter that is set exactly keeps"
                    + " running; false = drop pictures that would come late)",
            Access.CONTROLLABLE,
            new Bool(true)),
    /** Scale of automatic strengths. */
    STRENGTH(
            "strength",
            "Strength",
            "Scales the strengths that the element chooses from the pictures: 0 leaves pictures as they are, 1 is what was"
                    + " found best, 2 is twice that (a strength that is set exactly is not scaled)",
            Access.CONTROLLABLE,
            new RealRange(0, 2, 1, ElementProperty.STRENGTH_PARTS)),
    /** True if H.264 deblocking may run. */
    DEBLOCK("deblock", "Deblock", "Run the H.264 deblocking filter", Access.CONTROLLABLE, new Bool(true)),
    /** QPY of H.264, or -1. */
    QP(
            "qp",
            "Quantiser parameter",
            "H.264 luma quantiser parameter QPY to deblock for, exactly as the standard deblocks intra macroblocks"
                    + " (same scale for 8 and 10 bit; -1 = the element chooses, from the pictures)",
            Access.CONTROLLABLE,
            new IntRange(-1, 51, -1)),
    /** Which edges inside a macroblock are deblocked. */
    GRID(
            "grid",
            "Transform grid",
            "Distance of the block edges that are deblocked",
            Access.CONTROLLABLE,
            new Choice(
                    "GstQpuGrid",
                    0,
                    List.of(
                            new Value("auto", "The element chooses"),
                            new Value("4x4", "Every fourth row and column, as with 4x4 transforms"),
                            new Value("8x8", "Every eighth row and column, as with 8x8 transforms")))),
    /** FilterOffsetA / 2. */
    ALPHA_OFFSET(
            "alpha-offset",
            "Alpha offset",
            "H.264 slice_alpha_c0_offset_div2: raises (or lowers) the largest step across an edge that is smoothed",
            Access.CONTROLLABLE,
            new IntRange(-6, 6, 0)),
    /** FilterOffsetB / 2. */
    BETA_OFFSET(
            "beta-offset",
            "Beta offset",
            "H.264 slice_beta_offset_div2: raises (or lowers) the largest activity beside an edge that is smoothed",
            Access.CONTROLLABLE,
            new IntRange(-6, 6, 0)),
    /** chroma_qp_index_offset and second_chroma_qp_index_offset, which are equal here. */
    CHROMA_QP_OFFSET(
            "chroma-qp-offset",
            "Chroma QP offset",
            "H.264 chroma_qp_index_offset, for Cb and Cr",
            Access.CONTROLLABLE,
            new IntRange(-12, 12, 0)),
    /** True if AV1 CDEF may run. */
    CDEF(
            "cdef",
            "CDEF",
            "Run the AV1 constrained directional enhancement filter, after deblocking",
            Access.CONTROLLABLE,
            new Bool(true)),
    /** CdefDamping, or -1. */
    CDEF_DAMPING(
            "cdef-damping",
            "CDEF damping",
            "AV1 CDEF damping, 3 to 6 (-1 = the element chooses)",
            Access.CONTROLLABLE,
            new IntRange(-1, 6, -1)),
    /** cdef_y_pri_strength, or -1. */
    CDEF_Y_PRIMARY(
            "cdef-y-primary",
            "CDEF luma primary strength",
            "AV1 CDEF luma strength along the direction of the block, on the 8-bit scale (-1 = the element chooses)",
            Access.CONTROLLABLE,
            new IntRange(-1, 15, -1)),
    /** cdef_uv_pri_strength, or -1. */
    CDEF_UV_PRIMARY(
            "cdef-uv-primary",
            "CDEF chroma primary strength",
            "AV1 CDEF chroma strength along the direction of the block, on the 8-bit scale (-1 = the element chooses)",
            Access.CONTROLLABLE,
            new IntRange(-1, 15, -1)),
    /** Luma secondary strength (the filter's 0, 1, 2 or 4, not the bitstream's code), or -1. */
    CDEF_Y_SECONDARY(
            "cdef-y-secondary",
            "CDEF luma secondary strength",
            "AV1 CDEF luma strength across the direction of the block: 0, 1, 2 or 4 (-1 = the element chooses)",
            Access.CONTROLLABLE,
            new IntRange(-1, 4, -1)),
    /** Chroma secondary strength (the filter's 0, 1, 2 or 4, not the bitstream's code), or -1. */
    CDEF_UV_SECONDARY(
            "cdef-uv-secondary",
            "CDEF chroma secondary strength",
            "AV1 CDEF chroma strength across the direction of the block: 0, 1, 2 or 4 (-1 = the element chooses)",
            Access.CONTROLLABLE,
            new IntRange(-1, 4, -1)),
    /** True if shrinkage may run. */
    SHRINKAGE(
            "shrinkage",
            "Shrinkage",
            "Run overcomplete transform shrinkage, after CDEF (not where deblocking or CDEF is set exactly, unless"
                    + " shrinkage-threshold is set, too)",
            Access.CONTROLLABLE,
            new Bool(true)),
    /** Threshold of shrinkage in sixteenths of a sample value, or -1. */
    SHRINKAGE_THRESHOLD(
            "shrinkage-threshold",
            "Shrinkage threshold",
            "Size below which a transform coefficient is taken away, about the quantiser step, in sixteenths of a sample"
                    + " value on the 8-bit scale, for luma and chroma (0 = no shrinkage, -1 = the element chooses)",
            Access.CONTROLLABLE,
            new IntRange(-1, ShrinkageParameters.LARGEST_THRESHOLD, -1)),
    /** Shifts of shrinkage, or -1. */
    SHRINKAGE_SHIFTS(
            "shrinkage-shifts",
            "Shrinkage shifts",
            "Number of shifts at which shrinkage transforms the picture: 4, 8 or 16 (-1 = as quality says)",
            Access.CONTROLLABLE,
            new IntRange(-1, 16, -1)),
    /** Bound of shrinkage. */
    SHRINKAGE_BOUND(
            "shrinkage-bound",
            "Shrinkage bound",
            "How far shrinkage may move a coefficient of the codec's own blocks, in percent of the threshold; less keeps"
                    + " more grain (0 = any distance)",
            Access.CONTROLLABLE,
            new IntRange(0, 100, ShrinkageParameters.DEFAULT_BOUND)),
    /** Which pictures temporal fusion looks at. */
    TEMPORAL(
            "temporal",
            "Temporal fusion",
            "Which other pictures, moved to where things are in this one, each picture is filtered with, after automatic shrinkage",
            Access.CONTROLLABLE,
            new Choice(
                    "GstQpuTemporal",
                    Temporal.AUTO,
                    List.of(
                            new Value("off", "None: each picture is filtered by itself"),
                            new Value("past", "The two pictures before it; nothing is delayed"),
                            new Value("one", "One picture before and one after it; delays the stream by one picture"),
                            new Value("two", "Two pictures before and two after it; delays the stream by two pictures"),
                            new Value(
                                    "auto",
                                    "On a GPU the most that takes at most four times as long as off; if pictures are awaited,"
                                            + " past at most; on the CPU off")))),
    /** Part of the width that stays unfiltered. */
    SPLIT_VIEW(
            "split-view",
            "Split view",
            "Part of the picture, from its left border, that is shown unfiltered, for comparison with the rest (0 = none)",
            Access.CONTROLLABLE,
            new RealRange(0, 1, 0, ElementProperty.SPLIT_VIEW_PARTS)),
    /** Number of CPU threads. */
    THREADS(
            "threads",
            "Threads",
            "Number of threads of the CPU substrate (0 = one for each processor)",
            Access.READY,
            new IntRange(0, 256, 0)),
    /** Largest number of pictures on the device at once. */
    QUEUE_DEPTH(
            "queue-depth",
            "Queue depth",
            "Number of pictures on the device at once; each beyond the first delays the stream by one picture"
                    + " (the CPU always filters one at a time)",
            Access.READY,
            new IntRange(1, ElementProperty.MAX_QUEUE_DEPTH, 1)),
    /** True if the element stops with an error in place of copying a picture. */
    REQUIRE_ZERO_COPY(
            "require-zero-copy",
            "Require zero copy",
            "If a picture would have to be copied, stop with an error that names the cause",
            Access.READY,
            new Bool(false)),
    /** True if the device times the pictures. */
    TIMING(
            "timing",
            "Timing",
            "Have the device time each picture: if it can write timestamps, stats holds gpu-time-last and gpu-time-median"
                    + " in nanoseconds (on a Raspberry Pi 5 the timing itself takes some time)",
            Access.READY,
            new Bool(false)),
    /** What the element did since it was opened. */
    STATS(
            "stats",
            "Statistics",
            "What the element did since it was opened: substrate and device in use, the filters that run and how strongly,"
                    + " and why; frames, submits, bytes copied, memories imported, waits of the CPU, command buffers recorded"
                    + " again and bytes in the buffer pool",
            Access.READ_ONLY,
            new Structure());

    /** Largest number of pictures that have begun and are not finished. */
    static final int MAX_QUEUE_DEPTH = 8;

    /** The slot's number for a {@link #STRENGTH} of 1. */
    static final int STRENGTH_PARTS = 1 << 20;

    /** The slot's number for a {@link #SPLIT_VIEW} of 1. */
    static final int SPLIT_VIEW_PARTS = 1 << 30;

    /** When a property may be written. */
    public enum Access {
        /** Never by a user. */
        READ_ONLY,
        /** In NULL and READY; takes effect when the element next leaves that state. */
        READY,
        /** At any time. Takes effect with the next frame, and a GstController may drive it. */
        CONTROLLABLE
    }

    /** What a property holds. */
    public sealed interface Type permits Bool, IntRange, RealRange, Choice, Text, Structure {}

    /**
     * A gboolean.
     *
     * @param defaultValue value of a new element
     */
    public record Bool(boolean defaultValue) implements Type {}

    /**
     * A gint.
     *
     * @param minimum least value
     * @param maximum greatest value
     * @param defaultValue value of a new element
     */
    public record IntRange(int minimum, int maximum, int defaultValue) implements Type {
        /** Checks that the default lies in the range. */
        public IntRange {
            if (defaultValue < minimum || defaultValue > maximum) {
                throw new IllegalArgumentException(
                        "default " + defaultValue + " is not in " + minimum + ".." + maximum);
            }
        }
    }

    /**
     * A gdouble. Its slot holds the value in parts, rounded.
     *
     * @param minimum least value
     * @param maximum greatest value
     * @param defaultValue value of a new element
     * @param parts the slot's number for the value 1
     */
    public record RealRange(double minimum, double maximum, double defaultValue, int parts) implements Type {
        /** Checks that the default lies in the range, and that slots can hold the range. */
        public RealRange {
            if (!(defaultValue >= minimum && defaultValue <= maximum)) {
                throw new IllegalArgumentException(
                        "default " + defaultValue + " is not in " + minimum + ".." + maximum);
            }
            if (!(minimum * parts >= Integer.MIN_VALUE && maximum * parts <= Integer.MAX_VALUE)) {
                throw new IllegalArgumentException(
                        minimum + ".." + maximum + " in " + parts + " parts are no 32-bit numbers");
            }
        }
    }

    /**
     * A GEnum of the element's own.
     *
     * @param typeName GType name
     * @param defaultIndex index, in {@code values}, of a new element's value
     * @param values the choices; a choice's number is its index
     */
    public record Choice(String typeName, int defaultIndex, List<Value> values) implements Type {
        /** Copies the list and checks that it contains the default. */
        public Choice {
            values = List.copyOf(values);
            if (defaultIndex < 0 || defaultIndex >= values.size()) {
                throw new IllegalArgumentException(
                        "default " + defaultIndex + " is not one of " + values.size() + " values");
            }
        }
    }

    /**
     * One choice.
     *
     * @param nick its name in a pipeline description
     * @param description its description in gst-inspect-1.0
     */
    public record Value(String nick, String description) {}

    private static Value value(Quality quality) {
        return new Value(quality.nick(), quality.description());
    }

    /** A string, NULL in a new element. */
    public record Text() implements Type {}

    /** A GstStructure that is made anew each time it is read. */
    public record Structure() implements Type {}

    private final String gstName;
    private final String nick;
    private final String blurb;
    private final Access access;

    // The types are records of strings, numbers and an unmodifiable copy of a list.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Type type;

    ElementProperty(String gstName, String nick, String blurb, Access access, Type type) {
        this.gstName = gstName;
        this.nick = nick;
        this.blurb = blurb;
        this.access = access;
        this.type = type;
    }

    /** Index of this property's value in the native element, its {@link #ordinal()}. */
    // The order of these constants is the order of the native values: the C table is generated from it.
    @SuppressWarnings("EnumOrdinal")
    public int slot() {
        return ordinal();
    }

    /** The name in a pipeline description, such as {@code cdef-y-primary}. */
    public String gstName() {
        return gstName;
    }

    /** The name for a user interface. */
    public String nick() {
        return nick;
    }

    /** The property's description in gst-inspect-1.0. */
    public String blurb() {
        return blurb;
    }

    /** When the property may be written. */
    public Access access() {
        return access;
    }

    /** What the property holds. */
    public Type type() {
        return type;
    }

    /** The 32-bit value that a new element holds in this property's slot; 0 for {@link Text} and {@link Structure}. */
    public int defaultValue() {
        if (type instanceof Bool bool) {
            return bool.defaultValue() ? 1 : 0;
        }
        if (type instanceof IntRange range) {
            return range.defaultValue();
        }
        if (type instanceof RealRange range) {
            return (int) Math.round(range.defaultValue() * range.parts());
        }
        if (type instanceof Choice choice) {
            return choice.defaultIndex();
        }
        return 0;
    }
}
