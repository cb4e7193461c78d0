package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Runs the tests with the tag {@value RealDmabufs#TAG}, these and those of the kernels, inside the rig, all in one start
 * of it, and reports each as its own. Runs only where this machine has no dmabufs itself.
 *
 * <p>With {@code -Dgstqpu.rigTests=REGEX} only classes whose full name matches.
 */
@Tag(RealDmabufs.RIG_TAG)
final class RigIT {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(10);
    private static final List<String> PROGRAMS = List.of("dmabuf-host", "element-host", "pipeline-host");

    /** {@code it/rig/run}: there is no rig yet. */
    private static final int NOT_BUILT = 123;

    /** JUnit's console: a test failed, which its report says too. */
    private static final int TESTS_FAILED = 1;

    @TestFactory
    Stream<DynamicTest> inTheRig() throws IOException, ParserConfigurationException, SAXException {
        Path work = Files.createDirectories(BuildTree.workFolder().resolveSibling("rig-work"));
        Path report = work.resolve("TEST-junit-jupiter.xml");
        Files.deleteIfExists(report);
        for (String program : PROGRAMS) {
            CProgram.compile(program, work);
        }
        ProcessOutcome outcome = run(work);
        if (outcome.exitCode() == NOT_BUILT && !"required".equals(System.getenv("GST_QPU_RIG"))) {
            // A factory that is skipped itself is not counted.
            return Stream.of(dynamicTest(
                    "without a rig",
                    () -> abort(
                            "no test with real dmabufs ran: this machine has no /dev/udmabuf for this user, and there"
                                    + " is no rig to run them in: build it with it/rig/build")));
        }
        if (outcome.exitCode() != 0 && outcome.exitCode() != TESTS_FAILED) {
            throw new AssertionError(outcome.describe("the tests did not run to their end in the rig"));
        }
        List<DynamicTest> tests = testsIn(report);
        assertFalse(tests.isEmpty(), () -> outcome.describe("no test ran in the rig"));
        return tests.stream();
    }

    private static ProcessOutcome run(Path work) throws IOException {
        Path repository = Path.of(System.getProperty("gstqpu.mavenRepository"));
        List<String> command = new ArrayList<>();
        command.add(BuildTree.root().resolve("it/rig/run").toString());
        command.addAll(List.of("--timeout", String.valueOf(TIME_LIMIT.toSeconds())));
        command.addAll(List.of("--mount", BuildTree.root().toString(), "--mount", repository.toString()));
        // One processor: nothing is gained by a second compiler or a parallel collector.
        command.addAll(List.of("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        Path kernelTests = BuildTree.root().resolve("kernels/target/test-classes");
        command.addAll(List.of("-cp", System.getProperty("java.class.path") + File.pathSeparator + kernelTests));
        command.add("-Dorg.gstqpu.validation=true");
        command.addAll(List.of("-Dgstqpu.root=" + BuildTree.root(), "-Dgstqpu.work=" + work));
        command.addAll(List.of("org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"));
        command.addAll(List.of("--disable-ansi-colors", "--details=none", "--reports-dir=" + work));
        Path ownTests = BuildTree.root().resolve("it/target/test-classes");
        command.addAll(List.of("--scan-classpath=" + ownTests + File.pathSeparator + kernelTests));
        command.addAll(List.of("--include-tag=" + RealDmabufs.TAG));
        command.addAll(List.of("--include-classname=" + System.getProperty("gstqpu.rigTests", ".*(IT|Test)")));
        Map<String, String> environment = Processes.plainEnvironment();
        String cache = System.getenv("XDG_CACHE_HOME");
        if (cache != null) {
            environment.put("XDG_CACHE_HOME", cache);
        }
        return Processes.run(command, environment, Path.of("/dev/null"), TIME_LIMIT.plusMinutes(1));
    }

    private static List<DynamicTest> testsIn(Path report)
            throws IOException, ParserConfigurationException, SAXException {
        NodeList cases = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("testcase");
        return IntStream.range(0, cases.getLength())
                .mapToObj(i -> (Element) cases.item(i))
                .map(RigIT::test)
                .toList();
    }

    private static DynamicTest test(Element testcase) {
        String className = testcase.getAttribute("classname");
        String name = className.substring(className.lastIndexOf('.') + 1) + "." + testcase.getAttribute("name");
        return dynamicTest(name, () -> {
            for (String kind : List.of("error", "failure")) {
                NodeList found = testcase.getElementsByTagName(kind);
                if (found.getLength() > 0) {
                    throw new AssertionError(
                            name + " failed in the rig: " + found.item(0).getTextContent());
                }
            }
            NodeList skipped = testcase.getElementsByTagName("skipped");
            if (skipped.getLength() > 0) {
                abort(name + " was skipped in the rig: " + skipped.item(0).getTextContent());
            }
        });
    }
}
