/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Runs the tests with the tag {@value RealDmabufs#TAG}, of this module and of kernels, inside the rig, and reports each test by itself.
 * Runs only if this machine makes no dmabufs. A rig has one processor. So each test class of this module has a rig of its own, and the
 * classes of kernels share one. As many rigs run at a time as the tests may use threads.
 *
 * <p>With {@code -Dgstqpu.rigTests=REGEX} only classes run whose full name matches.
 */
@Tag(RealDmabufs.RIG_TAG)
@Execution(ExecutionMode.CONCURRENT)
final class RigIT {
    private static final Duration TIME_LIMIT = Duration.ofHours(1);
    private static final List<String> PROGRAMS = List.of("dmabuf-host", "element-host", "fault-host", "pipeline-host");

    private static final String KERNELS = "org.gstqpu.kernels";
    /** What no run goes without. */
    private static final String ALWAYS = DmabufExactnessIT.class.getName();

    private static final String WANTED = System.getProperty("gstqpu.rigTests", ".*");

    /** Exit status of {@code it/rig/run} if there is no rig yet. */
    private static final int NOT_BUILT = 123;

    /** Exit status of JUnit's console if a test failed. The test's report says so, too. */
    private static final int TESTS_FAILED = 1;

    @TestFactory
    Stream<DynamicContainer> inTheRig() throws IOException {
        Path programs = Files.createDirectories(BuildTree.workFolder().resolveSibling("rig-work"));
        for (String program : PROGRAMS) {
            CProgram.compile(program, programs);
        }
        VulkanFaults.in(programs);
        Files.deleteIfExists(programs.resolve(CProgram.KERNEL_PACK_EXAMPLE));
        CProgram.kernelPackExample(programs);
        List<String> groups = new ArrayList<>();
        ReflectionSupport.findAllClassesInPackage(
                        RigIT.class.getPackageName(), RigIT::needsDmabufs, name -> name.matches(WANTED))
                .forEach(type -> groups.add(type.getName()));
        groups.add(KERNELS);
        // A sample is the same on each machine.
        Collections.sort(groups);
        List<String> chosen = new ArrayList<>(groups);
        if (WANTED.equals(".*")) {
            groups.remove(ALWAYS);
            chosen = new ArrayList<>(Sample.of(groups.size(), groups));
            chosen.add(ALWAYS);
        }
        // A container asks for its tests, and so starts its rig, when its turn has come.
        return chosen.stream()
                .map(group -> dynamicContainer(group, Stream.of(group).flatMap(name -> testsOf(name, programs))));
    }

    private static boolean needsDmabufs(Class<?> type) {
        return AnnotationSupport.findRepeatableAnnotations(type, Tag.class).stream()
                .anyMatch(tag -> tag.value().equals(RealDmabufs.TAG));
    }

    private static Stream<DynamicTest> testsOf(String group, Path programs) {
        try {
            Path work = Files.createDirectories(programs.resolve(group));
            for (String made : Stream.of(PROGRAMS, VulkanFaults.FILES, List.of(CProgram.KERNEL_PACK_EXAMPLE))
                    .flatMap(List::stream)
                    .toList()) {
                Files.copy(programs.resolve(made), work.resolve(made), StandardCopyOption.REPLACE_EXISTING);
            }
            Path report = work.resolve("TEST-junit-jupiter.xml");
            Files.deleteIfExists(report);
            ProcessOutcome outcome = run(group, work);
            if (outcome.exitCode() == NOT_BUILT && !"required".equals(System.getenv("GST_QPU_RIG"))) {
                // A test factory that is skipped as a whole is not counted.
                return Stream.of(dynamicTest(
                        group + " without a rig",
                        () -> abort(
                                "no test with real dmabufs ran: this machine has no /dev/udmabuf for this user, and there"
                                        + " is no rig to run them in: build it with it/rig/build")));
            }
            if (outcome.exitCode() != 0 && outcome.exitCode() != TESTS_FAILED) {
                throw new AssertionError(outcome.describe("the tests did not run to their end in the rig"));
            }
            List<DynamicTest> tests = testsIn(report);
            if (tests.isEmpty() && WANTED.equals(".*")) {
                throw new AssertionError(outcome.describe("no test ran in the rig"));
            }
            return tests.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParserConfigurationException | SAXException e) {
            throw new AssertionError("the report of " + group + " cannot be read", e);
        }
    }

    private static ProcessOutcome run(String group, Path work) throws IOException {
        Path repository = Path.of(System.getProperty("gstqpu.mavenRepository"));
        List<String> command = new ArrayList<>();
        command.add(BuildTree.root().resolve("it/rig/run").toString());
        command.addAll(List.of("--timeout", String.valueOf(TIME_LIMIT.toSeconds())));
        command.addAll(List.of("--mount", BuildTree.root().toString(), "--mount", repository.toString()));
        Optional.ofNullable(System.getenv("GST_QPU_TESTS"))
                .ifPresent(tests -> command.addAll(List.of("--env", "GST_QPU_TESTS=" + tests)));
        // Compiling shaders takes two thirds of the time of a first run.
        command.addAll(List.of("--shaders", group));
        // With one processor, a second compiler or a parallel collector gains nothing.
        command.addAll(List.of("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        Path kernelTests = BuildTree.root().resolve("kernels/tests/target/test-classes");
        command.addAll(List.of("-cp", System.getProperty("java.class.path") + File.pathSeparator + kernelTests));
        command.add("-Dorg.gstqpu.validation=true");
        command.addAll(List.of("-Dgstqpu.root=" + BuildTree.root(), "-Dgstqpu.work=" + work));
        command.addAll(List.of("org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"));
        command.addAll(List.of("--disable-ansi-colors", "--details=none", "--reports-dir=" + work));
        if (group.equals(KERNELS)) {
            command.addAll(List.of("--scan-classpath=" + kernelTests, "--include-tag=" + RealDmabufs.TAG));
            command.add("--include-classname=(?=" + Pattern.quote(KERNELS + ".") + ")(?:" + WANTED + ")");
        } else {
            command.add("--select-class=" + group);
        }
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
