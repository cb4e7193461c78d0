package org.gstqpu.kernels;

/**
 * Where the planes of a picture lie in its {@link PictureMemory}: per plane (numbered as {@link PixelFormat} says) the
 * byte offset of its first sample and the bytes from one row to the next. Any offset and any stride that holds a row is
 * valid, whatever its alignment; planes must not overlap. Unused planes have offset and stride 0.
 *
 * @param format sample format and plane order
 * @param width luma samples a row, at least 1
 * @param height luma rows, at least 1
 */
public record PictureLayout(
        PixelFormat format,
        int width,
        int height,
        long offset0Bytes,
        int stride0Bytes,
        long offset1Bytes,
        int stride1Bytes,
        long offset2Bytes,
        int stride2Bytes) {

    /**
     * @throws IllegalArgumentException when a size, offset or stride is out of range; the message has the numbers
     */
    public PictureLayout {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("a picture is at least 1x1, given " + width + "x" + height);
        }
        check(format, 0, width, offset0Bytes, stride0Bytes);
        check(format, 1, width, offset1Bytes, stride1Bytes);
        check(format, 2, width, offset2Bytes, stride2Bytes);
    }

    private static void check(PixelFormat format, int plane, int width, long offsetBytes, int strideBytes) {
        if (plane >= format.planes()) {
            if (offsetBytes != 0 || strideBytes != 0) {
                throw new IllegalArgumentException(format + " has no plane " + plane + ", given offset " + offsetBytes
                        + ", stride " + strideBytes);
            }
            return;
        }
        int rowBytes = format.planeRowSamples(plane, width) * format.sampleBytes();
        if (offsetBytes < 0 || strideBytes < rowBytes) {
            throw new IllegalArgumentException("plane " + plane + " of " + format + " needs a stride of " + rowBytes
                    + " bytes or more and no negative offset, given stride " + strideBytes + ", offset " + offsetBytes);
        }
    }

    /**
     * The layout of a picture whose planes follow each other, each row starting at a multiple of {@code
     * strideAlignmentBytes} (a power of two) and each plane at a multiple of 64 bytes when that is more than 1.
     */
    public static PictureLayout packed(PixelFormat format, int width, int height, int strideAlignmentBytes) {
        long[] offset = new long[3];
        int[] stride = new int[3];
        int planeAlignment = strideAlignmentBytes > 1 ? 64 : 1;
        long next = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            int rowBytes = format.planeRowSamples(plane, width) * format.sampleBytes();
            stride[plane] = (rowBytes + strideAlignmentBytes - 1) & -strideAlignmentBytes;
            offset[plane] = next;
            next += (long) stride[plane] * format.planeRows(plane, height);
            next = (next + planeAlignment - 1) & -planeAlignment;
        }
        return new PictureLayout(
                format, width, height, offset[0], stride[0], offset[1], stride[1], offset[2], stride[2]);
    }

    /** Byte offset of a plane's first sample. */
    public long offsetBytes(int plane) {
        return plane == 0 ? offset0Bytes : plane == 1 ? offset1Bytes : offset2Bytes;
    }

    /** Bytes from one row of a plane to the next. */
    public int strideBytes(int plane) {
        return plane == 0 ? stride0Bytes : plane == 1 ? stride1Bytes : stride2Bytes;
    }

    /** Bytes of a row's samples, without padding. */
    public int rowBytes(int plane) {
        return format.planeRowSamples(plane, width) * format.sampleBytes();
    }

    /** Rows of a plane. */
    public int rows(int plane) {
        return format.planeRows(plane, height);
    }

    /** Bytes from the memory's start to the end of the last sample (padding after the last row not counted). */
    public long sizeBytes() {
        long end = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            end = Math.max(end, offsetBytes(plane) + (long) (rows(plane) - 1) * strideBytes(plane) + rowBytes(plane));
        }
        return end;
    }
}
