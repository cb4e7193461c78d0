/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
import static org.lwjgl.util.shaderc.Shaderc.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.shaderc.ShadercIncludeResolve;
import org.lwjgl.util.shaderc.ShadercIncludeResult;
import org.lwjgl.util.shaderc.ShadercIncludeResultRelease;

/**
 * Compiles every {@code *.comp} below a folder to SPIR-V 1.3 for Vulkan 1.1. Each shader is compiled twice: optimised,
 * for the device, and unoptimised with the names of structures and members, for {@code GenerateLayouts}. A shader names
 * an include by the include's path from the folder.
 *
 * <p>The build runs this as a single source file. Arguments: this file, the folder of GLSL, the folder for the
 * optimised {@code *.spv}, the folder for the {@code *.spv} with names.
 */
final class CompileShaders {
    private final Path sources;
    private final Path outputs;
    private final Path named;
    private final List<String> problems = new ArrayList<>();

    private CompileShaders(Path sources, Path outputs, Path named) {
        this.sources = sources;
        this.outputs = outputs;
        this.named = named;
    }

    public static void main(String[] arguments) throws IOException {
        Path self = Path.of(arguments[0]);
        CompileShaders compile =
                new CompileShaders(Path.of(arguments[1]), Path.of(arguments[2]), Path.of(arguments[3]));
        List<String> problems = compile.run(Files.getLastModifiedTime(self));
        problems.forEach(System.err::println);
        if (!problems.isEmpty()) {
            System.exit(1);
        }
    }

    private List<String> run(FileTime newest) throws IOException {
        List<Path> shaders = list(sources, ".comp");
        // Any shader may contain an include, so an include that changed makes all shaders old.
        for (Path include : list(sources, ".glsl")) {
            newest = later(newest, Files.getLastModifiedTime(include));
        }
        compileAll(shaders, newest, outputs, shaderc_optimization_level_performance);
        // Optimisation would remove the names.
        compileAll(shaders, newest, named, shaderc_optimization_level_zero);
        return problems;
    }

    private void compileAll(List<Path> shaders, FileTime newest, Path folder, int optimisation) throws IOException {
        Files.createDirectories(folder);
        for (Path old : list(folder, ".spv")) {
            if (!Files.exists(moved(old, folder, sources, ".spv", ".comp"))) {
                Files.delete(old);
            }
        }
        for (Path shader : shaders) {
            Path output = moved(shader, sources, folder, ".comp", ".spv");
            Files.createDirectories(output.getParent());
            FileTime changed = later(newest, Files.getLastModifiedTime(shader));
            if (!Files.exists(output) || Files.getLastModifiedTime(output).compareTo(changed) < 0) {
                compile(shader, output, optimisation);
            }
        }
    }

    private static List<Path> list(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    /** The file in folder {@code to} that a file of folder {@code from} becomes, or was made from. */
    private static Path moved(Path file, Path from, Path to, String end, String newEnd) {
        String path = from.relativize(file).toString();
        return to.resolve(path.substring(0, path.length() - end.length()) + newEnd);
    }

    private static FileTime later(FileTime a, FileTime b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private void compile(Path shader, Path output, int optimisation) throws IOException {
        long compiler = shaderc_compiler_initialize();
        long options = shaderc_compile_options_initialize();
        shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_1);
        shaderc_compile_options_set_target_spirv(options, shaderc_spirv_version_1_3);
        shaderc_compile_options_set_optimization_level(options, optimisation);
        shaderc_compile_options_set_warnings_as_errors(options);
        ShadercIncludeResolve resolve = ShadercIncludeResolve.create(this::include);
        ShadercIncludeResultRelease release =
                ShadercIncludeResultRelease.create((data, result) -> releaseInclude(result));
        shaderc_compile_options_set_include_callbacks(options, resolve, release, 0);
        long result = shaderc_compile_into_spv(
                compiler, Files.readString(shader), shaderc_glsl_compute_shader, shader.toString(), "main", options);
        try {
            boolean compiled = shaderc_result_get_compilation_status(result) == shaderc_compilation_status_success;
            if (!compiled || shaderc_result_get_num_warnings(result) > 0) {
                problems.add(shaderc_result_get_error_message(result).strip());
                Files.deleteIfExists(output);
                return;
            }
            ByteBuffer words = shaderc_result_get_bytes(result);
            byte[] spirv = new byte[words.remaining()];
            words.get(spirv);
            Files.write(output, spirv);
        } finally {
            shaderc_result_release(result);
            shaderc_compile_options_release(options);
            shaderc_compiler_release(compiler);
            resolve.free();
            release.free();
        }
    }

    private long include(long data, long requested, int type, long requesting, long depth) {
        String name = MemoryUtil.memUTF8(requested);
        String from = sources.resolve(name).toString();
        String text;
        try {
            text = Files.readString(sources.resolve(name));
        } catch (IOException e) {
            // By shaderc's convention, a failed include has an empty name, and the message as its text.
            from = "";
            text = "cannot read " + name + ": " + e;
        }
        return ShadercIncludeResult.calloc()
                .source_name(utf8(from))
                .content(utf8(text))
                .address();
    }

    private static ByteBuffer utf8(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return MemoryUtil.memAlloc(bytes.length).put(bytes).flip();
    }

    private static void releaseInclude(long address) {
        ShadercIncludeResult result = ShadercIncludeResult.create(address);
        MemoryUtil.memFree(result.source_name());
        MemoryUtil.memFree(result.content());
        result.free();
    }
}
