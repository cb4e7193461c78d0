/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

/**
 * The substrate that work runs on, and why. Immutable.
 *
 * @param substrate {@link Substrate#CPU} or {@link Substrate#QPU}
 * @param reason why that one: one line
 */
public record SubstrateChoice(Substrate substrate, String reason) {}
