/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.verify;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;
import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.blocks.Blocks;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.golden.GoldenFile;
import org.gstqpu.kernels.golden.GoldenFormatException;
import org.gstqpu.kernels.golden.GoldenResult;
import org.gstqpu.kernels.golden.GoldenUnsupportedException;
import org.gstqpu.kernels.golden.GoldenVerifier;
import org.gstqpu.kernels.internal.vulkan.block.VulkanBlockContext;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.pipelines.cli.DeviceOptions;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code qpu verify}: compares the kernels with files of golden vectors. Lives on the main thread. */
@Command(
        name = "verify",
        description = {
            "Runs files of golden vectors through the kernels and compares every sample.",
            "Prints one line for each file: name, substrate, device, records, mismatches. A mismatch does not stop the"
                    + " run. A file that is marked as not normative is skipped."
        })
public final class VerifyCommand implements Callable<Integer> {
    /** As many as the element's property threads takes. */
    private static final int MOST_THREADS = 256;

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "a file of golden vectors, *.gv.gz or *.gvp.gz (default: all that come with gst-qpu)")
    private List<Path> files = List.of();

    @Option(
            names = "--substrate",
            paramLabel = "cpu|qpu",
            defaultValue = "cpu",
            description = "the substrate to run on (default: ${DEFAULT-VALUE})")
    private Substrate substrate;

    @Mixin
    private DeviceOptions device;

    @Option(names = "--threads", defaultValue = "0", description = "threads for cpu (default: one per processor)")
    private int threads;

    @Override
    public Integer call() {
        if (threads < 0 || threads > MOST_THREADS) {
            throw unusable("--threads is 0 to " + MOST_THREADS + ", given " + threads);
        }
        if (substrate == Substrate.AUTO) {
            throw unusable("--substrate is cpu or qpu: auto would not say what was verified");
        }
        if (substrate == Substrate.CPU && device.given()) {
            throw unusable("--device and --profile need --substrate qpu");
        }
        try (FilterContext context = open();
                BlockContext blocks = openBlocks()) {
            GoldenVerifier verifier = new GoldenVerifier(context, blocks);
            boolean unusable = false;
            boolean mismatch = false;
            for (Path file : files.isEmpty() ? ownFiles() : files) {
                Optional<GoldenFile> golden = read(file);
                if (golden.isPresent() && !golden.get().isNormative()) {
                    print(file.getFileName() + "  not normative, not run");
                    continue;
                }
                long submits = context.counters().submits() + blocks.submits();
                Optional<GoldenResult> result = golden.flatMap(read -> verify(verifier, read));
                unusable |= result.isEmpty();
                mismatch |= result.isPresent() && result.get().mismatches() > 0;
                if (result.isPresent()
                        && context.substrate() == Substrate.QPU
                        && result.get().onSubstrate()
                        && context.counters().submits() + blocks.submits() == submits) {
                    complain(file + ": nothing was submitted to the device, so the device did not compute this result");
                    mismatch = true;
                }
                result.ifPresent(r -> print(file, context, r));
            }
            return mismatch ? ExitStatus.PROBLEM : unusable ? ExitStatus.UNUSABLE_INPUT : ExitStatus.OK;
        } catch (SubstrateUnavailableException e) {
            throw unavailable(e.getMessage(), e);
        }
    }

    private static List<Path> ownFiles() {
        Path folder = Installation.current().vectors();
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().matches(".*\\.gvp?\\.gz"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw unusable(folder + " cannot be searched for golden vectors (" + e.getMessage() + ")", e);
        }
    }

    private FilterContext open() throws SubstrateUnavailableException {
        return substrate == Substrate.QPU
                ? device.open()
                : Substrates.open(SubstrateRequest.of(substrate).withThreads(threads));
    }

    private BlockContext openBlocks() throws SubstrateUnavailableException {
        return substrate == Substrate.QPU
                ? VulkanBlockContext.open(device.options())
                : Blocks.open(SubstrateRequest.of(substrate).withThreads(threads));
    }

    private Optional<GoldenResult> verify(GoldenVerifier verifier, GoldenFile file) {
        try {
            return Optional.of(verifier.verify(file));
        } catch (GoldenFormatException | GoldenUnsupportedException e) {
            complain(e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<GoldenFile> read(Path file) {
        try {
            return Optional.of(GoldenFile.read(file));
        } catch (GoldenFormatException e) {
            complain(e.getMessage());
        } catch (NoSuchFileException e) {
            complain(file + ": no such file");
        } catch (IOException e) {
            complain(file + ": cannot be read: " + e.getMessage());
        }
        return Optional.empty();
    }

    private void complain(String line) {
        spec.commandLine().getErr().println("qpu verify: " + line);
    }

    private void print(Path file, FilterContext context, GoldenResult result) {
        print(String.format(
                Locale.ROOT,
                "%s  %s  %s  %d %s  %d %s%s",
                file.getFileName(),
                context.substrate().name().toLowerCase(Locale.ROOT),
                result.onSubstrate() ? context.deviceName() : "tables, computed on the CPU on every substrate",
                result.records(),
                result.records() == 1 ? "record" : "records",
                result.mismatches(),
                result.mismatches() == 1 ? "mismatch" : "mismatches",
                result.firstMismatch().map(first -> "; first: " + first).orElse("")));
    }

    private void print(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
