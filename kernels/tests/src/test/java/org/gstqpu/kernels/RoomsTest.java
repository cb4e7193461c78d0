/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static com.tngtech.archunit.base.DescribedPredicate.anyElementThat;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The packages of this module as docs/ARCHITECTURE.md draws them: floors whose arrows point down. */
class RoomsTest {
    private static final Pattern NAME = Pattern.compile("`([^`]*)`");

    private static final String ROOT = "org.gstqpu.kernels";

    /**
     * Each line is a floor, the lowest one first. A package may use those of lower floors, and none on its own floor or above.
     */
    private static final List<List<String>> FLOORS = List.of(
            List.of(
                    "internal.cache",
                    "internal.vulkan.layout",
                    "internal.vulkan.block.layout",
                    "internal.vulkan.quality.layout",
                    "internal.vulkan.work.layout"),
            List.of("picture", "substrate"),
            List.of("filter", "quality", "internal.memory", "internal.vulkan.device"),
            List.of("block", "internal.quality", "internal.vulkan.memory", "internal.cpu.work"),
            List.of("internal.workload", "internal.picture", "internal.vulkan.work"),
            List.of("internal.stage", "internal.race", "internal.cpu.quality"),
            List.of("internal.stage.*"),
            List.of("internal.row"),
            List.of(
                    "internal.cpu",
                    "internal.cpu.block",
                    "internal.vulkan.block",
                    "internal.vulkan.picture",
                    "internal.vulkan.quality"),
            List.of("internal.vulkan"),
            List.of("", "blocks", "metrics"),
            List.of("golden"));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    private static String name(String room) {
        return room.isEmpty() ? ROOT : ROOT + "." + room;
    }

    @Test
    void theTableInArchitectureIsThis() throws IOException {
        List<List<String>> floors = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("../../docs/ARCHITECTURE.md"))) {
            if (line.matches("\\| \\d+ \\|.*")) {
                Matcher name = NAME.matcher(line);
                floors.add(0, name.results().map(result -> result.group(1)).toList());
            }
        }
        List<List<String>> expected = new ArrayList<>(FLOORS);
        expected.set(FLOORS.size() - 2, List.of("kernels", "Substrates", "blocks", "metrics"));
        assertEquals(expected, floors);
    }

    @Test
    void everyPackageHasAFloor() {
        String[] rooms =
                FLOORS.stream().flatMap(List::stream).map(RoomsTest::name).toArray(String[]::new);
        classes().should().resideInAnyPackage(rooms).check(CLASSES);
    }

    @Test
    void arrowsPointDown() {
        Architectures.LayeredArchitecture layers =
                Architectures.layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (List<String> floor : FLOORS) {
            for (String room : floor) {
                layers = layers.layer(layer(room)).definedBy(name(room));
            }
        }
        for (int floor = 0; floor < FLOORS.size(); floor++) {
            String[] lower = FLOORS.subList(0, floor).stream()
                    .flatMap(List::stream)
                    .map(RoomsTest::layer)
                    .toArray(String[]::new);
            for (String room : FLOORS.get(floor)) {
                layers = lower.length == 0
                        ? layers.whereLayer(layer(room)).mayNotAccessAnyLayer()
                        : layers.whereLayer(layer(room)).mayOnlyAccessLayers(lower);
            }
        }
        layers.check(CLASSES);
    }

    private static String layer(String room) {
        return room.isEmpty() ? "entrance" : room;
    }

    @Test
    void noStageKnowsAnother() {
        slices().matching(ROOT + ".internal.stage.(*)")
                .should()
                .notDependOnEachOther()
                .check(CLASSES);
    }

    @Test
    void noCircles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void thePublicApiShowsNothingInternal() {
        DescribedPredicate<JavaClass> internal = JavaClass.Predicates.resideInAPackage("..internal..");
        DescribedPredicate<JavaClass> api = DescribedPredicate.not(internal).and(modifier(JavaModifier.PUBLIC));
        noMethods()
                .that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat(api)
                .should()
                .haveRawReturnType(internal)
                .orShould()
                .haveRawParameterTypes(anyElementThat(internal))
                .check(CLASSES);
    }
}
