package org.gstqpu.kernels.vulkan;

import java.util.Optional;
import org.gstqpu.kernels.DeviceMemory;
import org.gstqpu.kernels.PictureLayout;

/** Memory of pictures that the device has a VkBuffer over. Belongs to the context's thread. */
sealed interface ImportedMemory extends DeviceMemory permits HostImport, DmabufImport, DevicePicture {
    /** What the kernels load and store, and so what every row begins at a multiple of. */
    int WORD_BYTES = 4;

    /** Whether it was imported into that device. */
    boolean belongsTo(VulkanDevice other);

    /**
     * The whole buffer.
     *
     * @throws IllegalStateException after {@link #close}
     */
    BufferRange range();

    /** Unique among all buffers of the process. */
    long id();

    /** Bytes from the buffer's start to where layouts count from. */
    long baseBytes();

    /** Whether every row begins at a word. */
    default boolean wordsOnly(PictureLayout layout) {
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            if ((baseBytes() + layout.offsetBytes(plane)) % WORD_BYTES != 0
                    || layout.strideBytes(plane) % WORD_BYTES != 0) {
                return false;
            }
        }
        return true;
    }

    /** Bytes from where layouts count from to the end of the last word that holds a sample. */
    static long wordsEndBytes(PictureLayout layout) {
        long end = 0;
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            end = Math.max(
                    end,
                    layout.offsetBytes(plane)
                            + (long) (layout.rows(plane) - 1) * layout.strideBytes(plane)
                            + (long) RowWords.words(layout.format(), plane, layout.width()) * WORD_BYTES);
        }
        return end;
    }

    @Override
    default Optional<String> obstacle(PictureLayout layout) {
        if (!wordsOnly(layout)) {
            return Optional.of("rows begin at multiples of " + WORD_BYTES + " bytes for this device, and these do not: "
                    + describe(layout));
        }
        if (wordsEndBytes(layout) > sizeBytes()) {
            return Optional.of("the picture takes " + wordsEndBytes(layout) + " bytes, and " + sizeBytes()
                    + " are there: " + describe(layout));
        }
        return Optional.empty();
    }

    /** Sizes, offsets and strides, as messages show them. */
    static String describe(PictureLayout layout) {
        StringBuilder text = new StringBuilder();
        text.append(layout.format())
                .append(' ')
                .append(layout.width())
                .append('x')
                .append(layout.height());
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            text.append(plane == 0 ? ", plane " : "; ")
                    .append(plane)
                    .append(" at ")
                    .append(layout.offsetBytes(plane))
                    .append(" stride ")
                    .append(layout.strideBytes(plane));
        }
        return text.toString();
    }
}
