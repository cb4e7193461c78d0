/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Automatic strength: how the histograms of a picture become a tier and a grid offset. The device computes the same in
 * GLSL.
 */
package org.gstqpu.kernels.internal.stage.strength;
