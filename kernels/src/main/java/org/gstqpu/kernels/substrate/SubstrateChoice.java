package org.gstqpu.kernels.substrate;

/**
 * Where something runs, and why. Immutable.
 *
 * @param substrate {@link Substrate#CPU} or {@link Substrate#QPU}
 * @param reason one line
 */
public record SubstrateChoice(Substrate substrate, String reason) {}
