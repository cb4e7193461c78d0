package org.gstqpu.pipelines;

import com.google.gson.GsonBuilder;
import java.io.PrintWriter;
import org.gstqpu.kernels.DeviceException;
import org.gstqpu.kernels.SubstrateUnavailableException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code qpu bench}, which holds the measurements. Lives on the main thread. */
@Command(
        name = "bench",
        description = {
            "Measures what the kernels and their dispatch cost on this machine.",
            "Every result is checked, and every submission counted, before a time is printed."
        },
        subcommands = {
            BenchOverheadCommand.class,
            BenchCommandsCommand.class,
            BenchKernelsCommand.class,
            BenchPicturesCommand.class,
            BenchPipelineCommand.class,
            BenchElementCommand.class,
            BenchV3dCommand.class
        },
        synopsisSubcommandLabel = "COMMAND")
final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        CommandLine commandLine = spec.commandLine();
        throw new ParameterException(
                commandLine,
                "bench what? one of "
                        + String.join(", ", commandLine.getSubcommands().keySet()));
    }

    /** Something that a command measures and prints. */
    @FunctionalInterface
    interface Measurement {
        /** Measures and prints. */
        void run() throws SubstrateUnavailableException;
    }

    /**
     * Runs a measurement and turns what may go wrong in it into exit statuses.
     *
     * @return the exit status of success
     * @throws CommandFailedException when a device is not there or fails, or a result is wrong
     */
    static int measure(Measurement measurement) {
        try {
            measurement.run();
            return ExitStatus.OK;
        } catch (SubstrateUnavailableException e) {
            throw new CommandFailedException(ExitStatus.UNAVAILABLE, e.getMessage(), e);
        } catch (DeviceException | WrongResultException e) {
            throw new CommandFailedException(ExitStatus.PROBLEM, e.getMessage(), e);
        }
    }

    /**
     * Checks the number that an option was given.
     *
     * @throws CommandFailedException when it is below {@code least}
     */
    static void require(String option, int least, int given) {
        if (given < least) {
            throw new CommandFailedException(
                    ExitStatus.UNUSABLE_INPUT, option + " is " + least + " or more, given " + given);
        }
    }

    /** Prints a report as JSON. */
    static void printJson(PrintWriter out, Record report) {
        out.println(new GsonBuilder().setPrettyPrinting().create().toJson(report));
        out.flush();
    }
}
