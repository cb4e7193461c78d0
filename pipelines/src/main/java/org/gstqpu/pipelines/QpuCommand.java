/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.gstqpu.pipelines.batch.BatchCommand;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.compare.CompareCommand;
import org.gstqpu.pipelines.demo.DemoCommand;
import org.gstqpu.pipelines.doctor.DoctorCommand;
import org.gstqpu.pipelines.measure.MeasureCommand;
import org.gstqpu.pipelines.play.ListCommand;
import org.gstqpu.pipelines.play.PlayCommand;
import org.gstqpu.pipelines.play.TranscodeCommand;
import org.gstqpu.pipelines.report.ReportCommand;
import org.gstqpu.pipelines.verify.VerifyCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ScopeType;

/** The command {@code qpu}, the parent of all other commands. Lives on the main thread. */
@Command(
        name = "qpu",
        description =
                "Plays and transcodes video with the GStreamer element qpuloopfilter. Verifies and measures the element and its"
                        + " kernels.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = QpuCommand.Version.class,
        subcommands = {
            PlayCommand.class,
            TranscodeCommand.class,
            BatchCommand.class,
            ListCommand.class,
            DoctorCommand.class,
            VerifyCommand.class,
            ReportCommand.class,
            MeasureCommand.class,
            BenchCommand.class,
            CompareCommand.class,
            DemoCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:success",
            "1:a problem was found: a mismatch, something missing or a wrong result (takes precedence over 2)",
            "2:the command line is wrong, or a file cannot be read or is of an unknown kind",
            "3:the work could not be done: a substrate, device or program that it needs is missing",
            "130:ended by Ctrl-C; the files that were being written are complete"
        })
public final class QpuCommand {
    private QpuCommand() {}

    /** Runs the command line and ends the process with its exit status. */
    public static void main(String[] arguments) {
        Optional<String> complaint = RuntimeModules.complaint();
        if (complaint.isPresent()) {
            System.err.println("qpu: " + complaint.get());
            System.exit(ExitStatus.UNAVAILABLE);
        }
        StandardError.restore(System.getenv());
        int status;
        try {
            status = commandLine().execute(arguments);
        } catch (LinkageError e) {
            if (isOfTheEnd(e)) {
                return;
            }
            throw e;
        }
        System.exit(status);
    }

    /** Whether something only failed because Ctrl-C ended the process while it started. */
    private static boolean isOfTheEnd(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause.toString().contains("Shutdown in progress"));
    }

    /** Makes a command line that can be executed any number of times, one after the other. */
    public static CommandLine commandLine() {
        return new CommandLine(new QpuCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler(QpuCommand::reportUsage)
                .setExecutionExceptionHandler(QpuCommand::report);
    }

    private static int reportUsage(CommandLine.ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println(name + ": " + failure.getMessage() + "; see " + name + " --help");
        return ExitStatus.UNUSABLE_INPUT;
    }

    /**
     * Prints a {@link CommandFailedException} or an input/output error as one line. Any other exception is a bug in this
     * program, so picocli prints its stack trace.
     */
    private static int report(Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed)
            throws Exception {
        if (isOfTheEnd(failure)) {
            return ExitStatus.PROBLEM;
        }
        if (failure instanceof CommandFailedException known) {
            say(commandLine, known.getMessage());
            return known.exitStatus();
        }
        if (failure instanceof IOException || failure instanceof UncheckedIOException) {
            Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : failure;
            say(
                    commandLine,
                    "a file cannot be read or written (" + cause
                            + "): check its folder, the permissions and the free space");
            return ExitStatus.PROBLEM;
        }
        throw failure;
    }

    /** Prints a message on one line. The output of a child process, which a message may quote, can have several. */
    private static void say(CommandLine commandLine, String message) {
        String name = commandLine.getCommandSpec().qualifiedName();
        commandLine.getErr().println(name + ": " + message.strip().replaceAll("\\s*\\R\\s*", "; "));
    }

    /** Prints the version that Maven wrote into {@code build.properties}. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"qpu " + number()};
        }

        static String number() {
            Properties build = new Properties();
            try (InputStream in = QpuCommand.class.getResourceAsStream("build.properties")) {
                build.load(in);
            } catch (IOException e) {
                throw new UncheckedIOException("build.properties in qpu's own jar cannot be read", e);
            }
            return build.getProperty("version");
        }
    }
}
