/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
import static org.lwjgl.util.spvc.Spvc.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lwjgl.BufferUtils;
import org.lwjgl.PointerBuffer;
import org.lwjgl.util.spvc.SpvcReflectedResource;
import org.lwjgl.util.spvc.SpvcSpecializationConstant;

/**
 * Makes a Java class for every GLSL structure that Java reads or writes. The class's constants are the byte offsets of
 * the structure's members. The offsets are read from compiled shaders, so that GLSL is the only declaration.
 *
 * <p>These structures get a class: each block of push constants, each buffer that is more than one array of open
 * length, and each {@code struct} in one of these or in such an array. A member {@code uint stride[3]} becomes three
 * constants: {@code STRIDE} is its offset, {@code STRIDE_STEP} the bytes from one element to the next,
 * {@code STRIDE_COUNT} is 3. {@code BYTES} is the size of the structure, without the elements of an array whose length
 * GLSL leaves open.
 *
 * <p>Each shader with specialisation constants also gets a class with a method for each of them, of the same name, that sets it; others keep
 * the shader's own value: {@code new CdefFilterConstants().rows(8)} for {@code cdef/filter}. The forms of a shader ({@code _plain}, {@code _wide},
 * {@code _16}) share one class, and so the numbers of their constants. The number of invocations of a workgroup has no name in GLSL;
 * here it is {@code localSizeX}.
 *
 * <p>The same goes into a header for programs in C: structures whose layout the compiler checks, constants and their values unless
 * set, the bindings of each shader, and of each compiled shader its size and digest.
 *
 * <p>The build runs this as a single source file. Arguments: the folder of {@code *.spv} with names, the folder for
 * Java sources, the package, the folder of {@code *.spv} that are run, the header, the version.
 */
final class GenerateLayouts {
    /** Constants of one structure as lines of Java, and the first shader in which the structure was found. */
    private record Layout(List<String> lines, String shader) {}

    /** A specialisation constant: its name in Java, its type there, and its value unless another is given. */
    private record Constant(String name, String type, String value) {}

    /** SPIR-V's number of a decoration. */
    private static final int DECORATION_BINDING = 33;

    /** What the names of a shader's other forms end with. */
    private static final Pattern FORM = Pattern.compile("(_plain|_wide|_16)+$");

    private final Map<String, Layout> layouts = new TreeMap<>();

    /** The specialisation constants of each class, by number. */
    private final Map<String, TreeMap<Integer, Constant>> constants = new TreeMap<>();

    /** C's declaration of each structure, after those that it holds. */
    private final Map<String, String> structures = new LinkedHashMap<>();

    /** The bindings of each shader as lines of C, by the shader's name in C. */
    private final Map<String, Set<String>> bindings = new TreeMap<>();

    public static void main(String[] arguments) throws IOException {
        GenerateLayouts generate = new GenerateLayouts();
        try (Stream<Path> files = Files.walk(Path.of(arguments[0]))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".spv"))
                    .sorted()
                    .toList()) {
                generate.reflect(file, Path.of(arguments[0]).relativize(file).toString());
            }
        }
        generate.write(Path.of(arguments[1]), arguments[2]);
        generate.writeHeader(Path.of(arguments[3]), Path.of(arguments[4]), arguments[5]);
    }

    private void reflect(Path file, String shader) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer spirv = BufferUtils.createByteBuffer(bytes.length).put(bytes).flip();
        IntBuffer words = spirv.order(ByteOrder.nativeOrder()).asIntBuffer();
        PointerBuffer result = BufferUtils.createPointerBuffer(1);
        PointerBuffer count = BufferUtils.createPointerBuffer(1);
        check(spvc_context_create(result));
        long context = result.get(0);
        check(spvc_context_parse_spirv(context, words, words.remaining(), result));
        check(spvc_context_create_compiler(
                context, SPVC_BACKEND_NONE, result.get(0), SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, result));
        Module module = new Module(result.get(0), shader);
        module.addConstants();
        check(spvc_compiler_create_shader_resources(module.compiler, result));
        long resources = result.get(0);
        for (int kind : new int[] {
            SPVC_RESOURCE_TYPE_PUSH_CONSTANT, SPVC_RESOURCE_TYPE_STORAGE_BUFFER, SPVC_RESOURCE_TYPE_UNIFORM_BUFFER
        }) {
            check(spvc_resources_get_resource_list_for_type(resources, kind, result, count));
            for (SpvcReflectedResource block : SpvcReflectedResource.create(result.get(0), (int) count.get(0))) {
                module.addBlock(block.base_type_id());
                if (kind == SPVC_RESOURCE_TYPE_PUSH_CONSTANT) {
                    module.addBinding("PUSH Qpu" + spvc_compiler_get_name(module.compiler, block.base_type_id()));
                } else {
                    module.addBinding("BINDING_" + upper(block.nameString()) + " "
                            + spvc_compiler_get_decoration(module.compiler, block.id(), DECORATION_BINDING));
                }
            }
        }
        spvc_context_destroy(context);
    }

    private static void check(int result) {
        if (result != SPVC_SUCCESS) {
            throw new IllegalStateException("SPIRV-Cross failed: " + result);
        }
    }

    /** One compiled shader. Its structures are named by the ids of their types. */
    private final class Module {
        private final long compiler;
        private final String shader;
        private final IntBuffer number = BufferUtils.createIntBuffer(1);
        private final PointerBuffer size = BufferUtils.createPointerBuffer(1);

        Module(long compiler, String shader) {
            this.compiler = compiler;
            this.shader = shader;
        }

        /** The shader's name without its form, in the manner of classes. */
        private String name() {
            String path =
                    FORM.matcher(shader.substring(0, shader.lastIndexOf('.'))).replaceFirst("");
            StringBuilder name = new StringBuilder();
            for (String part : path.split("[/_]")) {
                name.append(Character.toUpperCase(part.charAt(0))).append(part.substring(1));
            }
            return name.toString();
        }

        void addBinding(String line) {
            String upper = upper(name());
            bindings.computeIfAbsent(upper, unused -> new TreeSet<>()).add("#define QPU_" + upper + "_" + line);
        }

        void addConstants() {
            Map<Integer, Constant> known = constants.computeIfAbsent(name() + "Constants", unused -> new TreeMap<>());
            PointerBuffer list = BufferUtils.createPointerBuffer(1);
            check(spvc_compiler_get_specialization_constants(compiler, list, size));
            for (SpvcSpecializationConstant constant :
                    SpvcSpecializationConstant.create(list.get(0), (int) size.get(0))) {
                long handle = spvc_compiler_get_constant_handle(compiler, constant.id());
                int value = spvc_constant_get_scalar_u32(handle, 0, 0);
                boolean flag =
                        spvc_type_get_basetype(spvc_compiler_get_type_handle(compiler, spvc_constant_get_type(handle)))
                                == SPVC_BASETYPE_BOOLEAN;
                Constant added = new Constant(
                        constant.constant_id() == 0
                                ? "localSizeX"
                                : camel(spvc_compiler_get_name(compiler, constant.id())),
                        flag ? "boolean" : "int",
                        flag ? String.valueOf(value != 0) : String.valueOf(value));
                Constant other = known.putIfAbsent(constant.constant_id(), added);
                if (other != null && !other.equals(added)) {
                    throw new IllegalStateException("constant " + constant.constant_id() + " of " + shader + " is "
                            + added + ", in another form of the shader " + other);
                }
            }
        }

        void addBlock(int id) {
            long type = spvc_compiler_get_type_handle(compiler, id);
            long first = memberType(type, 0);
            boolean oneOpenArray = spvc_type_get_num_member_types(type) == 1
                    && spvc_type_get_num_array_dimensions(first) == 1
                    && spvc_type_get_array_dimension(first, 0) == 0;
            if (oneOpenArray) {
                addIfStruct(first);
            } else {
                add(id, type);
            }
        }

        private void addIfStruct(long type) {
            if (spvc_type_get_basetype(type) == SPVC_BASETYPE_STRUCT) {
                int id = spvc_type_get_base_type_id(type);
                add(id, spvc_compiler_get_type_handle(compiler, id));
            }
        }

        private long memberType(long type, int member) {
            return spvc_compiler_get_type_handle(compiler, spvc_type_get_member_type(type, member));
        }

        private void add(int id, long type) {
            String name = spvc_compiler_get_name(compiler, id);
            List<String> lines = new ArrayList<>();
            List<String> members = new ArrayList<>();
            List<String> checks = new ArrayList<>();
            check(spvc_compiler_get_declared_struct_size(compiler, type, size));
            int bytes = (int) size.get(0);
            lines.add(constant("BYTES", bytes));
            for (int member = 0; member < spvc_type_get_num_member_types(type); member++) {
                String memberName = spvc_compiler_get_member_name(compiler, id, member);
                addMember(lines, id, type, member);
                members.add("    " + inC(memberType(type, member), memberName) + ";\n");
                checks.add("QPU_LAYOUT(offsetof(Qpu" + name + ", " + memberName + ") == " + number.get(0) + ");\n");
            }
            structures.putIfAbsent(
                    name,
                    "typedef struct Qpu" + name + " {\n" + String.join("", members) + "} Qpu" + name + ";\n"
                            + String.join("", checks) + "QPU_LAYOUT(sizeof(Qpu" + name + ") == " + bytes + ");\n");
            Layout other = layouts.putIfAbsent(name, new Layout(lines, shader));
            if (other != null && !other.lines().equals(lines)) {
                throw new IllegalStateException(name + " is declared in one way in " + other.shader()
                        + " and in another in " + shader + ":\n" + other.lines() + "\n" + lines);
            }
        }

        private void addMember(List<String> lines, int id, long type, int member) {
            String name = spvc_compiler_get_member_name(compiler, id, member);
            String upper = upper(name);
            List<String> more = new ArrayList<>();
            long memberType = memberType(type, member);
            int dimensions = spvc_type_get_num_array_dimensions(memberType);
            if (dimensions > 1) {
                throw new IllegalStateException(name + " in " + shader + " is an array of arrays; make it one array");
            }
            if (dimensions == 1) {
                check(spvc_compiler_type_struct_member_array_stride(compiler, type, member, number));
                more.add(constant(upper + "_STEP", number.get(0)));
                int count = spvc_type_get_array_dimension(memberType, 0);
                if (count > 0) {
                    more.add(constant(upper + "_COUNT", count));
                }
            }
            addIfStruct(memberType);
            check(spvc_compiler_type_struct_member_offset(compiler, type, member, number));
            lines.add(constant(upper, number.get(0)));
            lines.addAll(more);
        }

        /** Declares a member in C. */
        private String inC(long type, String name) {
            String of = switch (spvc_type_get_basetype(type)) {
                case SPVC_BASETYPE_UINT32 -> "uint32_t";
                case SPVC_BASETYPE_INT32 -> "int32_t";
                case SPVC_BASETYPE_FP32 -> "float";
                case SPVC_BASETYPE_STRUCT -> "Qpu" + spvc_compiler_get_name(compiler, spvc_type_get_base_type_id(type));
                default -> throw new IllegalStateException(name + " in " + shader + " has no type in C");
            };
            int count = spvc_type_get_num_array_dimensions(type) == 0 ? -1 : spvc_type_get_array_dimension(type, 0);
            int vector = spvc_type_get_vector_size(type);
            return of + " " + name + (count < 0 ? "" : count == 0 ? "[]" : "[" + count + "]")
                    + (vector > 1 ? "[" + vector + "]" : "");
        }

        /** The name {@code IN_COLUMNS} as {@code inColumns}. */
        private static String camel(String name) {
            return Pattern.compile("_(.)")
                    .matcher(name.toLowerCase(Locale.ROOT))
                    .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
        }

        private static String constant(String name, int value) {
            return "    public static final int " + name + " = " + value + ";";
        }
    }

    /** The name {@code inColumns} as {@code IN_COLUMNS}. */
    private static String upper(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }

    private void writeHeader(Path shaders, Path header, String version) throws IOException {
        StringBuilder declared = new StringBuilder();
        structures.values().forEach(structure -> declared.append(structure).append('\n'));
        constants.forEach((name, numbered) -> declared.append(constantsInC(name, numbered)));
        bindings.values()
                .forEach(lines -> declared.append(String.join("\n", lines)).append("\n\n"));
        List<String> kernels = new ArrayList<>();
        try (Stream<Path> files = Files.walk(shaders)) {
            for (Path file : files.filter(name -> name.toString().endsWith(".spv"))
                    .sorted()
                    .toList()) {
                byte[] spirv = Files.readAllBytes(file);
                kernels.add("    K(\"%s\", %d, %s)"
                        .formatted(
                                shaders.relativize(file).toString().replace(".spv", ""), spirv.length, digest(spirv)));
            }
        }
        String module = upper(header.getFileName().toString().replaceAll("qpu-|\\.h", ""));
        Files.createDirectories(header.toAbsolutePath().getParent());
        update(header, """
            /* Copyright (C) 2026 the gst-qpu authors
             * SPDX-License-Identifier: LGPL-2.1-or-later
             *
             * Made by the build from the compiled shaders; do not edit. Structures as the shaders have them, the specialisation constants in
             * the order of their numbers from 0 on, 32 bits each, and the bindings of descriptor set 0. */
            #ifndef QPU_%1$s_H
            #define QPU_%1$s_H
            #include <stddef.h>
            #include <stdint.h>
            #ifndef QPU_LAYOUT
            #ifdef __cplusplus
            #define QPU_LAYOUT(holds) static_assert(holds, #holds)
            #else
            #define QPU_LAYOUT(holds) _Static_assert(holds, #holds)
            #endif
            #endif

            #define QPU_%1$s_VERSION "%2$s"
            /* Changes when anything below changes, but for the digests of the shaders. */
            #define QPU_%1$s_ABI %3$s

            /* Name, bytes and digest (FNV-1a of 64 bits) of each compiled shader. */
            #define QPU_%1$s_KERNELS(K) \\
            %4$s

            %5$s#endif
            """.formatted(
                        module,
                        version,
                        digest(declared.toString().getBytes(StandardCharsets.UTF_8)),
                        String.join(" \\\n", kernels),
                        declared));
    }

    private static String digest(byte[] bytes) {
        long hash = 0xcbf29ce484222325L;
        for (byte next : bytes) {
            hash = (hash ^ (next & 255)) * 0x100000001b3L;
        }
        return "0x%016xull".formatted(hash);
    }

    private static String constantsInC(String name, TreeMap<Integer, Constant> constants) {
        List<String> members = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (int number = 0; number <= constants.lastKey(); number++) {
            Constant constant = constants.get(number);
            members.add("    uint32_t " + (constant == null ? "unused" + number : constant.name()) + ";");
            values.add(
                    constant == null
                            ? "0"
                            : constant.value().replace("true", "1").replace("false", "0"));
        }
        return """
            typedef struct Qpu%1$s {
            %2$s
            } Qpu%1$s;
            #define QPU_%3$s {%4$s}

            """.formatted(name, String.join("\n", members), upper(name), String.join(", ", values));
    }

    /**
     * Writes the classes. A file whose content would stay the same is not written, so that javac need not compile it
     * again. Files of structures that no longer exist are deleted.
     */
    private void write(Path sources, String packageName) throws IOException {
        Path folder = sources.resolve(packageName.replace('.', '/'));
        Files.createDirectories(folder);
        Set<Path> written = new HashSet<>();
        for (Map.Entry<String, Layout> entry : layouts.entrySet()) {
            String name = entry.getKey();
            written.add(update(folder.resolve(name + ".java"), """
                package %s;

                /** Where the members of the GLSL structure {@code %s} lie, in bytes. Made by the build. */
                public final class %s {
                %s

                    private %s() {}
                }
                """.formatted(
                    packageName, name, name, String.join("\n", entry.getValue().lines()), name)));
        }
        for (Map.Entry<String, TreeMap<Integer, Constant>> entry : constants.entrySet()) {
            String name = entry.getKey();
            written.add(update(folder.resolve(name + ".java"), constants(packageName, name, entry.getValue())));
        }
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path old : files.filter(Files::isRegularFile).toList()) {
                if (!written.contains(old)) {
                    Files.delete(old);
                }
            }
        }
    }

    private static String constants(String packageName, String name, TreeMap<Integer, Constant> constants) {
        List<String> fields = new ArrayList<>();
        List<String> setters = new ArrayList<>();
        List<String> words = new ArrayList<>();
        for (int number = 0; number <= constants.lastKey(); number++) {
            Constant constant = constants.get(number);
            if (constant == null) {
                words.add("0");
                continue;
            }
            fields.add("    private " + constant.type() + " " + constant.name() + " = " + constant.value() + ";");
            setters.add("""

                    public %s %s(%s value) {
                        %s = value;
                        return this;
                    }
                """.formatted(name, constant.name(), constant.type(), constant.name()));
            words.add(constant.type().equals("boolean") ? constant.name() + " ? 1 : 0" : constant.name());
        }
        return """
            package %s;

            import java.util.List;

            /** The specialisation constants of a shader, with the shader's values until others are set. Made by the build. */
            public final class %s {
            %s
            %s
                /** The constants in the order of their numbers, 32 bits each. */
                public List<Integer> words() {
                    return List.of(%s);
                }
            }
            """.formatted(
                packageName, name, String.join("\n", fields), String.join("", setters), String.join(", ", words));
    }

    private static Path update(Path file, String text) throws IOException {
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.writeString(file, text);
        }
        return file;
    }
}
