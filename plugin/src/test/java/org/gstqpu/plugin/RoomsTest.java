/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/** This module is one room, so what must point one way are its classes. */
class RoomsTest {
    private static final SliceAssignment FILES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            JavaClass file = type;
            while (file.getEnclosingClass().isPresent()) {
                file = file.getEnclosingClass().get();
            }
            return SliceIdentifier.of(file.getSimpleName());
        }

        @Override
        public String getDescription() {
            return "classes, each with those inside it";
        }
    };

    @Test
    void noClassUsesOneThatUsesIt() {
        slices().assignedFrom(FILES)
                .should()
                .beFreeOfCycles()
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("org.gstqpu.plugin"));
    }
}
