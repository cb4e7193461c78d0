package org.gstqpu.kernels.vulkan;

import java.util.Objects;
import org.gstqpu.kernels.PictureLayout;

/**
 * What a command buffer was recorded for: the buffers, where the pictures lie in them, and the passes. Mutable, so that
 * looking one up allocates nothing; belongs to the context's thread.
 */
final class WorkKey {
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
     * @param parametersId of the memory where each picture has parameters of its own, 0 where they come from elsewhere
     */
    void set(
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
    void set(PicturePlace first, PicturePlace second) {
        set(first, second, false, false, false, false, false, 0, false, 0);
    }

    void set(WorkKey other) {
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
