/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The packages of the command line: commands stand on what all share, and few know another command. Within a package, the classes
 * point one way.
 */
class RoomsTest {
    private static final String ROOT = "org.gstqpu.pipelines";

    /** Each line is a floor, the lowest one first. A package may use those of lower floors, and none on its own floor or above. */
    private static final List<List<String>> FLOORS = List.of(
            List.of("cli"),
            List.of("media"),
            List.of("play", "demo", "report", "verify"),
            List.of("doctor", "measure", "batch"),
            List.of("compare"));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void arrowsPointDown() {
        LayeredArchitecture layers = layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("top")
                .definedBy(ROOT)
                .whereLayer("top")
                .mayNotBeAccessedByAnyLayer();
        for (List<String> floor : FLOORS) {
            for (String room : floor) {
                layers = layers.layer(room).definedBy(ROOT + "." + room);
            }
        }
        for (int floor = 0; floor < FLOORS.size(); floor++) {
            String[] lower =
                    FLOORS.subList(0, floor).stream().flatMap(List::stream).toArray(String[]::new);
            for (String room : FLOORS.get(floor)) {
                layers = lower.length == 0
                        ? layers.whereLayer(room).mayNotAccessAnyLayer()
                        : layers.whereLayer(room).mayOnlyAccessLayers(lower);
            }
        }
        layers.check(CLASSES);
    }

    private static final SliceAssignment FILES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            JavaClass file = type;
            while (file.getEnclosingClass().isPresent()) {
                file = file.getEnclosingClass().get();
            }
            return SliceIdentifier.of(file.getName());
        }

        @Override
        public String getDescription() {
            return "classes, each with those inside it";
        }
    };

    @Test
    void noClassUsesOneThatUsesIt() {
        slices().assignedFrom(FILES).should().beFreeOfCycles().check(CLASSES);
    }
}
