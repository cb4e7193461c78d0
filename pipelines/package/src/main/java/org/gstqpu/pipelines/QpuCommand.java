/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.gstqpu.pipelines.batch.BatchCommand;
import org.gstqpu.pipelines.cli.TopCommand;
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
            CompareCommand.class,
            DemoCommand.class,
            CommandLine.HelpCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = {
            "qpu play video.mp4",
            "qpu transcode video.mp4 filtered.mkv",
            "qpu transcode --quality 24 --from 1:00 --to 2:30 video.mp4 filtered.mp4",
            "qpu batch videos filtered --suffix .mp4",
            "qpu measure filtered.mp4 --reference original.mp4"
        },
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
        TopCommand.run("qpu", new QpuCommand(), arguments);
    }

    /** Makes a command line that can be executed any number of times, one after the other. */
    public static CommandLine commandLine() {
        return TopCommand.commandLine(new QpuCommand());
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
