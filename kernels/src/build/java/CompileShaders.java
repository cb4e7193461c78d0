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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.shaderc.ShadercIncludeResolve;
import org.lwjgl.util.shaderc.ShadercIncludeResult;
import org.lwjgl.util.shaderc.ShadercIncludeResultRelease;

/**
 * Compiles every {@code *.comp} below a folder to SPIR-V 1.3 for Vulkan 1.1. Each shader is compiled twice: optimised,
 * for the device, and unoptimised with the names of structures and members, for {@code GenerateLayouts}. A shader names
 * an include by the include's path from its folder. A line {@code // FORM name: A B} at its begin has it compiled once more, with
 * these macros defined, to a file of that name.
 *
 * <p>The build runs this as a single source file. Arguments: this file, the folder of GLSL, other folders of
 * includes with colons between them, the folder for the optimised {@code *.spv}, the folder for the {@code *.spv} with names.
 */
final class CompileShaders {
    private static final Pattern FORM = Pattern.compile("^// FORM (\\w+): ([\\w ]+)$", Pattern.MULTILINE);

    private final Path sources;
    /** Folders of includes: the shaders' own, and those of other modules. */
    private final List<Path> includes;

    private final Path outputs;
    private final Path named;
    private final List<String> problems = new ArrayList<>();

    private CompileShaders(Path sources, List<Path> includes, Path outputs, Path named) {
        this.sources = sources;
        this.includes = includes;
        this.outputs = outputs;
        this.named = named;
    }

    public static void main(String[] arguments) throws IOException {
        Path self = Path.of(arguments[0]);
        Path sources = Path.of(arguments[1]);
        List<Path> includes = Stream.concat(
                        Stream.of(sources), Stream.of(arguments[2].split(":")).map(Path::of))
                .toList();
        CompileShaders compile = new CompileShaders(sources, includes, Path.of(arguments[3]), Path.of(arguments[4]));
        List<String> problems = compile.run(Files.getLastModifiedTime(self));
        problems.forEach(System.err::println);
        if (!problems.isEmpty()) {
            System.exit(1);
        }
    }

    private List<String> run(FileTime newest) throws IOException {
        List<Path> shaders = list(sources, ".comp");
        // Any shader may contain an include, so an include that changed makes all shaders old.
        for (Path folder : includes) {
            for (Path include : list(folder, ".glsl")) {
                newest = later(newest, Files.getLastModifiedTime(include));
            }
        }
        compileAll(shaders, newest, outputs, shaderc_optimization_level_performance);
        // Optimisation would remove the names.
        compileAll(shaders, newest, named, shaderc_optimization_level_zero);
        return problems;
    }

    private void compileAll(List<Path> shaders, FileTime newest, Path folder, int optimisation) throws IOException {
        Files.createDirectories(folder);
        List<Path> outputs = new ArrayList<>();
        for (Path shader : shaders) {
            String name = shader.getFileName().toString().replace(".comp", "");
            Path into = folder.resolve(sources.relativize(shader.getParent()));
            Files.createDirectories(into);
            String text = Files.readString(shader);
            FileTime changed = later(newest, Files.getLastModifiedTime(shader));
            Map<String, List<String>> forms = new LinkedHashMap<>(Map.of(name, List.of()));
            for (Matcher form = FORM.matcher(text); form.find(); ) {
                forms.put(form.group(1), List.of(form.group(2).split(" ")));
            }
            for (Map.Entry<String, List<String>> form : forms.entrySet()) {
                Path output = into.resolve(form.getKey() + ".spv");
                outputs.add(output);
                if (!Files.exists(output) || Files.getLastModifiedTime(output).compareTo(changed) < 0) {
                    compile(shader, text, form.getValue(), output, optimisation);
                }
            }
        }
        for (Path old : list(folder, ".spv")) {
            if (!outputs.contains(old)) {
                Files.delete(old);
            }
        }
    }

    private static List<Path> list(Path folder, String end) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    private static FileTime later(FileTime a, FileTime b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private void compile(Path shader, String text, List<String> macros, Path output, int optimisation)
            throws IOException {
        long compiler = shaderc_compiler_initialize();
        long options = shaderc_compile_options_initialize();
        shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_1);
        shaderc_compile_options_set_target_spirv(options, shaderc_spirv_version_1_3);
        shaderc_compile_options_set_optimization_level(options, optimisation);
        shaderc_compile_options_set_warnings_as_errors(options);
        macros.forEach(macro -> shaderc_compile_options_add_macro_definition(options, macro, ""));
        ShadercIncludeResolve resolve = ShadercIncludeResolve.create(this::include);
        ShadercIncludeResultRelease release =
                ShadercIncludeResultRelease.create((data, result) -> releaseInclude(result));
        shaderc_compile_options_set_include_callbacks(options, resolve, release, 0);
        long result = shaderc_compile_into_spv(
                compiler, text, shaderc_glsl_compute_shader, shader.toString(), "main", options);
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
        Path file = includes.stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::exists)
                .findFirst()
                .orElse(sources.resolve(name));
        String from = file.toString();
        String text;
        try {
            text = Files.readString(file);
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
