/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.golden.GoldenFile;
import org.gstqpu.kernels.golden.GoldenFormatException;
import org.gstqpu.kernels.golden.GoldenResult;
import org.gstqpu.kernels.golden.GoldenUnsupportedException;
import org.gstqpu.kernels.golden.GoldenVerifier;
import org.gstqpu.kernels.internal.cpu.CpuFilterContext;
import org.gstqpu.kernels.internal.workload.BlockKernel;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.pipelines.bench.Measurement;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.DeviceOptions;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.JsonReport;
import org.gstqpu.pipelines.cli.TextTable;
import org.gstqpu.pipelines.cli.WrongResultException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code qpu bench kernels}: measures what a block costs in each kernel. Lives on the main thread. */
@Command(
        name = "kernels",
        description = {
            "Measures the time per block of every kernel with every batch size, on the CPU and on a Vulkan device.",
            "First the results of the CPU are compared with golden records. Then those of each substrate are compared with the"
                    + " CPU's, before it is timed."
        })
public final class BenchKernelsCommand implements Callable<Integer> {
    private static final String RECORD_FILES = ".gv.gz";

    @Spec
    private CommandSpec spec;

    @Mixin
    private DeviceOptions device;

    @Option(
            names = "--substrate",
            split = ",",
            paramLabel = "cpu|qpu",
            defaultValue = "cpu,qpu",
            description = "the substrates to measure (default: ${DEFAULT-VALUE})")
    private List<Substrate> substrates;

    @Option(names = "--threads", defaultValue = "0", description = "threads for cpu (default: one per processor)")
    private int threads;

    @Option(
            names = "--batches",
            split = ",",
            paramLabel = "N",
            defaultValue = "1,8,64,512,4096,16384",
            description = "blocks or edges per call (default: ${DEFAULT-VALUE})")
    private List<Integer> batches;

    @Option(names = "--kernel", paramLabel = "PART", description = "measure only kernels whose names contain PART")
    private Optional<String> part;

    @Option(
            names = "--millis",
            defaultValue = "50",
            description = "longest measurement of a case, in milliseconds (default: ${DEFAULT-VALUE})")
    private int millis;

    @Option(
            names = "--golden",
            paramLabel = "FOLDER",
            description = "the folder of golden vectors (*.gv.gz) for the CPU (default: those that come with gst-qpu)")
    private Optional<Path> golden;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Override
    public Integer call() {
        Measurement.require(
                "--batches",
                1,
                batches.stream().mapToInt(Integer::intValue).min().orElse(0));
        Measurement.require("--millis", 1, millis);
        Measurement.require("--threads", 0, threads);
        List<BlockKernel> kernels = BlockKernel.all().stream()
                .filter(kernel -> kernel.name().contains(part.orElse("")))
                .toList();
        if (kernels.isEmpty()) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    "no kernel has '" + part.orElse("") + "' in its name; the kernels are "
                            + BlockKernel.all().stream().map(BlockKernel::name).collect(Collectors.joining(", ")));
        }
        return Measurement.measure(() -> {
            List<FilterContext> contexts = new ArrayList<>();
            try (CpuFilterContext reference = new CpuFilterContext(1, "results to compare with")) {
                long goldenRecords = verify(reference);
                for (Substrate substrate : substrates) {
                    contexts.add(open(substrate));
                }
                print(new KernelsBenchmark(reference, contexts, millis).run(kernels, batches, goldenRecords));
            } finally {
                contexts.forEach(FilterContext::close);
            }
        });
    }

    private FilterContext open(Substrate substrate) throws SubstrateUnavailableException {
        return substrate == Substrate.QPU
                ? device.open()
                : Substrates.open(SubstrateRequest.of(substrate).withThreads(threads));
    }

    /** Compares the CPU with every golden record. Returns the number of records. */
    private long verify(CpuFilterContext cpu) {
        Path folder = golden.orElseGet(() -> Installation.current().vectors());
        GoldenVerifier verifier = new GoldenVerifier(cpu);
        long records = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(RECORD_FILES))
                    .sorted()
                    .toList()) {
                GoldenResult result = verifier.verify(GoldenFile.read(file));
                if (result.mismatches() > 0) {
                    throw new WrongResultException(
                            "the CPU differs from " + result.mismatches() + " records of " + file);
                }
                records += result.records();
            }
        } catch (IOException | GoldenFormatException | GoldenUnsupportedException e) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT, folder + ": its golden vectors cannot be used: " + e.getMessage(), e);
        }
        if (records == 0) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT,
                    folder + " has no *" + RECORD_FILES + "; name another folder with --golden");
        }
        return records;
    }

    private void print(KernelsReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            JsonReport.print(out, report);
            return;
        }
        out.printf(
                "The CPU matches all %d golden records. All results below match the CPU's.%n", report.goldenRecords());
        for (KernelsReport.SubstrateName substrate : report.substrates()) {
            out.printf("%n%s (%s), nanoseconds per block%n", substrate.substrate(), substrate.device());
            String[] heading = new String[batches.size() + 1];
            heading[0] = "blocks per call";
            for (int i = 0; i < batches.size(); i++) {
                heading[i + 1] = Integer.toString(batches.get(i));
            }
            TextTable table = new TextTable(heading);
            for (List<KernelsReport.Result> row : rows(report, substrate.substrate())) {
                String[] cells = new String[batches.size() + 1];
                cells[0] = row.get(0).kernel();
                for (int i = 0; i < row.size(); i++) {
                    cells[i + 1] = String.format(Locale.ROOT, "%.1f", row.get(i).nanosPerBlock());
                }
                table.row(cells);
            }
            table.print(out);
        }
    }

    /** The results of one substrate: one list for each kernel, in the order of the batches. */
    private static List<List<KernelsReport.Result>> rows(KernelsReport report, String substrate) {
        List<List<KernelsReport.Result>> rows = new ArrayList<>();
        for (KernelsReport.Result result : report.results()) {
            if (!result.substrate().equals(substrate)) {
                continue;
            }
            if (rows.isEmpty() || !rows.get(rows.size() - 1).get(0).kernel().equals(result.kernel())) {
                rows.add(new ArrayList<>());
            }
            rows.get(rows.size() - 1).add(result);
        }
        return rows;
    }
}
