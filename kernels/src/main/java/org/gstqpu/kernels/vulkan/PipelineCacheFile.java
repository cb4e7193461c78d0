package org.gstqpu.kernels.vulkan;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The file in which the compiled pipelines of one device and driver outlive the process; holds nothing, belongs to one
 * thread at a time. Processes may share it: each reads a whole file, that of the last to write. Nothing here fails: a file
 * that cannot be used costs the time to compile, and one log line.
 */
final class PipelineCacheFile {
    /**
     * The driver that made the content.
     *
     * @param vendorId VkPhysicalDeviceProperties.vendorID
     * @param deviceId VkPhysicalDeviceProperties.deviceID
     * @param driverVersion VkPhysicalDeviceProperties.driverVersion
     * @param uuid VkPhysicalDeviceProperties.pipelineCacheUUID, 32 hexadecimal digits
     */
    record Maker(int vendorId, int deviceId, int driverVersion, String uuid) {
        String fileName() {
            return String.format(
                    Locale.ROOT, "pipelines-%08x-%08x-%08x-%s.bin", vendorId, deviceId, driverVersion, uuid);
        }
    }

    private static final Logger LOG = System.getLogger(PipelineCacheFile.class.getName());

    /** Our own bytes before the driver's: a mark, the CRC-32 of what follows. */
    private static final int PREFIX_BYTES = 8;

    private static final int MARK = 0x31_50_51_47;
    /** VkPipelineCacheHeaderVersionOne: length, version, vendor, device, 16 bytes of UUID. */
    private static final int HEADER_BYTES = 32;

    private static final int HEADER_VERSION_ONE = 1;
    private static final long LARGEST_BYTES = 64L << 20;

    private final Path file;
    private final Maker maker;

    PipelineCacheFile(Path folder, Maker maker) {
        this.file = folder.resolve(maker.fileName());
        this.maker = maker;
    }

    /** The folder by the XDG base directory specification; empty where the environment names none. */
    static Optional<Path> folder(Map<String, String> environment) {
        try {
            String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
            // The specification: a path that is not absolute is to be ignored.
            if (cache.startsWith("/")) {
                return Optional.of(Path.of(cache, "gst-qpu"));
            }
            String home = environment.getOrDefault("HOME", "");
            return home.startsWith("/") ? Optional.of(Path.of(home, ".cache", "gst-qpu")) : Optional.empty();
        } catch (InvalidPathException e) {
            LOG.log(Logger.Level.WARNING, () -> "compiled pipelines are not kept: " + e.getMessage());
            return Optional.empty();
        }
    }

    Path path() {
        return file;
    }

    /** What the driver stored in an earlier run; empty where there is nothing, or nothing that this driver made. */
    Optional<byte[]> read() {
        try {
            long size = Files.size(file);
            if (size > LARGEST_BYTES) {
                return ignored("it has " + size + " bytes, at most " + LARGEST_BYTES + " are read");
            }
            byte[] all = Files.readAllBytes(file);
            Optional<String> fault = fault(all);
            if (fault.isPresent()) {
                return ignored(fault.get());
            }
            byte[] data = new byte[all.length - PREFIX_BYTES];
            System.arraycopy(all, PREFIX_BYTES, data, 0, data.length);
            return Optional.of(data);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            return ignored("it cannot be read: " + e);
        }
    }

    private Optional<byte[]> ignored(String why) {
        LOG.log(Logger.Level.INFO, () -> "the pipeline cache " + file + " is ignored: " + why);
        return Optional.empty();
    }

    /** What is wrong with a file's bytes. */
    private Optional<String> fault(byte[] all) {
        if (all.length < PREFIX_BYTES + HEADER_BYTES) {
            return Optional.of("it has " + all.length + " bytes, its headers alone " + (PREFIX_BYTES + HEADER_BYTES));
        }
        ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt() != MARK) {
            return Optional.of("it is no file of this library");
        }
        if (bytes.getInt() != checksum(all, PREFIX_BYTES)) {
            return Optional.of("its checksum is wrong");
        }
        if (bytes.getInt() < HEADER_BYTES || bytes.getInt() != HEADER_VERSION_ONE) {
            return Optional.of("its header is of an unknown version");
        }
        if (bytes.getInt() != maker.vendorId() || bytes.getInt() != maker.deviceId()) {
            return Optional.of("another device made it");
        }
        String uuid = HexFormat.of().formatHex(all, PREFIX_BYTES + 16, PREFIX_BYTES + HEADER_BYTES);
        return uuid.equals(maker.uuid()) ? Optional.empty() : Optional.of("another version of the driver made it");
    }

    private static int checksum(byte[] bytes, int from) {
        CRC32 crc = new CRC32();
        crc.update(bytes, from, bytes.length - from);
        return (int) crc.getValue();
    }

    /** Replaces the content at once, so that a reader sees the old or the new one; returns whether that worked. */
    boolean write(byte[] data) {
        byte[] all = new byte[PREFIX_BYTES + data.length];
        System.arraycopy(data, 0, all, PREFIX_BYTES, data.length);
        ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).putInt(MARK).putInt(checksum(all, PREFIX_BYTES));
        Path folder = file.getParent();
        Path part = null;
        try {
            Files.createDirectories(folder);
            part = Files.createTempFile(folder, "pipelines-", ".part");
            Files.write(part, all);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException e) {
            LOG.log(
                    Logger.Level.WARNING,
                    () -> "compiled pipelines are not kept, " + file + " cannot be written: " + e
                            + "; set XDG_CACHE_HOME to a folder that can");
            deleteQuietly(part);
            return false;
        }
    }

    private static void deleteQuietly(Path part) {
        if (part == null) {
            return;
        }
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            LOG.log(Logger.Level.DEBUG, () -> "left behind: " + part + ": " + e);
        }
    }
}
