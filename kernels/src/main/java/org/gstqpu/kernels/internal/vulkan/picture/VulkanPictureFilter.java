package org.gstqpu.kernels.internal.vulkan.picture;

import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.internal.picture.PictureKind;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.HostImport;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.memory.PlaneTransfer;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.SubmitRing;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.internal.vulkan.work.WorkKey;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Owns the recorded work, the parameters and the staging buffers for pictures of one format and size. Belongs to the
 * context's thread.
 */
public final class VulkanPictureFilter implements PictureFilter {
    /** Pairs of buffers whose recordings are kept: a decoder's pool times a few of a sink's. */
    private static final int SLOTS = 64;

    /** Descriptor sets of a slot: for deblocking, of each plane where they lie apart, then the same for CDEF, then of automatic strength, then of the kept part, then of deblocking at an offset. */
    private static final int PLANES = 3;

    private static final int DEBLOCK_SET = 0;
    private static final int CDEF_SET = PLANES;
    private static final int STRENGTH_SET = 2 * PLANES;
    private static final int KEEP_SET = STRENGTH_SET + 1;
    private static final int OFFSET_SET = KEEP_SET + 1;
    private static final int SETS = OFFSET_SET + OffsetPass.SETS;
    private static final int WORD_BYTES = 4;

    private final VulkanDevice device;
    private final BufferPool pool;
    private final KernelPipelines pipelines;
    private final KernelTuning tuning;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final PictureKind kind;
    private final long timeoutNanos;
    private final DeblockPass deblockPass;
    private final CdefPass cdefPass;
    private final PlanePass planePass;
    private final SubmitRing ring;
    private final ParameterBlock parameterBlock;

    /** Layout of staged pictures, and of the deblocked picture between the passes: rows of whole words. */
    private final PictureLayout ownLayout;

    private final long ownBytes;
    private final PicturePlace sourcePlace = new PicturePlace();
    private final PicturePlace destinationPlace = new PicturePlace();
    private final PicturePlace middlePlace = new PicturePlace();
    private final WorkKey wanted = new WorkKey();

    /** What chooses each picture's parameters, where something does; made with the first ladder. */
    private StrengthPass strength;

    /** Empty where the parameters are fixed. */
    private Optional<StrengthLadder> ladder = Optional.empty();

    /** Whether blocks are deblocked where the ladder's pictures show that they lie. */
    private boolean followsGrid;

    /** Where macroblocks begin, column | row &lt;&lt; 3, while there is no ladder. */
    private int fixedOffset;

    /** Made when an offset is first used. */
    private OffsetPass offsetPass;

    /** Luma columns that are left as they are. */
    private int keptColumns;

    private FilterParameters parameters = new FilterParameters(Optional.empty(), Optional.empty());

    /** Where pictures' own parameters go; made with the first of these, and anew where more of them are under way. */
    private PictureParameterMemory ownParameters;

    private final Flight[] flights = new Flight[MAX_IN_FLIGHT];
    private long begun;
    private DeviceBuffer middle;
    private DeviceBuffer blocks;
    private DeviceBuffer staged;
    private DeviceBuffer list;
    private ChaseMemory chaseMemory;
    private boolean closed;

    /**
     * A filter that adds the times of its pictures to {@code times} where the device times.
     *
     * @throws DeviceException when the device has not the memory; nothing is left behind
     */
    public VulkanPictureFilter(
            VulkanDevice device,
            BufferPool pool,
            KernelPipelines pipelines,
            KernelTuning tuning,
            PictureTimes times,
            PixelFormat format,
            int width,
            int height,
            long timeoutNanos) {
        this.device = device;
        this.pool = pool;
        this.pipelines = pipelines;
        this.tuning = tuning;
        this.format = format;
        this.width = width;
        this.height = height;
        kind = new PictureKind("filter", format, width, height);
        this.timeoutNanos = timeoutNanos;
        ownLayout = PictureLayout.packed(format, width, height, WORD_BYTES);
        int lastPlane = format.planes() - 1;
        ownBytes =
                ownLayout.offsetBytes(lastPlane) + (long) ownLayout.strideBytes(lastPlane) * ownLayout.rows(lastPlane);
        boolean texels = tuning.texels() && device.viewsWords();
        deblockPass =
                new DeblockPass(pipelines, tuning, device.canExchangeInSubgroups(), texels, format, width, height);
        cdefPass = new CdefPass(pipelines, tuning, device.canExchangeInSubgroups(), texels, format, width, height);
        planePass = new PlanePass(pipelines, format);
        parameterBlock = new ParameterBlock(pool, format, width, height);
        try {
            ring = new SubmitRing(device, pipelines.setLayout(), SLOTS, SETS, times::add);
        } catch (DeviceException e) {
            parameterBlock.close();
            throw e;
        }
    }

    @Override
    public void configure(FilterParameters parameters) {
        checkUsable();
        ladder = Optional.empty();
        apply(parameters);
    }

    @Override
    public void configure(StrengthLadder ladder) {
        checkUsable();
        // Makes what all tiers need; the device chooses the parameters themselves.
        apply(ladder.tiers().get(0));
        if (strength == null) {
            strength = new StrengthPass(
                    pool, pipelines, format, width, height, ladder.tiers().size());
        }
        strength.write(ladder, parameterBlock);
        this.ladder = Optional.of(ladder);
        followsGrid = ladder.followsGrid();
    }

    @Override
    public void keepLeft(double share) {
        checkUsable();
        int columns = format.cut(share, width);
        if (columns != keptColumns) {
            ring.drain(timeoutNanos);
            parameterBlock.writeKept(columns);
            keptColumns = columns;
        }
    }

    @Override
    public void deblockFrom(int column, int row) {
        checkUsable();
        fixedOffset = StrengthEstimate.packOffset(column, row);
    }

    @Override
    public Optional<StrengthEstimate> estimate() {
        return ladder.isPresent()
                ? Optional.of(StrengthEstimate.unpack(strength.estimate(), strength.foundOffset()))
                : Optional.empty();
    }

    private void apply(FilterParameters parameters) {
        if (parameters.cdef().isPresent() && parameters.cdef().get().blocks().isPresent()) {
            CdefBlockMap map = parameters.cdef().get().blocks().get();
            if (map.width() != width || map.height() != height) {
                throw new IllegalArgumentException("this filter is for " + width + "x" + height + ", the block map for "
                        + map.width() + "x" + map.height());
            }
        }
        ring.drain(timeoutNanos);
        this.parameters = parameters;
        parameters.deblock().ifPresent(parameterBlock::write);
        parameters.cdef().ifPresent(parameterBlock::write);
        makeBuffers(parameters.deblock().isPresent(), parameters.cdef().isPresent(), hasMap());
    }

    /** Makes what passes need that have not run yet. */
    private void makeBuffers(boolean deblock, boolean cdef, boolean mapped) {
        if (cdef && blocks == null) {
            blocks = pool.acquire(MemoryKind.DEVICE, CdefPass.blocksBytes(width, height));
        }
        if (cdef && staged == null && CdefPass.stagesRows(format, width)) {
            staged = pool.acquire(MemoryKind.DEVICE, CdefPass.stagedBytes(width, height));
        }
        if (tuning.listsBlocks() && mapped && list == null) {
            list = pool.acquire(MemoryKind.UPLOAD, CdefPass.listBytes(width, height));
            CdefPass.emptyList(list.address());
        }
        if (deblock && chaseMemory == null && deblockPass.chasers() > 0) {
            chaseMemory = new ChaseMemory(pool, deblockPass.chasers(), deblockPass.columns(), format.sampleBytes());
            chaseMemory.clear(device, pipelines, timeoutNanos);
        }
        if (deblock && cdef && middle == null) {
            middle = pool.acquire(MemoryKind.DEVICE, ownBytes);
            middlePlace.set(middle.id(), middle.range(), 0, ownLayout);
        }
    }

    /** Whether CDEF, as configured, has a map of blocks. */
    private boolean hasMap() {
        return parameters.cdef().isPresent() && parameters.cdef().get().blocks().isPresent();
    }

    @Override
    public long begin(
            PictureMemory source,
            PictureLayout sourceLayout,
            PictureMemory destination,
            PictureLayout destinationLayout,
            boolean handOver) {
        return begin(
                source,
                sourceLayout,
                destination,
                destinationLayout,
                handOver,
                null,
                parameters.deblock().isPresent(),
                parameters.cdef().isPresent(),
                hasMap());
    }

    @Override
    public long begin(
            PictureMemory source,
            PictureLayout sourceLayout,
            PictureMemory destination,
            PictureLayout destinationLayout,
            boolean handOver,
            PictureParameters own) {
        own.checkFor(format, width, height);
        return begin(
                source,
                sourceLayout,
                destination,
                destinationLayout,
                handOver,
                own,
                own.deblocks(),
                own.runsCdef(),
                own.runsCdef() && own.cdef().isMapped());
    }

    /**
     * The same.
     *
     * @param own the picture's own parameters, null for those that are configured
     * @param mapped whether CDEF has a map of blocks
     */
    private long begin(
            PictureMemory source,
            PictureLayout sourceLayout,
            PictureMemory destination,
            PictureLayout destinationLayout,
            boolean handOver,
            PictureParameters own,
            boolean deblock,
            boolean cdef,
            boolean mapped) {
        checkUsable();
        check("source", source, sourceLayout);
        check("destination", destination, destinationLayout);
        if (!deblock && !cdef) {
            checkMapped("source", source);
            checkMapped("destination", destination);
            PlaneTransfer.copy(address(source), sourceLayout, address(destination), destinationLayout, true);
            return 0;
        }
        int place = freeFlight();
        if (own != null) {
            makeBuffers(deblock, cdef, mapped);
            makeRoomForParameters(place);
        }
        Flight flight = flights[place];
        flight.prepare();
        placeSource(flight, source, sourceLayout);
        placeDestination(flight, destination, destinationLayout);
        // The direction search of listed blocks only pays where blocks may be left alone.
        boolean listed = tuning.listsBlocks() && mapped;
        boolean byEdge = own != null && own.deblocksByEdge();
        int measuredOffset = own == null && ladder.isPresent() ? strength.nextOffset() : 0;
        int deblockOffset = own != null ? 0 : ladder.isEmpty() ? fixedOffset : followsGrid ? measuredOffset : 0;
        if (deblock && deblockOffset != 0 && offsetPass == null) {
            offsetPass = new OffsetPass(device, pool, pipelines, tuning, format, width, height, timeoutNanos);
        }
        wanted.set(
                sourcePlace,
                destinationPlace,
                deblock,
                cdef,
                listed,
                own == null && ladder.isPresent(),
                keptColumns > 0,
                measuredOffset | deblockOffset << 6,
                byEdge,
                own == null ? 0 : ownParameters.id());
        SubmitSlot slot = ring.acquire(wanted, timeoutNanos);
        if (own != null) {
            ownParameters.write(own, slot.index(), place);
        }
        if (!slot.holds(wanted)) {
            record(
                    slot,
                    deblock,
                    cdef,
                    listed,
                    byEdge,
                    own != null,
                    measuredOffset,
                    deblockOffset,
                    foreign(source),
                    foreign(destination));
        }
        ImportedMemory shared = handOver
                        && device.canExportSyncFds()
                        && destination instanceof ImportedMemory imported
                        && !imported.dmabufs().isEmpty()
                ? imported
                : null;
        if (shared != null) {
            flight.signalDone();
        }
        begun++;
        flight.submit(slot, begun * MAX_IN_FLIGHT + place);
        if (shared != null) {
            flight.handOver(shared);
        }
        return flight.ticket();
    }

    /** Makes sure that the parameters of the flight at this place have room. */
    private void makeRoomForParameters(int place) {
        if (ownParameters != null && place < ownParameters.pictures()) {
            return;
        }
        int pictures = ownParameters == null ? 1 : Math.min(MAX_IN_FLIGHT, 2 * ownParameters.pictures());
        // Descriptors name the memory before, which nobody may use from now on.
        ring.drain(timeoutNanos);
        PictureParameterMemory larger =
                new PictureParameterMemory(pool, format, width, height, SLOTS, Math.max(pictures, place + 1));
        if (ownParameters != null) {
            ownParameters.close();
        }
        ownParameters = larger;
    }

    /** The first flight that another picture may take, so that one picture at a time always takes the same. */
    private int freeFlight() {
        for (int place = 0; place < MAX_IN_FLIGHT; place++) {
            if (flights[place] == null) {
                flights[place] = new Flight(device, pool);
            }
            if (flights[place].isFree()) {
                return place;
            }
        }
        for (int place = 0; place < MAX_IN_FLIGHT; place++) {
            if (flights[place].isHandedOver()) {
                flights[place].await(ownLayout, timeoutNanos);
                return place;
            }
        }
        throw new IllegalStateException(MAX_IN_FLIGHT + " pictures have begun and none was awaited");
    }

    /** The picture's flight, null where it is done and forgotten. */
    private Flight flight(long picture) {
        Flight flight = flights[(int) (picture % MAX_IN_FLIGHT)];
        return picture != 0 && flight != null && flight.ticket() == picture ? flight : null;
    }

    @Override
    public boolean isHandedOver(long picture) {
        Flight flight = flight(picture);
        return flight != null && flight.isHandedOver();
    }

    @Override
    public boolean isDone(long picture) {
        Flight flight = flight(picture);
        return flight == null || flight.deviceIsDone();
    }

    @Override
    public void await(long picture) {
        Flight flight = flight(picture);
        if (flight != null) {
            flight.await(ownLayout, timeoutNanos);
        }
    }

    /** Whether drivers of other devices may use the memory, too. */
    private boolean foreign(PictureMemory memory) {
        return memory instanceof ImportedMemory imported && !imported.dmabufs().isEmpty() && device.canOwnForeign();
    }

    /** Finds the source for the device, where it lies or copied. */
    private void placeSource(Flight flight, PictureMemory memory, PictureLayout layout) {
        if (memory instanceof ImportedMemory imported && imported.wordsOnly(layout)) {
            sourcePlace.set(imported, layout);
            flight.awaitWriters(imported, timeoutNanos);
            return;
        }
        DeviceBuffer upload = flight.upload(ownBytes);
        device.counters().countCopied(PlaneTransfer.copy(address(memory), layout, upload.address(), ownLayout, false));
        sourcePlace.set(upload.id(), upload.range(), 0, ownLayout);
    }

    /** Finds a place for the result, from where it is copied in the end if that is not where the user wants it. */
    private void placeDestination(Flight flight, PictureMemory memory, PictureLayout layout) {
        if (memory instanceof ImportedMemory imported && imported.wordsOnly(layout) && imported.holdsWords(layout)) {
            destinationPlace.set(imported, layout);
            flight.awaitUsers(imported, timeoutNanos);
            return;
        }
        DeviceBuffer download = flight.download(ownBytes);
        destinationPlace.set(download.id(), download.range(), 0, ownLayout);
        flight.copyResultTo(address(memory), layout);
    }

    private void record(
            SubmitSlot slot,
            boolean deblock,
            boolean cdef,
            boolean listed,
            boolean byEdge,
            boolean own,
            int measuredOffset,
            int deblockOffset,
            boolean sourceIsForeign,
            boolean destinationIsForeign) {
        PicturePlace deblocked = cdef ? middlePlace : destinationPlace;
        PicturePlace cdefSource = deblock ? middlePlace : sourcePlace;
        Commands commands = slot.record(wanted, pipelines.layout());
        if (sourceIsForeign) {
            takeFromForeign(commands, sourcePlace);
        }
        if (destinationIsForeign) {
            takeFromForeign(commands, destinationPlace);
        }
        // The picture before, in another slot, shares the buffers between the passes.
        commands.barrier();
        if (ladder.isPresent() && !own) {
            slot.writeDescriptors(STRENGTH_SET, strength.bindings(sourcePlace, parameterBlock));
            strength.record(commands, slot.descriptorSet(STRENGTH_SET), sourcePlace, measuredOffset);
            commands.barrier();
        }
        if (deblock && deblockOffset != 0) {
            offsetPass.record(commands, slot, OFFSET_SET, sourcePlace, deblocked, deblockOffset, parameterBlock);
        } else if (deblock) {
            for (int plane = 0; plane < sets(sourcePlace, deblocked); plane++) {
                slot.writeDescriptors(DEBLOCK_SET + plane, deblockBindings(deblocked, plane, own, slot.index()));
            }
            deblockPass.record(
                    commands, plane -> slot.descriptorSet(DEBLOCK_SET + plane), sourcePlace, deblocked, byEdge);
        }
        if (deblock && cdef) {
            commands.barrier();
        }
        if (cdef) {
            for (int plane = 0; plane < sets(cdefSource, destinationPlace); plane++) {
                slot.writeDescriptors(CDEF_SET + plane, cdefBindings(cdefSource, plane, own, slot.index()));
            }
            cdefPass.record(
                    commands,
                    plane -> slot.descriptorSet(CDEF_SET + plane),
                    cdefSource,
                    destinationPlace,
                    listed ? list.handle() : 0,
                    tuning.listsBlocks() && !listed);
        }
        if (keptColumns > 0) {
            commands.barrier();
            slot.writeDescriptors(KEEP_SET, PlanePass.bindings(sourcePlace, destinationPlace, parameterBlock.kept()));
            commands.bindDescriptorSet(slot.descriptorSet(KEEP_SET));
            planePass.recordKeepLeft(commands, sourcePlace, destinationPlace);
        }
        if (sourceIsForeign) {
            giveToForeign(commands, sourcePlace);
        }
        if (destinationIsForeign) {
            giveToForeign(commands, destinationPlace);
        }
        slot.recorded(commands);
    }

    /** Descriptor sets of a pass: one for each plane where planes lie apart. */
    private int sets(PicturePlace source, PicturePlace destination) {
        return source.isApart() || destination.isApart() ? format.planes() : 1;
    }

    private void takeFromForeign(Commands commands, PicturePlace place) {
        for (int plane = 0; plane < format.planes(); plane++) {
            if (isFirstIn(place, plane)) {
                commands.takeFromForeign(
                        place.range(plane), device.capabilities().computeQueueFamily());
            }
        }
    }

    private void giveToForeign(Commands commands, PicturePlace place) {
        for (int plane = 0; plane < format.planes(); plane++) {
            if (isFirstIn(place, plane)) {
                commands.giveToForeign(place.range(plane), device.capabilities().computeQueueFamily());
            }
        }
    }

    /** Whether no plane before it lies in the same buffer. */
    private static boolean isFirstIn(PicturePlace place, int plane) {
        for (int before = 0; before < plane; before++) {
            if (place.range(before).equals(place.range(plane))) {
                return false;
            }
        }
        return true;
    }

    // What the kernels' bindings point at, in their order; those before the last that a kernel does not use are given
    // something valid.

    private List<BufferRange> deblockBindings(PicturePlace deblocked, int plane, boolean own, int slot) {
        BufferRange unused = parameterBlock.deblock();
        return List.of(
                sourcePlace.range(plane),
                deblocked.range(plane),
                own ? ownParameters.deblock(slot) : parameterBlock.deblock(),
                chaseMemory == null ? unused : chaseMemory.counters(),
                chaseMemory == null ? unused : chaseMemory.handed(),
                own ? ownParameters.edges() : unused);
    }

    private List<BufferRange> cdefBindings(PicturePlace source, int plane, boolean own, int slot) {
        BufferRange map = own ? ownParameters.blockMaps() : parameterBlock.blockMap();
        return List.of(
                source.range(plane),
                destinationPlace.range(plane),
                own ? ownParameters.cdef(slot) : parameterBlock.cdef(),
                blocks.range(),
                map,
                staged == null ? blocks.range() : staged.range(),
                list == null ? map : list.range());
    }

    private void check(String which, PictureMemory memory, PictureLayout layout) {
        kind.check(which, memory, layout);
        if (!(memory instanceof HostMemory) && !(memory instanceof ImportedMemory own && own.belongsTo(device))) {
            throw new IllegalArgumentException("the " + which + " memory was imported by another context");
        }
        if (memory instanceof ImportedMemory imported && !(memory instanceof HostImport)) {
            Optional<String> obstacle = imported.obstacle(layout);
            if (obstacle.isPresent()) {
                throw new IllegalArgumentException("the " + which + " picture cannot be filtered in its "
                        + (imported.dmabufs().isEmpty() ? "memory: " : "dmabuf: ") + obstacle.get());
            }
        }
    }

    private static void checkMapped(String which, PictureMemory memory) {
        if (memory instanceof ImportedMemory imported && !(memory instanceof HostImport)) {
            throw new IllegalArgumentException("no filter is configured, so that the CPU would copy, and the " + which
                    + " picture is in " + (imported.dmabufs().isEmpty() ? "the device's own memory" : "a dmabuf"));
        }
    }

    private static long address(PictureMemory memory) {
        if (memory instanceof HostMemory host) {
            return host.address();
        }
        return ((HostImport) memory).address();
    }

    private void checkUsable() {
        if (closed) {
            throw new IllegalStateException("the picture filter is closed");
        }
        device.checkAlive();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        ring.settle(timeoutNanos);
        ring.close();
        parameterBlock.close();
        for (Flight flight : flights) {
            if (flight != null) {
                flight.close();
            }
        }
        release(middle);
        release(blocks);
        release(staged);
        release(list);
        if (chaseMemory != null) {
            chaseMemory.close();
        }
        if (strength != null) {
            strength.close();
        }
        if (ownParameters != null) {
            ownParameters.close();
        }
        if (offsetPass != null) {
            offsetPass.close();
        }
    }

    private void release(DeviceBuffer buffer) {
        if (buffer != null) {
            pool.release(buffer);
        }
    }
}
