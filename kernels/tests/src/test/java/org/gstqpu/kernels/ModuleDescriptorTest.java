/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The library as a module: what it exports, and an application that is a module too. All other tests use the class path. */
@Tag("thorough")
class ModuleDescriptorTest {
    private static final String ROOT = "org.gstqpu.kernels";
    private static final int LIMIT_SECONDS = 1200;

    /** Opens what runs blocks, and what filters pictures, which on the CPU has kernels in vectors where the JVM offers them. */
    private static final String APPLICATION = """
            package application;

            import java.util.Optional;
            import org.gstqpu.kernels.Substrates;
            import org.gstqpu.kernels.block.BlockContext;
            import org.gstqpu.kernels.block.CdefDirection;
            import org.gstqpu.kernels.block.KernelBuffer;
            import org.gstqpu.kernels.block.PreparedCall;
            import org.gstqpu.kernels.blocks.Blocks;
            import org.gstqpu.kernels.filter.FilterContext;
            import org.gstqpu.kernels.filter.PictureFilter;
            import org.gstqpu.kernels.picture.PixelFormat;
            import org.gstqpu.kernels.substrate.Substrate;
            import org.gstqpu.kernels.substrate.SubstrateRequest;

            public final class Main {
                public static void main(String[] arguments) throws Exception {
                    Substrate substrate = Substrate.valueOf(arguments[0]);
                    SubstrateRequest request = new SubstrateRequest(substrate, Optional.empty(), 1);
                    try (BlockContext context = Blocks.open(request);
                            KernelBuffer records = context.newBuffer(CdefDirection.RECORD_BYTES);
                            KernelBuffer picture = context.newBuffer(64);
                            KernelBuffer results = context.newBuffer(CdefDirection.RESULT_BYTES);
                            PreparedCall call =
                                    context.prepare(new CdefDirection(records, 1, picture, 8, 8, results))) {
                        call.run(1);
                        System.out.println("blocks on " + call.choice(1).substrate());
                    }
                    try (FilterContext context = Substrates.open(request);
                            PictureFilter filter = context.newPictureFilter(PixelFormat.I420, 64, 64)) {
                        System.out.println("pictures on " + context.substrate());
                    }
                }
            }
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "runtime, .picture .substrate",
        "filters, . .filter",
        "blocks, .block .blocks",
        "metrics, .metrics .quality"
    })
    void itExportsThePublicApiAlone(String module, String packages) {
        ModuleDescriptor descriptor = ModuleFinder.of(modules().toArray(Path[]::new))
                .find(ROOT + "." + module)
                .orElseThrow()
                .descriptor();
        assertEquals(
                Stream.of(packages.split(" "))
                        .map(name -> name.equals(".") ? ROOT : ROOT + name)
                        .collect(Collectors.toSet()),
                descriptor.exports().stream()
                        .filter(exports -> !exports.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet()));
    }

    @ParameterizedTest
    @CsvSource({"CPU, java.base", "CPU, jdk.incubator.vector", "QPU, java.base"})
    void anApplicationThatIsAModuleRunsIt(String substrate, String added) throws Exception {
        assertEquals("", compile(APPLICATION));
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        "--enable-native-access=org.lwjgl",
                        "--add-modules=org.lwjgl.natives," + added,
                        "--module-path",
                        modulePath() + File.pathSeparator + folder.resolve("classes"),
                        "--module",
                        "application/application.Main",
                        substrate)
                .redirectErrorStream(true);
        // That of this JVM's start, without the layer that lets calls fail.
        builder.environment();
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), output);
        assertTrue(output.contains("blocks on " + substrate), output);
        assertTrue(output.contains("pictures on " + substrate), output);
        assertEquals(0, process.exitValue(), output);
    }

    @Test
    void whatIsInternalIsNotToBeSeen() throws IOException {
        String said = compile(APPLICATION.replace(
                "import java.util.Optional;",
                "import java.util.Optional;\nimport org.gstqpu.kernels.internal.stage.VectorUse;"));
        assertTrue(said.contains("package org.gstqpu.kernels.internal.stage is not visible"), said);
    }

    /** Compiles the application; what the compiler says. */
    private String compile(String main) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("sources"));
        Path descriptor = Files.writeString(
                sources.resolve("module-info.java"), "module application {\n    requires " + ROOT + ".blocks;\n}\n");
        Path program = Files.writeString(sources.resolve("Main.java"), main);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        List<String> options = List.of(
                "--module-path", modulePath(), "-d", folder.resolve("classes").toString());
        boolean compiled = compiler.getTask(
                        said,
                        null,
                        null,
                        options,
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(descriptor, program))
                .call();
        assertEquals(compiled, said.toString().isEmpty(), said::toString);
        return said.toString();
    }

    /** True for a module of the library: its folder of classes or, once it is packaged, its jar. */
    private static boolean isOfTheLibrary(Path path) {
        return Files.exists(path.resolve("module-info.class"))
                || path.getFileName().toString().matches("kernels-(runtime|filters|blocks|metrics)-.*\\.jar");
    }

    private static String modulePath() {
        return modules().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** The library's modules, and the modules that they need, as they stand on the class path. */
    private static List<Path> modules() {
        List<Path> all = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
        Stream<Path> own = all.stream().filter(ModuleDescriptorTest::isOfTheLibrary);
        // LWJGL's native libraries for every machine are modules of one name.
        String natives = System.getProperty("os.arch").equals("aarch64") ? "natives-linux-arm64" : "natives-linux";
        Stream<Path> needed = all.stream()
                .filter(path ->
                        path.getFileName().toString().matches("lwjgl(-vulkan)?-[0-9.]+(-" + natives + ")?\\.jar"));
        List<Path> modules = Stream.concat(own, needed).toList();
        assertTrue(modules.size() > 6, modules::toString);
        return modules;
    }
}
