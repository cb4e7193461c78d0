package org.gstqpu.kernels.internal.vulkan.work;

import java.util.Objects;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * What a command buffer was recorded for: the buffers, where the pictures lie in them, and the passes. Mutable, so that
 * looking one up allocates nothing; belongs to the context's thread.
 */
public final class WorkKey {
    private long sourceId;
    private long sourceBaseBytes;
    private PictureLayout sourceLayout;
    private long destinationId;
    private long destinationBaseBytes;
    private PictureLayout destinationLayout;
    private boolean deblock;
    private boolean cdef;
    private boolean listed;
    private boolean automatic;
    private boolean keptLeft;
    private int offset;
    private boolean byEdge;
    private long parametersId;

    /**
     * Takes the values of a picture.
     *
     * @param parametersId of the memory where each picture has parameters of its own, 0 where they come from elsewhere
     */
    public void set(
            PicturePlace source,
            PicturePlace destination,
            boolean deblock,
            boolean cdef,
            boolean listed,
            boolean automatic,
            boolean keptLeft,
            int offset,
            boolean byEdge,
            long parametersId) {
        sourceId = source.id();
        sourceBaseBytes = source.baseBytes();
        sourceLayout = source.layout();
        destinationId = destination.id();
        destinationBaseBytes = destination.baseBytes();
        destinationLayout = destination.layout();
        this.deblock = deblock;
        this.cdef = cdef;
        this.listed = listed;
        this.automatic = automatic;
        this.keptLeft = keptLeft;
        this.offset = offset;
        this.byEdge = byEdge;
        this.parametersId = parametersId;
    }

    /** Of work that only reads both pictures. */
    public void set(PicturePlace first, PicturePlace second) {
        set(first, second, false, false, false, false, false, 0, false, 0);
    }

    public void set(WorkKey other) {
        sourceId = other.sourceId;
        sourceBaseBytes = other.sourceBaseBytes;
        sourceLayout = other.sourceLayout;
        destinationId = other.destinationId;
        destinationBaseBytes = other.destinationBaseBytes;
        destinationLayout = other.destinationLayout;
        deblock = other.deblock;
        cdef = other.cdef;
        listed = other.listed;
        automatic = other.automatic;
        keptLeft = other.keptLeft;
        offset = other.offset;
        byEdge = other.byEdge;
        parametersId = other.parametersId;
    }

    boolean matches(WorkKey other) {
        return sourceId == other.sourceId
                && destinationId == other.destinationId
                && deblock == other.deblock
                && cdef == other.cdef
                && listed == other.listed
                && automatic == other.automatic
                && keptLeft == other.keptLeft
                && offset == other.offset
                && byEdge == other.byEdge
                && parametersId == other.parametersId
                && sourceBaseBytes == other.sourceBaseBytes
                && destinationBaseBytes == other.destinationBaseBytes
                && Objects.equals(sourceLayout, other.sourceLayout)
                && Objects.equals(destinationLayout, other.destinationLayout);
    }
}
