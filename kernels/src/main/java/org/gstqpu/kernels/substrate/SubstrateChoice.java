/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

/**
 * Where something runs, and why. Immutable.
 *
 * @param substrate {@link Substrate#CPU} or {@link Substrate#QPU}
 * @param reason one line
 */
public record SubstrateChoice(Substrate substrate, String reason) {}
