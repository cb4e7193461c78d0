package org.gstqpu.plugin;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthRule;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.plugin.ElementHost.ErrorCode;
import org.gstqpu.plugin.ElementHost.LogLevel;

/**
 * One {@code qpuloopfilter} between NULL→READY and READY→NULL: owns its substrate, the filter for the stream's pictures
 * and the native structures that frames are mapped into. Opened and closed by the application's thread, in between used
 * by the streaming thread, except where a method says otherwise.
 */
final class LoopFilterElement implements AutoCloseable {
    /** Returned by {@link #begin} and {@link #finish} for a filtered picture; no GstFlowReturn, and not the 0 of a failed call. */
    static final int FILTERED = 1;

    /** Returned by {@link #begin} if the output must not be used before {@link #finish}; also returned by {@link #finish} if it would block. */
    static final int PENDING = 2;

    /** Returned by {@link #begin} if whoever waits for the output's fences may use the output before {@link #finish}. */
    static final int HANDED_OVER = 3;

    /** Most pictures that may have begun and not been finished: the greatest queue depth. */
    static final int MAX_UNDER_WAY = 8;

    /** GST_BASE_TRANSFORM_FLOW_DROPPED: no buffer goes on. */
    static final int FLOW_DROPPED = 100;

    /** GST_FLOW_ERROR: the stream ends. */
    static final int FLOW_ERROR = -5;

    /** How a substrate is opened: {@link org.gstqpu.kernels.Substrates#open}. */
    @FunctionalInterface
    interface ContextOpener {
        /** Opens it. */
        FilterContext open(SubstrateRequest request) throws SubstrateUnavailableException;
    }

    private final ElementHost host;
    private final ElementValues values;
    private final FilterContext context;
    private final VideoInfo info = new VideoInfo();
    private final boolean onDevice;
    private final boolean requireZeroCopy;
    private final ImportCache imports;
    /** Each is made when it is first needed. A picture takes the first that is free, so that one picture at a time always takes the same. */
    private final Passage[] passages = new Passage[MAX_UNDER_WAY];

    private final SideInformation sideInformation;
    private final AllocationCounter allocations = new AllocationCounter();
    private final AtomicLong frames = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong framesWithParams = new AtomicLong();
    private final AtomicLong badParams = new AtomicLong();
    private final AtomicLong merged = new AtomicLong();
    private final AtomicLong mergedBytes = new AtomicLong();

    /** Orders the threads that set properties, and them with new caps. Nothing is posted while it is held. */
    private final Object settingsLock = new Object();

    private final Set<ElementProperty> warnedInvalid = EnumSet.noneOf(ElementProperty.class);
    private volatile FilterSettings settings;
    /** Counts the changes of {@link #settings}, each made before it is counted. */
    private volatile int settingsChanges = 1;

    private boolean passthrough;

    /** For pictures as they are. */
    private final SizedFilter pictureFilter = new SizedFilter();

    /**
     * For the fields of pictures: a stream may have pictures whose fields are filtered and others, which say themselves what is to
     * be done, by turns.
     */
    private final SizedFilter fieldFilter = new SizedFilter();

    /** The one whose pictures are filtered as the properties say. */
    private SizedFilter configured = pictureFilter;

    /**
     * What the properties said at {@link #settingsChanges} number {@link #readChanges}; not used where
     * there is a {@link #ladder}.
     */
    private FilterParameters fixed;

    /** What they said where the filter is to find the strength, empty where nothing is automatic. */
    private Optional<StrengthLadder> ladder = Optional.empty();

    /** Of the stream before, while there is none of this one; guarded by the monitor of the imports. */
    private Optional<StrengthEstimate> lastEstimate = Optional.empty();

    /** Whether those run any filter. */
    private boolean filters;
    /** 0 for never. */
    private int readChanges;

    /** The settings then. */
    private FilterSettings filterSettings;

    private boolean warnedRefused;

    /** Faults of side information that the user was told of. */
    private final Set<String> warnedParams = new HashSet<>();

    /** The ticket that was given last. */
    private long lastTicket;

    /** Whether whoever takes the output knows that it may be a dmabuf with fences. */
    private boolean mayHandOver;

    /** Column heights, as {@link DmabufFrame#locate} takes them. */
    private int inColumns = DmabufFrame.WHOLE_ROWS;

    private int outColumns = DmabufFrame.WHOLE_ROWS;

    private LoopFilterElement(
            ElementHost host,
            ElementValues values,
            FilterSettings settings,
            FilterContext context,
            MemoryWatch memoryWatch) {
        this.host = host;
        this.values = values;
        this.settings = settings;
        this.context = context;
        onDevice = context.substrate() == Substrate.QPU;
        requireZeroCopy = values.get(ElementProperty.REQUIRE_ZERO_COPY) != 0;
        sideInformation = new SideInformation(onDevice);
        imports = new ImportCache(context, memoryWatch, host);
    }

    /**
     * Opens the substrate that the properties ask for.
     *
     * @param device value of the property {@code device}
     * @param memoryWatch tells when frames' memory is freed
     * @throws ElementException where a property has a value that means nothing, or the substrate cannot be used
     */
    static LoopFilterElement open(
            ElementHost host,
            ElementValues values,
            Optional<String> device,
            ContextOpener opener,
            MemoryWatch memoryWatch)
            throws ElementException {
        FilterSettings settings = FilterSettings.read(values);
        for (FilterSettings.Invalid invalid : settings.invalid()) {
            throw new ElementException(ErrorCode.LIBRARY_SETTINGS, invalid.line());
        }
        Substrate substrate = substrate(values.get(ElementProperty.SUBSTRATE));
        Optional<String> wanted = device.filter(name -> !name.isBlank());
        if (substrate == Substrate.CPU && wanted.isPresent()) {
            host.log(LogLevel.WARNING, "device=" + wanted.get() + " has no meaning with substrate=cpu");
        }
        FilterContext context;
        try {
            context = opener.open(new SubstrateRequest(
                    substrate, wanted, values.get(ElementProperty.THREADS), values.get(ElementProperty.TIMING) != 0));
        } catch (SubstrateUnavailableException e) {
            throw new ElementException(ErrorCode.RESOURCE_NOT_FOUND, e.getMessage(), e);
        }
        host.log(
                LogLevel.INFO,
                "filters run on " + nick(context.substrate()) + ": " + context.deviceName() + " (" + context.reason()
                        + ")");
        if (values.get(ElementProperty.TIMING) != 0 && !context.timesPictures()) {
            host.log(
                    LogLevel.INFO,
                    "timing is set, but " + context.deviceName()
                            + (context.substrate() == Substrate.QPU ? " writes no timestamps" : " is no device")
                            + ": stats has no gpu-time fields");
        }
        host.describeDevice(context.importsDmabufs(), context.substrate() == Substrate.QPU);
        LoopFilterElement element = new LoopFilterElement(host, values, settings, context, memoryWatch);
        element.settingsChanged();
        return element;
    }

    private static Substrate substrate(int choice) throws ElementException {
        return switch (choice) {
            case 0 -> Substrate.AUTO;
            case 1 -> Substrate.CPU;
            case 2 -> Substrate.QPU;
            default ->
                throw new ElementException(
                        ErrorCode.LIBRARY_SETTINGS, "substrate is auto, cpu or qpu, but choice " + choice + " was set");
        };
    }

    /** What failures of this element are posted on. */
    ElementHost host() {
        return host;
    }

    /**
     * Takes the caps of the stream, new ones at any time.
     *
     * @param caps a GstCaps, which is not kept
     * @param outputDmabufs whether the output was negotiated to be dmabufs
     * @param inColumns column height of the input, as {@link DmabufFrame#locate} takes it
     * @param outColumns the same of the output
     * @throws ElementException where such video is not filtered
     */
    void setCaps(long caps, boolean outputDmabufs, int inColumns, int outColumns) throws ElementException {
        info.set(caps);
        mayHandOver = outputDmabufs;
        this.inColumns = inColumns;
        this.outColumns = outColumns;
        warnedRefused = false;
        warnedParams.clear();
        readChanges = 0;
        boolean nothing = settingsChanged();
        readSettings();
        synchronized (imports) {
            imports.retry();
            if (!nothing) {
                boolean byFields = filtersFields() && info.height() % 2 == 0;
                SizedFilter prepared = prepareFilter(byFields, info.format(), info.width(), info.height());
                SizedFilter other = prepared == fieldFilter ? pictureFilter : fieldFilter;
                if (!other.isFor(
                        info.format(), info.width(), other == fieldFilter ? info.height() / 2 : info.height())) {
                    closeFilter(other);
                }
            }
        }
    }

    /** Takes the values that the properties have now; any thread. */
    void propertyChanged() {
        settingsChanged();
    }

    /** Returns whether nothing is left to filter. */
    private boolean settingsChanged() {
        List<String> invalidLines = new ArrayList<>();
        boolean nothing;
        synchronized (settingsLock) {
            FilterSettings read = FilterSettings.read(values);
            List<FilterSettings.Invalid> invalid = read.invalid();
            warnedInvalid.removeIf(property -> invalid.stream().noneMatch(one -> one.property() == property));
            for (FilterSettings.Invalid one : invalid) {
                if (warnedInvalid.add(one.property())) {
                    invalidLines.add(one.line() + "; until then the value before stays in force");
                }
            }
            FilterSettings valid = read.withInvalidFrom(settings);
            if (!valid.equals(settings)) {
                settings = valid;
                settingsChanges++;
            }
            nothing = !valid.deblock() && !valid.cdef();
            if (nothing != passthrough) {
                passthrough = nothing;
                host.setPassthrough(nothing);
            }
        }
        for (String line : invalidLines) {
            host.warning(ErrorCode.LIBRARY_SETTINGS, line);
        }
        return nothing;
    }

    /**
     * Whether pictures are two fields each, to be filtered by themselves. What is asked for exactly is a decoder's work, which
     * has frames.
     */
    private boolean filtersFields() {
        return info.isInterleaved() && ladder.isPresent();
    }

    /** The filter for pictures of that kind, or for their fields. The monitor of the imports is held. */
    private SizedFilter prepareFilter(boolean ofFields, PixelFormat format, int pictureWidth, int pictureHeight) {
        SizedFilter sized = ofFields ? fieldFilter : pictureFilter;
        int height = ofFields ? pictureHeight / 2 : pictureHeight;
        if (!sized.isFor(format, pictureWidth, height)) {
            closeFilter(sized);
            sized.open(context, format, pictureWidth, height);
            if (host.logs(LogLevel.DEBUG)) {
                host.log(LogLevel.DEBUG, "made a filter for " + format + " " + pictureWidth + "x" + height);
            }
        }
        return sized;
    }

    private void closeFilter(SizedFilter sized) {
        if (sized.isOpen()) {
            for (Passage passage : passages) {
                if (passage != null) {
                    passage.await();
                }
            }
            if (sized == configured) {
                lastEstimate = sized.estimate();
            }
            sized.close();
        }
    }

    /**
     * Begins to filter the picture in one GstBuffer into another, after those that began before. In the steady state nothing
     * is allocated.
     *
     * @param ticketAt address of a gint64, to which the picture's ticket is written as soon as the device has any of the work.
     *     Whatever this method then returns or throws: both buffers' memory must be kept until {@link #finish} with that ticket
     * @return {@link #FILTERED} if it is done, {@link #PENDING} or {@link #HANDED_OVER} if it is under way, or a GstFlowReturn
     * @throws ElementException where the two buffers do not fit each other
     */
    int begin(long inBuffer, long outBuffer, long ticketAt) throws ElementException {
        Passage passage = freePassage();
        long entered = allocations.enter();
        try {
            return beginPicture(passage, inBuffer, outBuffer, ticketAt);
        } finally {
            sideInformation.release();
            if (passage.ticket() == 0) {
                passage.release();
            }
            allocations.leave(entered);
        }
    }

    private Passage freePassage() {
        for (int place = 0; place < MAX_UNDER_WAY; place++) {
            if (passages[place] == null) {
                passages[place] = new Passage(imports);
            }
            if (passages[place].ticket() == 0) {
                return passages[place];
            }
        }
        throw new IllegalStateException(MAX_UNDER_WAY + " pictures are under way");
    }

    private Passage passage(long ticket) {
        for (Passage passage : passages) {
            if (passage != null && ticket != 0 && passage.ticket() == ticket) {
                return passage;
            }
        }
        throw new IllegalArgumentException("no picture with the ticket " + ticket + " is under way");
    }

    /** Takes notice that a filter has begun a picture or a field, 0 where it is done already; gives the picture a ticket. */
    private void begun(Passage passage, PictureFilter filter, long number, long ticketAt) {
        if (number == 0) {
            return;
        }
        if (passage.ticket() == 0) {
            lastTicket++;
        }
        passage.begun(lastTicket, filter, number);
        GstQpuLibrary.gst_qpu_set_ticket(ticketAt, lastTicket);
    }

    private int beginPicture(Passage passage, long inBuffer, long outBuffer, long ticketAt) throws ElementException {
        FrameSide input = passage.input();
        FrameSide output = passage.output();
        readSettings();
        boolean unmapped = onDevice && filters;
        if (!input.hold(info, inBuffer, unmapped, inColumns)) {
            return refuse(input);
        }
        if (!output.hold(info, outBuffer, unmapped, outColumns)) {
            throw new ElementException(
                    ErrorCode.STREAM_FORMAT,
                    "The buffer for the filtered picture does not fit: " + output.problem()
                            + "; the element after qpuloopfilter gave it, try without that element");
        }
        PictureLayout inLayout = input.layout();
        PictureLayout outLayout = output.layout();
        if (inLayout.width() != outLayout.width() || inLayout.height() != outLayout.height()) {
            throw new ElementException(
                    ErrorCode.STREAM_FORMAT,
                    "The buffer for the filtered picture is for " + outLayout.width() + "x" + outLayout.height()
                            + ", the picture has " + inLayout.width() + "x" + inLayout.height()
                            + "; the element after qpuloopfilter gave it, try without that element");
        }
        if (input.mergedBytes() > 0) {
            merged.incrementAndGet();
            mergedBytes.addAndGet(input.mergedBytes());
        }
        boolean own = filters && readSideInformation(inBuffer, inLayout);
        boolean byFields = !own && filtersFields() && inLayout.hasFields() && outLayout.hasFields();
        synchronized (imports) {
            SizedFilter sized = prepareFilter(byFields, inLayout.format(), inLayout.width(), inLayout.height());
            if (!own) {
                sized.configure(readChanges, ladder, fixed);
                configured = sized;
            }
            sized.keepLeft(values.get(ElementProperty.SPLIT_VIEW));
            PictureFilter filter = sized.filter();
            PictureMemory from = place(input, "filter's input");
            PictureMemory to = place(output, "filter's output");
            long number = byFields
                    ? filter.begin(from, input.field(0), to, output.field(0), false)
                    : own
                            ? filter.begin(from, inLayout, to, outLayout, mayHandOver, sideInformation.parameters())
                            : filter.begin(from, inLayout, to, outLayout, mayHandOver);
            begun(passage, filter, number, ticketAt);
            if (byFields) {
                // If this throws, the device still works on the first field.
                number = filter.begin(from, input.field(1), to, output.field(1), mayHandOver);
                begun(passage, filter, number, ticketAt);
            }
            if (passage.ticket() == 0) {
                frames.incrementAndGet();
                return FILTERED;
            }
            return mayHandOver && filter.isHandedOver(number) ? HANDED_OVER : PENDING;
        }
    }

    /** Whether the buffer says itself what is to be done to its picture. */
    private boolean readSideInformation(long buffer, PictureLayout layout) {
        SideInformation.Finding finding =
                sideInformation.read(buffer, filterSettings, layout.format(), layout.width(), layout.height());
        switch (finding) {
            case NONE -> {
                return false;
            }
            case TAKEN -> framesWithParams.incrementAndGet();
            case UNFIT -> {
                badParams.incrementAndGet();
                warnOfParams();
            }
        }
        return true;
    }

    private void warnOfParams() {
        String line =
                "The side information of a frame (qpu-filter-params) makes no sense, and the frame passes unfiltered: "
                        + sideInformation.problem();
        if (warnedParams.add(sideInformation.cause())) {
            host.warning(ErrorCode.STREAM_FORMAT, line + "; correct the element or application that puts it there");
        } else if (host.logs(LogLevel.DEBUG)) {
            host.log(LogLevel.DEBUG, line);
        }
    }

    /**
     * Finishes a picture under way, whichever began before it: its buffers are no longer used, and the output holds the
     * result.
     *
     * @param ticket of the picture
     * @param wait whether to wait for it
     * @return {@link #FILTERED}, or {@link #PENDING} if it would block, and the picture is still under way
     * @throws IllegalArgumentException when no picture under way has the ticket
     */
    int finish(long ticket, boolean wait) {
        Passage passage = passage(ticket);
        long entered = allocations.enter();
        boolean finished = true;
        try {
            synchronized (imports) {
                // Asked first, so that what is done already is not counted as a wait.
                if (!passage.isDone() && !wait) {
                    finished = false;
                    return PENDING;
                }
                passage.await();
            }
            frames.incrementAndGet();
            return FILTERED;
        } finally {
            if (finished) {
                passage.release();
            }
            allocations.leave(entered);
        }
    }

    /** Takes notice of what the properties say now. */
    private void readSettings() {
        int changes = settingsChanges;
        if (changes != readChanges) {
            FilterSettings current = settings;
            filterSettings = current;
            if (StrengthChoice.isAutomatic(current)) {
                ladder = Optional.of(StrengthChoice.ladder(current));
            } else {
                ladder = Optional.empty();
                fixed = StrengthChoice.fixed(current);
            }
            filters = current.deblock() || current.cdef();
            if (!filters && (inColumns != DmabufFrame.WHOLE_ROWS || outColumns != DmabufFrame.WHOLE_ROWS)) {
                // Columns are what a device reads and writes, not the CPU.
                fixed = StrengthChoice.UNCHANGED;
                filters = true;
            }
            readChanges = changes;
        }
    }

    /**
     * The picture as the device can best have it. The monitor of the imports is held.
     *
     * @throws ElementException where it has to be copied and must not be
     */
    private PictureMemory place(FrameSide side, String which) throws ElementException {
        PictureMemory place = side.place();
        if (requireZeroCopy) {
            Optional<String> obstacle = Optional.empty();
            if (side.mergedBytes() > 0) {
                obstacle = Optional.of("it is in parts, which GStreamer put together");
            } else if (onDevice && filters) {
                obstacle = place instanceof DeviceMemory memory
                        ? memory.obstacle(side.layout())
                        : Optional.of(side.obstacle());
            }
            if (obstacle.isPresent()) {
                throw new ElementException(
                        ErrorCode.RESOURCE_FAILED,
                        "require-zero-copy is set and the " + which + " would be copied: " + obstacle.get()
                                + "; set require-zero-copy=false to let it be");
            }
        }
        side.copies();
        return place;
    }

    private int refuse(FrameSide input) {
        dropped.incrementAndGet();
        String line = "A buffer does not hold a picture and is dropped: " + input.problem();
        if (warnedRefused) {
            host.log(LogLevel.WARNING, line);
        } else {
            warnedRefused = true;
            host.warning(ErrorCode.STREAM_FORMAT, line + "; look at the element before qpuloopfilter");
        }
        return FLOW_DROPPED;
    }

    /** The streaming thread has ended: gives up what belongs to its stream. */
    void stop() {
        synchronized (imports) {
            try {
                closeFilter(pictureFilter);
            } finally {
                closeFilter(fieldFilter);
            }
        }
    }

    /** A new GstStructure that says what was done so far; any thread. */
    long stats() {
        allocations.begin();
        long stats = GstQpuLibrary.gst_qpu_stats_new(
                nick(context.substrate()), context.deviceName(), context.reason(), filters());
        boolean timed = context.timesPictures();
        Optional<StrengthEstimate> estimate = estimate();
        for (ElementCounter counter : ElementCounter.values()) {
            if (timed || !counter.timed()) {
                long value = counter.estimated() ? estimated(counter, estimate) : count(counter);
                GstQpuLibrary.gst_qpu_stats_add(stats, counter.gstName(), value, counter.signed() ? 1 : 0);
            }
        }
        return stats;
    }

    private long count(ElementCounter counter) {
        return switch (counter) {
            case FRAMES -> frames.get();
            case DROPPED -> dropped.get();
            case FRAMES_WITH_PARAMS -> framesWithParams.get();
            case BAD_PARAMS -> badParams.get();
            case SUBMITS -> context.submits();
            case BYTES_COPIED -> context.bytesCopied() + mergedBytes.get();
            case COPIES -> context.copies() + merged.get();
            case RE_RECORDS -> context.reRecords();
            case POOL_BYTES -> context.poolBytes();
            case IMPORTS_DMABUF -> imports.dmabufImports();
            case IMPORTS_POOL -> imports.poolImports();
            case IMPORTS_HOST -> imports.hostImports();
            case IMPORT_CACHE_HITS -> imports.hits();
            case FENCES_IMPORTED -> context.fencesImported();
            case FENCES_EXPORTED -> context.fencesExported();
            case CPU_WAITS -> context.cpuWaits();
            case JAVA_BYTES -> allocations.bytes();
            case JAVA_BYTES_FRAMES -> allocations.frames();
            case GPU_TIME_LAST -> context.lastGpuNanos();
            case GPU_TIME_MEDIAN -> context.medianGpuNanos();
            default -> throw new IllegalArgumentException(counter + " is no count");
        };
    }

    private static long estimated(ElementCounter counter, Optional<StrengthEstimate> estimate) {
        if (estimate.isEmpty()) {
            return 0;
        }
        return switch (counter) {
            case ESTIMATED_COMB -> estimate.get().comb() ? 1 : 0;
            case ESTIMATED_STEP -> Math.round(estimate.get().step() * StrengthRule.UNIT);
            case ESTIMATED_DRAWING -> estimate.get().drawing() ? 1 : 0;
            case ESTIMATED_TEXTURE -> estimate.get().texture();
            case ESTIMATED_TIER -> estimate.get().tier();
            case ESTIMATED_OFFSET_X -> estimate.get().gridColumn();
            case ESTIMATED_OFFSET_Y -> estimate.get().gridRow();
            default -> throw new IllegalArgumentException(counter + " is no estimate");
        };
    }

    private Optional<StrengthEstimate> estimate() {
        synchronized (imports) {
            return configured.isOpen() ? configured.estimate() : lastEstimate;
        }
    }

    /** The filters that run, as {@code stats} names them. */
    private String filters() {
        FilterSettings current = settings;
        if (current.deblock()) {
            return current.cdef() ? "deblock+cdef" : "deblock";
        }
        return current.cdef() ? "cdef" : "none";
    }

    private static String nick(Substrate substrate) {
        return substrate.name().toLowerCase(Locale.ROOT);
    }

    /** Releases everything; a second call does nothing. */
    @Override
    public void close() {
        // Each part is given up, whatever befell the one before.
        try (info;
                context;
                sideInformation;
                imports) {
            stop();
            for (Passage passage : passages) {
                if (passage != null) {
                    passage.close();
                }
            }
        }
    }
}
