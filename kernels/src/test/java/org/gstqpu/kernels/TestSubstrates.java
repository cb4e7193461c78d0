package org.gstqpu.kernels;

import java.util.Optional;
import java.util.stream.Stream;

/** The substrates that every exactness test runs on. */
public final class TestSubstrates {
    /**
     * A substrate that a test opens and closes by itself.
     *
     * @param randomPictures how many random pictures a test runs there, as many as its speed allows
     */
    public record Choice(String name, SubstrateRequest request, int randomPictures) {
        /** Opens it; the test closes it. */
        public FilterContext open() throws SubstrateUnavailableException {
            return Substrates.open(request);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private TestSubstrates() {}

    /** All of them, for {@code @MethodSource("org.gstqpu.kernels.TestSubstrates#all")}. */
    public static Stream<Choice> all() {
        return Stream.of(
                new Choice("CPU, 1 thread", new SubstrateRequest(Substrate.CPU, Optional.empty(), 1), 200),
                new Choice("CPU, 3 threads", new SubstrateRequest(Substrate.CPU, Optional.empty(), 3), 200),
                new Choice("QPU", new SubstrateRequest(Substrate.QPU, Optional.empty(), 0), 100));
    }

    /** Those with the block library, for {@code @MethodSource("org.gstqpu.kernels.TestSubstrates#withBlocks")}. */
    public static Stream<Choice> withBlocks() {
        return all().filter(choice -> choice.request().substrate() == Substrate.CPU);
    }
}
